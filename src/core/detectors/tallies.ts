import { count } from "../shape.js";

/** How often for each of a few marks, the last one at the end. */
export type Tallies = readonly (readonly [mark: number, count: number])[];

const MOST = 6;

/** Counted once more; the one that was counted longest ago is forgotten. */
export function counted(tallies: Tallies, mark: number): Tallies {
  return [...without(tallies, mark), [mark, tallyOf(tallies, mark) + 1] as const].slice(-MOST);
}

export function without(tallies: Tallies, mark: number): Tallies {
  return tallies.filter(([known]) => known !== mark);
}

export function tallyOf(tallies: Tallies, mark: number): number {
  return tallies.find(([known]) => known === mark)?.[1] ?? 0;
}

export function isTallies(value: unknown): boolean {
  const isTally = (tally: unknown) => Array.isArray(tally) && tally.length === 2 && tally.every(count);
  return Array.isArray(value) && value.length <= MOST && value.every(isTally);
}
