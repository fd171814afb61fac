import type { Session } from "../../../core/session/session.js";
import { LEASE } from "../../../core/task/lease.js";
import type { Lease } from "../../../core/task/task.js";
import type { RecordedEvent, Transaction } from "../../../store/event-store.js";
import { toEvent, toStream } from "../../../store/rows.js";
import { ask, askOne, type Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { callsStream } from "../../calls/call-events.js";
import { isProcessThere } from "../../session/process-life.js";
import { SESSIONS } from "../../session/session-view.js";

/** How many events of a session are searched for signs of life. */
const MOST_EVENTS = 200;
/** An open call stops counting after this time; earlier when nobody can tell whether its client still runs. */
const LONGEST_CALL = { known: 24 * 60 * 60 * 1000, unknown: 2 * 60 * 60 * 1000 };

/** Events that others write into a session's stream are no sign of its life. */
const BY_OTHERS = [
  "task.left",
  "task.linked",
  "task.unlinked",
  "notice.left",
  "word.told",
  "list.edited",
  "edit.undone",
  "list.offered",
];

/**
 * Extends an expired lease by what was seen of its session: any activity counts, and an open call counts until it ends,
 * plus a margin. Only asked when somebody else claims the task, so other writes cost nothing.
 */
export function* livesUntil(transaction: Transaction, { session, until, ttl }: Lease): Script<number> {
  if (session === undefined) return until;
  const known = yield* transaction.view(SESSIONS, sessionStream(session));
  if (known.state === "ended" || isProcessThere(known.process) === false) return until;
  const calls = yield* lastEvents(transaction, callsStream(session));
  const own = (yield* lastEvents(transaction, sessionStream(session))).filter(isOwn);
  const seen = Math.max(0, ...[...calls, ...own].map(({ at }) => at));
  const sure = Math.max(until, seen === 0 ? 0 : seen + ttl);
  if (sure > transaction.now) return sure;
  if (isCalling(known, calls, own, transaction.now)) return transaction.now + LEASE.afterCall;
  return Math.max(sure, latest(calls, ["call.ended"]) + LEASE.afterCall);
}

function* lastEvents({ queries }: Transaction, stream: string): Script<readonly RecordedEvent[]> {
  const row = yield* askOne(queries.stream(stream));
  if (!row) return [];
  const { version, pruned } = toStream(row);
  const from = Math.max(pruned, version - MOST_EVENTS);
  return (yield* ask(queries.eventsFromVersion(stream, from, MOST_EVENTS))).map((event) =>
    toEvent(queries.features, event),
  );
}

function isOwn({ type, actor }: RecordedEvent): boolean {
  return actor === undefined && !BY_OTHERS.includes(type);
}

function latest(events: readonly RecordedEvent[], types: readonly string[]): number {
  return Math.max(0, ...events.filter(({ type }) => types.includes(type)).map(({ at }) => at));
}

/** A call is over when the model has replied after it, whether or not its end was reported. */
const AFTER_CALLS = ["reply.ended", "turn.started", "turn.ended", "session.started"];

function isCalling(
  { process }: Session,
  calls: readonly RecordedEvent[],
  own: readonly RecordedEvent[],
  now: number,
): boolean {
  const open = new Map<unknown, number>();
  for (const { type, data, at } of calls) {
    if (type === "call.started") open.set(data.call, at);
    if (type === "call.ended") open.delete(data.call);
  }
  const gone = latest(own, AFTER_CALLS);
  const longest = isProcessThere(process) ? LONGEST_CALL.known : LONGEST_CALL.unknown;
  return [...open.values()].some((at) => at >= gone && now - at < longest);
}
