import type { NewTodo } from "../core/todo/command.js";
import { decide } from "../core/todo/decide.js";
import { evolveAll } from "../core/todo/evolve.js";
import type { TodoList, TodoStatus } from "../core/todo/list.js";
import { WHOLE_LIST } from "../core/todo/policy.js";

/** A list with nothing open is over: agents start the next one from nothing, and so do we. */
const POLICY = { ...WHOLE_LIST, clearWhenDone: "now" } as const;

/** The list after an agent has written all of it anew. Todos that are still there keep their numbers. */
export function writeList(list: TodoList, todos: readonly NewTodo[], explanation?: string): TodoList {
  const phases = todos.length === 0 ? [] : [{ name: "", todos }];
  const isOver = todos.every(({ status }) => status === "completed" || status === "cancelled");
  const said = isOver || explanation === undefined ? undefined : { explanation };
  const decided = decide(list, { type: "replace", phases, ...said }, POLICY);
  return decided.ok ? evolveAll(list, decided.value.events) : list;
}

const STATUSES: Readonly<Record<string, TodoStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  inProgress: "in_progress",
  completed: "completed",
  cancelled: "cancelled",
};

/** Undefined for a word that we do not know: a newer version may have more of them. */
export function statusAt(value: unknown): TodoStatus | undefined {
  return typeof value === "string" && Object.hasOwn(STATUSES, value) ? STATUSES[value] : undefined;
}
