import { agoText } from "../../text/time-text.js";
import type { TodoChange } from "../../todo/events.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../../todo/list.js";
import { boundList } from "../../todo/list-size.js";

// The last list of a session that came to its end is kept for people. No model is ever told of it.

/** Characters: it lies beside the list that is written now, in every view of its session. */
const FINISHED_MAX = 256 * 1024;

/** Nothing on it is open, and something was completed: one that was only cancelled or emptied is not finished. */
export function isFinished(list: TodoList): boolean {
  const todos = todosOf(list);
  return !todos.some(isOpen) && todos.some(({ status }) => status === "completed");
}

/**
 * Whether a write with this change can finish a list. Notes and names cannot, and a closed todo that leaves a list must
 * not shorten what was finished.
 */
export function canFinish(change: TodoChange): boolean {
  if (change.type === "todo.removed") return isOpen(change);
  return change.type === "todo.added" || change.type === "todo.moved";
}

/** As much of a finished list as is kept. */
export function keptList(list: TodoList): TodoList {
  return boundList(list, FINISHED_MAX);
}

/** How far a finished list came: `4/4`. Cancelled todos are no longer part of the work. */
function countsOf(todos: readonly Pick<Todo, "status">[]) {
  const cancelled = todos.filter(({ status }) => status === "cancelled").length;
  return { done: todos.length - cancelled, cancelled };
}

/** `done 22m ago`, and how many were cancelled; `at`: milliseconds, 0 where it is not known. */
export function doneAgoText(todos: readonly Pick<Todo, "status">[], at: number, now: number): string {
  const { cancelled } = countsOf(todos);
  return `done${at === 0 ? "" : ` ${agoText(now - at)}`}${cancelled === 0 ? "" : `, ${cancelled} cancelled`}`;
}

/** `4/4 done 22m ago`. */
export function finishedText(todos: readonly Pick<Todo, "status">[], at: number, now: number): string {
  const { done } = countsOf(todos);
  return `${done}/${done} ${doneAgoText(todos, at, now)}`;
}
