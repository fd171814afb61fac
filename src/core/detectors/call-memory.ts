import type { RoundCall } from "../call/call-facts.js";
import { count, fields, flag, type Shape } from "../shape.js";
import type { Progress, SeenCall } from "./counted-call.js";
import { type BareCall, bareCall, type CallSort, isAtLeast, isChange, isReading } from "./counted-call.js";
import { joinMarks } from "./number-mark.js";
import { MOST_ROUNDS } from "./round-cycle.js";

/** A call with its answer. `near`, `far`: see SeenCall. A tuple: a watch mostly consists of these. */
type Pair = readonly [call: number, outcome: number, near: number, far: number, bits: number];

const ERROR = 1;
/** It was there before the last compaction, and not since. */
const BEFORE_COMPACTION = 2;

/** What was called since a file was last changed, and rounds for cycles: bounded, the latest at the end. */
export interface CallMemory {
  readonly pairs: readonly Pair[];
  readonly rounds: readonly number[];
  /** The client tells which calls belong together: calls one by one are the same again. */
  readonly hasBatches: boolean;
  /** Calls that were told one by one before the first batch, by their marks. */
  readonly singles: readonly number[];
  /** Rounds since a compaction and 1 more, as long as no file was changed; 0: there was none, or it is over. */
  readonly sinceCompaction: number;
}

export const NO_MEMORY: CallMemory = { pairs: [], rounds: [], hasBatches: false, singles: [], sinceCompaction: 0 };

/** More than a cycle has calls. What is forgotten and comes again is taken for new, which is the safe side. */
const MOST_PAIRS = 24;
const MOST_SINGLES = 16;
/** More than any model calls in one reply. */
const MOST_CALLS = 64;

/** The calls of one round as they are counted: each pair of call and answer once, list tools not at all. */
export function countedCalls(calls: readonly RoundCall[]): readonly BareCall[] {
  const [first] = calls;
  if (first && calls.length === 1) return first.isList ? [] : [bareCall(first)];
  const bare = calls
    .slice(0, MOST_CALLS)
    .filter(({ isList }) => !isList)
    .map(bareCall);
  if (bare.length < 2) return bare;
  const isSame = (a: BareCall, b: BareCall) =>
    a.mark !== 0 && a.mark === b.mark && a.outcome === b.outcome && a.call.status === b.call.status;
  return bare.filter((one, at) => !bare.slice(0, at).some((earlier) => isSame(earlier, one)));
}

export interface Remembered {
  readonly memory: CallMemory;
  readonly calls: readonly SeenCall[];
  readonly progress: Progress;
}

export function rememberRound(memory: CallMemory, calls: readonly BareCall[]): Remembered {
  const sorts = calls.map((one) => sortOf(memory.pairs, one));
  const progress = progressOf(calls, sorts);
  const pairs = [...agedPairs(memory.pairs, progress)];
  const isChanged = isAtLeast(progress, "change");
  const seen = calls.map((one, at) => record(pairs, one, sorts[at] ?? "new", isChanged));
  const { sinceCompaction } = memory;
  return {
    memory: {
      hasBatches: memory.hasBatches,
      singles: memory.singles,
      pairs: pairs.length > MOST_PAIRS ? pairs.slice(-MOST_PAIRS) : pairs,
      rounds: withRound(memory.rounds, seen),
      sinceCompaction: sinceCompaction === 0 || isChanged ? 0 : sinceCompaction + (seen.length > 0 ? 1 : 0),
    },
    calls: seen,
    progress,
  };
}

function sortOf(pairs: readonly Pair[], { call, mark, outcome, isError }: BareCall): CallSort {
  if (call.status === "cancelled" || call.trouble === "network") return "passed-over";
  if (call.trouble === "no-tool") return "no-tool";
  const isKnown = mark !== 0 && placeOf(pairs, mark, outcome) >= 0;
  // The same command with the same answer, and nothing changed since: it cannot have changed much.
  if (isChange(call) && !(isKnown && call.kind !== "edit")) return "change";
  if (mark === 0) return "new";
  if (isKnown) return call.isPoll ? "poll" : "repeat";
  const isKnownError = isError && outcome !== 0 && pairs.some((pair) => pair[1] === outcome && pair[4] & ERROR);
  return isKnownError ? "variant" : "new";
}

function progressOf(calls: readonly BareCall[], sorts: readonly CallSort[]): Progress {
  if (sorts.includes("change")) return "change";
  const isAct = ({ call, isError }: BareCall) => !isError && !isReading(call) && !call.isPoll;
  if (calls.some((one, at) => sorts[at] === "new" && isAct(one))) return "act";
  return sorts.includes("new") ? "news" : "none";
}

function agedPairs(pairs: readonly Pair[], progress: Progress): readonly Pair[] {
  if (progress === "none") return pairs;
  if (isAtLeast(progress, "change")) return [];
  const isAct = progress === "act";
  const aged = [...pairs];
  // Mostly the last one alone is to be aged: the others were before.
  for (let at = aged.length - 1; at >= 0; at -= 1) {
    const pair = aged[at];
    if (pair && (pair[2] !== 0 || (isAct && pair[3] !== 0)))
      aged[at] = [pair[0], pair[1], 0, isAct ? 0 : pair[3], pair[4]];
  }
  return aged;
}

const NOT_KEPT: readonly CallSort[] = ["no-tool", "passed-over"];

/** Adds the call to `pairs`, or counts it there. After a change it is as good as new. */
function record(pairs: Pair[], bare: BareCall, sort: CallSort, isChanged: boolean): SeenCall {
  const { call, mark, outcome, isError } = bare;
  const isEdit = sort === "change" && call.kind === "edit";
  if (isEdit || NOT_KEPT.includes(sort) || mark === 0)
    return { call, mark, outcome, isError, sort, near: 0, far: 0, isRedone: false };
  const at = placeOf(pairs, mark, outcome);
  const known = pairs[at] ?? NO_PAIR;
  if (at >= 0) pairs.splice(at, 1);
  const [near, far] = [known[2] + 1, known[3] + 1];
  pairs.push([mark, outcome, near, far, isError ? ERROR : 0]);
  const isRedone = (known[4] & BEFORE_COMPACTION) !== 0;
  return { call, mark, outcome, isError, sort: isChanged && sort === "repeat" ? "new" : sort, near, far, isRedone };
}

const NO_PAIR: Pair = [0, 0, 0, 0, 0];

/** A plain loop over numbers: every call of every session comes through here. */
function placeOf(pairs: readonly Pair[], mark: number, outcome: number): number {
  for (let at = pairs.length - 1; at >= 0; at -= 1) {
    const pair = pairs[at];
    if (pair?.[0] === mark && pair[1] === outcome) return at;
  }
  return -1;
}

const IN_ROUNDS: readonly CallSort[] = ["new", "change", "repeat", "variant"];
const isInRounds = ({ sort }: SeenCall) => IN_ROUNDS.includes(sort);

function withRound(rounds: readonly number[], seen: readonly SeenCall[]): readonly number[] {
  const counted = seen.length === 1 && seen[0]?.sort === "new" ? seen : seen.filter(isInRounds);
  if (counted.length === 0) return rounds;
  const isTold = counted.every(({ mark, outcome }) => mark !== 0 && outcome !== 0);
  const marks = counted.map(({ mark, outcome }) => joinMarks(mark, outcome));
  const round = isTold ? (marks.length === 1 ? (marks[0] ?? 0) : marks.sort((a, b) => a - b).reduce(joinMarks, 0)) : 0;
  const isChanging = counted.some(({ sort }) => sort === "change");
  return [...rounds.slice(1 - MOST_ROUNDS), isChanging && round !== 0 ? -round : round];
}

/** What was called does not count any more. */
export function rememberAnew(memory: CallMemory): CallMemory {
  if (memory.pairs.length === 0 && memory.rounds.length === 0 && memory.sinceCompaction === 0) return memory;
  return { ...memory, pairs: [], rounds: [], sinceCompaction: 0 };
}

export function rememberCompaction(memory: CallMemory): CallMemory {
  const pairs = memory.pairs.map((pair): Pair => [pair[0], pair[1], 0, pair[3], pair[4] | BEFORE_COMPACTION]);
  return { ...memory, pairs, sinceCompaction: 1 };
}

export function withSingles(memory: CallMemory, calls: readonly BareCall[]): CallMemory {
  return { ...memory, singles: [...memory.singles, ...calls.map(({ mark }) => mark)].slice(-MOST_SINGLES) };
}

/** From here on calls one by one do not count. */
export function withBatches(memory: CallMemory): CallMemory {
  return { ...memory, hasBatches: true, singles: [] };
}

const atMost =
  (most: number, item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(item);

export const isCallMemory = fields({
  pairs: atMost(MOST_PAIRS, (pair) => Array.isArray(pair) && pair.length === 5 && pair.every(count)),
  rounds: atMost(MOST_ROUNDS, (round) => Number.isSafeInteger(round)),
  hasBatches: flag,
  singles: atMost(MOST_SINGLES, count),
  sinceCompaction: count,
});
