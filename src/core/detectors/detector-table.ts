import type { Detector } from "./detector.js";
import { afterCompaction } from "./repeats/after-compaction.js";
import { argumentChurn } from "./repeats/argument-churn.js";
import { cycle } from "./repeats/cycle.js";
import { failingEdits } from "./repeats/failing-edits.js";
import { polling } from "./repeats/polling.js";
import { sameError } from "./repeats/same-error.js";
import { sameOutcome } from "./repeats/same-outcome.js";
import { unknownTool } from "./repeats/unknown-tool.js";
import { idleWithOpen } from "./silence/idle-with-open.js";
import { leaseNotRenewed } from "./silence/lease-not-renewed.js";
import { silentChild } from "./silence/silent-child.js";
import { stalledTodo } from "./silence/stalled-todo.js";
import { goalAgain } from "./unchanged/goal-again.js";
import { listChurn } from "./unchanged/list-churn.js";
import { sameFile } from "./unchanged/same-file.js";
import { sameWords } from "./unchanged/same-words.js";

/** Our detectors, all of them on. Names are part of what scripts rely on. */
export const DETECTORS: readonly Detector[] = [
  sameOutcome,
  sameError,
  cycle,
  argumentChurn,
  unknownTool,
  failingEdits,
  afterCompaction,
  polling,
  listChurn,
  sameWords,
  goalAgain,
  stalledTodo,
  idleWithOpen,
  silentChild,
  leaseNotRenewed,
  sameFile,
];
