import { LEASE } from "../../core/task/lease.js";
import type { Lease } from "../../core/task/task.js";
import type { Transaction } from "../../store/event-store.js";
import { toEvent, toStream } from "../../store/rows.js";
import { ask, askOne, type Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls.js";
import { SESSIONS } from "../sessions.js";

/** Calls that are looked through for one that has not ended. */
const MOST_CALLS = 200;
/** A call that nobody saw ending ends some day. */
const LONGEST_CALL = 24 * 60 * 60 * 1000;

/**
 * Until when the lease holds after all: whatever was seen of the holding session keeps it alive, and a call in progress does until
 * it ends, and a little longer. Asked only when somebody else wants the task, so it costs nobody else anything.
 */
export function* livesUntil(transaction: Transaction, { session, until, ttl }: Lease): Script<number> {
  if (session === undefined) return until;
  const { queries, now } = transaction;
  const known = yield* transaction.view(SESSIONS, sessionStream(session));
  if (known.state === "ended") return until;
  const calls = yield* askOne(queries.stream(callsStream(session)));
  const own = yield* askOne(queries.stream(sessionStream(session)));
  const seen = Math.max(calls ? toStream(calls).at : 0, own ? toStream(own).at : 0);
  const sure = Math.max(until, seen === 0 ? 0 : seen + ttl);
  if (sure > now || !calls) return sure;
  const { version } = toStream(calls);
  const rows = yield* ask(
    queries.eventsFromVersion(callsStream(session), Math.max(0, version - MOST_CALLS), MOST_CALLS),
  );
  const open = new Map<unknown, number>();
  let ended = 0;
  for (const { type, data, at } of rows.map((row) => toEvent(queries.features, row))) {
    if (type === "call.started") open.set(data.call, at);
    if (type === "call.ended") {
      open.delete(data.call);
      ended = Math.max(ended, at);
    }
  }
  const isCalling = [...open.values()].some((at) => now - at < LONGEST_CALL);
  return isCalling ? now + LEASE.afterCall : Math.max(sure, ended + LEASE.afterCall);
}
