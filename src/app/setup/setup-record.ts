import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "../read-plain.js";
import { writeConfig } from "./config-file.js";

// What setup has done, so that unsetup can undo it to the byte. Nothing breaks without it: entries of ours can be told
// by their look.

/** The way back from the text we left to the text we found. */
export interface Splice {
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

export interface FileRecord {
  readonly agent: string;
  /** Checksum of the text we left. */
  readonly left: string;
  /** There was no file. */
  readonly isNew: boolean;
  readonly undo: Splice;
  /** What had to be made around our entries. */
  readonly made: readonly string[];
  readonly madeFolder?: string | undefined;
}

export type SetupRecord = Readonly<Record<string, FileRecord>>;

const VERSION = 1;

function recordFile(home: string): string {
  return join(home, "setup.json");
}

export function readRecord(home: string): SetupRecord {
  try {
    const { version, files } = JSON.parse(readPlain(recordFile(home)));
    return version === VERSION && typeof files === "object" && files !== null ? files : {};
  } catch {
    return {};
  }
}

export function writeRecord(home: string, record: SetupRecord): void {
  const file = recordFile(home);
  const text = `${JSON.stringify({ version: VERSION, files: record }, null, 2)}\n`;
  if (Object.keys(record).length > 0) writeConfig({ file, target: file, text: undefined }, text);
  else if (existsSync(file)) rmSync(file);
}

export function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The text we found, as a value, when the file is still as we left it; its own undefined means: there was no file. */
export function textBefore(
  text: string,
  record: FileRecord | undefined,
): { readonly text: string | undefined } | undefined {
  if (record?.left !== checksum(text)) return undefined;
  const { start, length, text: old } = record.undo;
  return { text: record.isNew ? undefined : text.slice(0, start) + old + text.slice(start + length) };
}

export function spliceBetween(from: string, to: string): Splice {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  const most = Math.min(from.length, to.length) - start;
  while (end < most && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return { start, length: from.length - end - start, text: to.slice(start, to.length - end) };
}
