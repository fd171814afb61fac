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
}

const OWNER_ONLY = 0o600;

export function readConfig(file: string): Result<ConfigFile> {
  const link = lstatSync(file, { throwIfNoEntry: false });
  if (!link)
    return isWritableFolder(dirname(file))
      ? ok({ file, target: file, text: undefined })
      : refuse(file, "cannot be created: its folder is read-only");
  if (link.isSymbolicLink() && !existsSync(file)) return refuse(file, "is a broken link");
  const target = realpathSync(file);
  const stats = statSync(target);
  if (!stats.isFile()) return refuse(file, "is not a regular file");
  // The mode counts, too: as root everything can be written, and a file in a read-only store is made so on purpose.
  if ((stats.mode & 0o222) === 0 || !canWrite(target)) return refuse(file, "is read-only");
  if (!isWritableFolder(dirname(target))) return refuse(file, "is in a read-only folder");
  const text = decode(readFileSync(target));
  return text === undefined ? refuse(file, "is not UTF-8 text") : ok({ file, target, text, stats });
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

function refuse(file: string, what: string) {
  return fail({ code: "bad-config", message: `${file} ${what}. Fix that, then run this again. Nothing was changed.` });
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
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
