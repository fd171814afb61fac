import { promptText } from "../text/prompt-text.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../todo/list.js";
import { progressOf } from "../todo/progress.js";
import type { ReminderKind } from "./events.js";
import type { Session } from "./session.js";

export interface ReminderSettings {
  readonly isOn: boolean;
  /** Replies without a change of the list until a reminder, and until the next one. */
  readonly staleAfter: number;
  /** Replies in one turn until a session without a list is told that there is one. */
  readonly unusedAfter: number;
  /** Ask an agent that stops with open todos. */
  readonly asksAtStop: boolean;
  /** How often in one turn. Once means: once, and then not until the list has changed. */
  readonly stops: number;
}

export const REMINDER_SETTINGS: ReminderSettings = {
  isOn: true,
  staleAfter: 10,
  unusedAfter: 10,
  asksAtStop: true,
  stops: 1,
};

/** When something can be said: after a reply, with what a person says, or when the agent is about to stop. */
export type Moment = "reply" | "prompt" | "stop";

/** At most one, the most useful. `isAgain`: a hook has just kept the agent from stopping. */
export function dueReminder(
  session: Session,
  list: TodoList,
  moment: Moment,
  settings: ReminderSettings,
  isAgain = false,
): ReminderKind | undefined {
  if (!settings.isOn || session.isStopping) return undefined;
  const hasOpen = todosOf(list).some(isOpen);
  if (moment === "stop")
    return settings.asksAtStop && hasOpen && mayAsk(session, settings, isAgain) ? "stop" : undefined;
  if (session.refusal === "open") return "refused";
  if (hasOpen && session.sinceUpdate - session.remindedAt >= settings.staleAfter) return "stale";
  const isUnused = !session.hasUsedList && !session.wasToldUnused;
  return isUnused && session.turnReplies >= settings.unusedAfter ? "unused" : undefined;
}

/** Not in a turn that only answered, not while a person or sub-agent is waited for, not after another hook's block. */
function mayAsk(session: Session, settings: ReminderSettings, isAgain: boolean): boolean {
  const { asked, stops, hasWorked, state, agents } = session;
  const isLeft = settings.stops === 1 ? asked === "no" : stops < settings.stops;
  return isLeft && hasWorked && state !== "waiting" && agents.length === 0 && !(isAgain && stops === 0);
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
      return `Milepost reminder: open ${noun}s are left. ${standing(list)} Go on with them, or drop what no longer matters. If you wait for the person or cannot go on, say so and stop; this is asked once.`;
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
