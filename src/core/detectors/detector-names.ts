/** Every detector of ours. Scripts and people name them. */
export const DETECTOR_NAMES: readonly string[] = [
  "same-outcome",
  "same-error",
  "cycle",
  "argument-churn",
  "unknown-tool",
  "list-churn",
  "same-words",
  "polling",
  "stalled-todo",
  "lease-not-renewed",
  "idle-with-open",
  "after-compaction",
  "failing-edits",
  "goal-again",
  "silent-child",
  "same-file",
];
