import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import type { BadLine, Transcript, TranscriptOptions } from "../../readers/transcript.js";
import { agentFiles, withTasksOnDisk } from "./agents/claude-tasks-folder.js";
import {
  type FindRollout,
  findRolloutBeside,
  findRolloutIn,
  pushBase,
  withoutRewound,
} from "./agents/codex-lineage.js";
import { piAgentFiles } from "./agents/oh-my-pi-folder.js";
import { withTitle } from "./prompt-title.js";
import { readDocument } from "./read-document.js";
import { openTranscript, pushRest, type ReadFile, readTranscript } from "./read-file.js";
import { heardAt, mergeSessions, type SeenSession } from "./seen-session.js";

export interface Restored {
  readonly sessions: readonly SeenSession[];
  /** Files that hold no session that can be read. */
  readonly strangers: readonly string[];
  /** The first line of such a file that could not be read, where there is one. */
  readonly unread: ReadonlyMap<string, BadLine>;
}

type ReadAs = Pick<TranscriptOptions, "format" | "hasOpenclaw">;

/** Several files may be one session: files of sub-agents, the output of several runs, a file that was rotated. */
export async function restore(paths: readonly string[], options: ReadAs = {}): Promise<Result<Restored>> {
  const files: ReadFile[] = [];
  const strangers: string[] = [];
  const unread = new Map<string, BadLine>();
  const find = findRolloutIn(paths);
  for (const path of withAgents(withoutRewound(paths))) {
    const read = (await readDocument(path, options)) ?? (await readLines(path, options, find));
    if (!read.ok) return read;
    const { views, problems } = read.value.transcript;
    if (views.size === 0) {
      strangers.push(path);
      if (problems.first[0]) unread.set(path, problems.first[0]);
    } else if (!(await goesOn(files, read.value))) files.push(read.value);
  }
  return ok({ sessions: mergeSessions(files.flatMap(sessionsIn)), strangers, unread });
}

function readLines(path: string, options: ReadAs, find: FindRollout): Promise<Result<ReadFile>> {
  const beside = findRolloutBeside(path);
  const pushBefore = (transcript: Transcript) => pushBase(path, transcript, (key) => find(key) ?? beside(key));
  return readTranscript(path, { ...options, pushBefore });
}

/** Each file once, and after a session's the files of its sub-agents. */
function withAgents(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => [path, ...agentFiles(path), ...piAgentFiles(path)]))];
}

/** The same session in the same format: the file is a further part of it, read with everything known before. */
async function goesOn(files: ReadFile[], next: ReadFile): Promise<boolean> {
  const index = files.findIndex((file) => isSameSession(file.transcript, next.transcript));
  const before = files[index];
  if (!before) return false;
  const opened = await openTranscript(next.path, "follow");
  if (!opened.ok) return false;
  try {
    before.transcript.nextFile();
    await pushRest(opened.value, before.transcript);
    before.transcript.finish();
  } finally {
    await opened.value.close();
  }
  const grewAt = Math.max(before.mark.grewAt, next.mark.grewAt);
  files[index] = { ...before, mark: { ...before.mark, grewAt } };
  return true;
}

function isSameSession(a: Transcript, b: Transcript): boolean {
  const [first] = a.views.keys();
  const [second] = b.views.keys();
  // A file with many sessions says everything of each.
  return !a.format?.isArchive && a.format === b.format && first === second;
}

function sessionsIn({ path, mark, transcript }: ReadFile): readonly SeenSession[] {
  const { problems, unfinished } = transcript;
  const format = transcript.format?.name ?? "";
  return [...transcript.views.values()].map((view) => {
    const seen = { view, grewAt: heardAt(view, format, mark.grewAt), path, format, problems, unfinished };
    return { ...seen, view: withTasksOnDisk(withTitle(view, seen), seen) };
  });
}

export function checkFiles(paths: readonly string[]): Result<undefined> {
  const folder = paths.find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  if (folder === undefined) return ok(undefined);
  const example = join(folder, transcriptsIn(folder));
  return fail("bad-usage", `${folder} is a folder. Pass the transcripts in it, such as ${example}.`);
}

/** Most agents write lines; some have a database. */
function transcriptsIn(folder: string): string {
  const names = namesIn(folder);
  const database = names.find((name) => /\.(?:db|sqlite)$/.test(name));
  return names.some((name) => name.endsWith(".jsonl")) ? "*.jsonl" : (database ?? "*.jsonl");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
