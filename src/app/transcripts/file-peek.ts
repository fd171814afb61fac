import { closeSync, constants, openSync, readdirSync, readSync } from "node:fs";

const BEGINNING = 65_536;

/** The first bytes of a file as text; empty for one that cannot be read. */
export function beginningOf(path: string, length: number = BEGINNING): string {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const bytes = Buffer.alloc(length);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** What is in a folder; nothing for one that is gone, or is not for us. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
