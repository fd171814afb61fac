import { watchStep } from "../../core/detectors/session-watch.js";
import { ok } from "../../core/result.js";
import type { Session } from "../../core/session/session.js";
import { dueAlerts } from "../../core/session/watched/raised-alerts.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import type { Settings } from "../settings.js";
import { storeNow } from "../store-place.js";
import { CALLS, HISTORIES, recentSessions, SESSIONS, withEvents } from "./session-view.js";
import { alertWords } from "./words/alert-words.js";

/**
 * Nobody tells of a session that it is quiet. Whoever runs anyway (a server, a live view) looks now and then, and
 * records what detectors make of the silence. Several may look at once: each alert is recorded once.
 */
export async function raiseBySilence(store: EventStore, session: string, settings: Settings): Promise<boolean> {
  if (!settings.detectors.isOn) return false;
  const stream = sessionStream(session);
  const known = withEvents(await store.view(SESSIONS, stream), []);
  if (known.state === "ended" || known.state === "waiting") return false;
  const calling = await callingSince(store, session);
  // Most looks find nothing, and write nothing.
  if (dueAlerts(afterSilence(known, await storeNow(store), calling)).length === 0) return false;
  const raised = await store.commit<boolean>(function* (transaction) {
    const now = afterSilence(withEvents(yield* transaction.view(SESSIONS, stream), []), transaction.now, calling);
    const { events } = alertWords(now, settings, undefined);
    const told = events.map((event) =>
      event.type === "alert.raised" ? { ...event, data: { ...event.data, calling } } : event,
    );
    return ok({ writes: [{ stream, events: told }], answer: events.length > 0 });
  });
  return raised.ok && raised.value;
}

function afterSilence(session: Session, at: number, calling: number | undefined): Session {
  return { ...session, watch: watchStep(session.watch, { type: "tick", at, calling }) };
}

async function callingSince(store: EventStore, session: string): Promise<number | undefined> {
  const { open } = await store.view(CALLS, callsStream(session));
  const { movedOnAt } = await store.view(HISTORIES, sessionStream(session));
  const times = open.map(({ at }) => at).filter((at) => at > movedOnAt);
  return times.length === 0 ? undefined : Math.min(...times);
}

const MOST_LOOKED_AT = 30;

/** The sessions that were written to last. */
export async function raiseBySilenceEverywhere(store: EventStore, settings: Settings): Promise<void> {
  for (const { id } of await recentSessions(store, MOST_LOOKED_AT)) await raiseBySilence(store, id, settings);
}
