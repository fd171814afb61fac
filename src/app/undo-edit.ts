import { fail, ok, type Result } from "../core/result.js";
import { copyEvents } from "../core/todo/copy.js";
import type { TodoEvent } from "../core/todo/events.js";
import { EMPTY_LIST, type TodoList } from "../core/todo/list.js";
import { readTodoEvent } from "../core/todo/recorded.js";
import type { EventStore, StoredEvent } from "../store/event-store.js";
import { type EditPlace, editWrites } from "./edit-list.js";
import { LISTS, withListEvents } from "./lists.js";

/** Takes back a person's last change, as long as nobody has written the list since. */
export async function undoEdit(store: EventStore, place: EditPlace, action: string): Promise<Result<TodoList>> {
  const history = await readHistory(store, place.stream);
  if (!history.ok) return history;
  const before = beforeLastEdit(history.value);
  if (!before) return fail({ code: "nothing-to-undo", message: NOTHING });
  return store.commit(function* (transaction) {
    const list = yield* transaction.view(LISTS, place.stream);
    if (list.revision !== before.revision)
      return fail({ code: "changed", message: "The list has just changed. Look again." });
    return ok({ writes: editWrites(place, action, restoring(list, before.list)), answer: before.list });
  });
}

const NOTHING =
  "The last change of the list was not a person's, or its history is not kept any more. Nothing was undone.";

interface Before {
  readonly list: TodoList;
  /** Of the write that is taken back. */
  readonly revision: number;
}

/** The list as it was, and the write that changed it: the last one, if a person made it. */
function beforeLastEdit(events: readonly StoredEvent[]): Before | undefined {
  // Every write of a person ends with the note that the model has to be told.
  const end = events.findLastIndex(
    ({ type, data }) => type === "list.edited" || readTodoEvent(type, data) !== undefined,
  );
  const last = events[end - 1];
  const change = last && readTodoEvent(last.type, last.data);
  if (events[end]?.type !== "list.edited" || !change) return undefined;
  const { revision } = change;
  const start = events.findIndex(({ type, data }) => readTodoEvent(type, data)?.revision === revision);
  return events[0]?.version === 1 ? { list: withListEvents(EMPTY_LIST, events.slice(0, start)), revision } : undefined;
}

/** Numbers included: the model may know them. */
function restoring(now: TodoList, before: TodoList): readonly TodoEvent[] {
  const events: readonly TodoEvent[] = [{ type: "list.cleared", revision: 0 }, ...copyEvents(before)];
  return events.map((event) => ({ ...event, revision: now.revision + 1 }));
}

async function readHistory(store: EventStore, stream: string): Promise<Result<readonly StoredEvent[]>> {
  const pages = await store.read({ stream });
  if (!pages.ok) return pages;
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return ok(events);
}
