import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import { storeNow } from "../store-place.js";
import type { OpenedList } from "./person-edit.js";
import { CLOSINGS } from "./sweep-closed.js";

// oh-my-pi's panel leaves out what was closed a while ago. A rule of that view alone: the list itself keeps it.

/** When todos were closed, by number. */
type Closings = Readonly<Record<string, number>>;

/** Numbers of closed todos that are no longer drawn. `seconds`: for how long they are; 0 not at all, -1 for ever. */
export function hiddenTodos(list: TodoList, closings: Closings, now: number, seconds: number): readonly number[] {
  if (seconds < 0) return [];
  // One whose closing is not told any more was closed before what is kept of its history.
  const isLongAgo = (number: number) => (closings[number] ?? 0) + seconds * 1000 <= now;
  return todosOf(list).flatMap((todo) => (!isOpen(todo) && isLongAgo(todo.number) ? [todo.number] : []));
}

/** The list without these todos, and without phases that have no others. */
export function withoutTodos(list: TodoList, numbers: readonly number[]): TodoList {
  if (numbers.length === 0) return list;
  const gone = new Set(numbers);
  const phases = list.phases.map(({ name, todos }) => ({
    name,
    todos: todos.filter(({ number }) => !gone.has(number)),
  }));
  return { ...list, phases: phases.filter(({ todos }) => todos.length > 0) };
}

/** The same of a list that was found. What nobody knows the time of is shown. */
export async function hiddenNow({ store, place }: OpenedList, list: TodoList, seconds: number) {
  if (seconds < 0) return [];
  const { shown, stream } = place;
  if (!shown) return hiddenTodos(list, await store.view(CLOSINGS, stream), await storeNow(store), seconds);
  if (shown.readAt === undefined) return [];
  // Of a transcript only its last growth is known: what it says is closed was closed before that.
  const closings = Object.fromEntries(todosOf(list).map(({ number }) => [number, shown.readAt ?? 0]));
  return hiddenTodos(list, closings, Date.now(), seconds);
}
