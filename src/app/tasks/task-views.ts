import { readTaskEvent, type TaskEvent } from "../../core/task/events.js";
import { evolve } from "../../core/task/evolve.js";
import { isBlocking, isOpen, isTask, NO_TASK, TASK_PRIORITIES, type Task } from "../../core/task/task.js";
import { dueAt } from "../../core/task/wait-until.js";
import type { NewEvent, RecordedEvent } from "../../store/event-store.js";
import type { Projection } from "../../store/projection.js";
import type { TaskEntry } from "../../store/tasks/task-entry.js";

export function taskStream(list: string, number: number): string {
  return `task:${list}/${number}`;
}

/** The stream that numbers tasks. Writers of edges lock it too, so that no two can close a cycle together. */
export function numbersStream(list: string): string {
  return `list:${list}`;
}

export const TASKS: Projection<Task> = {
  name: "task",
  revision: 1,
  initial: NO_TASK,
  covers: (stream) => stream.startsWith("task:"),
  fold: (task, events) => events.reduce(foldOne, task),
  isState: isTask,
  isOpen,
  entry: (task, stream) => (task.number === 0 ? undefined : entryOf(task, stream)),
};

function foldOne(task: Task, { type, data, at, actor }: RecordedEvent): Task {
  const event = readTaskEvent(type, data);
  return event ? evolve(task, event, { at, by: actor }) : task;
}

/** The time from which the task can be claimed. One in progress without a lease still belongs to somebody. */
function freeAt(task: Task): number | null {
  if (!isOpen(task)) return null;
  const { lease, wait, retryAt, status } = task;
  if (lease) return lease.until;
  if (wait) return dueAt(wait) ?? null;
  return status === "in_progress" ? null : (retryAt ?? 0);
}

function entryOf(task: Task, stream: string): TaskEntry {
  const { number, uuid, status, priority, createdAt, wait, source } = task;
  const isWaiting = isOpen(task) && wait !== undefined;
  return {
    list: stream.slice("task:".length, stream.lastIndexOf("/")),
    number,
    uuid: columnText(uuid),
    status: task.isDeleted ? "deleted" : status,
    isBlocking: isBlocking(task),
    priority: TASK_PRIORITIES.indexOf(priority),
    createdAt,
    freeAt: freeAt(task),
    wakeAt: isWaiting ? (dueAt(wait) ?? null) : null,
    topic: isWaiting && wait.kind === "event" ? columnText(wait.topic) : null,
    assignee: task.assignee === undefined ? null : columnText(task.assignee),
    parent: task.parent ?? null,
    source: source ? sourceName(source) : null,
    blockedBy: task.blockedBy,
  };
}

export function sourceName({ format, id }: { readonly format: string; readonly id: string }): string {
  return columnText(`${format}:${id}`);
}

/** Text that every engine can store: without NUL and lone surrogates. Search terms go through it too. */
export function columnText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** The numbers of one list. They only grow. */
interface Numbers {
  readonly last: number;
}

export const NUMBERS: Projection<Numbers> = {
  name: "numbers",
  revision: 1,
  initial: { last: 0 },
  covers: (stream) => stream.startsWith("list:"),
  fold: (numbers, events) => ({ last: events.reduce(lastOf, numbers.last) }),
  isState: (value) => Number.isSafeInteger((value as Partial<Numbers> | null)?.last),
  // Numbers are never reused, so this stream is always open work and is never pruned.
  isOpen: () => true,
};

function lastOf(last: number, { type, data }: RecordedEvent): number {
  return type === "numbers.given" && Number.isSafeInteger(data.last) ? Math.max(last, Number(data.last)) : last;
}

export function numbersGiven(last: number): NewEvent {
  return { type: "numbers.given", data: { last } };
}

export function toNewTaskEvent({ type, ...data }: TaskEvent, actor: string): NewEvent {
  return { type, data, actor };
}
