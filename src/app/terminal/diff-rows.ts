import { unifiedDiff } from "../../core/text/line-diff.js";
import { screenText } from "../../core/text/terminal-text.js";
import type { Output } from "../command-definition.js";
import { paint } from "./paint.js";

/** What changed between two texts, with a few lines around it; no row for equal ones. Rows are safe, and never cut. */
export function diffRows(before: string, after: string, output: Output): readonly string[] {
  return unifiedDiff(before, after).map((row) => paintChange(row, screenText(row), output));
}

/** A row of a unified diff, coloured by what its first sign says; `shown` is the same row, made safe. */
export function paintChange(row: string, shown: string, output: Output): string {
  if (row.startsWith("+")) return paint(output, "green", shown);
  if (row.startsWith("-")) return paint(output, "red", shown);
  return row.startsWith("@@") ? paint(output, "cyan", shown) : shown;
}
