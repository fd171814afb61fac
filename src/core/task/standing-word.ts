import type { StandingTask } from "./query.js";

/** One word for what a task is like right now: its status, but for an open one what stands in its way. */
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
