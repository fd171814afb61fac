import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { KnownTask, SessionView } from "../../../core/session/session-facts.js";
import { beginningOf, namesIn } from "../file-peek.js";
import type { SeenSession } from "../seen-session.js";
import { ClaudeTaskFiles } from "./claude-task-files.js";

/** Files of a session's sub-agents: beside its own file, or in a folder `subagents`. */
export function agentFiles(path: string): readonly string[] {
  const session = basename(path, ".jsonl");
  const beside = agentFilesIn(dirname(path)).filter((file) => isOfSession(file, session));
  return [...beside, ...agentFilesIn(join(dirname(path), session, "subagents"))].sort();
}

/** Plain files only: nobody has named them, so a link could lead anywhere, and a pipe never end. */
function agentFilesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith("agent-") && name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile());
}

function isOfSession(file: string, session: string): boolean {
  return beginningOf(file).includes(`"sessionId":"${session}"`);
}

const MOST_TASKS = 10_000;
/** One for all: several boards in a process look at the same files. */
const TASK_FILES = new ClaudeTaskFiles();

/** With the tasks as Claude Code keeps them on disk, where it does: that is the whole truth about them. */
export function withTasksOnDisk(view: SessionView, { path, format }: SeenSession): SessionView {
  const tasks = format === "claude" && view.parent === null ? tasksOnDisk(path) : undefined;
  return tasks ? { ...view, tasks } : view;
}

/** Which sessions have tasks on disk, asked once for all sessions beside each other. */
export class TaskFolders {
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** By the path of the session's transcript. */
  has(path: string): boolean {
    const project = dirname(path);
    let names = this.#names.get(project);
    if (!names) {
      const folder = join(project, "..", "..", "tasks");
      names = this.#names.get(folder) ?? new Set(namesIn(folder));
      this.#names.set(folder, names).set(project, names);
    }
    return names.has(basename(path, ".jsonl"));
  }
}

/** By the path of the session's transcript; undefined where no tasks are kept for it. */
export function tasksOnDisk(path: string): readonly KnownTask[] | undefined {
  const session = basename(path, ".jsonl");
  const folder = join(dirname(path), "..", "..", "tasks", session);
  // Nobody has named it, so a link could lead anywhere.
  if (!isFolder(folder)) return undefined;
  const names = namesIn(folder).filter((name) => /^[0-9]{1,9}\.json$/.test(name));
  // A folder without tasks says that there are none: a fork copies lines that made tasks, but not the tasks.
  const order = names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).slice(0, MOST_TASKS);
  return TASK_FILES.tasksIn(folder, order);
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
