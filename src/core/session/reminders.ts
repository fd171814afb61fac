import { promptText } from "../text/prompt-text.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../todo/list.js";
import { progressOf } from "../todo/progress.js";
import type { ReminderKind } from "./events.js";
import type { Session } from "./session.js";
import { hasWorkedOnOne } from "./turn/started-todos.js";

export interface ReminderSettings {
  readonly isOn: boolean;
  /** Replies without a change of the list until a reminder, and until the next one. */
  readonly staleAfter: number;
  /** Replies in one turn until a session without a list is told that there is one. */
  readonly unusedAfter: number;
  /** Ask an agent that stops with open todos. */
  readonly asksAtStop: boolean;
  /** About what: only a todo that it began and worked on in this turn, where a person can see it; or any, always. */
  readonly asksAbout: "begun" | "any";
  /** How often in one turn. */
  readonly stops: number;
  /** Tell a session with its first prompt that there is a list to keep. */
  readonly atFirstPrompt: boolean;
}

export const REMINDER_SETTINGS: ReminderSettings = {
  isOn: true,
  staleAfter: 10,
  unusedAfter: 10,
  asksAtStop: true,
  asksAbout: "begun",
  stops: 1,
  atFirstPrompt: false,
};

/** When something can be said: after a reply, with what a person says, or when the agent is about to stop. */
export type Moment = "reply" | "prompt" | "stop";

/** What is known of a stop. */
export interface Stop {
  /** A hook has just kept the agent from stopping. */
  readonly isAgain?: boolean | undefined;
  /** Nobody sits before it: its last answer is what a program reads. */
  readonly isUnattended?: boolean | undefined;
}

/** At most one, the most useful. */
export function dueReminder(
  session: Session,
  list: TodoList,
  moment: Moment,
  settings: ReminderSettings,
  stop: Stop = {},
): ReminderKind | undefined {
  if (!settings.isOn || session.isStopping) return undefined;
  const hasOpen = todosOf(list).some(isOpen);
  if (moment === "stop")
    return settings.asksAtStop && hasOpen && mayAsk(session, list, settings, stop) ? "stop" : undefined;
  if (session.refusal === "open") return "refused";
  // A person's change of the list is told first.
  const isStale = hasOpen && session.edits.length === 0;
  if (isStale && session.sinceUpdate - session.remindedAt >= settings.staleAfter) return "stale";
  const isUnused = !session.hasUsedList && !session.wasToldUnused;
  return isUnused && session.turnReplies >= settings.unusedAfter ? "unused" : undefined;
}

/** Not while a person or sub-agent is waited for, not after another hook's block, and not about what was left alone. */
function mayAsk(session: Session, list: TodoList, settings: ReminderSettings, stop: Stop): boolean {
  const { stops, hasWorked, state, agents } = session;
  if (stops >= settings.stops || state === "waiting" || agents.length > 0 || (stop.isAgain && stops === 0))
    return false;
  return settings.asksAbout === "any" ? hasWorked : !stop.isUnattended && hasWorkedOnOne(session, list);
}

/** How a text may name a list: what is on it, and the tool that changes it, where the model has one. */
export interface ListNames {
  readonly noun: "todo" | "task";
  readonly tool: string | undefined;
}

const NO_NAMES: ListNames = { noun: "todo", tool: undefined };

/** Says who speaks and why, and leaves the decision to the model. Titles are data, quoted and made safe. */
export function reminderText(kind: ReminderKind, session: Session, list: TodoList, names = NO_NAMES): string {
  const { noun, tool } = names;
  switch (kind) {
    case "unused":
      return `Milepost reminder: ${session.turnReplies} turns of work so far and no todo list. If more is ahead, ${tool ?? "a list"} keeps track of it; if not, go on without.`;
    case "stale":
      return `Milepost reminder: the ${noun} list has not changed for ${session.sinceUpdate} turns. ${standing(list)} Update it${tool === undefined ? "" : ` with ${tool}`} if something is done or no longer matters; if it still fits, go on.`;
    case "refused":
      return `Milepost reminder: the last write to the ${noun} list was refused, so the list is unchanged. ${standing(list)}`;
    case "stop":
      return `Milepost reminder: you stop with a ${noun} in progress. ${standing(list)} If it is finished, mark it done${tool === undefined ? "" : ` with ${tool}`}; if not, go on with it, or drop it if it no longer matters. If you wait for the person, cannot go on, or were asked to stop here, say so and stop. This is asked once a turn.`;
  }
}

const MOST_TITLES = 5;
const TITLE_MAX = 80;

function standing(list: TodoList): string {
  const { completed, total } = progressOf(list);
  const open = todosOf(list).filter(isOpen);
  const first = [...open.filter(isCurrent), ...open.filter((todo) => !isCurrent(todo))].slice(0, MOST_TITLES);
  const more = open.length > first.length ? `, and ${open.length - first.length} more` : "";
  return open.length === 0
    ? "Nothing is open."
    : `${completed}/${total} done; open: ${first.map(quoted).join(", ")}${more}.`;
}

function isCurrent({ status }: Todo): boolean {
  return status === "in_progress";
}

function quoted(todo: Todo): string {
  const title = promptText(todo.text, TITLE_MAX).replaceAll('"', "'");
  return `#${todo.number} "${title}"${isCurrent(todo) ? " (now)" : ""}`;
}
