import type { SeenTask } from "../session/observation.js";
import type { TodoStatus } from "../todo/list.js";
import { lateOf, passTo, type WorkItem, type WorkTimes } from "./work-times.js";

/** Tasks of a client, and when which was worked on. */
export type TaskTimes = WorkTimes<string>;

export function taskItems(
  tasks: readonly (Pick<SeenTask, "id" | "status"> & { readonly isDeleted?: true })[],
): readonly WorkItem<string>[] {
  return tasks.flatMap(({ id, status, isDeleted }) => (isDeleted ? [] : [{ key: id, status }]));
}

/** They became different at that time. */
export function passTasks(
  times: TaskTimes,
  before: readonly { readonly id: string; readonly status: TodoStatus; readonly isDeleted?: true }[],
  after: readonly { readonly id: string; readonly status: TodoStatus; readonly isDeleted?: true }[],
  at: number,
): TaskTimes {
  const [was, now] = [taskItems(before), taskItems(after)];
  return passTo(times, { before: was, late: lateOf(was, now), at });
}
