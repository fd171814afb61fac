import type { SessionWork } from "../../../core/grounding/seen-work.js";
import type { Goal, SeenTask } from "../../../core/session/observation.js";
import type { FinishedList } from "../../../core/session/session-facts.js";
import type { TodoList } from "../../../core/todo/list.js";
import { withTasksOnDisk } from "../agents/claude-tasks-folder.js";
import type { SeenSession } from "../seen-session.js";

/** What a transcript tells of a session's list. */
export interface AttachedList {
  readonly client: string;
  readonly folder: string;
  readonly branch: string;
  readonly list: TodoList;
  /** What ran. */
  readonly work: SessionWork;
  /** That its client keeps. */
  readonly tasks: readonly SeenTask[];
  readonly goal: Goal | null;
  /** When the transcript last grew, by this machine's clock. */
  readonly grewAt: number;
  /** What the last write to the list was answered, where it failed. */
  readonly refusal: string | undefined;
  readonly finished: FinishedList | null;
}

export function attachedList(seen: SeenSession): AttachedList {
  const { agent, folder, branch, list, work, tasks, goal, refusal, finished = null } = withTasksOnDisk(seen.view, seen);
  return { client: agent, folder, branch, list, work, tasks, goal, grewAt: seen.grewAt, refusal, finished };
}
