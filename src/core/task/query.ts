import type { Standing } from "./standing.js";
import type { Task, TaskStatus } from "./task.js";

/** Which tasks are meant; everything that is said must hold. */
export interface TaskQuery {
  readonly status?: readonly TaskStatus[] | undefined;
  readonly isOpen?: boolean | undefined;
  readonly isReady?: boolean | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly isWaiting?: boolean | undefined;
  readonly isStale?: boolean | undefined;
  readonly label?: string | undefined;
  /** Who holds it, or for whom it is kept. */
  readonly owner?: string | undefined;
  readonly parent?: number | undefined;
  /** Words that stand in subject, description, notes or labels. */
  readonly search?: string | undefined;
  /** Only numbers above it: how one page follows another. Not for `isReady`, which has its own order. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

/** A task, and what it is like right now. */
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
