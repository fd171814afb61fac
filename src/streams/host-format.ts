import type { CallEvent } from "../core/call/call-event.js";
import type { PlanStatus } from "../core/plan/plan.js";
import type { SessionEvent } from "../core/session/events.js";
import type { TodoList } from "../core/todo/list.js";

// The contract of a format in which hosts that draw progress already are told of our sessions: editors that speak ACP,
// Codex' own clients. A format is given what happened, in order, and says which messages tell it. It looks nothing up,
// and never throws: what its protocol has no words for is not told.

/** What happened in one session. */
export type HostNews =
  /** A write of the list is over; the list as it is now. */
  | { readonly type: "list"; readonly list: TodoList }
  /** `text`: where it is known. */
  | {
      readonly type: "plan";
      readonly id: string;
      readonly title: string;
      readonly status: PlanStatus;
      readonly text: string | undefined;
    }
  | { readonly type: "call"; readonly event: CallEvent }
  | { readonly type: "session"; readonly event: SessionEvent };

/** Where and when. */
export interface NewsPlace {
  /** A sub-agent is a session of its own: `session/agent`. */
  readonly session: string;
  /** Counted from 1. */
  readonly turn: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Names this event among all of its stream. */
  readonly version: number;
  /** Of the project. */
  readonly folder: string | undefined;
  /** Who starts behind it goes on from here. */
  readonly cursor: string;
}

/** One for each reader: it knows what it has told. */
export interface HostFormat {
  messages(news: HostNews, place: NewsPlace): readonly object[];
}
