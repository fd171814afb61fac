import { isOurServer } from "../../core/call/call-event.js";
import {
  cutText,
  firstLine,
  idAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  parseJson,
  textAt,
} from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import type { NewTodo } from "../../core/todo/command.js";
import { statusAt } from "../../core/todo/list.js";
import { type HeldCall, holdCall } from "../held-call.js";

/** Tools that keep a list, tasks or a plan, or only prepare others: not the work itself. */
const NO_WORK = ["TodoWrite", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "EnterPlanMode", "ToolSearch"];
/** Tools that wait for a person. */
const ASKING = ["AskUserQuestion", "ExitPlanMode"];

const MCP_TOOL = /^mcp__(.+?)__(.+)$/s;
const NAME_MAX = 100;

/** What a call is about, by the first of these that it has. */
const SUBJECTS = ["command", "file_path", "path", "notebook_path", "pattern", "url", "query", "description", "skill"];

/** What is told of a call when it starts, and what is held of it until its answer comes. */
export interface StartedCall {
  readonly started: Extract<Fact, { type: "call.started" }>;
  readonly held: HeldCall;
}

export function startOfCall(call: string, name: string, input: JsonObject, reply?: string): StartedCall {
  const [, whose, own = name] = MCP_TOOL.exec(name) ?? [];
  const [tool, server] = [own.slice(0, NAME_MAX), whose?.slice(0, NAME_MAX)];
  const isAsking = ASKING.includes(name);
  const held = holdCall({ tool, server, input });
  const started = {
    type: "call.started",
    call,
    tool,
    server,
    subject: firstLine(input, SUBJECTS),
    isWork: !isAsking && !NO_WORK.includes(name) && !isOurServer(server),
    isAsking,
    reply,
    facts: held.start,
  } as const;
  return { started: isAsking ? { ...started, ask: askOf(name, input) } : started, held };
}

/** The text of a tool's answer: a text, or a list of blocks. */
export function answerText(content: unknown): string {
  if (typeof content === "string") return content;
  return listAt(content)
    .map((block) => textAt(objectAt(block).text) ?? "")
    .join("\n");
}

const REFUSAL =
  /^(?:<tool_use_error>|Permission (?:to|for) |Claude requested permissions |PreToolUse:|The user doesn't want to |\[(?:Request|Tool call|Agent call) )/;

/** What Claude Code answers in place of a tool that it did not run, or that somebody stopped. */
export function isRefusal(text: string): boolean {
  return REFUSAL.test(text);
}

const TEXT_MAX = 4000;

/**
 * The todos of a whole-list write; undefined when it is no list. Items that are none are left out. `known`: what this
 * made of the last write, whose texts most writes only repeat.
 */
export function todosAt(value: unknown, known: readonly NewTodo[] = []): readonly NewTodo[] | undefined {
  // Models send a list as text at times; the client takes it.
  const items = typeof value === "string" ? parseJson(value) : value;
  return Array.isArray(items) ? items.flatMap((item, place) => todoAt(item, known[place])) : undefined;
}

function todoAt(item: unknown, known: NewTodo | undefined): readonly NewTodo[] {
  if (!isObject(item)) return [];
  const text = sameText(item.content, known?.text);
  const status = statusAt(item.status);
  if (text === undefined || status === undefined) return [];
  const activeForm = sameText(item.activeForm, known?.activeForm) ?? null;
  // Older versions gave each todo an id.
  return [{ text, status, activeForm, key: idAt(item.id) ?? null }];
}

/** Never cut, so redacted as a whole: redacted again it would stay the same. */
const WHOLE = 1000;

function sameText(value: unknown, known: string | null | undefined): string | undefined {
  return known != null && value === known && known.length < WHOLE ? known : boundedText(value);
}

export function boundedText(value: unknown): string | undefined {
  return cutText(value, TEXT_MAX);
}
