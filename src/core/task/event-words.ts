import type { TaskEvent } from "./events.js";
import type { Wait } from "./wait-until.js";

/**
 * What happened to a task, in words that follow its name. Texts in it are as they were written: whoever shows it makes
 * it safe.
 */
export function eventWords(event: TaskEvent): string {
  switch (event.type) {
    case "task.added":
      return `added: ${event.subject}`;
    case "task.changed":
      return `changed ${Object.keys(event)
        .filter((name) => name !== "type")
        .join(", ")}`;
    case "task.moved":
      return `moved from ${statusWord(event.from)} to ${statusWord(event.to)}`;
    case "task.claimed":
      return `claimed by ${event.owner}, fence ${event.fence}`;
    case "task.renewed":
      return withWhy("renewed", event.progress);
    case "task.released":
      return withWhy("released", event.reason);
    case "task.completed":
      return withWhy("done", event.evidence);
    case "task.failed":
      return withWhy(event.retryAt === undefined ? "failed for good" : "failed, to be retried", event.reason);
    case "task.cancelled":
      return withWhy("cancelled", event.reason);
    case "task.reopened":
      return "reopened";
    case "task.deleted":
      return "removed";
    case "cancel.requested":
      return withWhy("holder asked to stop", event.reason);
    case "task.noted":
      return `noted: ${event.text}`;
    case "wait.begun":
      return `waits ${waitWords(event.wait)}`;
    case "wait.ended":
      return `woken by ${WAKER_WORDS[event.by]}`;
    case "blockers.added":
    case "blockers.removed":
    case "dependents.added":
    case "dependents.removed":
    case "todo.linked":
    case "todo.unlinked":
      return tieWords(event);
  }
}

type Tie = Extract<TaskEvent, { readonly tasks: readonly number[] } | { readonly todo: number }>;

function tieWords(event: Tie): string {
  switch (event.type) {
    case "blockers.added":
      return `blocked by ${names(event.tasks)}`;
    case "blockers.removed":
      return `no longer blocked by ${names(event.tasks)}`;
    case "dependents.added":
      return `blocks ${names(event.tasks)}`;
    case "dependents.removed":
      return `no longer blocks ${names(event.tasks)}`;
    case "todo.linked":
      return `linked to todo ${event.todo} of ${event.session}`;
    case "todo.unlinked":
      return `no longer linked to todo ${event.todo} of ${event.session}`;
  }
}

const WAKER_WORDS = { timer: "the clock", event: "a signal", manual: "hand", timeout: "its timeout" } as const;

function waitWords(wait: Wait): string {
  const timeout = wait.timeout === undefined ? "" : `, at most until ${timeText(wait.timeout)}`;
  switch (wait.kind) {
    case "timer":
      return `until ${timeText(wait.at)}${timeout}`;
    case "event": {
      const which = wait.correlation === undefined ? "" : ` (${wait.correlation})`;
      return `for a signal of ${wait.topic}${which}${timeout}`;
    }
    case "manual":
      return `until somebody wakes it${timeout}`;
  }
}

function timeText(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "the end of time" : time.toISOString();
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
