/**
 * Calls of one agent that did work and followed each other. `length`: milliseconds from the first to the last one. `failed`: 1 when the
 * last one failed. `cut`: 1 when the agent wrote its list before the first one, so that it may be for another todo than the run
 * before it. A tuple, because these are most of a view that is written again and again.
 */
export type WorkRun = readonly [from: number, length: number, calls: number, failed: 0 | 1, cut: 0 | 1];

export interface WorkCall {
  readonly at: number;
  readonly isFailed: boolean;
  /** The list was written since the last one. */
  readonly isCut: boolean;
}

export function endOf([from, length]: WorkRun): number {
  return from + length;
}

/**
 * Adds a call to runs that are in order of their beginning. Each call is a run of its own until there are more than `most`: then
 * the two neighbours are joined that lose least by it. So what was lately is exact, and what was long ago is still there.
 */
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

/**
 * Inside a run nobody can tell any more when nothing ran, so a short pause is lost first. An earlier outcome matters only to a
 * person who edits the list in between; a cut to every todo before it, so the oldest one goes, whose todos are gone most likely.
 */
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
  return Array.isArray(value) && value.length === 5 && value.every(isCount) && isBit(value[3]) && isBit(value[4]);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
