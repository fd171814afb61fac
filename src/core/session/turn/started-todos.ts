import type { TodoEvent } from "../../todo/events.js";
import { type TodoList, type TodoStatus, todosOf } from "../../todo/list.js";
import type { TaskChange } from "../client/client-tasks.js";
import type { Session } from "../session.js";

/** A todo that the agent began in this turn, and how many replies with work there were in it before. */
export interface StartedTodo {
  readonly todo: number;
  readonly after: number;
}

/** Nobody works on more at once; a dialect may call a whole list of a thousand begun. */
const MOST_STARTED = 20;

/** What the agent's own change of its list says about it. */
export function startedByAgent(
  { started, turnWork }: Session,
  change?: TodoEvent | TaskChange,
): readonly StartedTodo[] {
  const { number, status } = standingOf(change);
  if (number === undefined) return started;
  const others = started.filter(({ todo }) => todo !== number);
  return status === "in_progress" ? [...others, { todo: number, after: turnWork }].slice(-MOST_STARTED) : others;
}

/** What a person starts or stops, the agent has not begun by itself. */
export function startedByOther({ started }: Session, event?: TodoEvent): readonly StartedTodo[] {
  return event?.type === "todo.moved" ? started.filter(({ todo }) => todo !== event.number) : started;
}

/** The todo, or the client's own task, whose standing is told. A list of tasks has their ids as numbers. */
function standingOf(change: TodoEvent | TaskChange | undefined): { number?: number; status?: TodoStatus } {
  switch (change?.type) {
    case "todo.moved":
      return { number: change.number, status: change.to };
    case "todo.added":
      return { number: change.number, status: change.status };
    case "client-task.updated":
      return change.status === undefined || !/^\d{1,9}$/.test(change.id)
        ? {}
        : { number: Number(change.id), status: change.status };
    default:
      return {};
  }
}

/** It began one in this turn, then did some work, and has not said what became of it. */
export function hasWorkedOnOne({ started, turnWork }: Session, list: TodoList): boolean {
  const begun = started.filter(({ after }) => turnWork > after).map(({ todo }) => todo);
  return begun.length > 0 && todosOf(list).some((one) => one.status === "in_progress" && begun.includes(one.number));
}
