import { type Board, onBoard } from "../../src/app/tasks/task-board.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { ok, type Result } from "../../src/core/result.js";
import type { TaskCommand } from "../../src/core/task/command.js";
import { OUR_POLICY } from "../../src/core/task/policy.js";
import type { Task } from "../../src/core/task/task.js";
import { openStore } from "../../src/store/open.js";
import type { Script } from "../../src/store/script.js";
import type { Store } from "../../src/store/store.js";
import { LIST } from "./task-workers.js";

export function openTasks(url: string): Promise<Store> {
  return openStore(url, { projections: PROJECTIONS });
}

/** One commit on the list, in somebody's name. */
export function onTasks<T>(store: Store, owner: string, work: (board: Board) => Script<Result<T>>): Promise<Result<T>> {
  return onBoard(store, { list: LIST, owner, session: "", policy: OUR_POLICY }, work);
}

export function runOn(store: Store, owner: string, task: number, command: TaskCommand): Promise<Result<Task>> {
  return onTasks(store, owner, (board) => board.run(task, command));
}

const BATCH = 100;

/** Adds tasks 1 to `count`; `blockersOf` says which earlier ones block each. */
export async function addTasks(
  store: Store,
  count: number,
  blockersOf: (number: number) => readonly number[] = () => [],
): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) {
    const added = await onTasks(store, "boss", function* (board) {
      for (let number = first; number < Math.min(first + BATCH, count + 1); number += 1) {
        const task = yield* board.add({ subject: `task ${number}`, blockedBy: blockersOf(number) });
        if (!task.ok) return task;
      }
      return ok(undefined);
    });
    if (!added.ok) throw new Error(added.error.message);
  }
}
