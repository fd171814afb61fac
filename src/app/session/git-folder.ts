import { existsSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readPlainOr } from "../read-plain.js";

// What Git's own files tell of a folder, without starting Git.

/** The branch that is checked out there; undefined for none, and for a folder of another machine. */
export function branchOf(folder: string): string | undefined {
  const found = existsSync(folder) ? gitFolder(folder)?.git : undefined;
  return found && /^ref: refs\/heads\/(.+)$/m.exec(readText(join(found, "HEAD")))?.[1];
}

/** The `.git` folder that all worktrees of a repository have in common. */
export function commonFolder(folder: string): string | undefined {
  return worktreeOf(folder)?.common;
}

/** The root of the worktree that a folder is in, and that common folder. */
export function worktreeOf(folder: string): { readonly root: string; readonly common: string } | undefined {
  const found = gitFolder(folder);
  if (found === undefined) return undefined;
  const { root, git } = found;
  const common = readText(join(git, "commondir")).trim();
  return { root, common: realFolder(common === "" ? git : resolve(git, common)) };
}

/** The root of a worktree, and its own `.git`. */
function gitFolder(folder: string): { readonly root: string; readonly git: string } | undefined {
  for (let at = realFolder(folder); ; at = dirname(at)) {
    const found = join(at, ".git");
    const kind = kindOf(found);
    if (kind?.isDirectory()) return { root: at, git: found };
    const [, place] = kind?.isFile() ? (/^gitdir: (.+)$/m.exec(readText(found)) ?? []) : [];
    if (place !== undefined) return { root: at, git: resolve(at, place.trim()) };
    if (dirname(at) === at) return undefined;
  }
}

export function readText(path: string): string {
  return readPlainOr(path, "");
}

/** A link that leads in a circle, or a folder that we may not enter, tells nothing. */
function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
