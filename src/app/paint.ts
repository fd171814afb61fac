import type { Output } from "./command.js";

// Apart from rows: measuring text loads tables that cost more than starting the whole program.

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colour only where it was asked for: a pipe and NO_COLOR get plain text. */
export function paint(output: Output, style: keyof typeof STYLES, text: string): string {
  return output.hasColor ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
}

/** Back to the start of the row, which is then empty. */
export const CLEAR_ROW = "\r\u001b[K";

/** The rows above are drawn anew: up so many rows, and everything below is empty. */
export function redraw(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A\r\u001b[J` : "";
}
