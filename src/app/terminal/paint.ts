import type { CommandContext, Output } from "../command-definition.js";

// Apart from rows: measuring text loads tables that cost more than starting the whole program.

const STYLES = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  strike: 9,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
} as const;

/** Colour only where it was asked for: a pipe and NO_COLOR get plain text. */
export function paint(output: Pick<Output, "hasColor">, style: keyof typeof STYLES, text: string): string {
  return output.hasColor ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
}

/** Back to the start of the row, which is then empty. */
export const CLEAR_ROW = "\r\u001b[K";

/** A terminal that is called dumb prints what it is given, control characters too: it is written to like a pipe. */
export function canRedraw({ output, environment }: Pick<CommandContext, "output" | "environment">): boolean {
  return output.isTerminal && environment.TERM !== "dumb";
}

/** A screen of its own, without a cursor; what was there before comes back afterwards. */
export const ENTER_SCREEN = "\u001b[?1049h\u001b[?25l";
export const LEAVE_SCREEN = "\u001b[?25h\u001b[?1049l";

/** All of a screen, drawn over what was there: no row is empty in between, so nothing flickers. */
export function picture(rows: readonly string[]): string {
  return `\u001b[H${rows.map((row) => `${row}\u001b[K`).join("\r\n")}\u001b[J`;
}
