import { agoText } from "../../text/time-text.js";
import type { Todo } from "../../todo/list.js";

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
