import type { Standing } from "./standing.js";
import type { Task, TaskStatus } from "./task.js";

/** A task matches when it meets all conditions. */
export interface TaskQuery {
  readonly status?: readonly TaskStatus[] | undefined;
  readonly isOpen?: boolean | undefined;
  readonly isReady?: boolean | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly isWaiting?: boolean | undefined;
  readonly isStale?: boolean | undefined;
  readonly label?: string | undefined;
  /** The lease holder or the assignee. */
  readonly owner?: string | undefined;
  readonly parent?: number | undefined;
  /** Words in subject, description, notes or labels. */
  readonly search?: string | undefined;
  /** Only higher numbers, for paging. Not with `isReady`, which is sorted by priority. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

export interface StandingTask {
  readonly task: Task;
  readonly standing: Standing;
}

export function matches({ task, standing }: StandingTask, query: TaskQuery): boolean {
  const { label, owner, parent, search, status } = query;
  return (
    (status === undefined || status.includes(task.status)) &&
    is(query.isOpen, task.status === "pending" || task.status === "in_progress") &&
    is(query.isReady, standing.isReady) &&
    is(query.isBlocked, standing.blockedBy.length > 0) &&
    is(query.isWaiting, standing.waitsFor !== undefined) &&
    is(query.isStale, standing.isStale) &&
    (label === undefined || task.labels.includes(label)) &&
    (owner === undefined || task.lease?.owner === owner || task.assignee === owner) &&
    (parent === undefined || task.parent === parent) &&
    (search === undefined || hasWords(task, search))
  );
}

function is(wanted: boolean | undefined, actual: boolean): boolean {
  return wanted === undefined || wanted === actual;
}

function hasWords({ subject, description, notes, labels }: Task, search: string): boolean {
  const text = [subject, description, ...labels, ...notes.map((note) => note.text)].join("\n").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
