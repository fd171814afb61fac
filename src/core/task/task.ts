import { isObject, type JsonObject } from "../json.js";
import { count, fields, flag, list, maybe, oneOf, type Shape, text } from "../shape.js";
import { isWait, type Wait } from "./wait-until.js";

/** The only list of statuses. Ready, blocked, waiting and stale are derived: see `standing.ts`. */
export const TASK_STATUSES = ["pending", "in_progress", "completed", "failed", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The most urgent first; 0 to 4 in systems that count. */
export const TASK_PRIORITIES = ["critical", "high", "medium", "low", "lowest"] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

export const DEFAULT_PRIORITY: TaskPriority = "medium";
export const DEFAULT_ATTEMPTS = 3;

/** Work that outlives sessions. Its number is its name in its list, and is never given again. */
export interface Task {
  /** 0: there is no such task. */
  readonly number: number;
  /** UUIDv7: its name everywhere. */
  readonly uuid: string;
  readonly subject: string;
  readonly description: string;
  readonly activeForm?: string;
  readonly status: TaskStatus;
  readonly priority: TaskPriority;
  readonly labels: readonly string[];
  readonly metadata: JsonObject;
  readonly parent?: number;
  readonly blockedBy: readonly number[];
  readonly blocks: readonly number[];
  /** Only ever appended to. */
  readonly notes: readonly Said[];
  readonly evidence: readonly Said[];
  /** How often it was claimed. */
  readonly attempts: number;
  /** How often it has failed; as many as `maxAttempts`, and it is not tried again. */
  readonly failures: number;
  readonly maxAttempts: number;
  /** After a failure: not before this time. */
  readonly retryAt?: number;
  /** The last fence that was given. */
  readonly fence: number;
  readonly lease?: Lease;
  /** Who held it before, newest first, with the fence of then: who comes too late is told so by name. */
  readonly pastLeases: readonly PastLease[];
  /** Kept for somebody: others get it only when they ask for it by its number. */
  readonly assignee?: string;
  readonly wait?: Wait;
  /** What the event that ended the last wait brought along. */
  readonly payload?: unknown;
  /** Somebody wants the holder to stop. */
  readonly cancelRequest?: { readonly by?: string; readonly reason?: string };
  /** Why it failed or was given up. */
  readonly reason?: string;
  /** Sessions that worked on it, the first one first. */
  readonly sessions: readonly string[];
  /** Todos that stand for it. */
  readonly links: readonly TodoLink[];
  /** Where it was imported from, and its id there. */
  readonly source?: TaskSource;
  readonly createdBy?: string;
  readonly closedBy?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt?: number;
  readonly isDeleted: boolean;
}

/** Text with who said it and when. */
export interface Said {
  readonly text: string;
  readonly by?: string;
  readonly at: number;
}

export interface Lease {
  readonly owner: string;
  readonly fence: number;
  readonly until: number;
  /** Milliseconds that a renewal gives. */
  readonly ttl: number;
  /** When it was claimed or renewed. */
  readonly since: number;
  /** The session that holds it: what it does is a sign of life. */
  readonly session?: string;
  /** Taken by a dialect that knows no leases: keeps others from claiming, but not from writing in such a dialect. */
  readonly isSoft?: boolean;
  readonly progress?: string;
}

interface PastLease {
  readonly owner: string;
  readonly fence: number;
}

export interface TodoLink {
  readonly session: string;
  readonly agent?: string;
  readonly todo: number;
}

export interface TaskSource {
  readonly format: string;
  readonly id: string;
}

/** What happened to a task before we knew it. */
export interface TaskPast {
  readonly notes?: readonly Said[] | undefined;
  readonly evidence?: readonly Said[] | undefined;
  readonly reason?: string | undefined;
  readonly createdAt?: number | undefined;
  readonly closedAt?: number | undefined;
}

export const NO_TASK: Task = {
  number: 0,
  uuid: "",
  subject: "",
  description: "",
  status: "pending",
  priority: DEFAULT_PRIORITY,
  labels: [],
  metadata: {},
  blockedBy: [],
  blocks: [],
  notes: [],
  evidence: [],
  attempts: 0,
  failures: 0,
  maxAttempts: DEFAULT_ATTEMPTS,
  fence: 0,
  pastLeases: [],
  sessions: [],
  links: [],
  createdAt: 0,
  updatedAt: 0,
  isDeleted: false,
};

export function exists(task: Task | undefined): task is Task {
  return task !== undefined && task.number > 0 && !task.isDeleted;
}

/** Still to be done. */
export function isOpen({ number, status, isDeleted }: Task): boolean {
  return number > 0 && !isDeleted && (status === "pending" || status === "in_progress");
}

/**
 * Whoever it blocks has to wait: it is not done. What was given up is no longer waited for; what has failed still is.
 */
export function isBlocking(task: Task): boolean {
  return isOpen(task) || (task.number > 0 && !task.isDeleted && task.status === "failed");
}

const said = list(fields({ text, by: maybe(text), at: count }));
const numbers = list(count);

const SHAPE = fields({
  number: count,
  uuid: text,
  subject: text,
  description: text,
  activeForm: maybe(text),
  status: oneOf(TASK_STATUSES),
  priority: oneOf(TASK_PRIORITIES),
  labels: list(text),
  metadata: isObject,
  parent: maybe(count),
  blockedBy: numbers,
  blocks: numbers,
  notes: said,
  evidence: said,
  attempts: count,
  failures: count,
  maxAttempts: count,
  retryAt: maybe(count),
  fence: count,
  lease: maybe(
    fields({
      owner: text,
      fence: count,
      until: count,
      ttl: count,
      since: count,
      session: maybe(text),
      isSoft: maybe(flag),
    }),
  ),
  pastLeases: list(fields({ owner: text, fence: count })),
  assignee: maybe(text),
  wait: maybe(isWait),
  cancelRequest: maybe(fields({ by: maybe(text), reason: maybe(text) })),
  reason: maybe(text),
  sessions: list(text),
  links: list(fields({ session: text, agent: maybe(text), todo: count })),
  source: maybe(fields({ format: text, id: text })),
  createdAt: count,
  updatedAt: count,
  closedAt: maybe(count),
  isDeleted: flag,
});

export const isPast: Shape = fields({
  notes: maybe(said),
  evidence: maybe(said),
  reason: maybe(text),
  createdAt: maybe(count),
  closedAt: maybe(count),
});

export function isTask(value: unknown): value is Task {
  return SHAPE(value);
}
