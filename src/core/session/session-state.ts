import type { SessionView } from "./session-facts.js";
import { isCut, type Reason, type Source } from "./state/reason.js";
import type { Shown } from "./state/shown.js";
import type { Why } from "./state/why.js";

/** The same words in every view. */
export const SHOWN_STATES = ["running", "waiting", "idle", "stalled", "ended"] as const;
export type SessionState = (typeof SHOWN_STATES)[number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const IDLE_AFTER = 90 * SECOND;
const STALLED_AFTER = 10 * MINUTE;
/** A build or a test run may say nothing for long. */
const STALLED_IN_CALL_AFTER = 30 * MINUTE;
export const ENDED_AFTER = 24 * 60 * MINUTE;
/** What a client says of itself is written down a moment after its hooks were called. */
const SETTLED_AFTER = 2 * SECOND;

/** A state, why, who says so, and since when (milliseconds; 0 where nobody knows). */
export interface StateReport {
  readonly state: SessionState;
  readonly reason: Reason;
  readonly source: Source;
  readonly since: number;
  /** What the person is asked. */
  readonly text?: string | undefined;
  /** Labels of the answers that are offered. */
  readonly choices?: readonly string[] | undefined;
}

/** What hooks told last. */
export interface Told {
  readonly state: "running" | "waiting" | "idle" | "ended";
  readonly why: Why;
}

/** What the transcript shows. */
export interface Seen {
  readonly phase: SessionView["phase"];
  readonly shown: Shown;
  readonly hasOpenCall: boolean;
}

/** What the client itself says that it does, as long as it is there. */
export interface Live {
  readonly state: "busy" | "waiting" | "idle";
  readonly reason: Reason;
  readonly since: number;
}

export interface StateFacts {
  readonly told?: Told | undefined;
  readonly seen?: Seen | undefined;
  readonly live?: Live | undefined;
  /** Whether the client's process is there; undefined where nobody can tell. */
  readonly isThere?: boolean | undefined;
  /** It has set itself a time to go on. */
  readonly isAsleep?: boolean;
  readonly now: number;
  /** When anything was last heard of it. */
  readonly heardAt: number;
}

/** The one rule of all views. Who is nearest to the client is believed: its process, then its hooks, then its file. */
export function stateOf(facts: StateFacts): StateReport {
  const { told, seen, live, isThere, isAsleep, now, heardAt } = facts;
  const quiet = now - heardAt;
  const by = told ? "hook" : "transcript";
  if (told?.state === "ended" && !isResumed(told, seen)) return report("ended", told.why, "hook");
  if (seen?.phase === "left" && !isNewer(told, seen)) return report("ended", seen.shown, "transcript");
  if (isThere === false) return { state: "ended", reason: "process-gone", source: "process", since: heardAt };
  if (quiet >= ENDED_AFTER && isThere !== true && !isAsleep)
    return { state: "ended", reason: "long-quiet", source: by, since: heardAt };
  const wired = told && told.state !== "ended" ? toldState(told, seen, quiet) : undefined;
  const known = wired ?? seenState(seen, quiet, heardAt);
  const isAsking = !told && seen?.phase === "asking" && !seen.hasOpenCall;
  const current = live && isSettled(live, told, now) ? liveState(live, known, isAsking) : known;
  return stalledOr(current, seen?.hasOpenCall === true, quiet, heardAt);
}

function report(state: SessionState, { reason, since, text, choices }: Why | Shown, source: Source): StateReport {
  if (state !== "waiting") return { state, reason, source, since };
  return { state, reason, source, since, ...(text && { text }), ...(choices && { choices }) };
}

/** Somebody went on with it where no hook tells. */
function isResumed({ why }: Told, seen: Seen | undefined): boolean {
  const isBusy = seen?.phase === "working" || seen?.phase === "asking";
  return isBusy && seen.shown.since > why.since + SETTLED_AFTER;
}

/** Somebody has opened it again, and said nothing yet. */
function isNewer(told: Told | undefined, { shown }: Seen): boolean {
  return told !== undefined && told.state !== "ended" && told.why.since > shown.since;
}

/** Hooks do not tell everything: who interrupts a turn, or says no, ends it with a line in the transcript alone. */
function toldState(told: Told, seen: Seen | undefined, quiet: number): StateReport {
  const isNews = seen !== undefined && seen.shown.since > told.why.since;
  if (isNews && told.state !== "idle") {
    const { phase, shown } = seen;
    if (phase === "resting" && (isCut(shown.reason) || quiet >= IDLE_AFTER)) return report("idle", shown, "transcript");
    // A question in the last words of a turn is told by the end of the turn.
    if (phase === "asking" && seen.hasOpenCall) return report("waiting", shown, "transcript");
  }
  // Hooks of older versions did not tell what is asked.
  const isUntold = told.state === "waiting" && told.why.text === undefined && seen?.phase === "asking";
  return report(told.state, isUntold ? { ...seen.shown, since: told.why.since } : told.why, "hook");
}

/** All there is to go by is what the file says, and when it last grew. */
function seenState(seen: Seen | undefined, quiet: number, heardAt: number): StateReport {
  const { phase, shown } = seen ?? { phase: "new", shown: { reason: "started", since: heardAt } as const };
  switch (phase) {
    case "asking":
      return report("waiting", shown, "transcript");
    case "working":
      return report("running", shown, "transcript");
    case "left":
      return report("ended", shown, "transcript");
    case "resting":
    case "new":
      return report(quiet >= IDLE_AFTER || isCut(shown.reason) ? "idle" : "running", shown, "transcript");
  }
}

/** It is written down when it changes, so it holds; only what a hook has just told may be newer. */
function isSettled({ since }: Live, told: Told | undefined, now: number): boolean {
  return told === undefined || since > told.why.since || now - told.why.since > SETTLED_AFTER;
}

/** `isAsking`: by the last words of a turn; who is asked so has no dialog, and the client is idle. */
function liveState(live: Live, known: StateReport, isAsking: boolean): StateReport {
  const own = { reason: live.reason, source: "process", since: live.since } as const;
  switch (live.state) {
    case "waiting":
      return known.state === "waiting" ? known : { state: "waiting", ...own };
    case "busy":
      return known.state === "running" && !SURE.includes(known.reason) ? known : { state: "running", ...own };
    case "idle":
      if (known.state === "idle" || isAsking) return known;
      // Just over, and nobody but the client itself is sure of it; or cut short, and nobody else was told.
      return SURE.includes(known.reason) ? { ...known, state: "idle" } : { state: "idle", ...own };
  }
}

const SURE: readonly Reason[] = ["turn-ended", "started"];

function stalledOr(known: StateReport, hasOpenCall: boolean, quiet: number, heardAt: number): StateReport {
  if (known.state !== "running") return known;
  const isWork = !SURE.includes(known.reason);
  // A transcript does not tell a call that runs from one that nobody has allowed.
  const isInCall = hasOpenCall && known.source !== "transcript";
  if (isWork && quiet >= (isInCall ? STALLED_IN_CALL_AFTER : STALLED_AFTER))
    return { state: "stalled", reason: "no-event", source: known.source, since: heardAt };
  return isWork && hasOpenCall && known.reason === "in-turn" ? { ...known, reason: "call-running" } : known;
}

/** Marks and quotes that may stand behind the last character of a sentence. */
const BEHIND = /[\s*_`~"'“”‘’«»)\]}]+$/u;
const LOOKED_AT = 200;

/** A text that ends with a question waits for an answer. */
export function isQuestion(text: string): boolean {
  const end = text.trimEnd().slice(-LOOKED_AT).replace(BEHIND, "");
  return /[?？؟]$/u.test(end);
}
