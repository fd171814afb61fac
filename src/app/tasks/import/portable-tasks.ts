import { defined, objectAt } from "../../../core/json.js";
import type { NewTask } from "../../../core/task/command.js";
import { DEFAULT_PRIORITY, type Said, type Task, type TaskSource } from "../../../core/task/task.js";
import { fitDepth } from "../../../core/value-limits.js";
import type { PortableNote, PortableTask } from "../../../task-files/portable-task.js";

/** Without parent and edges: their ids only mean something in the file. */
export function toNewTask(task: PortableTask, source: TaskSource, now: number): NewTask {
  const { subject, description, activeForm, status, priority, labels, metadata, assignee, maxAttempts, reason } = task;
  const past = defined({
    notes: task.notes.map((note) => toSaid(note, now)),
    evidence: task.evidence.map((note) => toSaid(note, now)),
    reason,
    createdAt: isTime(task.createdAt) ? task.createdAt : undefined,
    closedAt: isTime(task.closedAt) ? task.closedAt : undefined,
  });
  const details = { subject, description, activeForm, status, priority, labels, metadata, assignee, maxAttempts };
  return { ...details, source, past };
}

function isTime(at: number | undefined): at is number {
  return at !== undefined && Number.isSafeInteger(at) && at >= 0;
}

function toSaid({ text, by, at }: PortableNote, now: number): Said {
  return defined({ text, by, at: isTime(at) ? at : now });
}

export function toTravelling(task: Task, nameOf: (number: number) => string): PortableTask {
  const { number, priority, parent, blockedBy } = task;
  return {
    id: nameOf(number),
    uuid: task.uuid,
    subject: task.subject,
    description: task.description,
    activeForm: task.activeForm,
    status: task.status,
    priority: priority === DEFAULT_PRIORITY ? undefined : priority,
    labels: task.labels,
    // Older versions took any depth.
    metadata: objectAt(fitDepth(task.metadata)),
    assignee: task.assignee,
    parent: parent === undefined ? undefined : nameOf(parent),
    blockedBy: blockedBy.map(nameOf),
    notes: task.notes,
    evidence: task.evidence,
    reason: task.reason,
    maxAttempts: task.maxAttempts,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    closedAt: task.closedAt,
  };
}

/** Its id in the format it was imported from; undefined if we made the id up. */
export function idIn(format: string, { source }: Task): string | undefined {
  return source?.format === format && !source.id.startsWith("~") ? source.id : undefined;
}
