import type { LoopRecord } from "./loop-records.js";

type Records = readonly LoopRecord[];

/** The call that is about to be made. */
export interface LoopProbe {
  readonly tool: string;
  readonly signature: string;
}

interface Streak {
  readonly count: number;
  readonly outcome?: string | undefined;
}

const NONE: Streak = { count: 0 };

/** How often the last outcome of this call came in a row; other calls in between do not end it. */
export function noProgress(records: Records, { tool, signature }: LoopProbe): Streak {
  let count = 0;
  let outcome: string | undefined;
  for (const record of records.toReversed()) {
    if (record.tool !== tool || record.signature !== signature) continue;
    if (record.isVeto) count += 1;
    if (record.hash === undefined) continue;
    outcome ??= record.hash;
    if (record.hash !== outcome) break;
    count += 1;
  }
  return { count, outcome };
}

/** How often a command failed in the same way, whatever it was. Another tool ends it; so does a return to this one. */
export function sameFailure(records: Records, { tool, signature }: LoopProbe): Streak {
  let count = 0;
  let first: LoopRecord | undefined;
  let isOther = false;
  for (const record of records.toReversed()) {
    const isOwn = record.signature === signature;
    if (record.tool !== tool || (isOwn && isOther)) break;
    if (record.isVeto && isOwn) count += 1;
    if (record.hash === undefined) continue;
    first ??= record;
    const isSame = record.hash === first.hash || record.failure === first.failure;
    if (record.failure === undefined || !isSame) break;
    if (!isOwn) isOther = true;
    count += 1;
  }
  return first === undefined ? NONE : { count, outcome: first.hash };
}

/** How often the tool was named as missing, in a row and with any arguments. */
export function missingStreak(records: Records, tool: string): { readonly count: number; readonly missing: string } {
  const missing = records.at(-1)?.missing;
  if (missing === undefined) return { count: 0, missing: tool };
  const end = records.findLastIndex((record) => record.tool !== tool || record.missing !== missing);
  return { count: records.length - 1 - end, missing };
}

export interface PingPong {
  readonly count: number;
  readonly paired?: LoopRecord | undefined;
  /** Both sides have brought the same each time. */
  readonly isProven: boolean;
}

const NO_PING_PONG: PingPong = { count: 0, isProven: false };

/** Two calls that take turns at the end of the history, of which this one would be the next. */
export function pingPong(records: Records, { signature }: LoopProbe): PingPong {
  const last = records.at(-1);
  const other = records.findLast((record) => record.signature !== last?.signature);
  if (!last || !other || other.signature !== signature) return NO_PING_PONG;
  const sides = [last.signature, other.signature];
  const isTurn = (record: LoopRecord, at: number) => record.signature === sides[at % 2];
  const newest = records.toReversed();
  const end = newest.findIndex((record, at) => !isTurn(record, at));
  const tail = end < 0 ? newest : newest.slice(0, end);
  if (tail.length < 2) return NO_PING_PONG;
  const isStable = (side: 0 | 1) =>
    tail.every(({ hash }, at) => hash !== undefined && (at % 2 !== side || hash === tail[side]?.hash));
  return { count: tail.length + 1, paired: last, isProven: isStable(0) && isStable(1) };
}

/** Less often, and it may be a new try. */
const LEAST_OF_VARIANT = 3;

export interface Churn {
  readonly count: number;
  readonly variants: number;
}

/** A few sets of arguments tried again and again, all to the same end; a new one is a way out and no churn. */
export function argumentChurn(records: Records, { tool, signature }: LoopProbe): Churn {
  const variants = new Map<string, { readonly hash: string; readonly count: number }>();
  for (const record of records.toReversed()) {
    if (record.tool !== tool) break;
    if (record.hash === undefined) continue;
    const { hash, count } = variants.get(record.signature) ?? { hash: record.hash, count: 0 };
    if (!record.isFutile || hash !== record.hash) break;
    variants.set(record.signature, { hash, count: count + 1 });
  }
  const all = [...variants.values()];
  const isChurn =
    all.length > 1 &&
    variants.has(signature) &&
    all.every(({ hash, count }) => hash === all[0]?.hash && count >= LEAST_OF_VARIANT);
  return isChurn ? { count: all.reduce((sum, { count }) => sum + count, 0), variants: all.length } : NO_CHURN;
}

export const NO_CHURN: Churn = { count: 0, variants: 0 };
