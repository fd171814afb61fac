import { eventWords } from "../../core/task/event-words.js";
import { readTaskEvent } from "../../core/task/events.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { isoTime, momentText } from "../../core/text/time-text.js";
import type { EventStore, RecordedEvent, StoredEvent } from "../../store/event-store.js";
import { jsonLine } from "../json-lines.js";
import { lookAtTasks, tasksIn } from "./read-tasks.js";
import { taskStream } from "./task-views.js";

export interface TaskChange {
  readonly at: string;
  readonly by: string | null;
  /** The task's number. */
  readonly id: string;
  readonly type: string;
  readonly text: string;
}

/** Times in `text` are written for JSON, or for a person's eye. */
export function toChange({ stream, type, data, at, actor }: RecordedEvent, isShown = false): TaskChange {
  const event = readTaskEvent(type, data);
  return {
    at: isoTime(at),
    by: actor ?? null,
    id: stream.slice(stream.lastIndexOf("/") + 1),
    type,
    // Undefined for an event of a newer version.
    text: event ? eventWords(event, isShown ? momentText : isoTime) : type,
  };
}

export function isOfList(list: string): (event: StoredEvent) => boolean {
  const start = taskStream(list, 0).slice(0, -1);
  return ({ stream }) => stream.startsWith(start);
}

/** Subjects by task number, without removed tasks. */
export async function subjectsOf(
  store: EventStore,
  list: string,
  changes: readonly TaskChange[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = [...new Set(changes.map(({ id }) => Number(id)))];
  const found = (await lookAtTasks(store, (look) => tasksIn(look, list, numbers))) ?? [];
  return new Map(found.map(({ task }) => [String(task.number), task.subject]));
}

/** When, which task, who and what. The subject is left out where the text has it already. */
function changeRow({ at, by, id, text }: TaskChange, subject: string | undefined): string {
  const about = subject === undefined || text.includes(subject) ? "" : `  (${terminalText(subject)})`;
  const who = by === null ? "" : `  ${terminalText(by)}`;
  return `${momentText(at)}  #${id}${who}  ${terminalText(text)}${about}`;
}

export function changeLine(change: TaskChange, subject: string | undefined, json: boolean): string {
  return json ? jsonLine({ ...change, subject: subject ?? null }) : changeRow(change, subject);
}
