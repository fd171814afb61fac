import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join, parse, resolve, sep } from "node:path";
import { StoreTrouble } from "../trouble.js";

/** As many as Linux follows. */
const MOST_LINKS = 40;

/**
 * Where a path really leads: links are followed one by one, here and nowhere else, also one to a file that is gone. A
 * link that another user has put where everybody may write is not followed: it could lead to any file of ours.
 */
export function realPath(given: string): string {
  const whole = resolve(given);
  let at = parse(whole).root;
  const rest = namesOf(whole).reverse();
  let links = 0;
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    const path = join(at, name);
    const found = attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (!found?.isSymbolicLink()) {
      at = path;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw circle(given);
    refuseForeignLink(at, path, found);
    const target = attempt(path, () => readlinkSync(path));
    if (isAbsolute(target)) at = parse(target).root;
    rest.push(...namesOf(target).reverse());
  }
  return at;
}

/** From the outermost on; `join` takes ".." away, which is right where everything before it is no link. */
function namesOf(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((name) => name !== "");
}

function circle(path: string): StoreTrouble {
  return new StoreTrouble("bad-store", `The links of ${path} lead in a circle. Name the file itself.`);
}

const WRITABLE_BY_ALL = 0o002;
const ROOT = 0;

function refuseForeignLink(folder: string, link: string, found: Stats): void {
  if (!isForeign(found) || found.uid === ROOT) return;
  const { mode, uid } = attempt(folder, () => statSync(folder));
  if ((mode & WRITABLE_BY_ALL) === 0 || uid === found.uid) return;
  throw notYours(link, found, "is a link that belongs to another user");
}

/** For what others must not be able to change, such as scripts that agents start. */
export function refuseForeignFolder(folder: string): void {
  const path = realPath(folder);
  const found = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found && isForeign(found)) throw notYours(path, found);
}

export function isForeign({ uid }: Stats): boolean {
  return hasModes() && uid !== ownUser();
}

/** Windows has other rights and no owner numbers. */
export function hasModes(): boolean {
  return ownUser() >= 0;
}

let own: number | undefined;

/** A container may run us under a number that no list of users has. */
function ownUser(): number {
  own ??= findUser();
  return own;
}

function findUser(): number {
  try {
    return userInfo().uid;
  } catch {
    return statSync("/proc/self", { throwIfNoEntry: false })?.uid ?? -1;
  }
}

export function notYours(path: string, { uid }: Stats, what = "belongs to another user"): StoreTrouble {
  return new StoreTrouble(
    "store-not-yours",
    `${path} ${what} (id ${uid}, you are ${ownUser()}). Run Milepost as that user, or choose another store.`,
  );
}

export function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileTrouble(path, error as NodeJS.ErrnoException);
  }
}

/** What the disk says, as trouble with a name; anything else is a bug of ours and stays what it is. */
export function fileTrouble(path: string, error: NodeJS.ErrnoException): unknown {
  if (error instanceof StoreTrouble || error.syscall === undefined) return error;
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return new StoreTrouble(
        "store-not-yours",
        `The store ${path} cannot be used: permission denied. Check the rights of its folder, or choose another store.`,
        error,
      );
    case "EROFS":
      return new StoreTrouble("store-read-only", `The store ${path} cannot be created: the disk is read-only.`, error);
    case "ENOSPC":
    case "EDQUOT":
      return new StoreTrouble(
        "store-full",
        `The store ${path} cannot be created: the disk is full. Free some space.`,
        error,
      );
    case "ENOTDIR":
    case "ENAMETOOLONG":
    case "ELOOP":
      return new StoreTrouble(
        "bad-store",
        `${shortened(path)} cannot be a store: ${wordsOf(error)}. Choose another path.`,
        error,
      );
    default:
      return new StoreTrouble(
        "store-unreachable",
        `The store ${path} cannot be used: ${wordsOf(error)}. Check the disk, or choose another store.`,
        error,
      );
  }
}

const SHOWN = 200;

function shortened(path: string): string {
  return path.length > SHOWN ? `${path.slice(0, SHOWN)}...` : path;
}

/** Without the path: that may be as long as it is wrong. */
function wordsOf({ code, message }: NodeJS.ErrnoException): string {
  return /^[A-Z0-9]+: ([^,']+)/.exec(message)?.[1] ?? String(code);
}
