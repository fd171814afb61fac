import { promptText } from "../text/prompt-text.js";
import type { HeldTask, SessionEvent, TaskLink } from "./events.js";
import type { Session } from "./session.js";

const TYPES = ["task.taken", "task.left", "task.touched", "task.linked", "task.unlinked"] as const;
type TaskEvent = Extract<SessionEvent, { type: (typeof TYPES)[number] }>;

export function isTaskEvent(event: SessionEvent): event is TaskEvent {
  return TYPES.some((type) => type === event.type);
}

/** What a session knows of tasks. Whatever it does with those it holds, it has not forgotten them. */
export function evolveTasks(session: Session, event: TaskEvent): Session {
  switch (event.type) {
    case "task.taken":
    case "task.left":
    case "task.touched":
      return { ...session, held: heldAfter(session.held, event), sinceTask: 0, taskRemindedAt: 0 };
    case "task.linked":
    case "task.unlinked":
      return { ...session, links: linksAfter(session.links, event) };
  }
}

type HeldEvent = Extract<TaskEvent, { type: "task.taken" | "task.left" | "task.touched" }>;

function heldAfter(held: readonly HeldTask[], event: HeldEvent): readonly HeldTask[] {
  if (event.type === "task.touched") return held;
  const others = held.filter(({ list, task }) => list !== event.list || task !== event.task);
  if (event.type === "task.left") return others;
  const { type: _, ...taken } = event;
  return [...others, taken];
}

function linksAfter(
  links: readonly TaskLink[],
  { type, ...link }: Extract<TaskEvent, { type: "task.linked" | "task.unlinked" }>,
): readonly TaskLink[] {
  const isSame = (one: TaskLink) => one.todo === link.todo && one.list === link.list && one.task === link.task;
  const others = links.filter((one) => !isSame(one));
  return type === "task.linked" ? [...others, link] : others;
}

/** With a counter of its own: who keeps a list up to date may still have forgotten the task it is for. */
export function isTaskReminderDue({ held, sinceTask, taskRemindedAt }: Session, after: number): boolean {
  return held.length > 0 && sinceTask - taskRemindedAt >= after;
}

const MOST_TITLES = 5;
const TITLE_MAX = 80;

/** For a model whose context was cut. */
export function heldText(held: readonly HeldTask[]): string {
  return `Milepost: this session holds ${held.length === 1 ? "task" : "tasks"} ${titlesOf(held)}. If you will not finish, say so with the task tool.`;
}

function titlesOf(held: readonly HeldTask[]): string {
  const titles = held.slice(0, MOST_TITLES).map(({ task, subject }) => {
    return `#${task} "${promptText(subject, TITLE_MAX).replaceAll('"', "'")}"`;
  });
  const more = held.length > titles.length ? `, and ${held.length - titles.length} more` : "";
  return `${titles.join(", ")}${more}`;
}

export function taskReminderText({ held, sinceTask }: Session): string {
  return `Milepost reminder: this session holds ${held.length === 1 ? "a task" : `${held.length} tasks`} and has not written to ${held.length === 1 ? "it" : "them"} for ${sinceTask} turns: ${titlesOf(held)}. If it is done, or if you will not finish it, say so with the task tool; if you are at it, go on.`;
}
