import { isOurServer } from "../../core/call/call-event.js";
import { idAt, type JsonObject, objectAt, sessionAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import type { NewTodo } from "../../core/todo/command.js";
import { newOpencodeTodo } from "../../dialects/opencode/opencode.js";
import { type OpencodeItem, readTodos } from "../../dialects/opencode/todo-schema.js";
import { type CallNote, subjectOf } from "../codex/call-records.js";
import { exitAt, failed, type Outcome, outcomeOfExit } from "../codex/outcome.js";
import { factsAtEnd, holdCall, pullRequestAfter } from "../held-call.js";
import { ownListInput } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";

/** One call of a session: its part of a message has the question and, once there is one, the answer. */
export interface PartCall {
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly started: readonly Fact[];
  /** None while it runs. */
  readonly ended: readonly Fact[];
  /** The whole list, or the arguments of our own `todo`: what a call that was taken has written. */
  readonly write?: { readonly todos: readonly NewTodo[] } | { readonly own: JsonObject } | undefined;
}

export const LIST_TOOL = "todowrite";
const AGENT_TOOL = "task";
const ASKING = "question";
/** In whose name a call is kept that named no tool, or had no JSON. */
const REFUSED = "invalid";
const NAME_MAX = 100;
/** A server's tools have its name before theirs; only ours is told apart. */
const OWN_TOOL = /^(milepost)_(todo|task|plan)$/;

/** `reply`: the message that it is part of. */
export function callOfPart(part: JsonObject, reply: string | undefined): PartCall | undefined {
  const call = idAt(part.callID);
  const name = textAt(part.tool);
  if (call === undefined || name === undefined) return undefined;
  const state = objectAt(part.state);
  const input = objectAt(state.input);
  const isRefused = name === REFUSED;
  const { tool, server } = namesOf(isRefused ? (textAt(input.tool) ?? name) : name);
  const held = holdCall({ tool, server, input: isRefused ? {} : input });
  const time = objectAt(state.time);
  const endedAt = momentAt(time.end);
  const outcome = isRefused ? failed(input.error) : outcomeOf(state);
  const note = noteOf({ tool, server, input, isRefused });
  const isAgent = server === undefined && tool === AGENT_TOOL && !isRefused;
  // A sub-agent is known by its session.
  const agent = sessionAt(objectAt(state.metadata).sessionId) ?? call;
  const ended: Fact[] = [];
  if (outcome) {
    const { output, error, exit } = answerOf(state);
    const facts = factsAtEnd(held, { status: outcome.status, output, error, exit });
    ended.push({ type: "call.ended", call, ...outcome, facts });
    if (isAgent) ended.push({ type: "agent.ended", agent });
    if (outcome.status === "completed" && isOwnTaskTool(tool, server)) ended.push(...taskFacts(output ?? "", endedAt));
    const opened = pullRequestAfter(held, output);
    if (opened) ended.push(opened);
  }
  const started: Fact[] = [{ type: "call.started", call, ...note, facts: held.start, reply }];
  if (isAgent) started.push({ type: "agent.started", agent });
  const write = outcome?.status === "completed" ? writeOf(name, input) : undefined;
  return { startedAt: momentAt(time.start), endedAt, started, ended, write };
}

function namesOf(name: string): { readonly tool: string; readonly server?: string | undefined } {
  const [, server, tool = name] = OWN_TOOL.exec(name) ?? [];
  return { tool: tool.slice(0, NAME_MAX), server };
}

interface Asked {
  readonly tool: string;
  readonly server: string | undefined;
  readonly input: JsonObject;
  readonly isRefused: boolean;
}

function noteOf({ tool, server, input, isRefused }: Asked): CallNote {
  const isAsking = tool === ASKING && !isRefused;
  return {
    tool,
    server,
    subject: isRefused ? undefined : subjectOf(input),
    isWork: tool !== LIST_TOOL && tool !== ASKING && !isOurServer(server),
    isAsking,
    ...(isAsking && { ask: askOf(tool, input) }),
  };
}

/** Undefined while it runs. A tool's own failure is an error here; a command that ended badly is not. */
function outcomeOf({ status, error, metadata, output }: JsonObject): Outcome | undefined {
  const { interrupted, exit } = objectAt(metadata);
  if (status === "error") return interrupted === true ? { status: "cancelled" } : failed(error);
  if (status !== "completed") return undefined;
  // It did not come to its end: a person stopped it, or its time was over.
  if (exit === null) return STOPPED.test(textAt(output) ?? "") ? { status: "cancelled" } : failed("timed out");
  return outcomeOfExit(exit);
}

const STOPPED = /\nUser aborted the command\n<\/shell_metadata>\s*$/;

function answerOf({ output, error, metadata }: JsonObject) {
  return { output: textAt(output), error: textAt(error), exit: exitAt(objectAt(metadata).exit) };
}

function writeOf(name: string, input: JsonObject): PartCall["write"] {
  if (name === LIST_TOOL) {
    const todos = readTodos(name, { value: input });
    return todos.ok ? { todos: newTodosOf(todos.value) } : undefined;
  }
  const [, server, tool] = OWN_TOOL.exec(name) ?? [];
  const own = tool === undefined ? undefined : ownListInput(`mcp__${server}__${tool}`, input);
  return own && { own };
}

/** No store could keep a lone surrogate. */
export function newTodosOf(items: readonly OpencodeItem[]): readonly NewTodo[] {
  return items.map((item) => newOpencodeTodo({ ...item, content: item.content.toWellFormed() }));
}

/** The last day of a Date. */
const LAST_MOMENT = 8.64e15;

/** Milliseconds. */
export function momentAt(time: unknown): number | undefined {
  return typeof time === "number" && time > 0 && time < LAST_MOMENT ? Math.floor(time) : undefined;
}
