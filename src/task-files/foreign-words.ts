import { isObject, type JsonObject } from "../core/json.js";
import type { TaskStatus } from "../core/task/task.js";
import { keptObject, omit, tame } from "./file-values.js";
import type { Tell } from "./task-format.js";

/** The words of a format for statuses. Words beyond ours are kept, and written again while the status is the same. */
export interface StatusWords {
  readonly reads: ReadonlyMap<string, TaskStatus>;
  readonly writes: Readonly<Record<TaskStatus, string>>;
}

export function statusWords(reads: Readonly<Record<string, TaskStatus>>, writes: StatusWords["writes"]): StatusWords {
  return { reads: new Map(Object.entries(reads)), writes };
}

interface FoundStatus {
  readonly status: TaskStatus;
  readonly kept?: string;
}

/** A word that is not known is never taken for the end of a task. */
export function readStatus({ reads, writes }: StatusWords, word: unknown, tell: Tell): FoundStatus {
  if (word === undefined || word === null || word === "") return { status: "pending" };
  const text = (typeof word === "string" ? word : String(JSON.stringify(tame(word).value))).toWellFormed();
  const status = reads.get(text) ?? reads.get(text.trim().toLowerCase());
  if (status === undefined) tell(`The status ${named(text)} is unknown: the task is pending; the status is kept.`);
  return status !== undefined && writes[status] === text ? { status } : { status: status ?? "pending", kept: text };
}

export function writeStatus(words: StatusWords, status: TaskStatus, kept: unknown): string {
  const isSame = typeof kept === "string" && readStatus(words, kept, () => undefined).status === status;
  return isSame ? kept : words.writes[status];
}

/** What a format had and we have no place for. */
export function keptOf(metadata: JsonObject, format: string): JsonObject {
  const kept = Object.hasOwn(metadata, format) ? metadata[format] : undefined;
  return isObject(kept) ? kept : {};
}

export function withKept(metadata: JsonObject, format: string, kept: JsonObject): JsonObject {
  const entries = Object.entries(kept).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? metadata : { ...metadata, [format]: Object.fromEntries(entries) };
}

/** Metadata that is not the format's own: that goes back to where it came from. */
export function ownMetadata(metadata: JsonObject, format: string): JsonObject {
  return Object.hasOwn(metadata, format) && isObject(metadata[format]) ? omit(metadata, format) : metadata;
}

/** Fields of a record that nobody here reads. */
export function unreadFields(record: JsonObject, known: readonly string[], tell: Tell): JsonObject {
  return keptObject(omit(record, ...known), tell);
}

const PLAIN = /^[\w.:#~+ -]{1,60}$/;
const COMMAND = / .*[/-]/;

/** For messages. An odd word is not repeated: it could be a command, and models follow messages. */
export function named(word: string): string {
  return PLAIN.test(word) && !COMMAND.test(word) ? `"${word}"` : "(not shown)";
}
