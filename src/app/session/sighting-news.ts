import { NO_CLIENT_LIST } from "../../core/session/client/client-list.js";
import { copyEvents } from "../../core/todo/carried-list.js";
import type { TodoList } from "../../core/todo/list.js";
import { boundList } from "../../core/todo/list-size.js";
import type { NewEvent, Transaction } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { listUnchanged } from "../calls/call-events.js";
import { LISTS, toNewEvent } from "../views.js";
import { currentListOf } from "./list-words.js";
import type { Sighting } from "./record-sighting.js";
import { planEnd, SESSIONS, withEvents } from "./session-view.js";
import { withAgentWork } from "./words/evidence-words.js";

// What of a sighting is new: events that are known already, and what a client repeats, are left out.

export function* seenEvents(transaction: Transaction, { session, events = [], reply }: Sighting, hasBatches: boolean) {
  const all = reply && (reply.isBatch || !hasBatches) ? [...events, reply.event] : events;
  return yield* withAgentWork(transaction, session, yield* unknownOf(transaction, all));
}

/** A hook that is wired twice reports twice: events with a known id are dropped. */
function* unknownOf(transaction: Transaction, events: readonly NewEvent[]): Script<readonly NewEvent[]> {
  const unknown: NewEvent[] = [];
  for (const event of events) {
    if (event.id === undefined || !(yield* transaction.isKnown(event.id))) unknown.push(event);
  }
  return unknown;
}

/**
 * Of what the client keeps only what is different from what is known: a look at it is no event. But a second report of
 * it, after the next change, would be one: that it was reported is noted with the calls.
 */
export function* newsOf(transaction: Transaction, root: string, events: readonly NewEvent[]) {
  const before = yield* transaction.view(SESSIONS, root);
  let known = before;
  const news: NewEvent[] = [];
  const unchanged: NewEvent[] = [];
  for (const event of yield* unknownOf(transaction, events)) {
    const next = withEvents(known, [event]);
    const isNew = (next.clientList ?? NO_CLIENT_LIST) !== (known.clientList ?? NO_CLIENT_LIST);
    if (isNew) news.push(event);
    else if (event.id !== undefined) unchanged.push(listUnchanged(event.id));
    known = next;
  }
  if (news.length > 0 && before.plan)
    news.push(...planEnd(before, currentListOf(yield* transaction.view(LISTS, root), known).list));
  return { events: news, unchanged };
}

/** Decided in the same commit: of two hooks that report one fork at the same time, the second finds the copy. */
export function* copiedList(
  transaction: Transaction,
  { revision }: TodoList,
  from: string | undefined,
): Script<readonly NewEvent[]> {
  if (from === undefined || revision > 0) return [];
  const list = yield* transaction.view(LISTS, sessionStream(from));
  return copyEvents(boundList(list)).map((event) => toNewEvent(event, undefined));
}
