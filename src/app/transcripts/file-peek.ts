import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";

const BEGINNING = 65_536;

/** The first bytes of a file as text; empty for one that cannot be read. */
export function beginningOf(path: string, length: number = BEGINNING): string {
  return peek(path, () => ({ from: 0, length }));
}

/** The last bytes; their first line may be a part of one. */
export function endOf(path: string, most: number): string {
  return peek(path, (size) => ({ from: Math.max(0, size - most), length: Math.min(size, most) }));
}

function peek(path: string, part: (size: number) => { readonly from: number; readonly length: number }): string {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { from, length } = part(fstatSync(file).size);
      const bytes = Buffer.alloc(length);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, length, from));
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
