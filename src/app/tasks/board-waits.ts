import type { Task } from "../../core/task/task.js";
import { wakerAt } from "../../core/task/wait-until.js";
import type { Script } from "../../store/script.js";
import { dueWaits } from "../../store/tasks/task-index.js";
import type { WorkingTasks } from "./working-tasks.js";

/** The actor of changes that only the clock caused. */
export const TICKER = "milepost";

/** Ends the waits whose time has passed. Each wait ends once, whoever calls this. */
export function* wakeDue(tasks: WorkingTasks, limit: number): Script<readonly Task[]> {
  const woken: Task[] = [];
  for (const { number } of yield* dueWaits(tasks.transaction, limit, tasks.list)) {
    const { wait } = yield* tasks.get(number);
    const by = wait && wakerAt(wait, tasks.transaction.now);
    if (by) woken.push(yield* tasks.apply(number, [{ type: "wait.ended", by }], TICKER));
  }
  return woken;
}
