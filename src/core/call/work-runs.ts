import { count } from "../shape.js";

// Work calls of one agent in a row. `length`: milliseconds from the first to the last. `failed`: the last one did.
// `cut`: the agent wrote its list just before, so they may be for another todo. A tuple: views mostly consist of these.
export type WorkRun = readonly [from: number, length: number, calls: number, failed: 0 | 1, cut: 0 | 1];

interface WorkCall {
  readonly at: number;
  readonly isFailed: boolean;
  readonly isCut: boolean;
}

export function endOf([from, length]: WorkRun): number {
  return from + length;
}

/** A call is a run of its own until there are more than `most`: then the two neighbours that lose least are joined. */
export function addCall(runs: WorkRun[], { at, isFailed, isCut }: WorkCall, most: number): void {
  const run: WorkRun = [at, 0, 1, isFailed ? 1 : 0, isCut ? 1 : 0];
  // A transcript may tell late of a call that no hook told of.
  const before = runs.findLastIndex(([from]) => from <= at);
  runs.splice(before + 1, 0, run);
  while (runs.length > Math.max(1, most)) joinCheapest(runs);
}

function joinCheapest(runs: WorkRun[]): void {
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < runs.length; at += 1) {
    const [a, b] = [runs[at - 1], runs[at]];
    const loss = a && b ? lossOf(a, b, at) : least;
    if (loss >= least) continue;
    least = loss;
    best = at;
  }
  const [a, b] = [runs[best - 1], runs[best]];
  if (a && b) runs.splice(best - 1, 2, join(a, b));
}

/** More than any time between two calls. */
const NEVER = 1e15;

/** Pauses inside a run are lost: short ones first, then earlier outcomes, last of all cuts, the oldest first. */
function lossOf(a: WorkRun, b: WorkRun, at: number): number {
  if (b[4] === 1) return 2 * NEVER + at;
  const pause = Math.min(Math.max(0, b[0] - a[0] - a[1]), NEVER - 1);
  return a[3] === b[3] ? pause : NEVER + pause;
}

function join(a: WorkRun, b: WorkRun): WorkRun {
  const last = endOf(b) >= endOf(a) ? b : a;
  return [a[0], endOf(last) - a[0], a[2] + b[2], last[3], a[4]];
}

export function isWorkRun(value: unknown): value is WorkRun {
  const isBit = (bit: unknown) => bit === 0 || bit === 1;
  return Array.isArray(value) && value.length === 5 && value.every(count) && isBit(value[3]) && isBit(value[4]);
}
