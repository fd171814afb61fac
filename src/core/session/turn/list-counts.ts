import { count, fields, flag } from "../../shape.js";
import type { TodoEvent } from "../../todo/events.js";
import { isOpen, type TodoStatus } from "../../todo/list.js";
import type { TaskChange } from "../client/client-tasks.js";
import type { ReminderKind } from "../events.js";
import type { Session } from "../session.js";

/** What the events of a list tell about how it is kept; the tasks that a client keeps by itself are not in it. */
export interface ListCounts {
  /** Todos of the list that are in progress, and that are open. */
  readonly active: number;
  readonly open: number;
  /** Of the last write that was seen. All events of a write have the same one: in between, counts mean nothing. */
  readonly revision: number;
  /** The model was told of two todos in progress, and no write since has left fewer. */
  readonly isFocusTold: boolean;
  /** Todos that the agent completed since it last called a tool that has nothing to do with its list. */
  readonly completed: number;
  /** The most of them, where that were many and the model has not been told. */
  readonly atOnce: number;
  /** It is told once in a session. */
  readonly isBatchTold: boolean;
}

export const NO_LIST_COUNTS: ListCounts = {
  active: 0,
  open: 0,
  revision: 0,
  isFocusTold: false,
  completed: 0,
  atOnce: 0,
  isBatchTold: false,
};

/** So many todos are seldom finished by one call. */
const MANY = 4;

export const isListCounts = fields({
  active: count,
  open: count,
  revision: count,
  isFocusTold: flag,
  completed: count,
  atOnce: count,
  isBatchTold: flag,
});

/** A change that the agent itself made. */
export function countedByAgent({ counts, agents }: Session, event?: TodoEvent | TaskChange): ListCounts {
  const next = countedChange(counts, event);
  // Sub-agents may write the same list; what they called in between is not told here.
  if (event?.type !== "todo.moved" || agents.length > 0) return next;
  const change = (event.to === "completed" ? 1 : 0) - (event.from === "completed" ? 1 : 0);
  const completed = Math.max(0, counts.completed + change);
  return { ...next, completed, atOnce: completed >= MANY ? Math.max(next.atOnce, completed) : next.atOnce };
}

/** A change that a person made, or a setting. */
export function countedByOther({ counts }: Session, event?: TodoEvent): ListCounts {
  return countedChange(counts, event);
}

/** A tool was called that has nothing to do with the list, or the person has spoken. */
export function countedAnew(counts: ListCounts): ListCounts {
  return counts.completed === 0 ? counts : { ...counts, completed: 0 };
}

export function countsAfterReminder(counts: ListCounts, reminder: ReminderKind): ListCounts {
  if (reminder === "focus") return { ...counts, isFocusTold: true };
  return reminder === "batch" ? { ...counts, isBatchTold: true, atOnce: 0 } : counts;
}

function countedChange(counts: ListCounts, event?: TodoEvent | TaskChange): ListCounts {
  if (!event || !("revision" in event)) return counts;
  const { revision } = event;
  const hadOne = revision !== counts.revision && counts.active < 2;
  const known = { ...counts, revision, isFocusTold: counts.isFocusTold && !hadOne };
  switch (event.type) {
    case "list.cleared":
      return { ...known, active: 0, open: 0 };
    case "todo.added":
      return moved(known, undefined, event.status);
    case "todo.moved":
      return moved(known, event.from, event.to);
    case "todo.removed":
      return moved(known, event.status, undefined);
    default:
      return known;
  }
}

function moved(counts: ListCounts, from: TodoStatus | undefined, to: TodoStatus | undefined): ListCounts {
  const change = (is: (status: TodoStatus) => boolean) => (to && is(to) ? 1 : 0) - (from && is(from) ? 1 : 0);
  const active = counts.active + change((status) => status === "in_progress");
  const open = counts.open + change((status) => isOpen({ status }));
  // A log that was damaged may tell of the end of a todo whose beginning is lost.
  return { ...counts, active: Math.max(0, active), open: Math.max(0, open) };
}
