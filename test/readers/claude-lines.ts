import type { JsonObject } from "../../src/core/json.js";
import { evolveView, newView, type SessionView } from "../../src/core/session/session-facts.js";
import { todosOf } from "../../src/core/todo/list.js";
import { claudeSession } from "../../src/readers/claude/claude-session.js";

/** A line of a session's file, before it knows what it follows. */
export interface Line extends JsonObject {
  readonly type: string;
}

const line = (type: string, fields: JsonObject = {}): Line => ({ type, ...fields });
const reply = (block: JsonObject, message: JsonObject) =>
  line("assistant", { message: { role: "assistant", model: "claude-sonnet-4-5", content: [block], ...message } });

let replies = 0;
const newReply = () => `m${++replies}`;

export const user = (content: unknown, fields: JsonObject = {}) =>
  line("user", { message: { role: "user", content }, ...fields });
export const meta = (text: string) => user(text, { isMeta: true });
export const interrupted = (by = "user") => user([{ type: "text", text: `[Request interrupted by ${by}]` }]);
export const system = (subtype: string, fields: JsonObject = {}) => line("system", { subtype, ...fields });
export const boundary = () => system("compact_boundary", { parentUuid: null, logicalParentUuid: "x" });
export const summarised = () => user("This session is being continued.", { isCompactSummary: true });
export const attachment = (type = "hook_success") => line("attachment", { attachment: { type } });
export const says = (text: string, message: JsonObject = {}) =>
  reply({ type: "text", text }, { id: newReply(), stop_reason: "end_turn", ...message });
export const calls = (call: string, name: string, input: unknown = {}, message: JsonObject = {}) =>
  reply({ type: "tool_use", id: call, name, input }, { id: newReply(), stop_reason: "tool_use", ...message });
export const answers = (call: string, text: unknown = "ok", fields: JsonObject = {}, block: JsonObject = {}) =>
  user([{ type: "tool_result", tool_use_id: call, content: text, ...block }], fields);
export const refuses = (call: string, text = "<tool_use_error>no</tool_use_error>") =>
  answers(call, text, { toolUseResult: `Error: ${text}` }, { is_error: true });
/** The line under this name, and after that one instead of the last; null for a beginning. */
export const as = (uuid: string, one: Line): Line => ({ ...one, uuid });
export const following = (parentUuid: string | null, one: Line): Line => ({ ...one, parentUuid });
export const side = (one: Line, fields: JsonObject = {}): Line => ({ ...one, isSidechain: true, ...fields });

/** `a` is pending, `a!` in progress, `a.` completed. */
export const todos = (...texts: string[]) =>
  texts.map((text) => ({
    content: text.replace(/[!.]$/, ""),
    status: text.endsWith("!") ? "in_progress" : text.endsWith(".") ? "completed" : "pending",
    activeForm: `doing ${text.replace(/[!.]$/, "")}`,
  }));

let written = 0;
/** A list that was written, as the client does it. */
export function wrote(...texts: string[]): Line[] {
  const call = `w${++written}`;
  return [
    calls(call, "TodoWrite", { todos: todos(...texts) }),
    answers(call, "Todos have been modified successfully.", {
      toolUseResult: { oldTodos: [], newTodos: todos(...texts) },
    }),
  ];
}

const CHAINED = ["user", "assistant", "system", "attachment", "progress"];

/** Each line of a conversation follows the last of its lane, unless it says otherwise. */
export function chained(lines: readonly Line[]): readonly Line[] {
  const last = new Map<string, string | null>();
  return lines.map((one, at) => {
    const common = { sessionId: "s1", timestamp: new Date(Date.UTC(2026, 0, 2) + at * 1000).toISOString() };
    if (!CHAINED.includes(one.type)) return { ...common, ...one };
    const lane = one.isSidechain === true ? `side ${String(one.agentId ?? one.lane ?? "")}` : "";
    const full = { ...common, uuid: `l${at}`, parentUuid: last.get(lane) ?? null, ...one };
    last.set(lane, full.uuid);
    return full;
  });
}

/** All sessions of a file. */
export function readAll(lines: readonly Line[], file = "s1.jsonl"): ReadonlyMap<string, SessionView> {
  const reader = claudeSession.open(file);
  const views = new Map<string, SessionView>();
  for (const fact of chained(lines).flatMap((one) => reader.read(one)))
    views.set(fact.session, evolveView(views.get(fact.session) ?? newView(fact.session), fact));
  return views;
}

export function readOne(lines: readonly Line[]): SessionView {
  return readAll(lines).get("s1") ?? newView("s1");
}

const ENDS = { pending: "", in_progress: "!", completed: ".", cancelled: "-" };

/** A list in the words it is written in above. */
export function listOf({ list }: SessionView): string {
  return todosOf(list)
    .map(({ text, status }) => text + ENDS[status])
    .join(" ");
}
