import { promptText } from "../text/prompt-text.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../todo/list.js";
import { progressOf } from "../todo/progress.js";
import type { ReminderKind } from "./events.js";
import type { Session } from "./session.js";
import { hasEnded, isCheckDue, isUnproven, MOST_REFUSALS } from "./turn/check-counts.js";
import { dueFailures } from "./turn/failed-writes.js";
import { hasWorkedOnOne } from "./turn/started-todos.js";

export interface ReminderSettings {
  readonly isOn: boolean;
  /** Replies without a change of the list until a reminder, and until the next one. */
  readonly staleAfter: number;
  /** Replies in one turn until a session without a list is told that there is one. */
  readonly unusedAfter: number;
  /** Ask an agent that stops with open todos. */
  readonly asksAtStop: boolean;
  /** About what: a todo that it began and worked on in this turn, where a person can see it; or any, always. */
  readonly asksAbout: "begun" | "any";
  /** How often in one turn. */
  readonly stops: number;
  /** Tell a session with its first prompt that there is a list to keep. */
  readonly atFirstPrompt: boolean;
  /** Tell a session that its list has two todos in progress. */
  readonly oneFocus: boolean;
  /** Tell a session that todos were completed and no check has run. */
  readonly asksForCheck: boolean;
  /** And keep it from stopping while no check has passed. */
  readonly requiresCheck: boolean;
  /** When a refused write is brought up: by then written anew or not, or only while it was not. */
  readonly refusedAt: "next-reply" | "next-prompt";
}

export const REMINDER_SETTINGS: ReminderSettings = {
  isOn: true,
  staleAfter: 10,
  unusedAfter: 10,
  asksAtStop: true,
  asksAbout: "begun",
  stops: 1,
  atFirstPrompt: false,
  oneFocus: true,
  asksForCheck: true,
  requiresCheck: false,
  refusedAt: "next-reply",
};

/**
 * When something can be said: after a reply, with what a person says, when the agent is about to stop, or when it is
 * about to complete a task that its client keeps.
 */
export type Moment = "reply" | "prompt" | "stop" | "task";

/** What is said then keeps the agent from it: only what is about it is said. */
export function isRefusable(moment: Moment): boolean {
  return moment === "stop" || moment === "task";
}

/** What is known of a stop. */
export interface Stop {
  /** A hook has just kept the agent from stopping. */
  readonly isAgain?: boolean | undefined;
  /** Nobody sits before it: its last answer is what a program reads. */
  readonly isUnattended?: boolean | undefined;
  /** The last thing that the agent said is a question to the person. */
  readonly isAsking?: boolean | undefined;
}

/** At most one, the most useful. */
export function dueReminder(
  session: Session,
  list: TodoList,
  moment: Moment,
  settings: ReminderSettings,
  stop: Stop = {},
): ReminderKind | undefined {
  if (session.isStopping) return undefined;
  if (isRefusable(moment)) return dueRefusal(session, list, moment, settings, stop);
  if (!settings.isOn) return undefined;
  const hasOpen = todosOf(list).some(isOpen);
  const { atOnce, isBatchTold, isFocusTold } = session.counts;
  if (isRefusalDue(session, moment, settings)) return "refused";
  if (settings.oneFocus && !isFocusTold && todosOf(list).filter(isCurrent).length > 1) return "focus";
  if (settings.asksForCheck && moment === "reply" && isCheckDue(session)) return "check";
  if (atOnce > 0 && !isBatchTold) return "batch";
  if (hasOpen && isStale(session, settings)) return "stale";
  return unusedReminder(session, moment, settings);
}

/** A person who switched reminders off has not switched off what a list requires. */
function dueRefusal(
  session: Session,
  list: TodoList,
  moment: Moment,
  settings: ReminderSettings,
  stop: Stop,
): "stop" | "require" | undefined {
  const hasOpen = todosOf(list).some(isOpen);
  const mayStop = moment === "task" || !settings.isOn || !settings.asksAtStop || !hasOpen;
  if (!mayStop && mayAsk(session, list, settings, stop)) return "stop";
  if (!settings.requiresCheck || !mayRefuse(session, moment, stop)) return undefined;
  return session.checks.refusals < MOST_REFUSALS ? "require" : undefined;
}

/** No check shows that what is called done works, and the agent could run one: nobody is waited for. */
export function mayRefuse(session: Session, moment: Moment, stop: Stop): boolean {
  const { checks, state, agents, stops, isStopping, turnWork } = session;
  if (stop.isUnattended || stop.isAsking || isStopping || state === "waiting" || agents.length > 0) return false;
  // What another hook has begun is that hook's to end.
  if (stop.isAgain && stops === 0 && checks.refusals === 0) return false;
  if (moment === "task") return checks.unproven > 0 && !checks.isWaived;
  return isUnproven(session) && (turnWork > 0 || checks.hasDone);
}

function isRefusalDue(session: Session, moment: Moment, { refusedAt }: ReminderSettings): boolean {
  if (refusedAt === "next-reply") return session.refusal === "open";
  return moment === "prompt" && dueFailures(session).length > 0;
}

/** A person's change of the list is told first. */
function isStale({ edits, sinceUpdate, remindedAt }: Session, { staleAfter }: ReminderSettings): boolean {
  return edits.length === 0 && sinceUpdate - remindedAt >= staleAfter;
}

function unusedReminder(session: Session, moment: Moment, settings: ReminderSettings): "first" | "unused" | undefined {
  if (session.hasUsedList || session.wasToldUnused) return undefined;
  const isFirst = moment === "prompt" && session.turns === 1 && session.turnReplies === 0;
  if (settings.atFirstPrompt && isFirst) return "first";
  return session.turnReplies >= settings.unusedAfter ? "unused" : undefined;
}

/** Not while a person or sub-agent is waited for, not after another hook's block, and not about what was left alone. */
function mayAsk(session: Session, list: TodoList, settings: ReminderSettings, stop: Stop): boolean {
  const { stops, state, agents } = session;
  if (stops >= settings.stops || state === "waiting" || agents.length > 0 || (stop.isAgain && stops === 0))
    return false;
  if (settings.asksAbout === "any") return true;
  return !stop.isUnattended && !stop.isAsking && hasWorkedOnOne(session, list);
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
  const withTool = tool === undefined ? "" : ` with ${tool}`;
  switch (kind) {
    case "first":
      return `Milepost reminder: this session has no todo list yet. For work of several steps, ${tool ?? "a list"} keeps track of it; for a single step, go on without.`;
    case "focus": {
      const active = todosOf(list).filter(isCurrent);
      return `Milepost reminder: ${active.length} todos are in progress: ${named(active)}. Keep the one you work on in progress and set the others back to pending${withTool}.`;
    }
    case "batch":
      return `Milepost reminder: ${session.counts.atOnce} todos were completed with no other tool call in between. Complete each todo when it is done, so that the list shows how far the work is. If they are all done, go on.`;
    case "check":
      return `Milepost reminder: ${doneText(session, noun)}, and no check has run since code was last changed. Run the project's tests, lint or build, and mend what fails. If there is nothing to run here, say "cannot be checked here:" and the reason in your answer. This is said once for a list.`;
    case "require":
      return `Milepost reminder: work is called done here only after a check, and ${checkText(session)}. Run the project's tests, lint or build, and mend what fails. If that is not possible, answer with "cannot be checked here:" and the reason. This is asked at most twice in a row.`;
    case "unused":
      return `Milepost reminder: ${session.turnReplies} turns of work so far and no todo list. If more is ahead, ${tool ?? "a list"} keeps track of it; if not, go on without.`;
    case "stale":
      return `Milepost reminder: the ${noun} list has not changed for ${session.sinceUpdate} turns. ${standing(list)} Update it${withTool} if something is done or no longer matters; if it still fits, go on.`;
    case "refused":
      return `Milepost reminder: the last write to the ${noun} list was refused, so the list is unchanged. ${standing(list)}`;
    case "stop":
      return `Milepost reminder: you stop with a ${noun} in progress. ${standing(list)} If it is finished, mark it done${withTool}; if not, go on with it, or drop it if it no longer matters. If you wait for the person, cannot go on, or were asked to stop here, say so and stop. This is asked once a turn.`;
  }
}

function doneText(session: Session, noun: string): string {
  return hasEnded(session)
    ? `the last ${noun} is completed`
    : `${session.checks.closed} ${noun}s were completed in a row`;
}

function checkText({ checks }: Session): string {
  return checks.edits > 0 ? "none has run since code was last changed" : "the last one has not passed";
}

const MOST_TITLES = 5;
const TITLE_MAX = 80;

function standing(list: TodoList): string {
  const { completed, total } = progressOf(list);
  const open = todosOf(list).filter(isOpen);
  const first = [...open.filter(isCurrent), ...open.filter((todo) => !isCurrent(todo))];
  const now = (todo: Todo) => (isCurrent(todo) ? " (now)" : "");
  return open.length === 0 ? "Nothing is open." : `${completed}/${total} done; open: ${named(first, now)}.`;
}

/** The first of them, with numbers. */
function named(todos: readonly Todo[], mark: (todo: Todo) => string = () => ""): string {
  const first = todos.slice(0, MOST_TITLES).map((todo) => `${quoted(todo)}${mark(todo)}`);
  const more = todos.length > MOST_TITLES ? `, and ${todos.length - MOST_TITLES} more` : "";
  return `${first.join(", ")}${more}`;
}

function isCurrent({ status }: Todo): boolean {
  return status === "in_progress";
}

function quoted(todo: Todo): string {
  const title = promptText(todo.text, TITLE_MAX).replaceAll('"', "'");
  return `#${todo.number} "${title}"`;
}
