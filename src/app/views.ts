import type { TodoEvent } from "../core/todo/events.js";
import { evolveAll } from "../core/todo/evolve.js";
import { EMPTY_LIST, isOpen, type TodoList, todosOf } from "../core/todo/list.js";
import { isTodoList, readTodoEvent } from "../core/todo/recorded.js";
import type { NewEvent } from "../store/event-store.js";
import type { Projection } from "../store/projection.js";
import { PLANS } from "./plans/plan-views.js";
import { FILES } from "./session/files/shared-file-writes.js";
import { CALLS, HISTORIES, SESSIONS } from "./session/session-view.js";
import { NUMBERS, TASKS } from "./tasks/task-views.js";

/** The list of a session, or of a sub-agent in it. */
export const LISTS: Projection<TodoList> = {
  name: "list",
  revision: 2,
  initial: EMPTY_LIST,
  // 3 KB with 20 todos: written with each commit, it took a fifth of its CPU.
  keptEvery: 8,
  isDecidedOn: true,
  covers: (stream) => stream.startsWith("session:"),
  fold: withListEvents,
  isState: isTodoList,
  isOpen: (list) => todosOf(list).some(isOpen),
};

/** As it will be once these events are written. */
export function withListEvents(list: TodoList, events: readonly NewEvent[]): TodoList {
  return evolveAll(
    list,
    events.flatMap(({ type, data }) => readTodoEvent(type, data) ?? []),
  );
}

/** Every view the product keeps. */
export const PROJECTIONS: readonly Projection[] = [
  LISTS as Projection,
  SESSIONS as Projection,
  HISTORIES as Projection,
  CALLS as Projection,
  TASKS as Projection,
  NUMBERS as Projection,
  PLANS as Projection,
  FILES as Projection,
];

export function toNewEvent({ type, ...data }: TodoEvent, actor: string | undefined): NewEvent {
  return { type, data, ...(actor === undefined ? undefined : { actor }) };
}
