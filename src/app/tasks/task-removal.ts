import type { Task } from "../../core/task/task.js";
import type { Script } from "../../store/script.js";
import { edgesOfRemoved, subtasksOf, subtasksOfRemoved } from "../../store/tasks/task-index.js";
import { removeEdges } from "./board-edges.js";
import type { WorkingTasks } from "./working-tasks.js";

/** Dependents, and subtasks, that one write lets go of: others wait for it. */
const PIECE = 200;

/**
 * A removed task blocks nobody and is nobody's parent, whether its dependents and subtasks were told or not. So it goes
 * first, with as many of them as one write can take. Returns whether some are left: `finishRemovals` tells those.
 */
export function* removeTask(tasks: WorkingTasks, task: Task): Script<boolean> {
  const { number, blockedBy, blocks, parent = null } = task;
  yield* removeEdges(tasks, number, blockedBy);
  const dependents = blocks.slice(0, PIECE);
  for (const other of dependents) yield* tasks.apply(other, [{ type: "blockers.removed", tasks: [number] }]);
  if (dependents.length > 0) yield* tasks.apply(number, [{ type: "dependents.removed", tasks: dependents }]);
  const subtasks = yield* subtasksOf(tasks.transaction, tasks.list, number);
  // Subtasks move up to the removed task's parent.
  for (const { number: below } of subtasks.slice(0, PIECE))
    yield* tasks.apply(below, [{ type: "task.changed", parent }]);
  yield* tasks.apply(number, [{ type: "task.deleted" }]);
  return blocks.length > PIECE || subtasks.length > PIECE;
}

/** The next piece of what removed tasks of this list have left behind. Returns how many tasks were told. */
export function* tellOfRemoved(tasks: WorkingTasks): Script<number> {
  const { transaction, list } = tasks;
  yield* tasks.lockNumbers();
  let told = 0;
  for (const { task, blocker } of yield* edgesOfRemoved(transaction, list, PIECE)) {
    if (!(yield* tasks.get(task)).blockedBy.includes(blocker)) continue;
    yield* tasks.apply(task, [{ type: "blockers.removed", tasks: [blocker] }]);
    told += 1;
  }
  for (const { task, parent } of yield* subtasksOfRemoved(transaction, list, PIECE)) {
    if ((yield* tasks.get(task)).parent !== parent) continue;
    yield* tasks.apply(task, [{ type: "task.changed", parent: (yield* livingAbove(tasks, parent)) ?? null }]);
    told += 1;
  }
  return told;
}

/** The nearest task above that is still there. */
function* livingAbove(tasks: WorkingTasks, removed: number): Script<number | undefined> {
  for (let at: number | undefined = removed; at !== undefined; ) {
    const task: Task = yield* tasks.get(at);
    if (!task.isDeleted) return at;
    at = task.parent;
  }
  return undefined;
}
