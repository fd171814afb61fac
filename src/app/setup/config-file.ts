import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { makeFolder } from "../../store/make-folder.js";
import { placeFile, temporaryBeside } from "../safe-files.js";

/** A file of a person, with all that has to stay as it is when its text changes. */
export interface ConfigFile {
  readonly file: string;
  /** The file itself where `file` is a link, as dotfile managers make them. */
  readonly target: string;
  /** Undefined: no such file. */
  readonly text: string | undefined;
  readonly stats?: Stats;
  /** Why it cannot be written, as the end of a sentence about it. Only a change has to care. */
  readonly locked?: string;
}

const OWNER_ONLY = 0o600;

export function readConfig(file: string): Result<ConfigFile> {
  const link = lstatSync(file, { throwIfNoEntry: false });
  if (!link)
    return ok({ file, target: file, text: undefined, ...lockedFolder(dirname(file), "cannot be created: its") });
  if (link.isSymbolicLink() && !existsSync(file)) return refuseFile(file, "is a broken link");
  const target = realpathSync(file);
  const stats = statSync(target);
  if (!stats.isFile()) return refuseFile(file, "is not a regular file");
  if (!canAccess(target, constants.R_OK)) return refuseFile(file, "cannot be read: permission denied");
  const text = decode(readFileSync(target));
  if (text === undefined) return refuseFile(file, "is not UTF-8 text");
  // The mode counts, too: as root everything can be written, and a file in a read-only store is made so on purpose.
  const isLocked = (stats.mode & 0o222) === 0 || !canWrite(target);
  const locked = isLocked ? { locked: "is read-only" } : lockedFolder(dirname(target), "cannot be replaced: its");
  return ok({ file, target, text, stats, ...locked });
}

function lockedFolder(folder: string, what: string): Pick<ConfigFile, "locked"> {
  return isWritableFolder(folder) ? {} : { locked: `${what} folder is read-only` };
}

/** For a look that changes nothing: what cannot be read is as good as not there. */
export function readText(file: string): string | undefined {
  const read = readConfig(file);
  return read.ok ? read.value.text : undefined;
}

/** Undefined where bytes would be lost on the way back. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function refuseFile(file: string, what: string) {
  return fail({ code: "bad-config", message: `${file} ${what}. Fix it, then run this again. Nothing was changed.` });
}

function canWrite(path: string): boolean {
  return canAccess(path, constants.W_OK);
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function isWritableFolder(folder: string): boolean {
  const parent = dirname(folder);
  if (existsSync(folder)) return canWrite(folder);
  return parent === folder || isWritableFolder(parent);
}

/** Returns the first folder that had to be made, if any. */
export function writeConfig({ target, stats }: ConfigFile, text: string): string | undefined {
  const made = makeFolder(dirname(target));
  const temporary = temporaryBeside(target);
  try {
    writeFileSync(temporary.path, text, { flag: "wx", mode: OWNER_ONLY });
    if (stats) keepOwner(temporary.path, stats);
    const placed = placeFile(temporary.path, target, true);
    if (!placed.ok) throw new Error(placed.error.message);
    return made;
  } finally {
    temporary.remove();
  }
}

function keepOwner(path: string, { mode, uid, gid }: Stats): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root may give files away; then it is root's own file that was asked for.
  }
  chmodSync(path, mode);
}

/** Removes the file, and folders that were made for it when nothing else is in them. */
export function removeConfig({ file, target }: ConfigFile, madeFolder: string | undefined): void {
  rmSync(target, { force: true });
  if (madeFolder === undefined) return;
  try {
    for (let folder = dirname(file); folder.startsWith(madeFolder); folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Somebody else uses it by now.
  }
}

/** Beside the name that the person knows, not in the folder a link leads to: that one may be under version control. */
export function backUp({ file, target, stats }: ConfigFile, time: Date): string {
  const stamp = time.toISOString().replaceAll(/[-:]/g, "").replace(/\..*$/, "Z");
  let backup = `${file}.milepost-backup-${stamp}`;
  for (let number = 2; existsSync(backup); number += 1) backup = `${file}.milepost-backup-${stamp}-${number}`;
  copyFileSync(target, backup, constants.COPYFILE_EXCL);
  if (stats) keepOwner(backup, stats);
  removeOlder(file);
  return backup;
}

const MOST_BACKUPS = 3;

/** The names sort by time. */
function removeOlder(file: string): void {
  const start = `${basename(file)}.milepost-backup-`;
  const backups = readdirSync(dirname(file))
    .filter((name) => name.startsWith(start))
    .sort();
  for (const name of backups.slice(0, -MOST_BACKUPS)) rmSync(join(dirname(file), name), { force: true });
}
