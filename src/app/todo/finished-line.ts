import { finishedText } from "../../core/session/finished/finished-list.js";
import { finishedTimes } from "../../core/session/finished/list-times.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { HISTORIES } from "../session/session-view.js";
import { storeNow } from "../store-place.js";

/**
 * `4/4 done 22m ago`: for people, where nothing on the list is open; empty otherwise. `list`: what is left of it, or
 * nothing.
 */
export async function finishedLine(store: EventStore, stream: string, list: TodoList): Promise<string> {
  if (todosOf(list).some(isOpen)) return "";
  const finished = finishedTimes(await store.view(HISTORIES, stream));
  const todos = finished ? todosOf(finished.list) : [];
  const numbers = new Set(todos.map(({ number }) => number));
  if (!finished || todosOf(list).some(({ number }) => !numbers.has(number))) return "";
  return finishedText(todos, finished.at, await storeNow(store));
}
