import stringWidth from "string-width";
import type { Output } from "../command-definition.js";

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Rows are cut to the width of a screen; into a pipe they go whole. */
export function screenWidth({ isTerminal, columns }: Output): number {
  return isTerminal ? columns : Number.POSITIVE_INFINITY;
}

/** Cut by what the eye sees, so that one todo stays one row. The text must be sanitised and not yet painted. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && /^[ -~]*$/.test(text)) return text;
  if (stringWidth(text) <= columns) return text;
  let row = "";
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text.slice(0, columns * 8))) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    row += segment;
  }
  return `${row}…`;
}

/** Words laid over several rows, each within the width. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  for (const word of text.split(" ")) {
    const row = rows.at(-1);
    if (row !== undefined && stringWidth(row) + 1 + stringWidth(word) <= columns)
      rows[rows.length - 1] = `${row} ${word}`;
    else rows.push(cutToWidth(word, columns));
  }
  return rows;
}
