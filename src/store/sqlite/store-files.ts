import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder, PRIVATE_FOLDER } from "../make-folder.js";
import { StoreTrouble } from "../trouble.js";

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
  if (!found) return { path, size: 0, isWritable: mayWrite(dirname(path)) };
  if (!found.isFile()) throw new StoreTrouble("not-a-store", `${path} is not a file. Pass a file for the store.`);
  refuseForeignOwner(path, found);
  return { path, size: found.size, isWritable: mayWrite(path) && mayWrite(dirname(path)) };
}

/** Where the file really is: links are followed once, here, also one that leads to a file that is gone. */
export function realPath(given: string): string {
  const whole = resolve(given);
  const path = join(real(dirname(whole)), basename(whole));
  const link = attempt(path, () => lstatSync(path, { throwIfNoEntry: false }))?.isSymbolicLink();
  if (!link) return path;
  const target = real(path);
  return target === path ? realPath(resolve(dirname(path), readlinkSync(path))) : target;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function refuseForeignOwner(path: string, found: Stats): void {
  if (isForeign(found)) throw notYours(path, found);
}

function prepareFolder(folder: string, isOwn: boolean, notice: FileOptions["notice"]): void {
  const found = stat(folder);
  if (!found) {
    attempt(folder, () => makePrivateFolder(folder));
    return;
  }
  if (!found.isDirectory()) throw new StoreTrouble("not-a-store", `${folder} is not a folder.`);
  if (isOwn && isForeign(found)) throw notYours(folder, found);
  if (isOwn && hasModes() && (found.mode & OTHERS) !== 0 && mayWrite(folder)) {
    chmodSync(folder, PRIVATE_FOLDER);
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
    chmodSync(file, PRIVATE_FILE);
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

function isForeign({ uid }: Stats): boolean {
  return hasModes() && uid !== ownUser();
}

/** Windows has other rights and no owner numbers. */
export function hasModes(): boolean {
  return ownUser() >= 0;
}

/** A container may run us under a number that no list of users has. */
function ownUser(): number {
  try {
    return userInfo().uid;
  } catch {
    return statSync("/proc/self", { throwIfNoEntry: false })?.uid ?? -1;
  }
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

function notYours(path: string, { uid }: Stats): StoreTrouble {
  return new StoreTrouble(
    "store-not-yours",
    `${path} belongs to another user (id ${uid}, you are ${ownUser()}). Run Milepost as that user, or choose another store.`,
  );
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileTrouble(path, error as NodeJS.ErrnoException);
  }
}

function fileTrouble(path: string, error: NodeJS.ErrnoException): unknown {
  if (error instanceof StoreTrouble) return error;
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return new StoreTrouble("store-not-yours", `The store ${path} cannot be used: permission denied.`, error);
    case "EROFS":
      return new StoreTrouble("store-read-only", `The store ${path} cannot be created: the disk is read-only.`, error);
    case "ENOSPC":
    case "EDQUOT":
      return new StoreTrouble("store-full", `The store ${path} cannot be created: the disk is full.`, error);
    case "ENOTDIR":
    case "ENAMETOOLONG":
    case "ELOOP":
      return new StoreTrouble("bad-store", `The store ${path} cannot be created: ${error.message}.`, error);
    default:
      return error;
  }
}
