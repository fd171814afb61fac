import { fail, ok, type Result } from "../result.js";
import { promptText } from "../text/prompt-text.js";
import { applyEdit } from "./apply-edit.js";
import type { TodoCommand, TodoError } from "./command.js";
import { draftTodos } from "./draft.js";
import type { TodoEvent } from "./events.js";
import { checkCount } from "./limits.js";
import { isOpen, type Todo, type TodoList, todosOf } from "./list.js";
import { checkSize } from "./list-size.js";
import type { TodoPolicy } from "./policy.js";
import { replaceList } from "./replace.js";
import { beginWrite, inProgress, keepFocus, moveTodo, record, removeTodos, type Write } from "./write.js";

export interface Decision {
  readonly events: readonly TodoEvent[];
  /** Edits that were left out; only a partial batch has any. */
  readonly refused: readonly TodoError[];
}

/** The same list, command and policy always give the same events. A refused write has none. */
export function decide(list: TodoList, command: TodoCommand, policy: TodoPolicy): Result<Decision, TodoError> {
  if (command.type === "read") return ok({ events: [], refused: [] });
  const write = beginWrite(list, command, policy);
  const unfit = command.type === "replace" && replaceList(write, command);
  if (unfit) return fail(unfit);
  const refused = command.type === "edit" ? applyEdits(write, command) : [];
  if (refused[0] && policy.batch === "atomic") return fail(refused[0]);
  const broken = settle(write, list, command.type === "replace" || command.advance !== false);
  if (broken) return fail(broken);
  // A write that changed nothing, but is counted.
  if (policy.revision === "every-write" && write.events.length === 0 && list.revision > 0)
    record(write, { type: "list.explained", explanation: write.draft.explanation ?? null });
  const large = checkSize(list, write.events, write.draft);
  return large ? fail(large) : ok({ events: write.events, refused });
}

function applyEdits(write: Write, command: Extract<TodoCommand, { type: "edit" }>): readonly TodoError[] {
  const refused: TodoError[] = [];
  for (const [index, edit] of command.edits.entries()) {
    const error = applyEdit(write, edit);
    if (error) refused.push({ ...error, edit: index });
    if (error && write.policy.batch === "atomic") break;
  }
  return refused;
}

/** The rules that hold after a whole write, whatever it did on the way. */
function settle(write: Write, before: TodoList, mayAdvance: boolean): TodoError | undefined {
  const refused = settleCount(write, before) ?? settleFocus(write, before);
  if (refused) return refused;
  if (mayAdvance) startNext(write);
  if (write.policy.clearWhenDone === "now" && write.draft.todos.size > 0 && !draftTodos(write.draft).some(isOpen))
    record(write, { type: "list.cleared" });
  return undefined;
}

function settleCount(write: Write, before: TodoList): TodoError | undefined {
  const { limits, clearWhenDone } = write.policy;
  // A list that is over the limit already, because another dialect has none, may still change and shrink.
  if (limits.todos === null || write.draft.todos.size <= Math.max(limits.todos, todosOf(before).length))
    return undefined;
  // Where finished lists make way, finished todos do: the oldest go first.
  if (clearWhenDone === "on-add") {
    const closed = draftTodos(write.draft).filter((todo) => !isOpen(todo));
    removeTodos(write, closed.slice(0, write.draft.todos.size - limits.todos));
  }
  return checkCount(limits, write.draft.todos.size);
}

function settleFocus(write: Write, before: TodoList): TodoError | undefined {
  const { focus } = write.policy;
  const active = focus === "allow" ? [] : inProgress(write);
  if (active.length < 2) return undefined;
  if (focus === "reject") return anotherInProgress(active);
  if (focus === "reject-new") return startsBeside(active, before) ? severalInProgress(active) : undefined;
  keepFocus(write, active[0]?.number);
  return undefined;
}

function anotherInProgress(active: readonly Todo[]): TodoError {
  const numbers = active.map((todo) => todo.number).join(", ");
  return {
    code: "another-in-progress",
    message: `Only one todo can be in progress; this write has ${active.length} (${numbers}). Finish one first.`,
    actual: active.length,
    limit: 1,
  };
}

function startsBeside(active: readonly Todo[], before: TodoList): boolean {
  const known = new Set(todosOf(before).flatMap(({ number, status }) => (status === "in_progress" ? [number] : [])));
  return active.some(({ number }) => !known.has(number));
}

const MOST_NAMED = 5;
const NAME_MAX = 80;

/** For a model that knows no numbers of ours, and has not agreed to the rule: by their texts, with what to do. */
function severalInProgress(active: readonly Todo[]): TodoError {
  const names = active.slice(0, MOST_NAMED).map(({ text }) => `"${promptText(text, NAME_MAX).replaceAll('"', "'")}"`);
  const more = active.length > MOST_NAMED ? ` and ${active.length - MOST_NAMED} more` : "";
  return {
    code: "another-in-progress",
    message: `Only one todo can be in progress at a time; this write has ${active.length}: ${names.join(", ")}${more}. Nothing was changed. Leave one of them in_progress, set the others to pending, and write the list again.`,
    actual: active.length,
    limit: 1,
  };
}

function startNext(write: Write): void {
  const { promote } = write.policy;
  if (promote === "never" || (promote === "on-close" && !write.isAdvancing)) return;
  const todos = draftTodos(write.draft);
  if (todos.some((todo) => todo.status === "in_progress")) return;
  const next = todos.find((todo) => todo.status === "pending");
  if (next) moveTodo(write, next, "in_progress");
}
