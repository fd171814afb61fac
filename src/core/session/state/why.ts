import { count, fields, list, maybe, oneOf, text } from "../../shape.js";
import type { SessionEvent } from "../events.js";
import { askedOf, cutOf, REASONS, type Reason } from "./reason.js";

/** Why a session is in the state that its hooks told, and since when. */
export interface Why {
  readonly reason: Reason;
  /** Milliseconds; 0 where nobody knows. */
  readonly since: number;
  /** What the person is asked. */
  readonly text?: string;
  /** Labels of the answers that are offered. */
  readonly choices?: readonly string[] | undefined;
}

export const STARTED: Why = { reason: "started", since: 0 };

/** A newer version may have more reasons: then the view is folded again from the events that this one knows. */
export const isWhy = fields({ reason: oneOf(REASONS), since: count, text: maybe(text), choices: maybe(list(text)) });

interface Before {
  readonly state: string;
  readonly why?: Why;
}

/** The reason after an event; `state` is the one that it led to. Without an event: what else changed the state. */
export function whyAfter(before: Before, state: string, event: SessionEvent | undefined, at: number | undefined): Why {
  const { why = STARTED } = before;
  const next = event ? reasonAfter(before, state, event) : undefined;
  const told = next ?? (state === before.state ? undefined : { reason: defaultReason(state) });
  if (!told) return why;
  const isSame = state === before.state && told.reason === why.reason && isSameAsk(told, why);
  return isSame && event?.type !== "turn.started" ? why : { ...told, since: at ?? why.since };
}

type Told = Omit<Why, "since">;

function isSameAsk(one: Told, other: Told): boolean {
  return one.text === other.text && one.choices?.join("\n") === other.choices?.join("\n");
}

/** Undefined for an event that says nothing about it. */
function reasonAfter({ state: before, why = STARTED }: Before, state: string, event: SessionEvent): Told | undefined {
  switch (event.type) {
    case "session.started":
      return event.source === "compact" && before !== "ended" ? undefined : { reason: startReason(state) };
    case "session.ended":
      return { reason: "session-ended" };
    case "turn.ended":
      return { reason: cutOf(event.because) ?? (event.background ? "background-work" : "turn-ended") };
    case "turn.started":
    case "turn.woken":
    case "reply.ended":
      return { reason: "in-turn" };
    case "person.awaited":
      // Clients tell some seconds later that somebody is waited for, and no longer what for.
      if (before === "waiting" && !event.text) return withoutSince(why);
      return askedBy(event);
    default:
      return undefined;
  }
}

function askedBy({ for: word, text: asked, choices }: SessionEvent & { type: "person.awaited" }): Told {
  return { reason: askedOf(word), ...(asked && { text: asked }), ...(choices?.length && { choices }) };
}

function withoutSince({ since: _, ...told }: Why): Told {
  return told;
}

function startReason(state: string): Reason {
  return state === "running" ? "in-turn" : "started";
}

function defaultReason(state: string): Reason {
  return state === "running" ? "in-turn" : "turn-ended";
}

interface Working {
  readonly state: "running" | "waiting" | "idle" | "ended";
  readonly why: Why;
  readonly agents: readonly string[];
  readonly wakesAt?: number | undefined;
}

/** Agents in the background go on, and the client with them: it says so itself. A command there may run for ever. */
export function afterTurn<Session extends Working>(session: Session, event: SessionEvent & { type: "turn.ended" }) {
  const state = (event.background ?? 0) > 0 ? ("running" as const) : ("idle" as const);
  return { ...session, state, wakesAt: event.wakesAt ?? undefined };
}

export function afterAgent<Session extends Working>(session: Session) {
  const isOver = session.why.reason === "background-work" && session.agents.length === 0;
  return isOver ? { ...session, state: "idle" as const } : session;
}
