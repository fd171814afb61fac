import type { ViewState } from "../view-state.js";
import type { World } from "../world.js";
import { type Canvas, drawText } from "./cells.js";
import { type Window, windowOf } from "./window.js";

// What every view draws between the first row of the screen and the last.

/** The world, what the person has in front of them, and where the window of this place began when it was last drawn. */
export interface Shown {
  readonly world: World;
  readonly state: ViewState;
  readonly start: number;
}

export interface Body {
  readonly rows: readonly string[];
  /** Where its window begins now. */
  readonly start: number;
  /** Said at the end of the last row: how much there is above and below. */
  readonly rest: string;
}

/** Words in place of rows that are not there. */
export function wordsBody(words: readonly string[], canvas: Canvas): Body {
  return { rows: ["", ...words.map((text) => drawText(`  ${text}`, canvas))], start: 0, rest: "" };
}

/** A list of rows of one line each, as much of it as fits around the cursor. */
export function windowBody<Item>(
  items: readonly Item[],
  draw: (item: Item, isCursor: boolean) => string,
  { cursor, start, rows }: { readonly cursor: number; readonly start: number; readonly rows: number },
): Body {
  const shown = windowOf(
    items.map(() => 1),
    cursor,
    rows,
    start,
  );
  const drawn = items.slice(shown.start, shown.end).map((item, at) => draw(item, shown.start + at === cursor));
  return { rows: drawn, start: shown.start, rest: restText(shown, items.length) };
}

function restText({ start, end }: Window, length: number): string {
  return [...(start > 0 ? [`${start} more ↑`] : []), ...(end < length ? [`${length - end} more ↓`] : [])].join("  ");
}
