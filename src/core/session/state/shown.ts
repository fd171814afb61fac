import type { Ask } from "./asked-text.js";
import type { Cut, Reason } from "./reason.js";

/** Why a session is in the phase that its transcript shows. */
export interface Shown {
  readonly reason: Reason;
  /** Milliseconds; 0 where no record had a time. */
  readonly since: number;
  /** What the person is asked. */
  readonly text?: string;
  readonly choices?: readonly string[];
  /** Of a usage limit, where it is told: milliseconds. */
  readonly resetsAt?: number;
}

/** When it goes on by itself; by a schedule it does so again and again. */
export interface Wake {
  readonly until: number;
  readonly schedule?: string;
}

export const NOT_SHOWN: Shown = { reason: "started", since: 0 };

/** Since the turn began, as long as nothing else was the case meanwhile. */
export function inTurn(shown: Shown, at: number): Shown {
  return shown.reason === "in-turn" ? shown : { reason: "in-turn", since: at };
}

export function asking(ask: Ask | undefined, at: number): Shown {
  const { kind = "question", text, choices } = ask ?? {};
  return { reason: kind, since: at, ...(text && { text }), ...(choices && { choices }) };
}

interface TurnEnd {
  readonly isAsking: boolean;
  readonly about?: "plan" | undefined;
  readonly text?: string | undefined;
  readonly because?: Cut | undefined;
  readonly resetsAt?: number | undefined;
}

/** A turn that is over can be told to be over once more: by then it is known how. */
export function afterTurn(shown: Shown, { isAsking, about, text, because, resetsAt }: TurnEnd, at: number): Shown {
  if (isAsking) return { reason: about ?? "question", since: at, ...(text && { text }) };
  const reason = because ?? "turn-ended";
  return shown.reason === reason && because === undefined
    ? shown
    : { reason, since: at, ...(resetsAt && { resetsAt }) };
}
