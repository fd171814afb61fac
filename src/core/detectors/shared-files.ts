import { count, fields, list, text } from "../shape.js";

/** Two sessions that change a file further apart than this do so one after the other. */
export const SHARED_WITHIN = 30 * 60_000;

/** Which files a session has changed lately, and when: the newest last. */
export interface ChangedFiles {
  /** Empty until a file was changed. */
  readonly session: string;
  readonly files: readonly ChangedFile[];
}

export interface ChangedFile {
  readonly path: string;
  /** Milliseconds. */
  readonly at: number;
}

export const NO_CHANGED_FILES: ChangedFiles = { session: "", files: [] };

const MOST_FILES = 300;

/** Changes that are too old to be shared with anybody are left out: time comes from the events. */
export function withChangedFile({ files }: ChangedFiles, session: string, changed: ChangedFile): ChangedFiles {
  const isNew = ({ path, at }: ChangedFile) => path !== changed.path && at >= changed.at - SHARED_WITHIN;
  return { session, files: [...files.filter(isNew), changed].slice(-MOST_FILES) };
}

export const isChangedFiles = fields({ session: text, files: list(fields({ path: text, at: count })) });

/** A session, with the files that it has changed. Relative paths are below its folder. */
export interface FilesOfSession {
  readonly id: string;
  /** Worktrees of one repository: the same for all, with paths below their own roots. */
  readonly folder: string;
  readonly files: readonly ChangedFile[];
}

/** `at`: when the second of the two changed it. */
export interface SharedFile {
  readonly file: string;
  readonly sessions: readonly [string, string];
  readonly at: number;
}

/** Pairs of sessions that have changed the same file while both were at work; each pair and file once. */
export function sharedFiles(sessions: readonly FilesOfSession[]): readonly SharedFile[] {
  const known = new Map<string, { readonly id: string; readonly file: string; readonly at: number }[]>();
  for (const { id, folder, files } of sessions)
    for (const { path, at } of files) {
      const place = wholePath(folder, path);
      const changes = known.get(place);
      if (changes) changes.push({ id, file: path, at });
      else known.set(place, [{ id, file: path, at }]);
    }
  const shared = new Map<string, SharedFile>();
  for (const [place, changes] of known) {
    const latest = new Map<string, number>();
    for (const { id, file, at } of changes.sort((a, b) => a.at - b.at)) {
      for (const [other, before] of latest) {
        const pair = [id, other].sort() as [string, string];
        const key = JSON.stringify([place, ...pair]);
        if (other !== id && at - before <= SHARED_WITHIN && !shared.has(key))
          shared.set(key, { file, sessions: pair, at });
      }
      latest.set(id, at);
    }
  }
  return [...shared.values()].sort((a, b) => a.at - b.at);
}

const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/;

function wholePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (ABSOLUTE.test(path) ? path : `${folder}/${path}`).split(/[\\/]+/)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
