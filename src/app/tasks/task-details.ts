import { ok, type Result } from "../../core/result.js";
import { isoTime } from "../../core/text/time-text.js";
import type { Look } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { subtasksOf } from "../../store/tasks/task-index.js";
import { taskNamed, tasksIn } from "./read-tasks.js";
import { mentionTask, reportTask, type TaskMention, type TaskReport } from "./task-report.js";

export interface DetailedTask {
  readonly task: TaskReport & {
    readonly parentTask: TaskMention | null;
    readonly blockers: readonly TaskMention[];
    readonly dependents: readonly TaskMention[];
    readonly subtasks: readonly TaskMention[];
    /** Of its subtasks, without cancelled ones; null without subtasks. */
    readonly progress: { readonly completed: number; readonly total: number } | null;
  };
  /** The store's clock. */
  readonly now: string;
}

export function* detailedTask(look: Look, list: string, name: string): Script<Result<DetailedTask>> {
  const found = yield* taskNamed(look, list, name);
  if (!found.ok) return found;
  const { task } = found.value;
  const below = yield* subtasksOf(look, list, task.number);
  const mention = function* (numbers: readonly number[]): Script<readonly TaskMention[]> {
    return (yield* tasksIn(look, list, numbers)).map(mentionTask);
  };
  const wanted = below.filter(({ status }) => status !== "cancelled");
  const completed = wanted.filter(({ status }) => status === "completed").length;
  const [parentTask = null] = task.parent === undefined ? [] : yield* mention([task.parent]);
  return ok({
    task: {
      ...reportTask(list, found.value),
      parentTask,
      blockers: yield* mention(task.blockedBy),
      dependents: yield* mention(task.blocks),
      subtasks: yield* mention(below.map(({ number }) => number)),
      progress: below.length === 0 ? null : { completed, total: wanted.length },
    },
    now: isoTime(look.now),
  });
}
