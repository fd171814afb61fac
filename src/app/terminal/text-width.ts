import type { Output } from "../command-definition.js";
import { graphemesOf, widthOfGraphemes } from "./grapheme-width.js";

/**
 * Latin, Greek and Cyrillic letters, and the signs that we draw with: one column each, and nothing that joins its
 * neighbours. Everything else is measured by what takes 25 ms to load.
 */
const PLAIN =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718]*$/;

function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Columns that a text takes in a terminal; colours take none. */
export function stringWidth(text: string): number {
  if (isPlain(text)) return text.length;
  // Word by word: most are plain or known already, and measuring a whole text takes thirty times as long.
  const words = text.split(" ");
  return words.reduce((sum, word) => sum + (isPlain(word) ? word.length : widthOfGraphemes(word)), words.length - 1);
}

/** Rows are cut to the width of a screen; into a pipe they go whole. */
export function screenWidth({ isTerminal, columns }: Output): number {
  return isTerminal ? columns : Number.POSITIVE_INFINITY;
}

/** Cut by what the eye sees, so that one todo stays one row. The text must be sanitised and not yet painted. */
export function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  if (isPlain(text)) return `${text.slice(0, Math.max(0, columns - 1))}…`;
  let row = "";
  let width = 0;
  for (const grapheme of graphemesOf(text.slice(0, columns * 8))) {
    width += stringWidth(grapheme);
    if (width > columns - 1) break;
    row += grapheme;
  }
  return `${row}…`;
}

/** The same from the other side: what stands last is what is seen. */
export function endOfText(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  if (isPlain(text)) return `…${text.slice(text.length - columns + 1)}`;
  let row = "";
  let width = 1;
  for (const grapheme of [...graphemesOf(text.slice(-columns * 8))].reverse()) {
    width += stringWidth(grapheme);
    if (width > columns) break;
    row = grapheme + row;
  }
  return `…${row}`;
}

/** Cut or filled up to just so many columns. */
export function fitWidth(text: string, columns: number, isRight: boolean): string {
  if (text.length <= columns && isPlain(text)) return isRight ? text.padStart(columns) : text.padEnd(columns);
  const cut = cutToWidth(text, columns);
  const blanks = " ".repeat(Math.max(0, columns - stringWidth(cut)));
  return isRight ? blanks + cut : cut + blanks;
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

/** The same with nothing cut off: a word that is wider than the columns goes on in the next row. */
export function foldWords(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  for (const word of text.split(" "))
    for (const [at, part] of brokenWord(word, columns).entries()) {
      const row = at === 0 ? rows.at(-1) : undefined;
      if (row !== undefined && stringWidth(row) + 1 + stringWidth(part) <= columns)
        rows[rows.length - 1] = `${row} ${part}`;
      else rows.push(part);
    }
  return rows;
}

function brokenWord(word: string, columns: number): readonly string[] {
  if (stringWidth(word) <= columns) return [word];
  const parts = [""];
  let width = 0;
  for (const letter of isPlain(word) ? word : graphemesOf(word)) {
    const own = stringWidth(letter);
    if (width > 0 && width + own > columns) {
      parts.push("");
      width = 0;
    }
    parts[parts.length - 1] += letter;
    width += own;
  }
  return parts;
}
