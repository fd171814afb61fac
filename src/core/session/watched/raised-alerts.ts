import { ALERT_LEVELS, type Alert, type AlertLevel } from "../../detectors/alert.js";
import { count, fields, oneOf } from "../../shape.js";
import type { Session } from "../session.js";

/** An alert that there is an event of, and its level then. */
export interface RaisedAlert {
  readonly id: number;
  readonly level: AlertLevel;
}

export const isRaisedAlert = fields({ id: count, level: oneOf(ALERT_LEVELS) });

/** As many as a watch keeps alerts. */
const MOST_RAISED = 20;

export function withRaised({ raised }: Session, { id, level }: RaisedAlert): readonly RaisedAlert[] {
  return [...raised.filter((one) => one.id !== id), { id, level }].slice(-MOST_RAISED);
}

/** A detector has found it, or it has become worse, and there is no event of that yet. */
export interface DueAlert {
  readonly alert: Alert;
  /** Nothing has told of it yet; not even of a lower level. */
  readonly isFirst: boolean;
}

type Watching = Pick<Session, "watch" | "raised" | "openclaw">;

export function dueAlerts({ watch, raised, openclaw }: Watching): readonly DueAlert[] {
  return [...watch.alerts, ...(openclaw?.alerts ?? [])].flatMap((alert) => {
    const known = raised.find(({ id }) => id === alert.id);
    return known?.level === alert.level ? [] : [{ alert, isFirst: known === undefined }];
  });
}
