import { appendFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { redact, redactStart } from "../core/secrets/redact.js";
import { terminalText } from "../core/text/terminal-text.js";
import { makeFolder } from "../store/make-folder.js";
import { isForeign, realPath } from "../store/sqlite/real-path.js";
import { readPlain } from "./read-plain.js";
import { type Environment, homeFolder } from "./store-place.js";

const FULL = 1_000_000;
const LINE_MAX = 1000;

function logPath(environment: Environment): string {
  return join(homeFolder(environment), "milepost.log");
}

export interface LoggedTrouble {
  readonly file: string;
  /** The last line. */
  readonly last: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** What went wrong lately where nobody looked. */
export function recentTrouble(environment: Environment, now: number): LoggedTrouble | undefined {
  const file = logPath(environment);
  try {
    const last = readPlain(file).trimEnd().split("\n").at(-1) ?? "";
    const isRecent = now - Date.parse(last.slice(0, last.indexOf(" "))) < DAY;
    return isRecent ? { file, last } : undefined;
  } catch {
    return undefined;
  }
}

/** Redacts what older versions wrote there; says how many lines that were. */
export function redactLogs(environment: Environment): number {
  const path = logPath(environment);
  return redactLines(path) + redactLines(`${path}.old`);
}

function redactLines(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return 0;
  const lines = readPlain(path).split("\n");
  const redacted = lines.map(redact);
  const count = lines.filter((line, index) => line !== redacted[index]).length;
  // In its place: whoever appends meanwhile has this file open.
  if (count > 0) writeFileSync(path, redacted.join("\n"), { mode: 0o600 });
  return count;
}

/** For what happens where nobody looks. Two files of a megabyte at most, and no trouble of its own. */
export function writeLog(environment: Environment, source: string, text: string): void {
  try {
    // Refuses a link that another user has put there.
    const path = realPath(logPath(environment));
    makeFolder(dirname(path));
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe would wait for a reader.
    if (found && (!found.isFile() || isForeign(found))) return;
    if ((found?.size ?? 0) > FULL) renameSync(path, `${path}.old`);
    const line = terminalText(redactStart(text, LINE_MAX).replace(/\s+/g, " "));
    appendFileSync(path, `${new Date().toISOString()} ${source}: ${line}\n`, { mode: 0o600 });
  } catch {
    // There is no place left to say it.
  }
}
