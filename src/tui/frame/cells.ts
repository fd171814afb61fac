import type { Output } from "../../app/command-definition.js";
import { paint } from "../../app/terminal/paint.js";
import { fitWidth, stringWidth } from "../../app/terminal/text-width.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { Size } from "../world.js";

// A frame is rows, and a row is cells of a fixed width. Whatever a text holds, it stays inside its cell.

export type Style = Parameters<typeof paint>[1];
export type Pen = Pick<Output, "hasColor">;

/** A part of the screen that somebody draws on. */
export interface Canvas extends Size {
  readonly pen: Pen;
}

export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly style?: Style | undefined;
  readonly isRight?: boolean;
}

const safe = new Map<string, string>();
/** More texts than are on a screen. To look for secrets in each of them would take most of the time of a drawing. */
const MOST_SAFE = 8000;

/** A text of whoever wrote it, as one row that a terminal does not obey. */
export function safeText(text: string): string {
  const known = safe.get(text);
  if (known !== undefined) return known;
  if (safe.size >= MOST_SAFE) safe.clear();
  const shown = terminalText(text);
  safe.set(text, shown);
  return shown;
}

/** Cells side by side. `isBold`: all of the row stands out, as the one under the cursor does. */
export function drawCells(cells: readonly Cell[], pen: Pen, isBold = false): string {
  return cells.map((cell) => drawCell(cell, pen, isBold)).join("");
}

function drawCell({ text, width, style, isRight = false }: Cell, pen: Pen, isBold: boolean): string {
  if (width <= 0) return "";
  const fitted = fitWidth(safeText(text), width, isRight);
  const styled = style === undefined ? fitted : paint(pen, style, fitted);
  return isBold && style !== "bold" ? paint(pen, "bold", styled) : styled;
}

/** Cells that have no room are left out, and one that has some is narrower: no row is wider than its screen. */
export function clipCells(cells: readonly Cell[], columns: number): readonly Cell[] {
  let room = columns;
  return cells.map((cell) => {
    const width = Math.min(cell.width, room);
    room -= width;
    return { ...cell, width };
  });
}

/** A row of one text, as wide as the canvas. */
export function drawText(text: string, { columns, pen }: Pick<Canvas, "columns" | "pen">, style?: Style): string {
  return drawCells([{ text, width: columns, style }], pen);
}

/** Left and right end of a row; where both do not fit, the right one gives way. */
export function drawEnds(left: readonly Cell[], right: Omit<Cell, "width">, { columns, pen }: Canvas): string {
  const used = left.reduce((sum, cell) => sum + cell.width, 0);
  const shown = safeText(right.text);
  const room = columns - used;
  if (stringWidth(shown) > room - 1) return drawCells([...left, { text: "", width: Math.max(0, room) }], pen);
  return drawCells([...left, { ...right, width: room, isRight: true }], pen);
}

/** Thin: bars of rows below each other stay apart, and the two can be told without colour. */
const FULL = "━";
const EMPTY = "─";

/** `━━━━━━━───`: full only where all is done. */
export function barText(done: number, total: number, width: number): string {
  if (total === 0) return " ".repeat(width);
  const filled = done === total ? width : Math.min(width - 1, Math.floor((width * done) / total));
  return FULL.repeat(filled) + EMPTY.repeat(width - filled);
}

/** `182k`, `1.2M`: three figures say enough. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(count < 10_000_000 ? 1 : 0)}M`;
}
