import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder, PRIVATE_FOLDER } from "../../store/make-folder.js";
import { hasModes, isForeign, notYours, realPath } from "../../store/sqlite/real-path.js";
import { claimSlot, freeSlots } from "./spool-reserve.js";

/** As many facts as a team of agents reports in an hour; a store that is away for longer loses the rest. */
export const MOST_FACTS = 10_000;
export const MOST_BYTES = 64 * 1024 * 1024;

const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;
const FULL: readonly string[] = ["ENOSPC", "EDQUOT"];

/** Makes the folder, or sees that it is ours and nobody else's; what it is a link to may be anything. Throws. */
export function ownFolder(folder: string): void {
  makeFolder(realPath(join(folder, "..")));
  makeFolder(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory() || isForeign(found)) throw notYours(folder, found, "is not a folder of yours");
  if (hasModes() && (found.mode & OTHERS) !== 0) chmodSync(folder, PRIVATE_FOLDER);
}

const PART = ".part";

/** Appears under its name when it is complete. On a full disk it takes a file of the reserve, which has its blocks. */
export function putFact(folder: string, name: string, text: string): void {
  const part = join(folder, `${name}${PART}`);
  const bytes = Buffer.from(text);
  try {
    writeNew(part, bytes);
  } catch (error) {
    rmSync(part, { force: true });
    if (!isFull(error)) throw error;
    if (!claimSlot(folder, part, bytes)) {
      if (freeSlots(folder, bytes.length) === 0) throw error;
      writeNew(part, bytes);
    }
  }
  move(folder, part, join(folder, name));
}

function writeNew(path: string, bytes: Buffer): void {
  const file = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, PRIVATE_FILE);
  try {
    // Not writeSync: on a full disk that one writes a part and says nothing.
    writeFileSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

/** A folder may need one more block for a name. */
function move(folder: string, from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isFull(error) || freeSlots(folder, 1) === 0) throw error;
    renameSync(from, to);
  }
}

function isFull(error: unknown): boolean {
  return FULL.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** The text; `gone` when somebody else has taken it; `bad` for what is no file of ours. */
export function readFact(folder: string, name: string): { readonly text: string } | "gone" | "bad" {
  const path = join(folder, name);
  let file: number;
  try {
    // Never through a link, and a pipe must not make us wait.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : "bad";
  }
  try {
    const found = fstatSync(file);
    const isOurs = found.isFile() && !isForeign(found) && found.nlink <= 1 && found.size <= MOST_BYTES;
    // Without a name it was taken while we opened it.
    if (found.nlink === 0 && hasModes()) return "gone";
    return isOurs ? { text: readFileSync(file, "utf8") } : "bad";
  } finally {
    closeSync(file);
  }
}

/** It is recorded. */
export function removeFact(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
}

const ASIDE = ".aside";

/** What cannot be taken in stays for a person to look at, out of the way of the rest. */
export function setAside(folder: string, name: string): void {
  try {
    renameSync(join(folder, name), join(folder, `${name}${ASIDE}`));
  } catch {
    // Somebody else has.
  }
}

export function countAside(folder: string): number {
  return namesIn(folder).filter((name) => name.endsWith(ASIDE)).length;
}

/** Parts of those who were killed while they wrote: nobody was told that they are kept. */
export function sweepParts(folder: string, before: number): void {
  for (const name of namesIn(folder).filter((one) => one.endsWith(PART))) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found?.isFile() && found.mtimeMs < before) rmSync(join(folder, name), { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
