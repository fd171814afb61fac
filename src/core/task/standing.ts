import { isOpen, type Lease, type Task } from "./task.js";
import { type Wait, wakerAt } from "./wait-until.js";

/** What a task is like right now, derived from it, from its open blockers and from the clock. */
export interface Standing {
  /** Can be claimed. */
  readonly isReady: boolean;
  /** The blockers that are still open. */
  readonly blockedBy: readonly number[];
  readonly waitsFor?: Wait;
  /** In progress, but nobody keeps it up: its lease is over, or there never was one. */
  readonly isStale: boolean;
}

export function standingOf(task: Task, openBlockers: readonly number[], now: number): Standing {
  const { wait, retryAt = 0, status } = task;
  const blockedBy = isOpen(task) ? openBlockers : [];
  const waits = wait !== undefined && isOpen(task) && wakerAt(wait, now) === undefined;
  const isHeld = isLive(task.lease, now);
  const isStale = status === "in_progress" && isOpen(task) && !isHeld;
  // One in progress without a lease is somebody's all the same: only its number gets it.
  const isFree = status === "pending" || (task.lease !== undefined && isStale);
  const isReady = isOpen(task) && isFree && blockedBy.length === 0 && !waits && retryAt <= now;
  return { isReady, blockedBy, isStale, ...(waits ? { waitsFor: wait } : undefined) };
}

/** By the store's clock alone: nobody else's counts. */
export function isLive(lease: Lease | undefined, now: number): lease is Lease {
  return lease !== undefined && lease.until > now;
}
