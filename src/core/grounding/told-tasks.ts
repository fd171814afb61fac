import type { TaskChange } from "../session/client/client-tasks.js";
import { oneOf, type Shape } from "../shape.js";
import { TODO_STATUSES, type TodoStatus } from "../todo/list.js";

/** A client's task without its words: enough to know what is worked on after the next change. */
export type ToldStatus = readonly [id: string, status: TodoStatus];

/** A client that makes more loses the oldest: they are closed, or nobody works on them. */
const MOST_TOLD = 200;

export function afterChange(told: readonly ToldStatus[], change: TaskChange): readonly ToldStatus[] {
  switch (change.type) {
    case "client-task.created":
      return put(told, change.id, "pending");
    case "client-task.updated":
      return change.status == null ? told : put(told, change.id, change.status);
    case "client-task.deleted":
      return told.filter(([id]) => id !== change.id);
    case "client-tasks.seen": {
      const ids = new Set(change.tasks.map(({ id }) => id));
      const left = change.isAll ? told.filter(([id]) => ids.has(id)) : told;
      return change.tasks.reduce((tasks, { id, status }) => (status == null ? tasks : put(tasks, id, status)), left);
    }
  }
}

function put(told: readonly ToldStatus[], id: string, status: TodoStatus): readonly ToldStatus[] {
  const at = told.findIndex(([known]) => known === id);
  if (at < 0) return [...told, [id, status] as const].slice(-MOST_TOLD);
  return told[at]?.[1] === status ? told : told.with(at, [id, status]);
}

export const isToldStatuses: Shape = (value) =>
  Array.isArray(value) &&
  value.length <= MOST_TOLD &&
  value.every(
    (one) => Array.isArray(one) && one.length === 2 && typeof one[0] === "string" && oneOf(TODO_STATUSES)(one[1]),
  );
