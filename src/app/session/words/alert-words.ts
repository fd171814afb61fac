import { blockFor, childHeardAt } from "../../../core/detectors/session-watch.js";
import type { Moment } from "../../../core/session/reminders.js";
import type { Session } from "../../../core/session/session.js";
import { dueAlerts } from "../../../core/session/watched/raised-alerts.js";
import type { NewEvent } from "../../../store/event-store.js";
import type { Settings } from "../../settings.js";
import { sessionEvent } from "../session-view.js";

/** What detectors have found: its record, and what the model is told. */
export interface AlertWords {
  readonly texts: readonly string[];
  readonly events: readonly NewEvent[];
}

const NOTHING: AlertWords = { texts: [], events: [] };

/**
 * Each alert once: at the moment at which it was found, or with the next one at which the model can be told. A stop is
 * none: what is said there keeps an agent from stopping. What is over by then is recorded, and not spoken of.
 */
export function alertWords(session: Session, { detectors }: Settings, moment: Moment | undefined): AlertWords {
  const due = detectors.isOn ? dueAlerts(session) : [];
  if (due.length === 0) return NOTHING;
  const told = due.filter(({ alert, isFirst }) => isFirst && !alert.isOver).map(({ alert }) => alert.message);
  const raised = due.map(({ alert }) => sessionEvent({ type: "alert.raised", ...alert }));
  const isHeard = moment === "reply" || moment === "prompt";
  const left = isHeard ? [] : told.map((text) => sessionEvent({ type: "notice.left", text }));
  return { texts: isHeard ? told.map(alertText) : [], events: [...raised, ...left] };
}

function alertText(message: string): string {
  return `Milepost: ${message}`;
}

/** Recorded, so that whoever folds the log again has looked at the same calls. */
export function openclawChange({ openclaw }: Session, { detectors }: Settings): readonly NewEvent[] {
  const isOn = detectors.isOn && detectors.openclaw;
  return isOn === (openclaw !== undefined) ? [] : [sessionEvent({ type: "openclaw.watched", isOn })];
}

/** Milliseconds. A sub-agent is silent after many more of them. */
const HEARD_EVERY = 5 * 60_000;

/** A sign of life of a sub-agent, for its session; not with each call of it. */
export function childHeard(agent: string | undefined, { watch }: Session, now: number): readonly NewEvent[] {
  const heardAt = agent === undefined ? undefined : childHeardAt(watch, agent);
  if (agent === undefined || heardAt === undefined || now - heardAt < HEARD_EVERY) return [];
  return [sessionEvent({ type: "agent.heard", agent })];
}

/** Where a person wants it: why a call that has only ever repeated itself is not made once more. */
export function blockWords(
  session: Session,
  { detectors }: Settings,
  signature: string | undefined,
): readonly string[] {
  if (!detectors.isOn || !detectors.blocks || signature === undefined) return [];
  const message = blockFor(session.watch, signature);
  return message === undefined ? [] : [alertText(message)];
}
