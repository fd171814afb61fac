import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { makeFolder } from "../store/make-folder.js";

/** How a file of ours is loaded. */
export interface CodePlace {
  /** Where compiled code is kept; undefined where there is no such place. */
  readonly folder: string | undefined;
  /** Whose files are believed; undefined where files have no owner. */
  readonly user: number | undefined;
  /** What compiled code depends on besides the file: Node's version, the machine's kind. */
  readonly platform: string;
  readonly require: (name: string) => unknown;
  /** What the file is loaded for, where that decides which of its functions run: each has compiled code of its own. */
  readonly use?: string;
}

/** A file of ours beside the one that asks for it. */
const OWN_FILE = /^\.\/[a-z]+\.cjs$/;

interface Loaded {
  readonly exports: unknown;
  /** Keeps the compiled code for the next start, unless it came from there. Call it when the work is done. */
  readonly keep: () => void;
}

/**
 * Loads a CommonJS file with code compiled the last time, which saves a hook a third of its time; or compiles it. What
 * it asks for beside itself is loaded in the same way.
 */
export function loadCode(file: string, place: CodePlace): Loaded {
  const folder = dirname(file);
  const loaded = new Map<string, Loaded>();
  const { use, ...others } = place;
  const load = (name: string, place: CodePlace): Loaded => {
    const known = loaded.get(name) ?? loadFile(join(folder, name), { ...place, require: requireFrom });
    loaded.set(name, known);
    return known;
  };
  const requireFrom = (name: string) => (OWN_FILE.test(name) ? load(name, others).exports : place.require(name));
  const { exports } = load(basename(file), place);
  return {
    exports,
    keep: () => {
      for (const { keep } of loaded.values()) keep();
    },
  };
}

/** What a file of ours finds as its `module`. */
interface OwnModule {
  readonly exports: unknown;
  /** Of a file that is packed (scripts/pack.mjs): the numbers of its parts that have run. */
  readonly ran?: () => readonly string[];
}

function loadFile(file: string, place: CodePlace): Loaded {
  const { source, kept } = readSource(file, place);
  const found = kept === undefined ? undefined : readKept(kept, place.user);
  const script = new Script(asFunction(source), {
    filename: file,
    ...(found ? { cachedData: found.code } : undefined),
  });
  const module: OwnModule = { exports: {} };
  script.runInThisContext()(module.exports, place.require, module, file, dirname(file));
  return {
    exports: module.exports,
    keep: () => {
      const parts = module.ran?.() ?? [];
      const known = found && !script.cachedDataRejected ? found.parts : undefined;
      if (kept === undefined || (known && parts.every((part) => known.includes(part)))) return;
      // What the last one compiled is in there too.
      writeKept(
        kept,
        { code: script.createCachedData(), parts: [...new Set([...(known ?? []), ...parts])] },
        place.user,
      );
    },
  };
}

/** What the build puts around a file: by itself it is the function that Node would make of it. */
const WRAPPED = '(typeof module==="object"?';

/** To put it around here would copy all of the text. */
function asFunction(source: string): string {
  return source.startsWith(WRAPPED)
    ? source
    : `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
}

/**
 * The last line of a file of ours: the build's own sum of what stands above it. To make it here would take too long.
 */
const MARK = /\n\/\/#code=([0-9a-f]{16})\n$/;
const MARK_LENGTH = "\n//#code=0123456789abcdef\n".length;

/** A file of ours, and where its compiled code is kept. */
function readSource(
  file: string,
  { folder, platform, use = basename(file, ".cjs") }: CodePlace,
): { readonly source: string; readonly kept: string | undefined } {
  const opened = openSync(file, constants.O_RDONLY);
  try {
    const { size, mtimeMs } = fstatSync(opened);
    const bytes = readBytes(opened, size);
    // The build marks plain ASCII only, and that is taken as it is: to decode it takes ten times as long.
    const [, content] = MARK.exec(bytes.toString("latin1", bytes.length - MARK_LENGTH)) ?? [];
    if (content === undefined) return { source: bytes.toString("utf8"), kept: undefined };
    // V8 only compares lengths: everything that tells one build from another is in the name, its content first of all.
    const name = `${use}-${platform}-${content}-${size}-${Math.round(mtimeMs)}.code`;
    return { source: bytes.toString("latin1"), kept: folder === undefined ? undefined : join(folder, name) };
  } finally {
    closeSync(opened);
  }
}

/** A file that is as long as it said: what Node reads files with takes longer to start. */
function readBytes(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(file, bytes, length, size - length, length);
  return bytes.subarray(0, length);
}

/** Compiled code, and the parts of its file that had run by then. */
interface Kept {
  readonly code: Buffer;
  readonly parts: readonly string[];
}

/** At the end of a file: how many bytes of it tell the parts. */
const DIGITS = 6;

function asBytes({ code, parts }: Kept): Buffer {
  const told = parts.join(" ");
  return Buffer.concat([code, code, Buffer.from(`${told}${String(told.length).padStart(DIGITS, "0")}`)]);
}

/**
 * V8 does not check it, and a flipped bit crashes Node: so it is kept twice. And it runs whatever is in there: so only
 * a file of our own is read, from a folder in which nobody else can put one.
 */
function readKept(path: string, user: number | undefined): Kept | undefined {
  try {
    if (!isPrivate(dirname(path), user)) return undefined;
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const found = fstatSync(file);
      if (!isOurs(found, user)) return undefined;
      return readTwice(readBytes(file, found.size));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function readTwice(bytes: Buffer): Kept | undefined {
  const end = bytes.length - DIGITS;
  const told = Number(bytes.toString("latin1", Math.max(0, end)));
  const half = (end - told) / 2;
  if (!Number.isInteger(half) || half <= 0) return undefined;
  const code = bytes.subarray(0, half);
  if (!code.equals(bytes.subarray(half, half * 2))) return undefined;
  return { code, parts: bytes.toString("latin1", end - told, end).split(" ") };
}

/**
 * The folder itself, no link to another one, and the one it lies in: who can write there can put another in its place.
 */
function isPrivate(folder: string, user: number | undefined): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && isOurs(found, user) && isOurs(statSync(dirname(folder)), user);
}

function isOurs({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && (mode & WRITABLE_BY_OTHERS) === 0);
}

const WRITABLE_BY_OTHERS = 0o022;

/** Where it cannot be written it is not kept, and that is all. */
function writeKept(path: string, kept: Kept, user: number | undefined): void {
  try {
    const folder = dirname(path);
    // Nothing is left behind in a folder of others.
    const above = statSync(dirname(folder), { throwIfNoEntry: false });
    if (above && !isOurs(above, user)) return;
    makeFolder(folder);
    if (!isPrivate(folder, user)) return;
    removeOlder(folder);
    const temporary = `${path}.${Math.random().toString(36).slice(2)}`;
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, asBytes(kept));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch {
    // What may be left of it goes with the next removal of older ones.
  }
}

/**
 * Two agents may start two versions of Node in turn: each must find its own, of each of our files and their uses. More
 * than these are of old builds.
 */
const MOST_KEPT = 36;

/** As `readSource` names them, or did before content was in them, and what a write that was cut short has left. */
const OWN_NAME =
  /^[a-z]+-\d[^/]*-v\d+\.\d+\.\d+[^/]*-[a-z0-9]+-[a-z0-9]+(?:-[0-9a-f]{16})?-\d+-\d+\.code(?:\.[0-9a-z]+)?$/;

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
