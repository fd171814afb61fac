import { applyChange, closeDraft, openDraft } from "./draft.js";
import type { TodoEvent } from "./events.js";
import type { TodoList } from "./list.js";

export function evolve(list: TodoList, event: TodoEvent): TodoList {
  return evolveAll(list, [event]);
}

/** The same as evolving one event after another, in time linear in todos plus events. */
export function evolveAll(list: TodoList, events: readonly TodoEvent[]): TodoList {
  if (events.length === 0) return list;
  const draft = openDraft(list);
  for (const event of events) {
    applyChange(draft, event);
    draft.revision = event.revision;
  }
  return closeDraft(draft);
}
