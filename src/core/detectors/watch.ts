import { fields, list } from "../shape.js";
import { type Alert, isAlert } from "./alert.js";
import type { Step } from "./step.js";

/** What all detectors know of one session: plain data, bounded, so that it can be kept and gone on with. */
export interface Watch {
  /** The first at the front. One alert for each streak; its level and count grow with it. */
  readonly alerts: readonly Alert[];
}

export const NO_WATCH: Watch = { alerts: [] };

export function watchStep(watch: Watch, _step: Step): Watch {
  return watch;
}

/** The signature of a call that would go on with a streak at level `block`: the message, or undefined. */
export function blockFor(_watch: Watch, _signature: string): string | undefined {
  return undefined;
}

export const isWatch = fields({ alerts: list(isAlert) });

/** What is new or has risen a level between two watches. */
export function newAlerts(before: Watch, after: Watch): readonly Alert[] {
  return after.alerts.filter((alert) => !before.alerts.includes(alert));
}
