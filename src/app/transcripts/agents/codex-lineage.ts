import { basename, dirname, join } from "node:path";
import { type JsonObject, objectAt, parseJson } from "../../../core/json.js";
import type { Transcript } from "../../../readers/transcript.js";
import { beginningOf, namesIn } from "../file-peek.js";
import { openTranscript, pushUpTo } from "../read-file.js";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const NAME = new RegExp(`^rollout-.{19}-(${UUID})(?:_(${UUID}))?\\.jsonl$`);

/** Whoever goes back in Codex goes on in a new file of the same thread; the name of the old one says nothing of it. */
interface RolloutName {
  readonly thread: string;
  /** How another file calls this one. */
  readonly key: string;
  readonly isRewound: boolean;
}

function rolloutName(path: string): RolloutName | undefined {
  // Most files are of others, and a live board asks of all of them with each look.
  const [, thread, rollout] = path.includes("rollout-") ? (NAME.exec(basename(path)) ?? []) : [];
  return thread === undefined ? undefined : { thread, key: rollout ?? thread, isRewound: rollout !== undefined };
}

/** Without files of threads that went on, from an earlier place, in another one of these. */
export function withoutRewound(paths: readonly string[]): readonly string[] {
  const newest = new Map<string, string>();
  for (const path of paths) {
    const name = rolloutName(path);
    const known = name && newest.get(name.thread);
    // Names begin with the time they were made at.
    if (name?.isRewound && (known === undefined || basename(known) < basename(path))) newest.set(name.thread, path);
  }
  return paths.filter((path) => {
    const thread = rolloutName(path)?.thread;
    const latest = thread === undefined ? undefined : newest.get(thread);
    return latest === undefined || latest === path;
  });
}

/** Where a file is that others call by this key. */
export type FindRollout = (key: string) => string | undefined;

export function findRolloutIn(paths: Iterable<string>): FindRollout {
  return (key) => {
    for (const path of paths) if (rolloutName(path)?.key === key) return path;
    return undefined;
  };
}

export function findRolloutBeside(path: string): FindRollout {
  return (key) => findRolloutIn(namesIn(dirname(path)).map((name) => join(dirname(path), name)))(key);
}

const DEEPEST = 20;

/** What came before: the beginning of the file that this one goes on from, where it is the same thread. */
export async function pushBase(
  path: string,
  transcript: Transcript,
  find: FindRollout,
  depth: number = DEEPEST,
): Promise<void> {
  const base = rolloutName(path)?.isRewound ? baseOf(path) : undefined;
  const file = base && find(base.key);
  if (!base || file === undefined || depth === 0 || rolloutName(file)?.thread !== rolloutName(path)?.thread) return;
  await pushBase(file, transcript, find, depth - 1);
  const opened = await openTranscript(file, "refuse");
  if (!opened.ok) return;
  try {
    await pushUpTo(opened.value, transcript, base.bytes);
  } finally {
    await opened.value.close();
  }
  transcript.nextFile();
}

/** The thread that started this one. */
export function parentThread(path: string): string | undefined {
  const { parent_thread_id: parent } = rolloutName(path) ? metaOf(path) : {};
  return typeof parent === "string" ? parent : undefined;
}

function metaOf(path: string): JsonObject {
  const [first = ""] = beginningOf(path).split("\n", 1);
  return objectAt(objectAt(parseJson(first)).payload);
}

function baseOf(path: string): { readonly key: string; readonly bytes: number } | undefined {
  const { thread_id: key, end_byte_offset: bytes } = objectAt(metaOf(path).history_base);
  return typeof key === "string" && typeof bytes === "number" && bytes > 0 ? { key, bytes } : undefined;
}
