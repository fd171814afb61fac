import { visible } from "./visible.js";

/** One row of a terminal. A line break inside is shown as a symbol, so a text can never forge the next row. */
export function terminalText(text: string): string {
  return visible(text.replaceAll("\t", " "));
}

/** A text of several lines, each safe for one row; the caller indents them. */
export function terminalLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(terminalText);
}
