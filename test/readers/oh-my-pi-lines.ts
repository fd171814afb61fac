import type { JsonObject } from "../../src/core/json.js";
import type { Fact } from "../../src/core/session/observation.js";
import { evolveView, newView, type SessionView } from "../../src/core/session/session-facts.js";
import { ohMyPiSession } from "../../src/readers/oh-my-pi/oh-my-pi-session.js";

export const HEADER: JsonObject = {
  type: "session",
  version: 3,
  id: "s1",
  timestamp: "2026-06-01T10:00:00.000Z",
  cwd: "/app",
};

/** Entries follow each other unless they say otherwise, and are called e1, e2, ... */
export function chained(entries: readonly JsonObject[]): readonly JsonObject[] {
  return entries.map((entry, at) => ({ id: `e${at + 1}`, parentId: at === 0 ? null : `e${at}`, ...entry }));
}

export const message = (role: string, fields: JsonObject = {}): JsonObject => ({
  type: "message",
  message: { role, ...fields },
});
export const user = (text: string, fields: JsonObject = {}) =>
  message("user", { content: [{ type: "text", text }], ...fields });
export const says = (text: string, fields: JsonObject = {}) =>
  message("assistant", { content: [{ type: "text", text }], stopReason: "stop", ...fields });
export const calls = (id: string, name: string, input: JsonObject = {}, fields: JsonObject = {}) =>
  message("assistant", {
    content: [{ type: "toolCall", id, name, arguments: input }],
    stopReason: "toolUse",
    ...fields,
  });
export const result = (toolName: string, details: unknown, fields: JsonObject = {}) =>
  message("toolResult", { toolCallId: "c", toolName, content: [], details, ...fields });
export const edit = (data: unknown): JsonObject => ({ type: "custom", customType: "user_todo_edit", data });
export const to = (parentId: unknown, entry: JsonObject): JsonObject => ({ ...entry, parentId });

/** `a` is pending, `a!` in progress, `a.` completed, `a-` abandoned. */
const WORDS: Readonly<Record<string, string>> = { "!": "in_progress", ".": "completed", "-": "abandoned" };
export const task = (text: string) => ({
  content: text.replace(/[!.-]$/, ""),
  status: WORDS[text.at(-1) ?? ""] ?? "pending",
});
export const phase = (name: string, ...texts: string[]) => ({ name, tasks: texts.map(task) });
export const wrote = (...texts: string[]) => result("todo_write", { phases: [phase("P", ...texts)] });

export function factsOf(records: readonly JsonObject[], folder?: string): readonly Fact[] {
  const reader = ohMyPiSession.open("f.jsonl", { folder });
  return records.flatMap((record) => reader.read(record));
}

export function viewOf(records: readonly JsonObject[], folder?: string): SessionView {
  const reader = ohMyPiSession.open("f.jsonl", { folder });
  return records.flatMap((record) => reader.read(record)).reduce(evolveView, newView("s1"));
}

export const read = (...entries: JsonObject[]) => viewOf([HEADER, ...chained(entries)]);

const MARKS = { pending: "", in_progress: "!", completed: ".", cancelled: "-" };
export const shown = ({ list }: SessionView): readonly string[] =>
  list.phases.map(
    ({ name, todos }) =>
      `${name}: ${todos.map(({ text, status, notes }) => [`${text}${MARKS[status]}`, ...notes].join(" ~ ")).join(", ")}`,
  );
