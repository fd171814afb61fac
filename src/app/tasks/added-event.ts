import type { NewTask } from "../../core/task/command.js";
import type { TaskEvent } from "../../core/task/events.js";
import { DEFAULT_PRIORITY } from "../../core/task/task.js";

/** Edges come with events of their own: they are told on both sides. */
export function addedEvent(number: number, uuid: string, task: NewTask): TaskEvent {
  const { blockedBy: _, blocks: __, description = "", priority = DEFAULT_PRIORITY, ...rest } = task;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { type: "task.added", number, uuid, ...(given as { subject: string }), description, priority };
}
