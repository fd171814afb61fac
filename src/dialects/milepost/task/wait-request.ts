import type { Wait } from "../../../core/task/wait-until.js";
import { type Complain, oneLine } from "../spelling.js";

/** A wait as requested: spans count from the time of the write. */
export interface WaitSpan {
  readonly until: { readonly type: "span" | "time"; readonly ms: number } | { readonly topic: string } | "person";
  /** Milliseconds. */
  readonly timeout: number | undefined;
}

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY };
const LONGEST = 366 * DAY;

/** "90s", "30 min", "2h", "1d", a time with its zone, "topic:NAME", "person". */
export function readWait(value: unknown, timeout: unknown, complain: Complain): WaitSpan | undefined {
  const text = typeof value === "string" ? oneLine(value) : "";
  const until = readUntil(text);
  if (until === undefined)
    complain(
      '"wait" takes "30m", "topic:NAME" (a signal), or "person", as in {"task":3,"wait":"30m"}; for another task say {"task":5,"after":[3]}.',
    );
  const limit = timeout === undefined ? undefined : readSpan(typeof timeout === "string" ? oneLine(timeout) : "");
  if (timeout !== undefined && limit === undefined) complain('"timeout" takes a time such as "2h".');
  return until === undefined ? undefined : { until, timeout: limit };
}

function readUntil(text: string): WaitSpan["until"] | undefined {
  if (/^(?:person|human|user|manual)$/i.test(text)) return "person";
  const [, topic] = /^(?:topic|event|signal):\s*(.+)$/i.exec(text) ?? [];
  if (topic !== undefined) return { topic };
  const span = readSpan(text);
  if (span !== undefined) return { type: "span", ms: span };
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  return time >= 0 ? { type: "time", ms: time } : undefined;
}

/** The unit is required: a bare number might be a task's. */
function readSpan(text: string): number | undefined {
  const [, amount, unit = ""] =
    /^(?:in )?(\d{1,9}(?:\.\d{1,3})?) ?(s|m|h|d)(?:ec(?:ond)?s?|in(?:ute)?s?|r|rs|ours?|ays?)?$/i.exec(text) ?? [];
  const span = Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return span > 0 && span <= LONGEST ? Math.round(span) : undefined;
}

export function toWait({ until, timeout }: WaitSpan, now: number): Wait {
  const limit = timeout === undefined ? undefined : { timeout: now + timeout };
  if (until === "person") return { kind: "manual", ...limit };
  if ("topic" in until) return { kind: "event", topic: until.topic, ...limit };
  return { kind: "timer", at: until.type === "span" ? now + until.ms : until.ms, ...limit };
}
