import { isObject, type JsonObject, listAt, textAt } from "../../core/json.js";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../core/task/task.js";
import { fileIdAt, fileTimeAt, idsAt, isoTime, keptObject, labelsAt, wordsAt } from "../file-values.js";
import { readStatus, statusWords, withKept } from "../foreign-words.js";
import type { PortableNote, PortableTask } from "../portable-task.js";
import type { Tell } from "../task-format.js";

/** A task as JSON: what our own files hold, and how other formats carry what they have no place for. */
export function taskToJson(task: PortableTask): JsonObject {
  const { id, uuid, subject, description, activeForm, status, priority, parent, labels, metadata } = task;
  const { assignee, blockedBy, reason, maxAttempts } = task;
  return {
    id,
    uuid,
    subject,
    description,
    activeForm,
    status,
    priority,
    parent,
    labels,
    metadata,
    assignee,
    blockedBy,
    notes: task.notes.map(noteToJson),
    evidence: task.evidence.map(noteToJson),
    reason,
    maxAttempts,
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    closedAt: isoTime(task.closedAt),
  };
}

function noteToJson({ text, by, at }: PortableNote): JsonObject {
  return { text, by, at: isoTime(at) };
}

const STATUSES = statusWords(Object.fromEntries(TASK_STATUSES.map((status) => [status, status])), {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
});

export function taskFromJson(from: JsonObject, id: string, tell: Tell): PortableTask {
  const { status, kept } = readStatus(STATUSES, from.status, tell);
  const metadata = keptObject(from.metadata, tell);
  return {
    id: fileIdAt(from.id) ?? id,
    uuid: wordsAt(from.uuid),
    subject: wordsAt(from.subject) ?? "",
    description: textAt(from.description) ?? "",
    activeForm: wordsAt(from.activeForm),
    status,
    priority: TASK_PRIORITIES.find((priority) => priority === from.priority),
    labels: labelsAt(from.labels),
    metadata: kept === undefined ? metadata : withKept(metadata, "json", { status: kept }),
    assignee: wordsAt(from.assignee),
    parent: fileIdAt(from.parent),
    blockedBy: idsAt(from.blockedBy),
    notes: notesFromJson(from.notes),
    evidence: notesFromJson(from.evidence),
    reason: wordsAt(from.reason),
    maxAttempts: attemptsAt(from.maxAttempts),
    createdAt: fileTimeAt(from.createdAt),
    updatedAt: fileTimeAt(from.updatedAt),
    closedAt: fileTimeAt(from.closedAt),
  };
}

function attemptsAt(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function notesFromJson(value: unknown): readonly PortableNote[] {
  return listAt(value).flatMap((one) => {
    const note = isObject(one) ? one : { text: one };
    const text = wordsAt(note.text);
    return text === undefined ? [] : [{ text, by: wordsAt(note.by), at: fileTimeAt(note.at) }];
  });
}
