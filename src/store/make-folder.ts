import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Nobody else on this machine may read what agents are doing. */
export const PRIVATE_FOLDER = 0o700;

/**
 * A folder and those above it, one after the other; returns the first that had to be made. Node's own way turns for
 * ever where a folder cannot be made and the system says that it is not there (`/proc`, a folder that was deleted
 * under us).
 */
export function makeFolder(folder: string): string | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const above = dirname(folder);
  const first = above === folder ? undefined : makeFolder(above);
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    return first ?? folder;
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return first;
  }
}
