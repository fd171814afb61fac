import { counted } from "../../core/text/length.js";
import { isoTime, momentText } from "../../core/text/time-text.js";
import type { Environment } from "../store-place.js";
import { countAside } from "./spool-folder.js";
import { readFactName, spoolPlace, waitingIn } from "./spool-place.js";

/** What `doctor` tells of a spool. It takes nothing in. */
export interface SpoolReport {
  readonly folder: string;
  /** Reports of hooks that wait for the store, and when the first of them was made. */
  readonly waiting: number;
  readonly since: string | null;
  readonly bytes: number;
  /** Files that could not be taken in. */
  readonly aside: number;
}

/** Undefined when nothing waits, and nothing was set aside. */
export function spoolReport(environment: Environment, store: string): SpoolReport | undefined {
  const place = spoolPlace(environment, store);
  if (!place) return undefined;
  const { folder } = place;
  const names = waitingIn(folder);
  const aside = countAside(folder);
  if (names.length + aside === 0) return undefined;
  const waiting = names.map(readFactName);
  const [first] = waiting;
  const since = first === undefined ? null : isoTime(Math.floor(first.time / 1000));
  return { folder, waiting: names.length, since, bytes: waiting.reduce((sum, { size }) => sum + size, 0), aside };
}

export function spoolLines(report: SpoolReport | undefined): readonly string[] {
  if (!report) return [];
  const { folder, waiting, since, aside } = report;
  const lines: string[] = [];
  if (waiting > 0 && since !== null) {
    const what = `${counted(waiting, "hook report")} since ${momentText(since)} could not be recorded yet`;
    lines.push(`${what}; the next command that opens the store takes them in: milepost sessions [spool-waiting]`);
  }
  if (aside > 0)
    lines.push(
      `${counted(aside, "file")} in ${folder} could not be taken in; see milepost.log, then delete *.aside there [spool-damaged]`,
    );
  return lines;
}
