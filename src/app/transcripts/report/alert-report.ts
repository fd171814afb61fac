import type { Alert } from "../../../core/detectors/alert.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import type { SessionState } from "../../../core/session/session-state.js";
import { alertsNow, callingSince, NOT_WATCHED } from "../../../core/session/watched/fact-steps.js";
import { isoTime, LAST_TIME } from "../../../core/text/time-text.js";

/** An alert as `--json` prints it. */
export interface AlertReport {
  readonly detector: string;
  readonly level: Alert["level"];
  readonly count: number;
  /** An ISO time; null where no record had one. */
  readonly at: string | null;
  readonly message: string;
  /** Something has gone forward since. */
  readonly isOver: boolean;
}

interface Silence {
  readonly status: { readonly state: SessionState };
  readonly now: number;
  readonly updatedAt: number;
  /** When anything was last heard of it, by the same clock; unless told, when it was last written to. */
  readonly heardAt?: number;
  readonly wakesAt?: number | undefined;
}

/** Somebody is expected to do something. */
const AT_WORK: readonly SessionState[] = ["running", "stalled", "idle"];

/** What detectors have found, and what the silence since the last word of a session that is not over tells. */
export function alertsIn(view: SessionView, { status, now, updatedAt, ...silence }: Silence): readonly Alert[] {
  const { heardAt = updatedAt, wakesAt } = silence;
  const watched = view.watched ?? NOT_WATCHED;
  const isSilent = AT_WORK.includes(status.state) && wakesAt === undefined && view.at > 0 && now > heardAt;
  // Times of records say when something happened, the file's time says since when it is quiet.
  const tick = { type: "tick", at: view.at + now - heardAt, calling: callingSince(watched) } as const;
  return alertsNow(watched, view, isSilent ? tick : undefined);
}

/** Where a person wants no detectors. That work was left unchecked is told all the same: it is another setting. */
export function withoutDetectors(view: SessionView): SessionView {
  const { unchecked } = view.watched ?? NOT_WATCHED;
  return { ...view, agents: undefined, watched: { ...NOT_WATCHED, ...(unchecked && { unchecked }) } };
}

export function reportAlert({ detector, level, count, at, message, isOver }: Alert): AlertReport {
  return {
    detector,
    level,
    count,
    at: at > 0 && at <= LAST_TIME ? isoTime(at) : null,
    message,
    isOver: isOver === true,
  };
}
