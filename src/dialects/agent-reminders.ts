import type { ReminderKind } from "../core/session/events.js";
import type { ReminderSettings } from "../core/session/reminders.js";
import type { Session } from "../core/session/session.js";
import type { TodoList } from "../core/todo/list.js";
import { GENCODE_REMINDERS } from "./gencode/gencode-reminders.js";
import { OH_MY_PI_REMINDERS } from "./oh-my-pi/pi-reminders.js";

/** What an agent itself tells its model about the list. Apart from its dialect: hooks load this. */
export interface AgentReminders {
  /** Its own figures, where a person has no say. */
  readonly settings: Partial<Pick<ReminderSettings, "stops" | "asksAbout" | "refusedAt">>;
  /** Undefined where it has no words of its own. */
  text(kind: ReminderKind, session: Session, list: TodoList): string | undefined;
  /** A person has changed the list. */
  edited?(actions: readonly string[], list: TodoList): string;
}

const REMINDERS: Readonly<Record<string, AgentReminders>> = {
  "oh-my-pi": OH_MY_PI_REMINDERS,
  gencode: GENCODE_REMINDERS,
};

export function remindersOf(dialect: string): AgentReminders | undefined {
  return Object.hasOwn(REMINDERS, dialect) ? REMINDERS[dialect] : undefined;
}
