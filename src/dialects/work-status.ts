import { type Todo, type TodoList, todosOf } from "../core/todo/list.js";

/** What most agents know: they have no word for a cancelled todo. */
export const WORK_STATUSES = ["pending", "in_progress", "completed"] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

export const WORK_WORDS = { pending: "pending", in_progress: "in_progress", completed: "completed" } as const;

interface WorkTodo extends Todo {
  readonly status: WorkStatus;
}

/** The todos that such an agent can be shown. */
export function workTodos(list: TodoList): readonly WorkTodo[] {
  return todosOf(list).filter((todo): todo is WorkTodo => todo.status !== "cancelled");
}

export function isWorkStatus(status: unknown): status is WorkStatus {
  return WORK_STATUSES.some((known) => known === status);
}

export function countStatus(todos: readonly { readonly status: WorkStatus }[], status: WorkStatus): number {
  return todos.filter((todo) => todo.status === status).length;
}
