import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../store-place.js";
import { isDatabaseName } from "./agents/database-formats.js";
import { documentKind, isSnapshotName } from "./document.js";
import { type FileMark, toMark } from "./read-file.js";

/** A folder in which an agent keeps its transcripts, or a file that holds all of them. */
export interface Root {
  readonly agent: string;
  readonly folder: string;
}

/** Every folder that is there, under its real name: what lies behind a link elsewhere is not ours to read. */
export function transcriptRoots(environment: Environment, userFolder: string): readonly Root[] {
  const claude = environment.CLAUDE_CONFIG_DIR
    ? [environment.CLAUDE_CONFIG_DIR]
    : [join(userFolder, ".claude"), join(environment.XDG_CONFIG_HOME || join(userFolder, ".config"), "claude")];
  const codex = environment.CODEX_HOME || join(userFolder, ".codex");
  const hermes = environment.HERMES_HOME || join(userFolder, ".hermes");
  const wanted: readonly Root[] = [
    ...claude.map((folder) => ({ agent: "claude-code", folder: join(folder, "projects") })),
    { agent: "codex", folder: join(codex, "sessions") },
    { agent: "codex", folder: join(codex, "archived_sessions") },
    ...piRoots(environment, userFolder),
    { agent: "hermes", folder: join(hermes, "sessions") },
    { agent: "hermes", folder: join(hermes, "state.db") },
  ];
  const real = wanted.flatMap(({ agent, folder }) => {
    const found = realFolder(folder);
    return found === undefined ? [] : [{ agent, folder: found }];
  });
  return real.filter(({ folder }, at) => real.findIndex((other) => other.folder === folder) === at);
}

/** oh-my-pi obeys pi's variable too, and has places of its own beside it. */
function piRoots(environment: Environment, userFolder: string): readonly Root[] {
  const { PI_CODING_AGENT_DIR: agent, PI_CODING_AGENT_SESSION_DIR: sessions, XDG_DATA_HOME: data } = environment;
  const own = join(userFolder, environment.PI_CONFIG_DIR || ".omp");
  return [
    { agent: "oh-my-pi", folder: join(own, "agent", "sessions") },
    ...(data ? [{ agent: "oh-my-pi", folder: join(data, "omp", "sessions") }] : []),
    { agent: "pi", folder: join(agent || join(userFolder, ".pi", "agent"), "sessions") },
    ...(sessions ? [{ agent: "pi", folder: sessions }] : []),
  ];
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

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
