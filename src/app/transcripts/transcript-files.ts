import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDatabaseName } from "./agents/database-formats.js";
import { documentKind, isSnapshotName } from "./document.js";
import { type FileMark, toMark } from "./read-file.js";

interface FoundFile {
  readonly path: string;
  readonly mark: FileMark;
}

interface Found {
  /** The one that grew last first. */
  readonly files: readonly FoundFile[];
  readonly folders: readonly string[];
  /** Folders in which every transcript counts; others are watched for the sake of one file. */
  readonly walked: ReadonlySet<string>;
}

/** sessions/YYYY/MM/DD, and projects/SLUG/SESSION/subagents with some room below. */
const DEEPEST = 6;

/** All transcripts in these folders. Links are not followed. */
export function findTranscripts(folders: readonly string[]): Found {
  const files: FoundFile[] = [];
  const seen: string[] = [];
  const walk = (folder: string, depth: number): void => {
    seen.push(folder);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) walk(path, depth + 1);
      else if (entry.isFile() && isTranscriptName(entry.name)) files.push(...found(path));
    }
  };
  const roots = folders.map((root) => {
    const file = found(root);
    if (file.length === 0) walk(root, 0);
    files.push(...file);
    // It is watched for the sake of one file; nothing else in it is read.
    return file.length === 0 ? root : dirname(root);
  });
  const newest = files.sort((a, b) => b.mark.grewAt - a.mark.grewAt);
  return { files: newest, folders: byActivity(newest, roots, seen), walked: new Set(seen) };
}

/** Roots, then folders above the files that grew last, then all others: not all of them may be watched. */
function byActivity(files: readonly FoundFile[], roots: readonly string[], seen: readonly string[]): readonly string[] {
  const all = new Set(seen);
  const order = new Set(roots);
  for (const { path } of files)
    for (let folder = dirname(path); all.has(folder) && !order.has(folder); folder = dirname(folder)) order.add(folder);
  return [...new Set([...order, ...seen])];
}

export function isTranscriptName(name: string): boolean {
  return name.endsWith(".jsonl") || isSnapshotName(name) || isDatabaseName(name);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It has just gone, or is not for us.
    return [];
  }
}

function found(path: string): readonly FoundFile[] {
  const mark = markAt(path);
  return mark ? [{ path, mark }] : [];
}

/** Undefined for a file that is gone, or is not a plain one. A link may have come after we looked for files. */
export function markAt(path: string): FileMark | undefined {
  const mark = plainMark(path);
  // What was written to a database last is in its journal.
  const journal = mark && documentKind(path) === "database" ? plainMark(`${path}-wal`) : undefined;
  if (!mark || !journal) return mark;
  return { ...mark, size: mark.size + journal.size, grewAt: Math.max(mark.grewAt, journal.grewAt) };
}

/** Of a file that is no transcript: nobody has to look into it. */
export function plainMark(path: string): FileMark | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? toMark(stats) : undefined;
  } catch {
    // A folder that may be listed but not entered: what is in it is not for us.
    return undefined;
  }
}

export function isSameMark(a: FileMark, b: FileMark): boolean {
  return a.inode === b.inode && a.device === b.device && a.size === b.size && a.grewAt === b.grewAt;
}
