import { setTimeout as sleep } from "node:timers/promises";
import { ok } from "../../../core/result.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import type { EventStore } from "../../../store/event-store.js";
import { dueWaits, hasTasks } from "../../../store/tasks/task-index.js";
import { StoreTrouble } from "../../../store/trouble.js";
import { TICKER } from "../board-waits.js";
import { onBoard } from "../task-board.js";

const MOST_WOKEN = 100;
const TICK_MS = 1000;

/** Ends the waits whose time has passed, in all lists. Several processes may do this at once: each wait ends once. */
export async function tick(store: EventStore): Promise<number> {
  const due = await store.look(function* (look) {
    return (yield* hasTasks(look)) ? yield* dueWaits(look, MOST_WOKEN) : [];
  });
  let woken = 0;
  for (const list of new Set(due.map((name) => name.list))) {
    const done = await onBoard(store, { list, policy: OUR_POLICY, owner: TICKER, session: "" }, function* (board) {
      return ok((yield* board.wakeDue(MOST_WOKEN)).length);
    });
    woken += done.ok ? done.value : 0;
  }
  return woken;
}

/** For a process that keeps watching. With a read-only store it leaves the work to others. */
export async function tickUntil(store: EventStore, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      await tick(store);
      await sleep(TICK_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
  }
}
