import { promptText } from "../text/prompt-text.js";
import type { HeldTask, TaskLink } from "./events.js";
import type { Session } from "./session.js";

/** The session now holds these. Whatever it has just done with them, it has not forgotten them. */
export function holding(session: Session, held: readonly HeldTask[]): Session {
  return { ...session, held, sinceTask: 0, taskRemindedAt: 0 };
}

export function otherTasks({ held }: Session, { list, task }: Pick<HeldTask, "list" | "task">): readonly HeldTask[] {
  return held.filter((one) => one.list !== list || one.task !== task);
}

export function otherLinks({ links }: Session, { todo, list, task }: TaskLink): readonly TaskLink[] {
  return links.filter((one) => one.todo !== todo || one.list !== list || one.task !== task);
}

/** With a counter of its own: who keeps a list up to date may still have forgotten the task it is for. */
export function isTaskReminderDue({ held, sinceTask, taskRemindedAt }: Session, after: number): boolean {
  return held.length > 0 && sinceTask - taskRemindedAt >= after;
}

const MOST_TITLES = 5;
const TITLE_MAX = 80;

/** For a model whose context was cut. `how`: the tool or the command with which it can say what became of a task. */
export function heldText(held: readonly HeldTask[], how: string): string {
  return `Milepost: this session holds ${held.length === 1 ? "task" : "tasks"} ${titlesOf(held)}. If you will not finish, say so with ${how}.`;
}

function titlesOf(held: readonly HeldTask[]): string {
  const titles = held.slice(0, MOST_TITLES).map(({ task, subject }) => {
    return `#${task} "${promptText(subject, TITLE_MAX).replaceAll('"', "'")}"`;
  });
  const more = held.length > titles.length ? `, and ${held.length - titles.length} more` : "";
  return `${titles.join(", ")}${more}`;
}

export function taskReminderText({ held, sinceTask }: Session, how: string): string {
  return `Milepost reminder: this session holds ${held.length === 1 ? "a task" : `${held.length} tasks`} and has not written to ${held.length === 1 ? "it" : "them"} for ${sinceTask} turns: ${titlesOf(held)}. If it is done, or if you will not finish it, say so with ${how}; if you are at it, go on.`;
}
