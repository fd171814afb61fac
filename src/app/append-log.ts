import { appendFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../store/make-folder.js";
import { isForeign, realPath } from "../store/sqlite/real-path.js";
import { type Environment, homeFolder } from "./store-place.js";

const FULL = 1_000_000;

export function logPath(environment: Environment): string {
  return join(homeFolder(environment), "milepost.log");
}

/**
 * For what happens where nobody looks. Two files of a megabyte at most, and no trouble of its own. The line holds no
 * secret and nothing that acts: whoever has foreign text writes it with `writeLog`. Apart, because the dispatcher has
 * to load quickly.
 */
export function appendLog(environment: Environment, source: string, line: string): void {
  try {
    // Refuses a link that another user has put there.
    const path = realPath(logPath(environment));
    makeFolder(dirname(path));
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe would wait for a reader.
    if (found && (!found.isFile() || isForeign(found))) return;
    if ((found?.size ?? 0) > FULL) renameSync(path, `${path}.old`);
    appendFileSync(path, `${new Date().toISOString()} ${source}: ${line}\n`, { mode: 0o600 });
  } catch {
    // There is no place left to say it.
  }
}
