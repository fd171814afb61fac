import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../core/result.js";

export interface TemporaryFile {
  readonly path: string;
  /** With everything SQLite may have put beside it. */
  remove(): void;
}

/** A name in the same folder, so that the finished file can be moved to its place in one step. */
export function temporaryBeside(file: string): TemporaryFile {
  const path = join(dirname(resolve(file)), `.${basename(file)}.${randomBytes(6).toString("hex")}`);
  return {
    path,
    remove() {
      for (const end of ["", "-wal", "-shm", "-journal", "-head"]) rmSync(`${path}${end}`, { force: true });
    },
  };
}

/** The finished file gets its name in one step: whoever looks finds the old one or the new one, never a part. */
export function placeFile(from: string, to: string, force: boolean): Result<undefined> {
  try {
    sync(from);
    if (force) renameSync(from, to);
    else linkOrMove(from, to);
    syncFolder(dirname(resolve(to)));
    return ok(undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return fail(alreadyThere(to));
    throw error;
  }
}

/** A link fails when something is there already, a move does not; but not every disk has links. */
function linkOrMove(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"].includes(code) || existsSync(to)) throw error;
    renameSync(from, to);
  }
}

/** Text as it comes, into a file that appears when it is complete. */
export async function writeFileWhole(
  file: string,
  force: boolean,
  parts: AsyncIterable<string> | readonly string[],
): Promise<Result<undefined>> {
  // Moving a file onto a device, a pipe or a link would take its place away.
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) return fail(notPlain(file));
  if (found && !force) return fail(alreadyThere(file, "; --force does it"));
  const temporary = temporaryBeside(file);
  try {
    const target = openSync(temporary.path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    try {
      // Not writeSync: on a full disk that one writes a part and says nothing.
      for await (const part of parts) writeFileSync(target, part);
    } finally {
      closeSync(target);
    }
    return placeFile(temporary.path, file, force);
  } finally {
    temporary.remove();
  }
}

export interface OpenedFile {
  /** The bytes from the start, each time it is asked. */
  read(): AsyncIterable<Uint8Array>;
  close(): void;
}

/** A plain file and nothing else: a pipe or a device could go on for ever, or never begin. */
export function openPlainFile(file: string): Result<OpenedFile> {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return fail({ code: "no-file", message: whyNotOpened(file, error as NodeJS.ErrnoException) });
  }
  if (!fstatSync(handle).isFile()) {
    closeSync(handle);
    return fail(notPlain(file));
  }
  return ok({
    read: () => partsOf(handle),
    close: () => closeSync(handle),
  });
}

function whyNotOpened(file: string, { code, message }: NodeJS.ErrnoException): string {
  return code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be opened: ${message}.`;
}

const PART = 65_536;

/**
 * Not a stream: one that is left before its end closes the file, and `close` then closes what has its number by now.
 */
async function* partsOf(handle: number): AsyncIterable<Uint8Array> {
  for (let at = 0; ; ) {
    const part = Buffer.allocUnsafe(PART);
    const length = readSync(handle, part, 0, PART, at);
    if (length === 0) return;
    at += length;
    yield part.subarray(0, length);
  }
}

function sync(path: string): void {
  const handle = openSync(path, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows has no such thing as syncing a folder.
  }
}

export function notPlain(file: string) {
  return { code: "not-a-file", message: `${file} is not a regular file. Choose another path.` };
}

function alreadyThere(file: string, way = "") {
  return {
    code: "file-exists",
    message: `${file} already exists. Nothing was overwritten${way}.`,
  };
}
