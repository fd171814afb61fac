import { foldWords } from "../../app/terminal/text-width.js";
import { terminalLines } from "../../core/text/terminal-text.js";
import type { TextPage } from "../view-state.js";
import type { Size } from "../world.js";
import { type Canvas, drawText, type Style } from "./cells.js";
import type { Body } from "./view-body.js";

const folded = new WeakMap<readonly string[], Map<number, readonly string[]>>();

/** Lines as rows of this width; remembered, because a diff of thousands of lines is drawn with every key. */
function pageRows({ lines }: Pick<TextPage, "lines">, columns: number): readonly string[] {
  const known = folded.get(lines) ?? new Map<number, readonly string[]>();
  folded.set(lines, known);
  const rows = known.get(columns) ?? lines.flatMap(terminalLines).flatMap((line) => foldRow(line, columns));
  known.set(columns, rows);
  return rows;
}

/** Indentation stays: words alone would lose it. */
export function foldRow(line: string, columns: number): readonly string[] {
  const [indent = ""] = /^ */.exec(line) ?? [];
  const kept = indent.slice(0, Math.floor(columns / 2));
  return foldWords(line.slice(indent.length), Math.max(1, columns - kept.length)).map((row) => kept + row);
}

/** A text over the whole body, from the row that it was moved to. */
export function textBody(page: TextPage, canvas: Canvas): Body {
  const all = pageRows(page, canvas.columns - 2);
  const room = Math.max(1, canvas.rows - 1);
  const top = topOf(page, canvas);
  const shown = all.slice(top, top + room).map((row) => drawText(` ${row}`, canvas, styleOf(page, row)));
  const rest = all.length <= room ? "" : `${top + 1} to ${Math.min(all.length, top + room)} of ${all.length}`;
  return { rows: [drawText(` ${page.title}`, canvas, "bold"), ...shown], start: top, rest };
}

/** Where the page is, never beyond its end. */
export function topOf(page: TextPage, { columns, rows }: Size): number {
  const last = Math.max(0, pageRows(page, columns - 2).length - Math.max(1, rows - 1));
  return Math.max(0, Math.min(page.top, last));
}

function styleOf({ isDiff }: TextPage, row: string): Style | undefined {
  if (!isDiff) return row.startsWith("#") ? "bold" : undefined;
  if (/^(?:diff |index |\+\+\+ |--- )/.test(row)) return "dim";
  return row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : row.startsWith("@@") ? "cyan" : undefined;
}
