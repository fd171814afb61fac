/** A part of a long list that is on the screen. `end`: the first entry that is not. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** The heading above the first entry is not scrolled away for nothing: where both have room, the window holds to it. */
export function heldCursor(heights: readonly number[], cursor: number, room: number): number {
  return cursor === 1 && (heights[0] ?? 1) + (heights[1] ?? 1) <= room ? 0 : cursor;
}

/**
 * The entries that are drawn: the cursor is among them, and the window moves no further than it has to. `heights`: the
 * rows that each takes; `start`: where the window began the last time.
 */
export function windowOf(heights: readonly number[], cursor: number, room: number, start: number): Window {
  const heightOf = (at: number) => heights[at] ?? 1;
  const at = Math.max(0, Math.min(cursor, heights.length - 1));
  let lowest = at;
  for (let rows = heightOf(at); lowest > 0 && rows + heightOf(lowest - 1) <= room; lowest -= 1)
    rows += heightOf(lowest - 1);
  let first = Math.max(lowest, Math.min(start, at));
  let end = first;
  let rows = 0;
  for (; end < heights.length && rows + heightOf(end) <= room; end += 1) rows += heightOf(end);
  // At the end of a list no row stays empty while something stands above.
  for (; first > 0 && end === heights.length && rows + heightOf(first - 1) <= room; first -= 1)
    rows += heightOf(first - 1);
  return { start: first, end: Math.max(end, Math.min(heights.length, first + 1)) };
}
