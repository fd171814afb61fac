import { type CallHistory, lastEnd } from "../../../core/call/call-history.js";
import type { Session } from "../../../core/session/session.js";
import type { SessionHistory } from "../../../core/session/session-history.js";
import { LEASE } from "../../../core/task/lease.js";
import type { Lease } from "../../../core/task/task.js";
import type { Transaction } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { callsStream } from "../../calls/call-events.js";
import { isProcessThere } from "../../session/process-life.js";
import { CALLS, HISTORIES, SESSIONS } from "../../session/session-view.js";

/** An open call stops counting after this time; earlier when nobody can tell whether its client still runs. */
const LONGEST_CALL = { known: 24 * 60 * 60 * 1000, unknown: 2 * 60 * 60 * 1000 };

/**
 * Extends an expired lease by what was seen of its session: any activity counts, and an open call counts until it ends,
 * plus a margin. Only asked when somebody else claims the task, so other writes cost nothing.
 */
export function* livesUntil(transaction: Transaction, { session, until, ttl }: Lease): Script<number> {
  if (session === undefined) return until;
  const known = yield* transaction.view(SESSIONS, sessionStream(session));
  if (known.state === "ended" || isProcessThere(known.process) === false) return until;
  const calls = yield* transaction.view(CALLS, callsStream(session));
  const own = yield* transaction.view(HISTORIES, sessionStream(session));
  const seen = Math.max(calls.at, own.seenAt);
  const sure = Math.max(until, seen === 0 ? 0 : seen + ttl);
  if (sure > transaction.now) return sure;
  if (isCalling(known, calls, own, transaction.now)) return transaction.now + LEASE.afterCall;
  const ended = lastEnd(calls);
  return ended === 0 ? sure : Math.max(sure, ended + LEASE.afterCall);
}

function isCalling({ process }: Session, { open }: CallHistory, { movedOnAt }: SessionHistory, now: number): boolean {
  const longest = isProcessThere(process) ? LONGEST_CALL.known : LONGEST_CALL.unknown;
  return open.some(({ at }) => at >= movedOnAt && now - at < longest);
}
