import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

// Light on purpose: hooks load it. Writing, and reading in parts, is in safe-files.ts.

/**
 * The text of a regular file, through links. A pipe would wait for a writer for ever and a device may have no end, and
 * whoever made the folder we look into may have put one there: both are refused at once. Throws what the system says.
 */
export function readPlain(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** For what may just as well be missing. */
export function readPlainOr(path: string, missing: string): string {
  try {
    return readPlain(path);
  } catch {
    return missing;
  }
}
