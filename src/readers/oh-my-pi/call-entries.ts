import { isOurServer } from "../../core/call/call-event.js";
import { idAt, type JsonObject, objectAt, oneLine, parseJson, sessionAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import { answerText } from "../claude/tool-results.js";
import { subjectOf, type ToldCall } from "../codex/call-records.js";
import { COMPLETED, failed, type Outcome } from "../codex/outcome.js";
import { factsAtEnd, type HeldCall, holdCall } from "../held-call.js";
import { addBounded } from "../memory.js";
import { ownListInput } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import { LIST_TOOLS, listUse } from "./lists.js";

/** It waits for a person. */
const ASKING = "ask";
const MCP_TOOL = /^mcp__(.+?)__?(.+)$/s;
const NAME_MAX = 100;
const MOST_OPEN = 200;

/** Tools that start a sub-agent and answer when it is over: oh-my-pi's own, and that of pi's example extension. */
const AGENT_TOOLS = ["task", "subagent"];

interface OpenCall {
  readonly held: HeldCall;
  /** What a call of the list's own tool is to do: its result is the list. */
  readonly list?: "write" | "read";
  /** Of our own list tool: what was asked for. */
  readonly own?: JsonObject;
}

/** Calls without an answer. */
export type SavedCalls = readonly (readonly [string, OpenCall])[];

export class PiCalls {
  readonly #open: Map<string, OpenCall>;

  constructor(saved: SavedCalls = []) {
    this.#open = new Map(saved);
  }

  save(): SavedCalls {
    return [...this.#open];
  }

  /** Nothing for a block that is no call, or is open already. `reply`: the message that it is part of. */
  start(block: JsonObject, reply: string | undefined): readonly Fact[] {
    const call = idAt(block.id);
    const name = textAt(block.name);
    if (call === undefined || name === undefined || this.#open.has(call)) return [];
    const input = objectAt(block.arguments);
    const { note, ...open } = callOf(name, input);
    const { held } = open;
    addBounded(this.#open, call, open, MOST_OPEN);
    const started: Fact = { type: "call.started", call, ...note, reply };
    return isAgentCall(held) ? [started, { type: "agent.started", agent: call }] : [started];
  }

  /** What the result of this call is to the list; undefined for other tools. */
  listUse({ toolCallId }: JsonObject): OpenCall["list"] {
    return this.#open.get(idAt(toolCallId) ?? "")?.list;
  }

  /** What our own list tool is asked in this call; undefined for other tools, and where it was refused. */
  askedOfOurs({ toolCallId, isError }: JsonObject): JsonObject | undefined {
    return isError ? undefined : this.#open.get(idAt(toolCallId) ?? "")?.own;
  }

  end(message: JsonObject, at: number | undefined): readonly Fact[] {
    const call = idAt(message.toolCallId);
    const held = call === undefined ? undefined : this.#open.get(call)?.held;
    if (call === undefined || !held) return [];
    this.#open.delete(call);
    const { content } = message;
    const outcome = outcomeOf(message);
    const facts = factsAtEnd(held, { status: outcome.status, output: content, exit: exitIn(message) });
    const ended: Fact[] = [{ type: "call.ended", call, ...outcome, facts }];
    if (isAgentCall(held)) ended.push({ type: "agent.ended", agent: call });
    const isOwn = !message.isError && isOwnTaskTool(held.tool, held.server);
    return isOwn ? [...ended, ...taskFacts(answerText(content), at)] : ended;
  }
}

/** What a person, or the end of the reply, has stopped is no failure of the tool. */
function outcomeOf({ isError, content, details }: JsonObject): Outcome {
  if (!isError) return COMPLETED;
  const text = answerText(content);
  const { __synthetic: wasNotRun, __interrupted: wasCut } = objectAt(details);
  if (wasNotRun !== true && wasCut !== true && !STOPPED.test(text.slice(-EXIT_LOOK))) return failed(text);
  return { status: "cancelled", problem: oneLine(text) };
}

const STOPPED = /(?:^|[\n[])(?:Command|Operation|Eval cell) aborted\]?\s*$/;

function isAgentCall({ tool, server }: HeldCall): boolean {
  return server === undefined && AGENT_TOOLS.includes(tool);
}

/** pi tells it as the last line of what a failed command is answered with; oh-my-pi also beside it. */
function exitIn({ details, content, isError }: JsonObject): number | undefined {
  const { exitCode } = objectAt(details);
  if (Number.isSafeInteger(exitCode)) return exitCode as number;
  const end = isError === true ? answerText(content).slice(-EXIT_LOOK) : "";
  const [, code] = /Command exited with code (-?\d{1,9})\s*$/.exec(end) ?? [];
  return code === undefined ? undefined : Number(code);
}

const EXIT_LOOK = 200;

function callOf(called: string, input: JsonObject): PiCall {
  const { name, input: real } = behindDevice(called, input) ?? { name: called, input };
  const [, whose, own = name] = MCP_TOOL.exec(name) ?? [];
  const [tool, server] = [own.slice(0, NAME_MAX), whose?.slice(0, NAME_MAX)];
  const held = holdCall({ tool, server, input: real });
  const note = {
    tool,
    server,
    subject: subjectOf(real),
    isWork: !LIST_TOOLS.includes(name) && name !== ASKING && !isOurServer(server),
    isAsking: name === ASKING,
    ...(name === ASKING && { ask: askOf(name, real) }),
    facts: held.start,
  };
  const list = listUse(name, real);
  const ours = server === undefined ? undefined : ownListInput(`mcp__${server}__${tool}`, real);
  return { note, held, ...(list && { list }), ...(ours && { own: ours }) };
}

type PiCall = ToldCall & Pick<OpenCall, "list" | "own">;

const DEVICE = "xd://";

/** Tools that are not shown to the model are read and written like files: the write is the call. */
function behindDevice(called: string, { path, content }: JsonObject) {
  if (called !== "write" || typeof path !== "string" || !path.startsWith(DEVICE)) return undefined;
  const input = typeof content === "string" && content.length <= DEVICE_MAX ? parseJson(content) : undefined;
  return { name: path.slice(DEVICE.length).slice(0, 2 * NAME_MAX), input: objectAt(input) };
}

/** The result of the tool behind the device, as it would be without one. */
export function realResult(message: JsonObject): JsonObject {
  const { tool, inner } = objectAt(objectAt(message.details).xdev);
  return typeof tool === "string" ? { ...message, toolName: tool, details: inner } : message;
}

const DEVICE_MAX = 100_000;

const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\dZ-]+_(.+)$/;

/** A session's file is called TIME_ID.jsonl, and its sub-agents' files lie beside it in a folder TIME_ID. */
export function piSessionIn(name: string): string | undefined {
  return sessionAt(SESSION_NAME.exec(name)?.[1]);
}
