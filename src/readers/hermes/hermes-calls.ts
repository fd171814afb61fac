import { idAt, type JsonObject } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { outputText } from "../codex/outcome.js";
import { factsAtEnd, type HeldCall } from "../held-call.js";
import { addBounded } from "../memory.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import { answerOf, callOf, isListRead } from "./chat-message.js";
import { callId, isTodoCall } from "./history.js";

/** It starts sub-agents, and answers when all of them are over. */
const AGENT_TOOL = "delegate_task";
const MOST_OPEN = 200;

interface OpenCall {
  readonly held: HeldCall;
  /** It asks for the list, and changes nothing. */
  readonly isRead?: true;
}

export interface SavedCalls {
  readonly replies: number;
  readonly open: readonly (readonly [string, OpenCall])[];
}

export const NO_CALLS: SavedCalls = { replies: 0, open: [] };

/** The calls of one session. Messages have no ids, so replies are counted. */
export class HermesCalls {
  readonly #open: Map<string, OpenCall>;
  #replies: number;

  constructor({ replies, open }: SavedCalls = NO_CALLS) {
    this.#open = new Map(open);
    this.#replies = replies;
  }

  save(): SavedCalls {
    return { replies: this.#replies, open: [...this.#open] };
  }

  start(calls: readonly JsonObject[]): readonly Fact[] {
    if (calls.length > 0) this.#replies += 1;
    return calls.flatMap((call) => this.#startOne(call));
  }

  #startOne(call: JsonObject): readonly Fact[] {
    const id = idAt(callId(call));
    if (id === undefined) return [];
    const { note, held } = callOf(call);
    const isRead = isTodoCall(call, "any") && isListRead(call);
    addBounded(this.#open, id, isRead ? { held, isRead } : { held }, MOST_OPEN);
    const started: Fact = { type: "call.started", call: id, ...note, reply: `${this.#replies}` };
    return held.tool === AGENT_TOOL ? [started, { type: "agent.started", agent: id }] : [started];
  }

  /** The answer is to a call that only asks for the list. */
  isRead({ tool_call_id: id }: JsonObject): boolean {
    return this.#open.get(idAt(id) ?? "")?.isRead === true;
  }

  /** An answer whose call nobody has seen is told, too: the beginning of a history may be lost. */
  end(message: JsonObject, at: number | undefined): readonly Fact[] {
    const call = idAt(message.tool_call_id);
    if (call === undefined) return [];
    const held = this.#open.get(call)?.held;
    this.#open.delete(call);
    const { outcome, ...told } = answerOf(message);
    if (!held) return [{ type: "call.ended", call, ...outcome }];
    const facts = factsAtEnd(held, { status: outcome.status, ...told });
    const ended: Fact[] = [{ type: "call.ended", call, ...outcome, facts }];
    if (held.tool === AGENT_TOOL) ended.push({ type: "agent.ended", agent: call });
    const isOwn = outcome.status === "completed" && isOwnTaskTool(held.tool, held.server);
    return isOwn ? [...ended, ...taskFacts(outputText(told.output), at)] : ended;
  }
}
