import type { KnownTask } from "../../../core/session/session-facts.js";
import { KnownProcesses } from "../agents/claude-live.js";
import { TaskFolders, tasksOnDisk } from "../agents/claude-tasks-folder.js";
import { type FindName, namesOnce } from "../agents/codex-names.js";
import type { SeenSession } from "../seen-session.js";
import { KeptReports } from "./kept-reports.js";

interface KnownTasks {
  readonly at: number;
  readonly grewAt: number;
  readonly tasks: readonly KnownTask[] | undefined;
}

/** Tasks of a session at work are looked at again with each look that a person could tell from the one before it. */
const LIVE_MS = 250;
/** One that has not grown for a minute is quiet: others rarely change its tasks. */
const QUIET_AFTER = 60_000;
const QUIET_MS = 5000;

/** What a board remembers from look to look, so that a look at many sessions costs what has changed since the last. */
export class BoardMemory {
  readonly processes = new KnownProcesses();
  readonly reports = new KeptReports();
  readonly #tasks = new Map<string, KnownTasks>();
  #folders = new TaskFolders();
  nameOf: FindName = namesOnce();

  /** What is asked once for all sessions of a look. */
  startLook(): void {
    this.#folders = new TaskFolders();
    this.nameOf = namesOnce();
  }

  /** The tasks that the session's client keeps on disk; undefined where it keeps none. */
  tasksOf({ path, format, view, grewAt }: SeenSession): readonly KnownTask[] | undefined {
    if (format !== "claude" || view.parent !== null || !this.#folders.has(path)) return undefined;
    const now = Date.now();
    const known = this.#tasks.get(path);
    const lasting = now - grewAt > QUIET_AFTER ? QUIET_MS : LIVE_MS;
    if (known && known.grewAt === grewAt && Math.abs(now - known.at) < lasting) return known.tasks;
    const tasks = tasksOnDisk(path);
    this.#tasks.set(path, { at: now, grewAt, tasks });
    return tasks;
  }
}
