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

/** Work that outlives sessions. */
export interface Task {
  /** Its name in its list, never given again. 0: there is no such task. */
  readonly number: number;
  /** UUIDv7 */
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
  /** Append-only. */
  readonly notes: readonly Said[];
  readonly evidence: readonly Said[];
  /** Claims so far. */
  readonly attempts: number;
  /** Failed attempts; at `maxAttempts` it is not retried. */
  readonly failures: number;
  readonly maxAttempts: number;
  /** After a failure: not before this time. */
  readonly retryAt?: number;
  /** The newest fence. */
  readonly fence: number;
  readonly lease?: Lease;
  /** Former holders, newest first: a write with an outdated fence is refused by name. */
  readonly pastLeases: readonly Pick<Lease, "owner" | "fence">[];
  /** Others can claim it only by its number. */
  readonly assignee?: string;
  readonly wait?: Wait;
  /** Data of the signal that ended the last wait. */
  readonly payload?: unknown;
  /** The holder was asked to stop. */
  readonly cancelRequest?: { readonly by?: string; readonly reason?: string };
  /** Why it failed or was cancelled. */
  readonly reason?: string;
  /** Sessions that worked on it, oldest first. */
  readonly sessions: readonly string[];
  readonly links: readonly TodoLink[];
  readonly source?: TaskSource;
  readonly createdBy?: string;
  readonly closedBy?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt?: number;
  readonly isDeleted: boolean;
}

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

export interface TodoLink {
  readonly session: string;
  readonly agent?: string;
  readonly todo: number;
}

/** Where a task was imported from, and its id there. */
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

export function isOpen({ number, status, isDeleted }: Task): boolean {
  return number > 0 && !isDeleted && (status === "pending" || status === "in_progress");
}

/** Tasks that it blocks have to wait: for a failed one too, but not for a cancelled one. */
export function isBlocking(task: Task): boolean {
  return isOpen(task) || (task.number > 0 && !task.isDeleted && task.status === "failed");
}

const said = list(fields({ text, by: maybe(text), at: count }));
const numbers = list(count);

export const CLAIM = {
  owner: text,
  fence: count,
  until: count,
  ttl: count,
  session: maybe(text),
  isSoft: maybe(flag),
};
export const isLink = fields({ session: text, agent: maybe(text), todo: count });
export const isSource = fields({ format: text, id: text });

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
  lease: maybe(fields({ ...CLAIM, since: count })),
  pastLeases: list(fields({ owner: text, fence: count })),
  assignee: maybe(text),
  wait: maybe(isWait),
  cancelRequest: maybe(fields({ by: maybe(text), reason: maybe(text) })),
  reason: maybe(text),
  sessions: list(text),
  links: list(isLink),
  source: maybe(isSource),
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
