import { defined } from "../json.js";
import { codePointLength } from "../text/length.js";
import type { NewTask, TaskError } from "./command.js";
import type { TaskDetails } from "./events.js";
import type { TaskLimits } from "./policy.js";
import type { Task } from "./task.js";

/** A description may be a whole imported document. */
const DESCRIPTION_MAX = 100_000;

export function checkNew(limits: TaskLimits, task: NewTask): TaskError | undefined {
  const { subject, description, activeForm, labels, metadata } = task;
  return checkDetails(limits, defined({ subject, description, activeForm, labels, metadata }));
}

export function checkDetails(limits: TaskLimits, details: TaskDetails): TaskError | undefined {
  const { subject, description, activeForm, labels = [], metadata, assignee } = details;
  return (
    checkText(limits, "subject", subject) ??
    checkLength(limits, "description", description) ??
    checkLength(limits, "active form", activeForm) ??
    checkText(limits, "assignee", assignee) ??
    (labels.length > limits.labels ? tooMany("labels", labels.length, limits.labels) : undefined) ??
    labels.map((label) => checkText(limits, "label", label)).find((refused) => refused !== undefined) ??
    checkMetadata(limits, metadata)
  );
}

function checkMetadata({ metadata: limit }: TaskLimits, metadata: object | undefined): TaskError | undefined {
  if (metadata === undefined || limit === null) return undefined;
  const size = JSON.stringify(metadata).length;
  return size <= limit ? undefined : tooLong("metadata", size, limit);
}

export function checkNote(
  limits: TaskLimits,
  { notes, evidence }: Pick<Task, "notes" | "evidence">,
  text: string | undefined,
  what: "note" | "evidence" = "note",
): TaskError | undefined {
  if (text === undefined) return undefined;
  const kept = what === "note" ? notes.length : evidence.length;
  if (kept >= limits.notes) return tooMany(what === "note" ? "notes" : "pieces of evidence", kept + 1, limits.notes);
  return text.trim() === "" ? empty(what) : checkLength(limits, what, text);
}

/** A text that must not be empty. An absent one is not checked. */
export function checkText(limits: TaskLimits, field: string, text: string | null | undefined): TaskError | undefined {
  if (limits.codePoints === null) return undefined;
  return text?.trim() === "" ? empty(field) : checkLength(limits, field, text);
}

function checkLength(
  { codePoints }: TaskLimits,
  field: string,
  text: string | null | undefined,
): TaskError | undefined {
  if (codePoints === null || text == null) return undefined;
  const limit = field === "description" ? DESCRIPTION_MAX : codePoints;
  if (text.length <= limit) return undefined;
  const actual = codePointLength(text);
  return actual <= limit ? undefined : tooLong(field, actual, limit);
}

export function checkEdges({ edges }: TaskLimits, number: number, actual: number): TaskError | undefined {
  return actual <= edges ? undefined : tooMany(`blockers or dependents of task #${number}`, actual, edges);
}

function empty(field: string): TaskError {
  return { code: "empty-text", message: `The ${field} is empty. Give it a few words.` };
}

function tooLong(field: string, actual: number, limit: number): TaskError {
  return {
    code: "text-too-long",
    message: `The ${field} has ${actual} characters; the limit is ${limit}. Shorten it, or put details into a file.`,
  };
}

function tooMany(what: string, actual: number, limit: number): TaskError {
  return { code: "too-many", message: `${actual} ${what} are too many; the limit is ${limit}.` };
}
