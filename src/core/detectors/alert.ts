import { count, fields, maybe, oneOf, text } from "../shape.js";

export const ALERT_LEVELS = ["note", "warn", "block"] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** What a detector has found. `message`: for the model and for people, safe to show, with what to do differently. */
export interface Alert {
  /** Tells this streak from all others of its session. */
  readonly id: number;
  /** Its name in the table; a detector of another system's set has the name of that before it: `openclaw/ping_pong`. */
  readonly detector: string;
  readonly level: AlertLevel;
  readonly count: number;
  /** Milliseconds: when it reached this level; 0 where nobody told the time. */
  readonly at: number;
  readonly message: string;
  /** Something has gone forward since. */
  readonly isOver?: true;
}

export const isAlert = fields({
  id: count,
  detector: text,
  level: oneOf(ALERT_LEVELS),
  count,
  at: count,
  message: text,
  isOver: maybe((value) => value === true),
});
