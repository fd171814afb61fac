import type { TodoEvent } from "../todo/events.js";
import { type TodoList, todosOf } from "../todo/list.js";
import type { Session } from "./session.js";

/** A todo that the agent began in this turn, and how many replies with work there were in it before. */
export interface StartedTodo {
  readonly todo: number;
  readonly after: number;
}

/** Nobody works on more at once; a dialect may call a whole list of a thousand begun. */
const MOST_STARTED = 20;

/** What the agent's own change of its list says about it. */
export function startedByAgent({ started, turnWork }: Session, event: TodoEvent | undefined): readonly StartedTodo[] {
  if (event?.type !== "todo.moved" && event?.type !== "todo.added") return started;
  const others = started.filter(({ todo }) => todo !== event.number);
  const isStart = (event.type === "todo.moved" ? event.to : event.status) === "in_progress";
  return isStart ? [...others, { todo: event.number, after: turnWork }].slice(-MOST_STARTED) : others;
}

/** What a person starts or stops, the agent has not begun by itself. */
export function startedByOther({ started }: Session, event: TodoEvent | undefined): readonly StartedTodo[] {
  return event?.type === "todo.moved" ? started.filter(({ todo }) => todo !== event.number) : started;
}

/** It began one in this turn, then did some work, and has not said what became of it. */
export function hasWorkedOnOne({ started, turnWork }: Session, list: TodoList): boolean {
  const begun = started.filter(({ after }) => turnWork > after).map(({ todo }) => todo);
  return begun.length > 0 && todosOf(list).some((one) => one.status === "in_progress" && begun.includes(one.number));
}
