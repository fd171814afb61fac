import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, PRIVATE_FOLDER } from "../make-folder.js";
import { StoreTrouble } from "../trouble.js";
import { attempt, hasModes, isForeign, notYours, realPath } from "./real-path.js";

const PRIVATE_FILE = 0o600;
export const OTHERS = 0o077;

export interface StoreFile {
  readonly path: string;
  /** 0 for a file that is not there. */
  readonly size: number;
  readonly isWritable: boolean;
}

export interface FileOptions {
  /** The folder is Milepost's own: its rights are ours to set. */
  readonly isOwnFolder?: boolean;
  /** Do not make a store where there is none. */
  readonly mustExist?: boolean;
  readonly notice?: (text: string) => void;
}

/** By its real path, in a folder that is there. Never opens the file: that would drop SQLite's locks. */
export function findFile(given: string, { isOwnFolder = false, mustExist, notice }: FileOptions): StoreFile {
  const path = realPath(given);
  const found = stat(path);
  if (!found && mustExist)
    throw new StoreTrouble("no-store", `There is no store at ${path}. Nothing was created; check the path.`);
  prepareFolder(dirname(path), isOwnFolder, notice);
  if (found && !found.isFile())
    throw new StoreTrouble("not-a-store", `${path} is not a file. Pass a file for the store.`);
  refuseForeignOwner(path);
  if (!found) return { path, size: 0, isWritable: mayWrite(dirname(path)) };
  return { path, size: found.size, isWritable: mayWrite(path) && mayWrite(dirname(path)) };
}

/**
 * The store, and what lies beside it: in a folder for everybody another user can put a journal or a link there first.
 */
export function refuseForeignOwner(path: string): void {
  for (const file of [...filesOf(path), `${path}-journal`]) {
    const found = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
    if (found && isForeign(found)) throw notYours(file, found);
  }
}

function prepareFolder(folder: string, isOwn: boolean, notice: FileOptions["notice"]): void {
  const found = stat(folder);
  if (!found) {
    attempt(folder, () => makePrivateFolder(folder));
    return;
  }
  if (!found.isDirectory())
    throw new StoreTrouble("not-a-store", `${folder} is not a folder. Choose another path for the store.`);
  if (isOwn && isForeign(found)) throw notYours(folder, found);
  if (isOwn && hasModes() && (found.mode & OTHERS) !== 0 && mayWrite(folder)) {
    attempt(folder, () => chmodSync(folder, PRIVATE_FOLDER));
    notice?.(`Other users had access to the folder ${folder}; it is now private.`);
  }
}

function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    // What a read-only disk says arrives here as "no such folder".
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new StoreTrouble("store-read-only", `The folder ${folder} cannot be created. Is the disk read-only?`, error);
  }
}

/** Unless it is there, or another process is faster. */
export function createFile(path: string): void {
  attempt(path, () => {
    // SQLite gives its journals the rights of this file.
    try {
      closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, PRIVATE_FILE));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  });
}

/** The store and everything SQLite and we put beside it. */
export function filesOf(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`, headPath(path)];
}

/** Only for files that have been found to be a store of ours. */
export function tighten(path: string, notice: FileOptions["notice"]): void {
  if (!hasModes()) return;
  for (const file of filesOf(path)) {
    const found = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
    if (!found?.isFile() || isForeign(found) || (found.mode & OTHERS) === 0) continue;
    attempt(file, () => chmodSync(file, PRIVATE_FILE));
    notice?.(`Other users had access to the file ${file}; it is now private.`);
  }
}

/** `milepost.head` for `milepost.db`; beside any other file its own name, so that no two stores share one. */
export function headPath(path: string): string {
  return basename(path) === "milepost.db" ? join(dirname(path), "milepost.head") : `${path}-head`;
}

/** A file of ours beside the store. A pipe would wait for ever, a link could lead anywhere: both are refused. */
export function openPlain(path: string, flags: number): number {
  const file = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), PRIVATE_FILE);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new StoreTrouble("not-a-store", `${path} is not a regular file.`);
}

export function stat(path: string): Stats | undefined {
  return attempt(path, () => statSync(path, { throwIfNoEntry: false }));
}

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Some file systems make inodes as they need them, and say that they have none. */
export function hasFreeFiles(path: string): boolean {
  try {
    const { files, ffree } = statfsSync(dirname(path));
    return files === 0 || ffree > 0;
  } catch {
    return true;
  }
}

/** This name, or with a number behind it when it is taken. */
export function freeName(name: string): string {
  let free = name;
  for (let number = 2; stat(free); number += 1) free = `${name}-${number}`;
  return free;
}
