import type { TimeSpan } from "./timeline.js";

/** A pause that is drawn shorter than it was. `x`: where it is drawn, from 0 to 1. */
interface ScaleBreak {
  readonly x: number;
  readonly width: number;
  readonly milliseconds: number;
}

interface ScaleMark {
  readonly x: number;
  readonly at: number;
}

/** From times to places between 0 and 1: a night in which nothing happened takes no more than a sliver. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
  readonly breaks: readonly ScaleBreak[];
  /** Times to write below it, at even distances, none of them in a pause. */
  readonly marks: readonly ScaleMark[];
  place(at: number): number;
}

/** A pause is one when it is longer than this, and than this share of the time in which something happened. */
const PAUSE_MS = 10 * 60_000;
const PAUSE_SHARE = 0.15;
/** How wide one is drawn, and all of them together. */
const PAUSE_WIDTH = 0.025;
const PAUSES_WIDTH = 0.3;
const MARKS = 6;

/** Undefined where nothing has a time. `spans`: all that happened, in any order. */
export function scaleOf(spans: readonly TimeSpan[], now: number): TimeScale | undefined {
  const busy = joined(spans.filter(({ at }) => at > 0).map(({ at, end }) => [at, Math.max(at, end ?? now)]));
  const [first, last] = [busy[0], busy.at(-1)];
  if (!first || !last) return undefined;
  const parts = withoutShortPauses(busy);
  const length = Math.max(
    1,
    parts.reduce((sum, [from, to]) => sum + to - from, 0),
  );
  const width = parts.length < 2 ? 0 : Math.min(PAUSE_WIDTH, PAUSES_WIDTH / (parts.length - 1));
  const share = 1 - width * (parts.length - 1);
  let x = 0;
  const placed = parts.map(([from, to]) => {
    const part = { from, to, x, width: ((to - from) / length) * share };
    x += part.width + width;
    return part;
  });
  const breaks = placed.slice(1).map((part, at) => {
    const before = placed[at] ?? part;
    return { x: before.x + before.width, width, milliseconds: part.from - before.to };
  });
  return { from: first[0], to: last[1], breaks, marks: marksIn(placed), place: (at) => placeIn(placed, at) };
}

type Part = readonly [from: number, to: number];
interface Placed {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
}

function joined(spans: readonly Part[]): readonly Part[] {
  const parts: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = parts.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else parts.push([from, to]);
  }
  return parts;
}

function withoutShortPauses(busy: readonly Part[]): readonly Part[] {
  const length = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  const longest = Math.max(PAUSE_MS, length * PAUSE_SHARE);
  const parts: [number, number][] = [];
  for (const [from, to] of busy) {
    const last = parts.at(-1);
    if (last && from - last[1] <= longest) last[1] = to;
    else parts.push([from, to]);
  }
  return parts;
}

function placeIn(parts: readonly Placed[], at: number): number {
  // The last part that has begun; before the first one there is nothing.
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((parts[middle]?.from ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const [part, next] = [parts[low], parts[low + 1]];
  if (!part) return 0;
  const end = part.x + part.width;
  if (at > part.to && next) return end + shareOf(at, part.to, next.from) * (next.x - end);
  return part.x + shareOf(at, part.from, part.to) * part.width;
}

function shareOf(at: number, from: number, to: number): number {
  return to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));
}

function marksIn(parts: readonly Placed[]): readonly ScaleMark[] {
  return Array.from({ length: MARKS }, (_, at) => at / (MARKS - 1)).flatMap((x) => {
    const part = parts.find((one) => x >= one.x - 1e-9 && x <= one.x + one.width + 1e-9);
    if (!part) return [];
    const share = part.width === 0 ? 0 : (x - part.x) / part.width;
    return [{ x, at: Math.round(part.from + Math.min(1, share) * (part.to - part.from)) }];
  });
}
