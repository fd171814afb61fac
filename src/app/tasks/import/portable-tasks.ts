import type { NewTask } from "../../../core/task/command.js";
import { DEFAULT_PRIORITY, type Said, type Task, type TaskSource } from "../../../core/task/task.js";
import type { TravellingNote, TravellingTask } from "../../../task-files/portable-task.js";

/** Without edges and parent: those are named by ids that only mean something in the file. */
export function toNewTask(task: TravellingTask, source: TaskSource, now: number): NewTask {
  const { subject, description, activeForm, status, priority, labels, metadata, assignee, maxAttempts, reason } = task;
  const { notes, evidence, createdAt, closedAt } = task;
  return {
    subject,
    description,
    activeForm,
    status,
    priority,
    labels,
    metadata,
    assignee,
    maxAttempts,
    source,
    past: {
      notes: notes.map((note) => toSaid(note, now)),
      evidence: evidence.map((note) => toSaid(note, now)),
      ...(reason === undefined ? undefined : { reason }),
      ...(isTime(createdAt) ? { createdAt } : undefined),
      ...(isTime(closedAt) ? { closedAt } : undefined),
    },
  };
}

function isTime(at: number | undefined): at is number {
  return at !== undefined && Number.isSafeInteger(at) && at >= 0;
}

function toSaid({ text, by, at }: TravellingNote, now: number): Said {
  return { text, ...(by === undefined ? undefined : { by }), at: isTime(at) ? at : now };
}

export function toTravelling(task: Task, nameOf: (number: number) => string): TravellingTask {
  const { number, parent, blockedBy, createdAt, updatedAt, closedAt } = task;
  return {
    id: nameOf(number),
    uuid: task.uuid,
    subject: task.subject,
    description: task.description,
    activeForm: task.activeForm,
    status: task.status,
    priority: task.priority === DEFAULT_PRIORITY ? undefined : task.priority,
    labels: task.labels,
    metadata: task.metadata,
    assignee: task.assignee,
    parent: parent === undefined ? undefined : nameOf(parent),
    blockedBy: blockedBy.map(nameOf),
    notes: task.notes,
    evidence: task.evidence,
    reason: task.reason,
    maxAttempts: task.maxAttempts,
    createdAt,
    updatedAt,
    closedAt,
  };
}

/** Undefined where the format gave it no name. */
export function idIn(format: string, { source }: Task): string | undefined {
  return source?.format === format && !source.id.startsWith("~") ? source.id : undefined;
}
