import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isForeign } from "../../store/sqlite/real-path.js";
import { type Environment, homeFolder, userFolder } from "../store-place.js";
import { type FileValues, parseValues } from "./settings-files.js";

// The settings file that comes with a project. Whoever clones a repository has not read it: it is an untrusted file in
// an untrusted folder, read with limits, and what it may say is in `SettingEntry.tighter`.

const FOLDER = ".milepost";
const LARGEST = 65_536;

/** What was found: nothing, values, or why they are not used. */
export interface ProjectFile {
  /** Undefined where there is none. */
  readonly path?: string;
  readonly values: FileValues;
  /** The end of the sentence "FILE ...". */
  readonly trouble?: string;
}

const NOTHING: FileValues = {};

/** Hooks ask at each event: where there is no file, it is looked for `.git` and for the file, and nothing is opened. */
export function readProjectFile(environment: Environment, folder: string | undefined): ProjectFile {
  if (folder === undefined || !isAbsolute(folder)) return { values: NOTHING };
  const root = projectRoot(environment, folder);
  const path = fileIn(root);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found || !isProject(environment, root)) return { values: NOTHING };
    const trouble = lstatSync(dirname(path)).isDirectory() ? unusable(found) : "lies behind a link";
    return trouble === undefined ? { path, ...readValues(path) } : { path, values: NOTHING, trouble };
  } catch (error) {
    return { path, values: NOTHING, trouble: `cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})` };
  }
}

/** A link could lead to a file that was never meant as settings; a pipe waits for a writer, and a device has no end. */
function unusable(found: Stats): string | undefined {
  if (!found.isFile()) return "is not a regular file";
  if (isForeign(found)) return "belongs to another user";
  return found.size > LARGEST ? `is larger than ${LARGEST / 1024} KB` : undefined;
}

/** Asked again of the opened file: another one may have taken its place since. */
function readValues(path: string): Pick<ProjectFile, "values" | "trouble"> {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const trouble = unusable(fstatSync(handle));
    if (trouble !== undefined) return { values: NOTHING, trouble };
    const bytes = Buffer.alloc(LARGEST);
    let length = 0;
    for (let got = -1; got !== 0 && length < LARGEST; length += got)
      got = readSync(handle, bytes, length, LARGEST - length, length);
    const values = parseValues(bytes.toString("utf8", 0, length));
    return values ? { values } : { values: NOTHING, trouble: "is not a JSON object" };
  } finally {
    closeSync(handle);
  }
}

/** Where the project's file is, or would be; undefined for a folder that is no project's. */
export function projectPath(environment: Environment, folder: string): string | undefined {
  const root = projectRoot(environment, folder);
  return isProject(environment, root) ? fileIn(root) : undefined;
}

function fileIn(root: string): string {
  return join(root, FOLDER, "config.json");
}

/**
 * Where `.git` is: a worktree has its own. Without a repository, the folder itself. Files in folders below the root are
 * not looked for: one of them may be a dependency's.
 */
function projectRoot(environment: Environment, folder: string): string {
  const now = Date.now();
  const { HOME: home } = environment;
  const isKnown = last?.folder === folder && last.home === home && Math.abs(now - last.at) <= FRESH_MS;
  const found = isKnown && last ? last.found : findRoot(environment, folder);
  if (!isKnown) last = { folder, home, at: now, found };
  return found;
}

interface FoundRoot {
  readonly folder: string;
  readonly home: string | undefined;
  readonly at: number;
  readonly found: string;
}

/** A server asks at every hook, and to look takes a tenth of its time. */
let last: FoundRoot | undefined;
/** A repository that somebody begins meanwhile counts a moment later. */
const FRESH_MS = 500;

function findRoot(environment: Environment, folder: string): string {
  const real = realPlace(folder);
  const user = personFolder(environment);
  for (let at = real; at !== user && dirname(at) !== at; at = dirname(at)) if (isThere(join(at, ".git"))) return at;
  return real;
}

/** The person's own folder, and those above it, are no project: a file there would hold for everything. */
function isProject(environment: Environment, root: string): boolean {
  const own = realPlace(homeFolder(environment));
  const user = personFolder(environment);
  if (user !== undefined && isWithin(root, user)) return false;
  return !isWithin(own, root) && realPlace(join(root, FOLDER)) !== own;
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function personFolder({ HOME }: Environment): string | undefined {
  try {
    const named = HOME || userFolder();
    if (person?.named !== named) person = { named, real: realPlace(named) };
    return person.real;
  } catch {
    return undefined;
  }
}

/** The last one asked for: a server asks at every hook. */
let person: { readonly named: string; readonly real: string } | undefined;

/** By the system, which is faster than step by step. */
function realPlace(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return resolve(folder);
  }
}

/** `inner` is `outer`, or somewhere in it. */
function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== "..");
}
