import { isOurServer } from "../../core/call/call-event.js";
import { idAt, type JsonObject, objectAt, sessionAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { answerText } from "../claude/tool-results.js";
import { type CallNote, subjectOf } from "../codex/call-records.js";
import { COMPLETED, failed } from "../codex/outcome.js";
import { addBounded } from "../memory.js";
import { isListCall, LIST_TOOLS } from "./lists.js";

/** It waits for a person. */
const ASKING = "ask";
const MCP_TOOL = /^mcp__(.+?)__?(.+)$/s;
const NAME_MAX = 100;
const MOST_OPEN = 200;

/** Calls without an answer, and whether each is one of the list's own tool. */
export type SavedCalls = readonly (readonly [string, boolean])[];

export class PiCalls {
  readonly #open: Map<string, boolean>;

  constructor(saved: SavedCalls = []) {
    this.#open = new Map(saved);
  }

  save(): SavedCalls {
    return [...this.#open];
  }

  /** Nothing for a block that is no call, or is open already. */
  start(block: JsonObject): readonly Fact[] {
    const call = idAt(block.id);
    const name = textAt(block.name);
    if (call === undefined || name === undefined || this.#open.has(call)) return [];
    const input = objectAt(block.arguments);
    addBounded(this.#open, call, isListCall(name, input), MOST_OPEN);
    return [{ type: "call.started", call, ...noteOf(name, input) }];
  }

  /** Whether the result of this call is a list of oh-my-pi's own. */
  isListCall({ toolCallId }: JsonObject): boolean {
    return this.#open.get(idAt(toolCallId) ?? "") === true;
  }

  end(message: JsonObject): readonly Fact[] {
    const call = idAt(message.toolCallId);
    if (call === undefined || !this.#open.delete(call)) return [];
    const outcome = message.isError ? failed(answerText(message.content)) : COMPLETED;
    return [{ type: "call.ended", call, ...outcome }];
  }
}

function noteOf(name: string, input: JsonObject): CallNote {
  const [, server, tool = name] = MCP_TOOL.exec(name) ?? [];
  return {
    tool: tool.slice(0, NAME_MAX),
    server: server?.slice(0, NAME_MAX),
    subject: subjectOf(input),
    isWork: !LIST_TOOLS.includes(name) && name !== ASKING && !isOurServer(server),
    isAsking: name === ASKING,
  };
}

const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\dZ-]+_(.+)$/;

/** A session's file is called TIME_ID.jsonl, and its sub-agents' files lie beside it in a folder TIME_ID. */
export function piSessionIn(name: string): string | undefined {
  return sessionAt(SESSION_NAME.exec(name)?.[1]);
}
