import type { Line, Piece, Style } from "../../../dialects/styled-line.js";
import { paint } from "../paint.js";
import { foldWords, stringWidth } from "../text-width.js";

/** Text with all the styles that hold for it. */
interface Run {
  readonly text: string;
  readonly styles: readonly Style[];
}

export type Row = readonly Run[];

/** Branches, boxes and blanks: what goes on in the next row goes on below the words, not below these. */
const DRAWN = /^[\s│├└─☐☑✔✓▸▶○•□§]*/u;

/** A line over as many rows as it takes, each within the columns. Nothing is left out. */
export function foldLine(line: Line, columns: number, hang?: number): readonly Row[] {
  const runs = line.flatMap((piece) => runsOf(piece, []));
  const text = runs.map((run) => run.text).join("");
  if (stringWidth(text.trimEnd()) <= columns) return [runs];
  const head = text.slice(0, hang ?? DRAWN.exec(text)?.[0].length);
  const width = stringWidth(head);
  // What is drawn may take half of a row: a screen that is narrower has no room for order.
  if (width * 2 > columns) return cut(runs, text, 0, columns);
  const [first = [], ...others] = cut(runs, text, head.length, columns - width);
  const below = head.replaceAll("├", "│").replace(/[^│]/gu, " ");
  return [[...part(runs, 0, head.length), ...first], ...others.map((row) => [{ text: below, styles: [] }, ...row])];
}

/** The rest of a text in rows. Between two of them a blank is dropped, or nothing where a word was too long. */
function cut(runs: Row, text: string, from: number, columns: number): readonly Row[] {
  let at = from;
  return foldWords(text.slice(from).trimEnd(), Math.max(1, columns)).map((row) => {
    const start = at;
    const end = start + row.length;
    at = text[end] === " " ? end + 1 : end;
    return part(runs, start, end);
  });
}

function part(runs: Row, start: number, end: number): Row {
  let at = 0;
  return runs.flatMap(({ text, styles }) => {
    const found = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += text.length;
    return found === "" ? [] : [{ text: found, styles }];
  });
}

function runsOf(piece: Piece, styles: readonly Style[]): readonly Run[] {
  if (typeof piece === "string") return [{ text: piece, styles }];
  return piece.pieces.flatMap((inner) => runsOf(inner, [...styles, piece.style]));
}

const COLORS = {
  accent: "cyan",
  success: "green",
  warning: "yellow",
  error: "red",
  dim: "dim",
  muted: "dim",
  bold: "bold",
  italic: "italic",
  strike: "strike",
} as const satisfies Record<Style, string>;

/** Every run brings all its styles: the end of one style ends them all. */
export function paintedRow(row: Row, hasColor: boolean): string {
  const painted = row.map(({ text, styles }) => {
    return styles.reduce((drawn, style) => paint({ hasColor }, COLORS[style], drawn), text);
  });
  return painted.join("").trimEnd();
}
