import type { Result } from "../../core/result.js";
import type { Task } from "../../core/task/task.js";
import { isMeant, type Signal, wakerAt } from "../../core/task/wait-until.js";
import type { Script } from "../../store/script.js";
import { dueWaits, waitersOf } from "../../store/tasks/task-index.js";
import { columnText } from "./task-views.js";
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

/** Waiters that one write wakes: others wait for it. */
const MOST_SIGNALLED = 200;

export interface SomeWoken {
  readonly tasks: readonly Task[];
  /** Where the next ones begin; undefined after the last. */
  readonly next: number | undefined;
}

/** Wakes those among the next waiters, by number, that the signal is meant for. */
export function* wakeSome(
  tasks: WorkingTasks,
  signal: Signal,
  after: number,
  wake: (number: number) => Script<Result<Task>>,
): Script<SomeWoken> {
  const woken: Task[] = [];
  const page = { after, limit: MOST_SIGNALLED };
  const numbers = yield* waitersOf(tasks.transaction, tasks.list, columnText(signal.topic), page);
  for (const number of numbers) {
    const { wait } = yield* tasks.get(number);
    if (!wait || !isMeant(wait, signal)) continue;
    const run = yield* wake(number);
    if (run.ok) woken.push(run.value);
  }
  return { tasks: woken, next: numbers.length < MOST_SIGNALLED ? undefined : numbers.at(-1) };
}
