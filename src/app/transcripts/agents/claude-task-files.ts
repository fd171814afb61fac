import { join } from "node:path";
import { parseJson } from "../../../core/json.js";
import type { KnownTask } from "../../../core/session/session-facts.js";
import { taskAt } from "../../../readers/claude/task-results.js";
import { readPlain } from "../../read-plain.js";
import type { FileMark } from "../read-file.js";
import { isSameMark, markAt } from "../transcript-files.js";

const TASK_MAX = 1024 * 1024;
/** In bytes of files: more than all tasks of all sessions that are shown at once. */
const MOST_KEPT = 64 * 1024 * 1024;
/** What a file costs here besides its text. */
const ENTRY_SIZE = 500;
/** Some file systems tell times in steps of two seconds: until then a second write may look like the first. */
const SETTLED_MS = 2000;

interface KnownFile {
  readonly mark: FileMark;
  readonly readAt: number;
  /** Nothing for a file that holds no task. */
  readonly tasks: readonly KnownTask[];
}

/** Files with one task each, read again only when they have changed: a live board asks every second. */
export class ClaudeTaskFiles {
  readonly #mostKept: number;
  /** The one that was asked for last is at the end, the first is forgotten first. */
  readonly #folders = new Map<string, ReadonlyMap<string, KnownFile>>();
  /** About how many bytes of files are remembered. */
  kept = 0;

  constructor(mostKept: number = MOST_KEPT) {
    this.#mostKept = mostKept;
  }

  tasksIn(folder: string, names: readonly string[]): readonly KnownTask[] {
    const before = this.#folders.get(folder);
    this.#forget(folder);
    const files = new Map<string, KnownFile>();
    for (const name of names) {
      const file = knownFile(join(folder, name), before?.get(name));
      if (file) files.set(name, file);
    }
    this.#remember(folder, files);
    return [...files.values()].flatMap(({ tasks }) => tasks);
  }

  #remember(folder: string, files: ReadonlyMap<string, KnownFile>): void {
    if (files.size === 0) return;
    this.#folders.set(folder, files);
    this.kept += sizeOf(files);
    for (const oldest of this.#folders.keys()) {
      if (this.kept <= this.#mostKept) return;
      this.#forget(oldest);
    }
  }

  #forget(folder: string): void {
    this.kept -= sizeOf(this.#folders.get(folder) ?? new Map());
    this.#folders.delete(folder);
  }
}

function sizeOf(files: ReadonlyMap<string, KnownFile>): number {
  let size = 0;
  for (const { mark } of files.values()) size += ENTRY_SIZE + Math.min(mark.size, TASK_MAX);
  return size;
}

/** Undefined for a file that is gone or cannot be read now: the transcript still tells of it. */
function knownFile(path: string, before: KnownFile | undefined): KnownFile | undefined {
  const mark = markAt(path);
  if (!mark) return undefined;
  if (before && isSameMark(before.mark, mark) && mark.grewAt + SETTLED_MS < before.readAt) return before;
  const readAt = Date.now();
  if (mark.size > TASK_MAX) return { mark, readAt, tasks: [] };
  try {
    // It may be half written: then it holds no task.
    const task = taskAt(parseJson(readPlain(path)));
    return { mark, readAt, tasks: task ? [{ ...task, at: mark.grewAt }] : [] };
  } catch {
    return undefined;
  }
}
