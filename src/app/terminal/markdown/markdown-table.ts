import { inlinePieces, type TextStyle } from "../../../core/markdown/inline.js";
import type { Output } from "../../command-definition.js";
import { paint } from "../paint.js";
import { stringWidth } from "../text-width.js";
import { styledRows } from "./styled-rows.js";

/** A table with more, or a wider one into a pipe, is no table to an eye; and padding it could fill the memory. */
const MOST_COLUMNS = 12;
const WIDEST = 200;

interface Cell {
  readonly text: string;
  readonly width: number;
}

/** Aligned columns, where they fit; else undefined. */
export function tableRows(lines: readonly string[], columns: number, output: Output): readonly string[] | undefined {
  const [head = [], rule = [], ...body] = lines.map(cellsOf);
  if ([head, rule, ...body].some(({ length }) => length > MOST_COLUMNS)) return undefined;
  const cells = [
    head.map((text) => cellOf(text, output, ["bold"])),
    ...body.map((row) => row.map((text) => cellOf(text, output))),
  ];
  const widths = rule.map(() => NARROWEST);
  for (const row of cells)
    for (const [at, { width }] of row.entries()) widths[at] = Math.max(widths[at] ?? NARROWEST, width);
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  if (total > Math.min(columns, WIDEST)) return undefined;
  const rows = cells.map((row) => widths.map((width, at) => filled(row[at], width, isRight(rule[at]))).join(GAP));
  const line = widths.map((width) => "-".repeat(width)).join("-|-");
  return [...rows.slice(0, 1), paint(output, "dim", line), ...rows.slice(1)].map((row) => row.trimEnd());
}

const NARROWEST = 3;
const GAP = " | ";

/** Cells between bars; a bar behind a backslash is text. */
function cellsOf(line: string): readonly string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = "";
  for (let at = text.startsWith("|") ? 1 : 0; at < text.length; at += 1) {
    const isEscaped = text[at] === "\\" && text[at + 1] === "|";
    if (isEscaped) at += 1;
    if (isEscaped || text[at] !== "|") cell += text[at];
    else {
      cells.push(cell.trim());
      cell = "";
    }
  }
  return cell.trim() === "" ? cells : [...cells, cell.trim()];
}

function cellOf(text: string, output: Output, own: readonly TextStyle[] = []): Cell {
  const pieces = inlinePieces(text)
    .filter(({ kind }) => !output.hasColor || kind !== "mark")
    .map((piece) => ({ ...piece, styles: [...own, ...piece.styles] }));
  const rowIn = (into: Output) => styledRows(pieces, Number.POSITIVE_INFINITY, into)[0] ?? "";
  return { text: rowIn(output), width: stringWidth(rowIn({ ...output, hasColor: false })) };
}

function isRight(rule: string | undefined): boolean {
  return rule?.endsWith(":") === true && !rule.startsWith(":");
}

function filled(cell: Cell | undefined, width: number, isToTheRight: boolean): string {
  const { text, width: taken } = cell ?? { text: "", width: 0 };
  const blanks = " ".repeat(width - taken);
  return isToTheRight ? `${blanks}${text}` : `${text}${blanks}`;
}
