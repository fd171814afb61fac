import { redactStart } from "../secrets/redact.js";
import { cutCodePoints } from "./length.js";
import { visible } from "./visible.js";

/** More than any row can show: a foreign text has no limit, looking at it has one. */
const TERMINAL_TEXT_MAX = 4000;

/**
 * One row of a terminal, without secrets: older versions have stored some. A line break inside is shown as a symbol, so
 * a text can never forge the next row.
 */
export function terminalText(text: string): string {
  return visible(cutCodePoints(redactStart(text, 2 * TERMINAL_TEXT_MAX + 2), TERMINAL_TEXT_MAX).replaceAll("\t", " "));
}

/** A text of several lines, each safe for one row; the caller indents them. */
export function terminalLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(terminalText);
}

/** A whole document at a terminal: its lines, however long, without what a terminal would obey or hide. */
export function screenText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll("\t", " ")))
    .join("\n");
}
