import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { terminalText } from "../core/text/terminal-text.js";
import { type Environment, homeFolder } from "./store-place.js";

const FULL = 1_000_000;
const LINE_MAX = 1000;

export function logPath(environment: Environment): string {
  return join(homeFolder(environment), "milepost.log");
}

/** For what happens where nobody looks. Two files of a megabyte at most, and no trouble of its own. */
export function writeLog(environment: Environment, source: string, text: string): void {
  const path = logPath(environment);
  try {
    mkdirSync(homeFolder(environment), { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > FULL) renameSync(path, `${path}.old`);
    const line = terminalText(text.slice(0, LINE_MAX).replace(/\s+/g, " "));
    appendFileSync(path, `${new Date().toISOString()} ${source}: ${line}\n`, { mode: 0o600 });
  } catch {
    // There is no place left to say it.
  }
}
