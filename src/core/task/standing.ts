import type { StandingTask } from "./query.js";
import { isOpen, type Lease, type Task } from "./task.js";
import { type Wait, wakerAt } from "./wait-until.js";

/** Derived from the task, its open blockers and the clock. */
export interface Standing {
  /** Can be claimed. */
  readonly isReady: boolean;
  /** Open blockers only. */
  readonly blockedBy: readonly number[];
  readonly waitsFor?: Wait;
  /** In progress without a live lease. */
  readonly isStale: boolean;
}

export function standingOf(task: Task, openBlockers: readonly number[], now: number): Standing {
  const { wait, retryAt = 0, status } = task;
  const blockedBy = isOpen(task) ? openBlockers : [];
  const waits = wait !== undefined && isOpen(task) && wakerAt(wait, now) === undefined;
  const isHeld = isLive(task.lease, now);
  const isStale = status === "in_progress" && isOpen(task) && !isHeld;
  // One in progress without a lease belongs to somebody: it can only be claimed by its number.
  const isFree = status === "pending" || (task.lease !== undefined && isStale);
  const isReady = isOpen(task) && isFree && blockedBy.length === 0 && !waits && retryAt <= now;
  return { isReady, blockedBy, isStale, ...(waits ? { waitsFor: wait } : undefined) };
}

/** `now` is the store's clock: no other one counts. */
export function isLive(lease: Lease | undefined, now: number): lease is Lease {
  return lease !== undefined && lease.until > now;
}

/** The status of a closed task; for an open one, why it is not ready. */
export const STANDING_WORDS = [
  "ready",
  "blocked",
  "waiting",
  "retrying",
  "stale",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
] as const;
export type StandingWord = (typeof STANDING_WORDS)[number];

export function standingWord({ task, standing }: StandingTask): StandingWord {
  const { status } = task;
  if (status === "in_progress") return standing.isStale ? "stale" : "in_progress";
  if (status !== "pending") return status;
  if (standing.waitsFor) return "waiting";
  if (standing.blockedBy.length > 0) return "blocked";
  // Only a failure keeps a free task back.
  return standing.isReady ? "ready" : "retrying";
}
