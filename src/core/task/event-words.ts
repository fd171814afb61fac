import { momentText } from "../text/time-text.js";
import type { EventOf, TaskEvent } from "./events.js";
import type { Wait } from "./wait-until.js";

type Words<Type extends TaskEvent["type"]> = (event: EventOf<Type>, time: TimeText) => string;

/** How a moment is written: people and JSON have a way each. */
type TimeText = (at: number) => string;

const WORDS: { readonly [Type in TaskEvent["type"]]: Words<Type> } = {
  "task.added": ({ subject }) => `added: ${subject}`,
  "task.changed": ({ type: _, ...details }) => `changed ${Object.keys(details).join(", ")}`,
  "task.moved": ({ from, to }) => `moved from ${statusWord(from)} to ${statusWord(to)}`,
  "task.claimed": ({ owner, fence }) => `claimed by ${owner}, fence ${fence}`,
  "task.renewed": ({ progress }) => withWhy("renewed", progress),
  "task.released": ({ reason }) => withWhy("released", reason),
  "task.completed": ({ evidence }) => withWhy("done", evidence),
  "task.failed": ({ retryAt, reason }) =>
    withWhy(retryAt === undefined ? "failed for good" : "failed, to be retried", reason),
  "task.cancelled": ({ reason }) => withWhy("cancelled", reason),
  "task.reopened": () => "reopened",
  "task.deleted": () => "removed",
  "cancel.requested": ({ reason }) => withWhy("holder asked to stop", reason),
  "task.noted": ({ text }) => `noted: ${text}`,
  "wait.begun": ({ wait }, time) => `waits ${waitWords(wait, time)}`,
  "wait.ended": ({ by }) => `woken by ${WAKER_WORDS[by]}`,
  "blockers.added": ({ tasks }) => `blocked by ${names(tasks)}`,
  "blockers.removed": ({ tasks }) => `no longer blocked by ${names(tasks)}`,
  "dependents.added": ({ tasks }) => `blocks ${names(tasks)}`,
  "dependents.removed": ({ tasks }) => `no longer blocks ${names(tasks)}`,
  "todo.linked": ({ todo, session }) => `linked to todo ${todo} of ${session}`,
  "todo.unlinked": ({ todo, session }) => `no longer linked to todo ${todo} of ${session}`,
};

/** What happened to a task, in words that follow its name. Not sanitised: whoever prints it does that. */
export function eventWords(event: TaskEvent, time: TimeText = momentText): string {
  return (WORDS[event.type] as Words<TaskEvent["type"]>)(event, time);
}

const WAKER_WORDS = { timer: "the clock", event: "a signal", manual: "hand", timeout: "its timeout" } as const;

function waitWords(wait: Wait, time: TimeText): string {
  const timeout = wait.timeout === undefined ? "" : `, at most until ${time(wait.timeout)}`;
  switch (wait.kind) {
    case "timer":
      return `until ${time(wait.at)}${timeout}`;
    case "event": {
      const which = wait.correlation === undefined ? "" : ` (${wait.correlation})`;
      return `for a signal of ${wait.topic}${which}${timeout}`;
    }
    case "manual":
      return `until somebody wakes it${timeout}`;
  }
}

function names(tasks: readonly number[]): string {
  return tasks.map((task) => `#${task}`).join(", ");
}

function statusWord(status: string): string {
  return status.replace("_", " ");
}

function withWhy(what: string, why: string | undefined): string {
  return why === undefined ? what : `${what}: ${why}`;
}
