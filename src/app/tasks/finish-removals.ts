import { ok } from "../../core/result.js";
import type { EventStore } from "../../store/event-store.js";
import { edgesOfRemoved, subtasksOfRemoved } from "../../store/tasks/task-index.js";
import { asTrouble } from "../../store/trouble.js";
import { giveWay } from "../../store/upkeep/give-way.js";
import { lookAtTasks } from "./read-tasks.js";
import { type BoardOptions, onBoard } from "./task-board.js";

/**
 * Tells the dependents and subtasks of removed tasks that one write had no time for, piece by piece. Also those that a
 * process which was killed has left. The removal itself is done: trouble here fails nothing.
 */
export async function finishRemovals(store: EventStore, { idempotency: _, ...place }: BoardOptions): Promise<void> {
  try {
    while (await isUnfinished(store, place.list)) {
      const done = await onBoard(store, place, function* (board) {
        return ok(yield* board.tellOfRemoved());
      });
      if (!done.ok || done.value === 0) return;
      await giveWay();
    }
  } catch (error) {
    asTrouble(error);
  }
}

async function isUnfinished(store: EventStore, list: string): Promise<boolean> {
  const left = await lookAtTasks(store, function* (look) {
    return [...(yield* edgesOfRemoved(look, list, 1)), ...(yield* subtasksOfRemoved(look, list, 1))].length;
  });
  return left !== undefined && left > 0;
}
