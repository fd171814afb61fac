import { idAt, type JsonObject, objectAt, oneLine, sessionAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { answerText } from "../claude/tool-results.js";
import { subjectOf } from "../codex/call-records.js";
import { isListCall, LIST_TOOLS } from "./lists.js";

/** It waits for a person. */
const ASKING = "ask";
const OUR_SERVER = "milepost";
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

  /** Undefined for a block that is no call, or one that was there before. */
  start(block: JsonObject): Fact | undefined {
    const call = idAt(block.id);
    const name = textAt(block.name);
    if (call === undefined || name === undefined || this.#open.has(call)) return undefined;
    const input = objectAt(block.arguments);
    this.#open.set(call, isListCall(name, input));
    if (this.#open.size > MOST_OPEN) this.#open.delete(this.#open.keys().next().value ?? "");
    return { type: "call.started", call, ...noteOf(name, input) };
  }

  /** Whether the result of this call is a list of oh-my-pi's own. */
  isListCall({ toolCallId }: JsonObject): boolean {
    return this.#open.get(idAt(toolCallId) ?? "") === true;
  }

  /** Undefined when nobody knows of the call. */
  end(message: JsonObject): Fact | undefined {
    const call = idAt(message.toolCallId);
    if (call === undefined || !this.#open.delete(call)) return undefined;
    if (!message.isError) return { type: "call.ended", call, status: "completed" };
    return { type: "call.ended", call, status: "failed", problem: oneLine(answerText(message.content)) };
  }
}

function noteOf(name: string, input: JsonObject): Omit<Extract<Fact, { type: "call.started" }>, "type" | "call"> {
  const [, server, tool = name] = MCP_TOOL.exec(name) ?? [];
  return {
    tool: tool.slice(0, NAME_MAX),
    server: server?.slice(0, NAME_MAX),
    subject: subjectOf(input),
    isWork: !LIST_TOOLS.includes(name) && name !== ASKING && server !== OUR_SERVER,
    isAsking: name === ASKING,
  };
}

const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\dZ-]+_(.+)$/;

/**
 * A session's file is called TIME_ID.jsonl, and files of its sub-agents lie beside it in a folder of that name: the
 * session that a name without its ending is of.
 */
export function piSessionIn(name: string): string | undefined {
  return sessionAt(SESSION_NAME.exec(name)?.[1]);
}
