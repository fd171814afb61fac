import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { makeFolder } from "../store/make-folder.js";

/** How a file of ours is loaded. */
export interface CodePlace {
  /** Where compiled code is kept. */
  readonly folder: string;
  /** Whose files are believed; undefined where files have no owner. */
  readonly user: number | undefined;
  /** What compiled code depends on besides the file: Node's version, the machine's kind. */
  readonly platform: string;
  readonly require: (name: string) => unknown;
}

/** Loads a CommonJS file with code compiled the last time, which saves a hook a third of its time; or compiles it. */
export function loadCode(file: string, place: CodePlace) {
  const kept = join(place.folder, keptName(file, place));
  const cachedData = readKept(kept, place.user);
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "utf8")}\n})`;
  const script = new Script(text, { filename: file, ...(cachedData ? { cachedData } : undefined) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, place.require, module, file, dirname(file));
  return {
    exports: module.exports as unknown,
    /** Keeps the compiled code for the next start, unless it came from there. Call it when the work is done. */
    keep: () => {
      if (!cachedData || script.cachedDataRejected) writeKept(kept, script.createCachedData());
    },
  };
}

/** V8 only compares lengths, so everything that tells one build from another is in the name. */
function keptName(file: string, { platform }: CodePlace): string {
  const { size, mtimeMs } = statSync(file);
  return `${basename(file, ".cjs")}-${platform}-${size}-${Math.round(mtimeMs)}.code`;
}

/** V8 does not check it, and a flipped bit crashes Node: so it is kept twice, and only a file of our own is read. */
function readKept(path: string, user: number | undefined): Buffer | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { uid, mode } = fstatSync(file);
      if (user !== undefined && (uid !== user || (mode & WRITABLE_BY_OTHERS) !== 0)) return undefined;
      const bytes = readFileSync(file);
      const half = bytes.length / 2;
      const code = bytes.subarray(0, half);
      return half > 0 && code.equals(bytes.subarray(half)) ? code : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

const WRITABLE_BY_OTHERS = 0o022;

/** Where it cannot be written it is not kept, and that is all. */
function writeKept(path: string, code: Buffer): void {
  try {
    makeFolder(dirname(path));
    removeOlder(dirname(path));
    const temporary = `${path}.${Math.random().toString(36).slice(2)}`;
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, Buffer.concat([code, code]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch {
    // What may be left of it goes with the next removal of older ones.
  }
}

/** Two agents may start two versions of Node in turn: each must find its own. More than a few are of old builds. */
const MOST_KEPT = 8;

/** As `keptName` makes them, and what a write that was cut short has left. Nothing else in the folder is ours. */
const OWN_NAME = /^[a-z]+-\d[^/]*-v\d+\.\d+\.\d+[^/]*-[a-z0-9]+-[a-z0-9]+-\d+-\d+\.code(?:\.[0-9a-z]+)?$/;

function removeOlder(folder: string): void {
  const files = readdirSync(folder).filter((name) => OWN_NAME.test(name));
  const found = files.flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ path, at: stats.mtimeMs }] : [];
  });
  const newestFirst = found.sort((one, other) => other.at - one.at);
  for (const { path } of newestFirst.slice(MOST_KEPT - 1)) rmSync(path, { force: true });
}
