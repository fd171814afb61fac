import { fail, ok, type Result } from "../../core/result.js";
import { copyEvents } from "../../core/todo/copy.js";
import type { TodoEvent } from "../../core/todo/events.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { readTodoEvent } from "../../core/todo/recorded.js";
import type { EventStore, StoredEvent } from "../../store/event-store.js";
import { LISTS, withListEvents } from "../views.js";
import { type EditPlace, editWrites } from "./person-edit.js";
import { SWEEPER } from "./sweep-closed.js";

/** Takes back a person's last change, as long as nobody has written the list since. */
export async function undoEdit(store: EventStore, place: EditPlace, action: string): Promise<Result<TodoList>> {
  const history = await readHistory(store, place.stream);
  if (!history.ok) return history;
  const before = beforeLastEdit(history.value);
  if (!before) return fail({ code: "nothing-to-undo", message: NOTHING });
  return store.commit(function* (transaction) {
    const version = yield* transaction.version(place.stream);
    if (version !== history.value.at(-1)?.version)
      return fail({ code: "changed", message: "The list has just changed. Look again." });
    const list = yield* transaction.view(LISTS, place.stream);
    const events = restoring(list, before);
    return ok({ writes: editWrites(place, action, events), answer: evolveAll(list, events) });
  });
}

const NOTHING =
  "The last change of the list was not a person's, or its history is not kept any more. Nothing was undone.";

/** The list before the last write to it, if a person made that. What a setting has swept away since is no write. */
function beforeLastEdit(events: readonly StoredEvent[]): TodoList | undefined {
  const writes = events.filter(({ actor }) => actor !== SWEEPER);
  const revisionAt = (at: number) => {
    const event = writes[at];
    return event && readTodoEvent(event.type, event.data)?.revision;
  };
  // Every write of a person ends with the note that the model has to be told.
  const end = writes.findLastIndex(({ type }, at) => type === "list.edited" || revisionAt(at) !== undefined);
  const revision = revisionAt(end - 1);
  if (writes[end]?.type !== "list.edited" || revision === undefined || events[0]?.version !== 1) return undefined;
  let start = end - 1;
  while (revisionAt(start - 1) === revision) start -= 1;
  const first = writes[start];
  return withListEvents(EMPTY_LIST, events.slice(0, first ? events.indexOf(first) : 0));
}

/** Numbers included: the model may know them. */
function restoring({ revision }: TodoList, before: TodoList): readonly TodoEvent[] {
  return [{ type: "list.cleared", revision: revision + 1 }, ...copyEvents(before, revision + 1)];
}

async function readHistory(store: EventStore, stream: string): Promise<Result<readonly StoredEvent[]>> {
  const pages = await store.read({ stream });
  if (!pages.ok) return pages;
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return ok(events);
}
