// Rounds of calls as marks, the last at the end. A round that changed a file has its mark below 0; 0: a round of which
// not everything was told: it equals none.

export const SHORTEST = 2;
export const LONGEST = 5;
const MOST_LAPS = 6;
/** As many as the longest cycle needs. */
export const MOST_ROUNDS = LONGEST * MOST_LAPS;

/** The last rounds repeat each other. */
export interface Cycle {
  readonly period: number;
  readonly laps: number;
  /** How many of its rounds changed a file. */
  readonly changes: number;
  /** The same for the same rounds, wherever the cycle is entered. */
  readonly mark: number;
}

/** The shortest cycle of at least two laps that the rounds end with. */
export function cycleOf(rounds: readonly number[]): Cycle | undefined {
  for (let period = SHORTEST; period <= LONGEST; period += 1) {
    const laps = lapsOf(rounds, period);
    if (laps < 2) continue;
    const lap = rounds.slice(-period);
    // The same round again and again is no cycle: other detectors count it.
    if (lap.every((round) => round === lap[0])) return undefined;
    return { period, laps, changes: new Set(lap.filter((round) => round < 0)).size, mark: lap.reduce(addMark, 0) };
  }
  return undefined;
}

const addMark = (sum: number, round: number) => (sum + Math.abs(round)) >>> 0;

function lapsOf(rounds: readonly number[], period: number): number {
  let at = rounds.length - 1;
  while (at >= period && rounds[at] !== 0 && rounds[at] === rounds[at - period]) at -= 1;
  return Math.floor((rounds.length - 1 - at + period) / period);
}
