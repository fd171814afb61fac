import { count, fields, maybe, oneOf, type Shape, text } from "../shape.js";

/** What a task waits for. It is not ready until then, and nobody holds it. */
export type Wait = (TimerWait | EventWait | ManualWait) & {
  /** Woken at this time whatever happens. */
  readonly timeout?: number;
};

interface TimerWait {
  readonly kind: "timer";
  readonly at: number;
}

/** A signal from outside: `milepost task signal TOPIC`. */
interface EventWait {
  readonly kind: "event";
  readonly topic: string;
  /** Tells one of many that wait for the same topic; without it every signal of the topic is meant. */
  readonly correlation?: string;
}

/** Until somebody says so. */
interface ManualWait {
  readonly kind: "manual";
}

export const WAKERS = ["timer", "event", "manual", "timeout"] as const;
/** What ended a wait. */
export type Waker = (typeof WAKERS)[number];

const SHAPES: Readonly<Record<Wait["kind"], Shape>> = {
  timer: fields({ at: count, timeout: maybe(count) }),
  event: fields({ topic: text, correlation: maybe(text), timeout: maybe(count) }),
  manual: fields({ timeout: maybe(count) }),
};

const HAS_KIND = fields({ kind: oneOf(Object.keys(SHAPES)) });

export const isWait: Shape = (value) => HAS_KIND(value) && SHAPES[(value as Wait).kind](value);

/** When the clock ends it; undefined for one that only a signal or a person ends. */
export function dueAt(wait: Wait): number | undefined {
  const at = wait.kind === "timer" ? wait.at : undefined;
  return at === undefined || wait.timeout === undefined ? (at ?? wait.timeout) : Math.min(at, wait.timeout);
}

/** What ends it now, by the clock. */
export function wakerAt(wait: Wait, now: number): "timer" | "timeout" | undefined {
  if (wait.kind === "timer" && wait.at <= now) return "timer";
  return wait.timeout !== undefined && wait.timeout <= now ? "timeout" : undefined;
}

export interface Signal {
  readonly topic: string;
  readonly correlation?: string;
}

/** A signal without a correlation id is for all who wait for its topic. */
export function isMeant(wait: Wait, { topic, correlation }: Signal): boolean {
  if (wait.kind !== "event" || wait.topic !== topic) return false;
  return wait.correlation === undefined || correlation === undefined || wait.correlation === correlation;
}
