import type { IBuffer, IBufferCell } from "@xterm/headless";

/** `undefined` is the terminal's own; a number is a place in its palette of 256; else #rrggbb. */
export type Colour = number | string | undefined;

export interface Cell {
  readonly text: string;
  /** Columns that it takes: 0 is the right half of the cell before. */
  readonly width: number;
  readonly foreground: Colour;
  readonly background: Colour;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
  readonly isStruck: boolean;
}

export function cellsOf(buffer: IBuffer, row: number, columns: number): readonly Cell[] {
  const line = buffer.getLine(buffer.baseY + row);
  return Array.from({ length: columns }, (_, column) => line?.getCell(column)).flatMap((cell) =>
    cell ? [toCell(cell)] : [],
  );
}

function toCell(cell: IBufferCell): Cell {
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    foreground: cell.isFgDefault() ? undefined : colour(cell.isFgRGB(), cell.getFgColor()),
    background: cell.isBgDefault() ? undefined : colour(cell.isBgRGB(), cell.getBgColor()),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isInverse: cell.isInverse() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
  };
}

function colour(isRgb: boolean, value: number): Colour {
  return isRgb ? `#${value.toString(16).padStart(6, "0")}` : value;
}
