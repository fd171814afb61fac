import { defined } from "../json.js";
import { codePointLength } from "../text/length.js";
import { excessOf, excessText, LARGEST_VALUE } from "../value-limits.js";
import type { NewTask, TaskError } from "./command.js";
import type { TaskDetails } from "./events.js";
import type { TaskLimits } from "./policy.js";
import type { Task, TaskPast } from "./task.js";

/** A description may be a whole imported document. */
const DESCRIPTION_MAX = 100_000;

export function checkNew(limits: TaskLimits, task: NewTask): TaskError | undefined {
  const { subject, description, activeForm, labels, metadata, assignee, source, past } = task;
  return (
    checkDetails(limits, defined({ subject, description, activeForm, labels, metadata })) ??
    checkValue("assignee", assignee) ??
    checkValue("id of its source", source?.id) ??
    checkPast(past)
  );
}

/** Characters of all notes, evidence and reasons that a task is imported with; as many as a task gets over time. */
const PAST_MAX = 4 * 1024 * 1024;

function checkPast({ notes = [], evidence = [], reason = "" }: TaskPast = {}): TaskError | undefined {
  const texts = [...notes, ...evidence].flatMap(({ text, by = "" }) => [text, by]);
  const size = [...texts, reason].reduce((sum, text) => sum + text.length, 0);
  if (size > PAST_MAX) return tooLong("history", size, PAST_MAX);
  return size <= LARGEST_VALUE / 6 ? undefined : firstOf([...texts, reason], (text) => checkValue("note", text));
}

/** What no policy allows: it could not be stored. */
export function checkValue(field: string, value: unknown): TaskError | undefined {
  const excess = excessOf(value);
  if (!excess) return undefined;
  return { code: excess === "deep" ? "too-deep" : "text-too-long", message: excessText(field, excess) };
}

function firstOf<T>(items: readonly T[], check: (item: T) => TaskError | undefined): TaskError | undefined {
  for (const item of items) {
    const refused = check(item);
    if (refused) return refused;
  }
  return undefined;
}

export function checkDetails(limits: TaskLimits, details: TaskDetails): TaskError | undefined {
  const { subject, description, activeForm, labels = [], metadata, assignee } = details;
  return (
    checkText(limits, "subject", subject) ??
    checkLength(limits, "description", description) ??
    checkLength(limits, "active form", activeForm) ??
    checkText(limits, "assignee", assignee) ??
    (labels.length > limits.labels ? tooMany("labels", labels.length, limits.labels) : undefined) ??
    firstOf(labels, (label) => checkText(limits, "label", label)) ??
    checkMetadata(limits, metadata)
  );
}

function checkMetadata({ metadata: limit }: TaskLimits, metadata: object | undefined): TaskError | undefined {
  const refused = checkValue("metadata", metadata);
  if (refused || metadata === undefined || limit === null) return refused;
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
  return limits.codePoints !== null && text?.trim() === "" ? empty(field) : checkLength(limits, field, text);
}

export function checkLength(
  { codePoints }: TaskLimits,
  field: string,
  text: string | null | undefined,
): TaskError | undefined {
  if (text == null) return undefined;
  if (codePoints === null) return checkValue(field, text);
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
