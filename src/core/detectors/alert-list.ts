import { ALERT_LEVELS, type Alert } from "./alert.js";
import type { Finding } from "./detector.js";

/** Alerts, and beside each a mark of what it is about. */
export interface AlertList {
  readonly alerts: readonly Alert[];
  readonly abouts: readonly number[];
  /** How many there were in all: the next one's id. */
  readonly count: number;
}

export const MOST_ALERTS = 20;
/** A message is read by a model: it must not cost much, and many of them are kept. */
const MESSAGE_MAX = 260;

/** An alert of its own, or the one that the streak has already: it grows, and never shrinks. */
export function withFinding(list: AlertList, detector: string, finding: Finding, at: number): AlertList {
  const index = list.alerts.findLastIndex(
    (alert, place) => alert.detector === detector && !alert.isOver && list.abouts[place] === finding.about,
  );
  const known = list.alerts[index];
  if (known === undefined) return withNew(list, newAlert(list.count, detector, finding, at), finding.about);
  const hasRisen = rank(finding) > rank(known);
  if (!hasRisen && finding.count <= known.count) return list;
  const grown = newAlert(known.id, detector, finding, hasRisen ? at : known.at);
  const level = hasRisen ? finding.level : known.level;
  return { ...list, alerts: list.alerts.with(index, { ...grown, level }) };
}

function newAlert(id: number, detector: string, finding: Finding, at: number): Alert {
  const { level, count, message, at: reached } = finding;
  return { id, detector, level, count, at: reached ?? at, message: message.slice(0, MESSAGE_MAX) };
}

/** What is over goes first when there are too many. */
function withNew({ alerts, abouts, count: before }: AlertList, alert: Alert, about: number): AlertList {
  const count = before + 1;
  if (alerts.length < MOST_ALERTS) return { alerts: [...alerts, alert], abouts: [...abouts, about], count };
  const gone = Math.max(
    0,
    alerts.findIndex(({ isOver }) => isOver),
  );
  return { alerts: [...alerts.toSpliced(gone, 1), alert], abouts: [...abouts.toSpliced(gone, 1), about], count };
}

const rank = ({ level }: { readonly level: Alert["level"] }) => ALERT_LEVELS.indexOf(level);

export function withOver(list: AlertList, isOver: (detector: string, about: number) => boolean): AlertList {
  const ends = ({ detector, isOver: is }: Alert, at: number) => !is && isOver(detector, list.abouts[at] ?? 0);
  if (!list.alerts.some(ends)) return list;
  return { ...list, alerts: list.alerts.map((alert, at) => (ends(alert, at) ? { ...alert, isOver: true } : alert)) };
}
