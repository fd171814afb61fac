import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Nobody else on this machine may read what agents are doing. */
export const PRIVATE_FOLDER = 0o700;

/** Returns the first one made. Node's `recursive` loops for ever where a folder cannot be made, as in `/proc`. */
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
