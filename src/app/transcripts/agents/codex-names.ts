import { join } from "node:path";
import { objectAt, oneLine, parseJson } from "../../../core/json.js";
import { readPlainOr } from "../../read-plain.js";
import { markAt } from "../transcript-files.js";

/** Larger than any real one; what is beyond is not worth the wait. */
const INDEX_MAX = 16 * 1024 * 1024;
const TITLE_MAX = 120;

/** By file, as long as its size stays the same. */
const indexes = new Map<string, { readonly size: number; readonly names: ReadonlyMap<string, string> }>();

/** What Codex calls a thread. It is in no transcript, but in a file beside their folders; the last word counts. */
export const codexName: FindName = (transcript, thread) => findName(transcript, thread, namesIn);

export type FindName = (transcript: string, thread: string) => string | undefined;

/** For one look at many threads: the file is asked for once. */
export function namesOnce(): FindName {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const namesOf = (file: string) => {
    const names = known.get(file) ?? namesIn(file);
    known.set(file, names);
    return names;
  };
  return (transcript, thread) => findName(transcript, thread, namesOf);
}

function findName(transcript: string, thread: string, namesOf: typeof namesIn): string | undefined {
  const [, home] = /^(.*)[\\/](?:archived_)?sessions[\\/]/s.exec(transcript) ?? [];
  return home === undefined ? undefined : namesOf(join(home, "session_index.jsonl")).get(thread);
}

function namesIn(file: string): ReadonlyMap<string, string> {
  const found = markAt(file);
  if (!found || found.size > INDEX_MAX) return new Map();
  const known = indexes.get(file);
  if (known?.size === found.size) return known.names;
  const names = readNames(file);
  indexes.set(file, { size: found.size, names });
  return names;
}

function readNames(file: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const line of linesOf(file)) {
    const { id, thread_name: title } = objectAt(parseJson(line));
    const name = oneLine(title, TITLE_MAX);
    if (typeof id === "string" && name !== undefined) names.set(id, name);
  }
  return names;
}

function linesOf(file: string): readonly string[] {
  return readPlainOr(file, "").split("\n");
}
