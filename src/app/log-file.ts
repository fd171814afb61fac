import { statSync, writeFileSync } from "node:fs";
import { redact, redactStart } from "../core/secrets/redact.js";
import { terminalText } from "../core/text/terminal-text.js";
import { appendLog, logPath } from "./append-log.js";
import { readPlain } from "./read-plain.js";
import type { Environment } from "./store-place.js";

const LINE_MAX = 1000;

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

/** A line of foreign text: without secrets, and safe to look at. */
export function writeLog(environment: Environment, source: string, text: string): void {
  appendLog(environment, source, terminalText(redactStart(text, LINE_MAX).replace(/\s+/g, " ")));
}
