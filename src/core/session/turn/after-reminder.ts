import type { ReminderKind } from "../events.js";
import type { Session } from "../session.js";
import { checksAfterRefusal, checksAfterRemark } from "./check-counts.js";
import { countsAfterReminder } from "./list-counts.js";

/** What a reminder that was sent changes: so none comes twice. */
const REMINDED: Readonly<Record<ReminderKind | "task", (session: Session) => Partial<Session>>> = {
  unused: () => ({ wasToldUnused: true }),
  // Who was told at the beginning that there is a list is not told again.
  first: () => ({ wasToldUnused: true }),
  stale: ({ sinceUpdate }) => ({ remindedAt: sinceUpdate }),
  refused: ({ failures }) => ({ refusal: "told", failures: failures.filter(({ isDue }) => !isDue) }),
  task: ({ sinceTask }) => ({ taskRemindedAt: sinceTask }),
  stop: ({ stops }) => ({ stops: stops + 1 }),
  focus: ({ counts }) => ({ counts: countsAfterReminder(counts, "focus") }),
  check: ({ checks }) => ({ checks: checksAfterRemark(checks) }),
  require: ({ checks }) => ({ checks: checksAfterRefusal(checks) }),
  batch: ({ counts }) => ({ counts: countsAfterReminder(counts, "batch") }),
};

export function afterReminder(session: Session, reminder: ReminderKind | "task"): Session {
  return { ...session, ...REMINDED[reminder](session) };
}

/** A list with nothing open begins the count of questions anew, as a person's words do. */
export function stopsAfterTurn({ stops, counts, clientList }: Session): number {
  const isFinished = counts.revision > 0 && counts.open === 0 && !clientList?.tasks.length;
  return isFinished ? 0 : stops;
}
