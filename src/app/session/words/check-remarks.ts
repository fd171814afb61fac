import { reminderText } from "../../../core/session/reminders.js";
import { isCheckDue } from "../../../core/session/turn/check-counts.js";
import type { TodoEvent } from "../../../core/todo/events.js";
import type { TodoList } from "../../../core/todo/list.js";
import type { Transaction } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import type { CallRequest } from "../../calls/call-request.js";
import type { Settings } from "../../settings.js";
import { toNewEvent } from "../../views.js";
import type { Word } from "../list-words.js";
import { SESSIONS, withEvents } from "../session-view.js";
import { evidencePolicy } from "./evidence-words.js";

/** A write of our own tool, and the list after it. */
interface Written {
  readonly events: readonly TodoEvent[];
  readonly list: TodoList;
  readonly settings: Settings;
}

/** Where a check is required, the answer of our own tool says so at once. The write is taken: a write is a write. */
export function* checkRemarks(
  transaction: Transaction,
  { agent, actor }: CallRequest,
  stream: string,
  { events, list, settings }: Written,
): Script<readonly Word[]> {
  if (agent !== undefined || actor !== undefined || events.length === 0) return [];
  const before = yield* transaction.view(SESSIONS, stream);
  if (evidencePolicy(before, settings) !== "require" || before.isStopping || before.mode === "plan") return [];
  const session = withEvents(
    before,
    events.map((event) => toNewEvent(event, undefined)),
  );
  if (!isCheckDue(session)) return [];
  const text = reminderText("check", session, list);
  return [{ text, event: { type: "reminder.sent", reminder: "check", text } }];
}
