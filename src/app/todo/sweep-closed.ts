import { sweepList } from "../../core/todo/carried-list.js";
import type { TodoEvent } from "../../core/todo/events.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import { readTodoEvent } from "../../core/todo/recorded.js";
import type { EventStore, RecordedEvent, Transaction, Write } from "../../store/event-store.js";
import type { Projection } from "../../store/projection.js";
import type { Script } from "../../store/script.js";
import { storeNow } from "../store-place.js";
import { LISTS, toNewEvent } from "../views.js";

/** When each closed todo was closed, by its number. Kept where the setting is on, else folded when asked for. */
export const CLOSINGS: Projection<Readonly<Record<string, number>>> = {
  name: "closings",
  revision: 1,
  initial: {},
  covers: (stream) => stream.startsWith("session:"),
  fold: (state, events) => {
    const next = { ...state };
    for (const event of events) note(next, event);
    return next;
  },
  isState: (state) => typeof state === "object" && state !== null && Object.values(state).every(Number.isFinite),
  isOpen: () => false,
};

function note(closings: Record<string, number>, { type, data, at }: RecordedEvent): void {
  const event = readTodoEvent(type, data);
  if (event?.type === "todo.moved" || event?.type === "todo.added") {
    const status = event.type === "todo.moved" ? event.to : event.status;
    if (status === "completed" || status === "cancelled") closings[event.number] = at;
    else delete closings[event.number];
  }
}

/** What is due before something else happens. Nothing runs in between: a list is swept when it is next asked for. */
export function* dueSweep(
  transaction: Transaction,
  stream: string,
  list: TodoList,
  seconds: number,
): Script<readonly TodoEvent[]> {
  if (seconds < 0 || todosOf(list).every(isOpen)) return [];
  const closings = yield* transaction.view(CLOSINGS, stream);
  return sweptBy(list, closings, transaction.now - seconds * 1000);
}

/**
 * What this write itself closed, where nothing closed is to stay. Its answer still shows it; the next look does not.
 */
export function ownSweep(list: TodoList, seconds: number): readonly TodoEvent[] {
  return seconds === 0 ? sweepList(list, () => true) : [];
}

export function sweepWrite(stream: string, events: readonly TodoEvent[]): Write {
  return { stream, events: events.map((event) => toNewEvent(event, SWEEPER)) };
}

/** Without the closed todos that the next write will take away. */
export async function sweptList(store: EventStore, stream: string, seconds: number): Promise<TodoList> {
  const list = await store.view(LISTS, stream);
  if (seconds < 0 || todosOf(list).every(isOpen)) return list;
  const now = await storeNow(store);
  return evolveAll(list, sweptBy(list, await store.view(CLOSINGS, stream), now - seconds * 1000));
}

/** One whose closing is not told any more was closed before what is kept of its history. */
function sweptBy(list: TodoList, closings: Readonly<Record<string, number>>, before: number): readonly TodoEvent[] {
  return sweepList(list, (number) => (closings[number] ?? 0) <= before);
}

/** The actor where a setting takes closed todos off a list. */
export const SWEEPER = "milepost";
