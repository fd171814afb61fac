import { isOurServer } from "../../core/call/call-event.js";
import { idAt, type JsonObject, objectAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import { answerText } from "../claude/tool-results.js";
import { subjectOf } from "../codex/call-records.js";
import { COMPLETED, failed } from "../codex/outcome.js";
import { factsAtEnd, type HeldCall, holdCall } from "../held-call.js";
import { addBounded } from "../memory.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import { wrappedCall } from "./wrapped-call.js";

/** The tool behind which all others may be hidden: `id` names the real one, `args` is what that one gets. */
const WRAPPER = "tool_call";
const ASKING = "ask_user";
const AGENT_TOOL = "sessions_spawn";
const LIST_TOOLS: readonly string[] = ["progress_card", "update_plan"];

const NAME_MAX = 100;
const MOST_OPEN = 200;

/** A call as the real tool got it. */
export interface RealCall {
  readonly tool: string;
  readonly server: string | undefined;
  readonly input: JsonObject;
}

interface OpenCall {
  readonly call: RealCall;
  readonly held: HeldCall;
  readonly isWrapped: boolean;
}

/** What came back from the real tool. */
interface RealAnswer {
  /** What was done; undefined where that is not known, or nothing was. */
  readonly call: RealCall | undefined;
  readonly facts: readonly Fact[];
}

export class OpenclawCalls {
  readonly #open = new Map<string, OpenCall>();
  readonly #ended = new Map<string, true>();

  /** Nothing for a block that is no call. `reply`: the message that it is part of. */
  start(block: JsonObject, reply: string | undefined): readonly Fact[] {
    const call = idAt(block.id);
    const name = textAt(block.name);
    if (call === undefined || name === undefined || this.#open.has(call)) return [];
    const real = realCall(name, objectAt(block.arguments));
    const held = holdCall(real);
    addBounded(this.#open, call, { call: real, held, isWrapped: name === WRAPPER }, MOST_OPEN);
    const { tool, server, input } = real;
    const isAsking = server === undefined && tool === ASKING;
    const isList = server === undefined && LIST_TOOLS.includes(tool);
    const started: Fact = {
      type: "call.started",
      call,
      tool,
      server,
      subject: subjectOf(input),
      isWork: !isAsking && !isList && !isOurServer(server),
      isAsking,
      ...(isAsking && { ask: askOf(tool, input) }),
      facts: held.start,
      reply,
    };
    return isAgentCall(real) ? [started, { type: "agent.started", agent: call }] : [started];
  }

  /** Undefined for what is no answer to a call, or the second one. */
  end(message: JsonObject, at: number | undefined): RealAnswer | undefined {
    const id = idAt(message.toolCallId);
    if (id === undefined) return undefined;
    // Calls of tools that are not there are taken out of a reply, and not every long reply can be unpacked: of such a
    // call the answer alone tells, and nobody knows what it asked for.
    const isUnknown = !this.#open.has(id) && !this.#ended.has(id);
    const facts = isUnknown ? [...this.start({ id, name: message.toolName }, undefined)] : [];
    const open = this.#open.get(id);
    if (!open) return undefined;
    this.#open.delete(id);
    addBounded(this.#ended, id, true, MOST_OPEN);
    const { call, held } = open;
    const { content, details } = open.isWrapped ? unwrapped(message) : message;
    const isError = message.isError === true || objectAt(details).status === "error";
    const { exitCode } = objectAt(details);
    const exit = Number.isSafeInteger(exitCode) ? (exitCode as number) : undefined;
    const badly = exit ? failed(`exit code ${exit}`) : COMPLETED;
    const outcome = isError ? failed(answerText(content)) : badly;
    const ended = factsAtEnd(held, { status: outcome.status, output: content, exit });
    facts.push({ type: "call.ended", call: id, ...outcome, facts: ended });
    if (isAgentCall(call)) facts.push({ type: "agent.ended", agent: id });
    if (!isError && isOwnTaskTool(call.tool, call.server)) facts.push(...taskFacts(answerText(content), at));
    return { call: isUnknown || isError ? undefined : call, facts };
  }
}

function isAgentCall({ tool, server }: RealCall): boolean {
  return server === undefined && tool === AGENT_TOOL;
}

/** An id is a name, or a name behind where the tool comes from: `mcp:SERVER:NAME`, `openclaw:core:NAME`. */
function realCall(name: string, input: JsonObject): RealCall {
  const wrapped = name === WRAPPER ? wrappedCall(input) : undefined;
  return wrapped ? named(wrapped.id.slice(wrapped.id.lastIndexOf(":") + 1), wrapped.input) : named(name, input);
}

const OF_SERVER = /^(.+?)__(.+)$/s;

function named(name: string, input: JsonObject): RealCall {
  const [, server, tool = name] = OF_SERVER.exec(name) ?? [];
  return { tool: tool.slice(0, NAME_MAX), server: server?.slice(0, NAME_MAX), input };
}

/** What the model reads of it stands inside a warning of foreign words; the answer itself lies beside that. */
function unwrapped(message: JsonObject): JsonObject {
  const { result } = objectAt(message.details);
  return result === undefined ? message : objectAt(result);
}
