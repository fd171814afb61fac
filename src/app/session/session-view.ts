import { type CallHistory, evolveCalls, isCallHistory, NO_CALL_HISTORY } from "../../core/call/call-history.js";
import { readSessionEvent, type SessionEvent } from "../../core/session/events.js";
import {
  evolveForeignChange,
  evolveListChange,
  evolveSession,
  NEW_SESSION,
  type Session,
} from "../../core/session/session.js";
import * as history from "../../core/session/session-history.js";
import { endedPlan } from "../../core/session/session-plan.js";
import { isSession } from "../../core/session/session-shape.js";
import type { TodoList } from "../../core/todo/list.js";
import { readTodoEvent } from "../../core/todo/recorded.js";
import type { EventStore, NewEvent } from "../../store/event-store.js";
import type { Projection } from "../../store/projection.js";

/** What a session, or a sub-agent in it, is doing; reminders are decided on it. */
export const SESSIONS: Projection<Session> = {
  name: "session",
  revision: 8,
  initial: NEW_SESSION,
  // As often as the list, which is written with it.
  keptEvery: 8,
  isDecidedOn: true,
  covers: (stream) => stream.startsWith("session:"),
  fold: withEvents,
  isState: isSession,
  // Undelivered messages count as open work, so retention keeps them.
  isOpen: ({ words, edits = [], notices = [], held = [] }) =>
    words.length + edits.length + notices.length + held.length > 0,
};

/** How often and when things happened in a session, or in a sub-agent of it. */
export const HISTORIES: Projection<history.SessionHistory> = {
  name: "history",
  revision: 3,
  initial: history.NO_SESSION_HISTORY,
  // No write decides on it, and a look folds 63 events in a millisecond.
  keptEvery: 64,
  covers: SESSIONS.covers,
  fold: history.evolveHistory,
  isState: history.isSessionHistory,
  // What is open is known by the list and by the session.
  isOpen: () => false,
};

/** What a session's tools did, its sub-agents' included: counts, what is open, when there was work. */
export const CALLS: Projection<CallHistory> = {
  name: "calls",
  revision: 3,
  initial: NO_CALL_HISTORY,
  // 4 KB after a hundred calls: written with each call, a commit took half as much CPU again.
  keptEvery: 64,
  covers: (stream) => stream.startsWith("calls:"),
  fold: evolveCalls,
  isState: isCallHistory,
  // Calls are history, also those that nobody saw ending: they go by age and size alone.
  isOpen: () => false,
};

function foldOne(session: Session, { type, data, actor, at }: NewEvent & { readonly at?: number }): Session {
  const event = readSessionEvent(type, data);
  if (event) return evolveSession(session, event, at);
  const change = readTodoEvent(type, data);
  if (!change) return session;
  // An event has an actor only when it was not written by the session's own agent.
  return actor === undefined ? evolveListChange(session, change, at) : evolveForeignChange(session, change, at);
}

/** As it will be once these events are written. */
export function withEvents(session: Session, events: readonly (NewEvent & { readonly at?: number })[]): Session {
  let known = whole.has(session) ? session : { ...NEW_SESSION, ...session };
  for (const event of events) known = foldOne(known, event);
  whole.add(known);
  return known;
}

/** A view stored by an older version lacks newer fields; those that were made here do not. */
const whole = new WeakSet<Session>([NEW_SESSION]);

export interface KnownSession {
  readonly id: string;
  readonly session: Session;
}

export interface RecentSession extends KnownSession {
  /** When it was last written to, by the store's clock. */
  readonly at: number;
}

/** Sessions, most recently written first, without sub-agents. */
export async function recentSessions(store: EventStore, limit: number): Promise<readonly RecentSession[]> {
  const known: RecentSession[] = [];
  for (const { stream, at } of await store.recent("session", limit)) {
    const id = stream.slice("session:".length);
    if (!id.includes("/")) known.push({ id, session: await store.view(SESSIONS, stream), at });
  }
  return known;
}

/** To be written with what closes the last item of a list. `session`: as it was before that. */
export function planEnd(session: Session, list: TodoList): readonly NewEvent[] {
  const ended = endedPlan(session, list);
  return ended ? [sessionEvent({ type: "plan.finished", plan: ended.plan })] : [];
}

/** `id`: derived from the fact, for events that can be reported twice. */
export function sessionEvent({ type, ...data }: SessionEvent, id?: string): NewEvent {
  return { type, data, ...(id === undefined ? undefined : { id }) };
}
