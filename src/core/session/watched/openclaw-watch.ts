import type { RoundCall } from "../../call/call-facts.js";
import { type Alert, isAlert } from "../../detectors/alert.js";
import {
  isOpenclawRecords,
  NO_OPENCLAW_RECORDS,
  type OpenclawRecords,
  openclawStep,
} from "../../detectors/openclaw/live-loops.js";
import { fields, count as isCount, list } from "../../shape.js";

/** What OpenClaw's rules know of a session, where a person wants them beside ours. */
export interface OpenclawWatch {
  readonly records: OpenclawRecords;
  readonly alerts: readonly Alert[];
  /** How many alerts there were in all. */
  readonly count: number;
}

export const NO_OPENCLAW_WATCH: OpenclawWatch = { records: NO_OPENCLAW_RECORDS, alerts: [], count: 0 };

/** Ids of ours are below. */
const FIRST_ID = 1_000_000_000;
const MOST_ALERTS = 10;

/** OpenClaw sees one call after the other, also those of one reply. */
export function openclawRound(watch: OpenclawWatch, calls: readonly RoundCall[], at: number): OpenclawWatch {
  let { records, alerts, count } = watch;
  for (const call of calls) {
    const step = openclawStep(records, call);
    records = step.records;
    if (!step.alert) continue;
    alerts = [...alerts, { ...step.alert, id: FIRST_ID + count, at }].slice(-MOST_ALERTS);
    count += 1;
  }
  return { records, alerts, count };
}

/** A person has spoken: what was found before is over. */
export function openclawPrompt(watch: OpenclawWatch): OpenclawWatch {
  return { ...watch, alerts: watch.alerts.map((alert) => ({ ...alert, isOver: true })) };
}

export const isOpenclawWatch = fields({ records: isOpenclawRecords, alerts: list(isAlert), count: isCount });
