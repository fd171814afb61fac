import { setTimeout as sleep } from "node:timers/promises";
import { matches, type TaskQuery } from "../../core/task/query.js";
import type { EventStore, StoredEvent } from "../../store/event-store.js";
import type { CommandContext } from "../command-definition.js";
import { ENTER_SCREEN, LEAVE_SCREEN, picture } from "../terminal/paint.js";
import { screenRows, type TaskTable } from "../terminal/task-list.js";
import { WakeSignal } from "../transcripts/follow/wake-signal.js";
import { tickUntil } from "./leases/wake-waiting.js";
import { lookAtTasks, readTasks, tasksIn } from "./read-tasks.js";
import { changeLine, isOfList, toChange } from "./task-changes.js";

/** Ages and leases change without writes. */
const LIVE_MS = 1000;
/** Gathers writes that come together into one redraw. */
const GATHER_MS = 40;

interface Watched {
  readonly store: EventStore;
  readonly list: string;
  readonly query: TaskQuery;
}

/** Redraws the table with every change until Ctrl+C. */
export async function drawTasks({ output, interrupted }: CommandContext, table: TaskTable): Promise<void> {
  const { store, list } = table;
  const signal = interrupted();
  const wake = new WakeSignal();
  signal.addEventListener("abort", () => wake.set(), { once: true });
  const ticking = tickUntil(store, signal);
  const news = eachChange(store, list, await store.head(), signal, async () => wake.set());
  let last: readonly string[] = [];
  await output.write(ENTER_SCREEN);
  try {
    while (!signal.aborted) {
      const start = Date.now();
      last = await screenRows(output, table);
      await output.write(picture(last));
      const took = Date.now() - start;
      // Reading a large list must not take all the time.
      await wake.wait(Math.max(LIVE_MS, took * 4));
      if (!signal.aborted) await sleep(Math.max(GATHER_MS, took));
    }
    await Promise.all([news, ticking]);
  } finally {
    // The last picture stays on the normal screen.
    await output.write(`${LEAVE_SCREEN}${last.join("\n")}\n`);
  }
}

async function eachChange(
  store: EventStore,
  list: string,
  after: string,
  signal: AbortSignal,
  changed: (events: readonly StoredEvent[]) => Promise<void>,
): Promise<void> {
  const pages = await store.follow({ after, signal });
  if (!pages.ok) return;
  for await (const { events } of pages.value) {
    const own = events.filter(isOfList(list));
    if (own.length > 0) await changed(own);
  }
}

/** One line for each change of a task that matches the query, or matched it before. */
export async function printTaskChanges(
  { output, interrupted }: CommandContext,
  { store, list, query }: Watched,
  json: boolean,
): Promise<void> {
  const head = await store.head();
  const { limit: _, ...all } = query;
  const meant = new Set<string>();
  for await (const { tasks } of readTasks(store, list, all))
    for (const { task } of tasks) meant.add(String(task.number));
  const signal = interrupted();
  const ticking = tickUntil(store, signal);
  const news = eachChange(store, list, head, signal, async (events) => {
    const changes = events.map((event) => ({ cursor: event.cursor, ...toChange(event, !json) }));
    const numbers = [...new Set(changes.map(({ id }) => Number(id)))];
    const found = (await lookAtTasks(store, (look) => tasksIn(look, list, numbers))) ?? [];
    const subjects = new Map(found.map(({ task }) => [String(task.number), task.subject]));
    const isIn = new Set(found.filter((one) => matches(one, all)).map(({ task }) => String(task.number)));
    const lines = changes
      .filter(({ id }) => meant.has(id) || isIn.has(id))
      .map((one) => changeLine(one, subjects.get(one.id), json));
    for (const { id } of changes)
      if (isIn.has(id)) meant.add(id);
      else meant.delete(id);
    if (lines.length > 0) await output.write(lines.map((line) => `${line}\n`).join(""));
  });
  await Promise.all([news, ticking]);
}
