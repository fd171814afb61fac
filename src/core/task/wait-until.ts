import { count, fields, maybe, oneOf, type Shape, text } from "../shape.js";

/** A waiting task is not ready, and nobody holds it. It is woken at `timeout` in any case. */
export type Wait = { readonly timeout?: number } & (
  | { readonly kind: "timer"; readonly at: number }
  /** Until `milepost task signal TOPIC`. Without a correlation id, any signal of the topic wakes it. */
  | ({ readonly kind: "event" } & Signal)
  | { readonly kind: "manual" }
);

export interface Signal {
  readonly topic: string;
  readonly correlation?: string;
}

export const WAKERS = ["timer", "event", "manual", "timeout"] as const;
export type Waker = (typeof WAKERS)[number];

const SHAPES: Readonly<Record<Wait["kind"], Shape>> = {
  timer: fields({ at: count, timeout: maybe(count) }),
  event: fields({ topic: text, correlation: maybe(text), timeout: maybe(count) }),
  manual: fields({ timeout: maybe(count) }),
};

const HAS_KIND = fields({ kind: oneOf(Object.keys(SHAPES)) });

export const isWait: Shape = (value) => HAS_KIND(value) && SHAPES[(value as Wait).kind](value);

/** When the clock ends it; undefined if only a signal or a person does. */
export function dueAt(wait: Wait): number | undefined {
  if (wait.kind !== "timer") return wait.timeout;
  return wait.timeout === undefined ? wait.at : Math.min(wait.at, wait.timeout);
}

/** What of the clock ends it now. */
export function wakerAt(wait: Wait, now: number): "timer" | "timeout" | undefined {
  if (wait.kind === "timer" && wait.at <= now) return "timer";
  return wait.timeout !== undefined && wait.timeout <= now ? "timeout" : undefined;
}

/** A signal without a correlation id wakes all tasks that wait for its topic. */
export function isMeant(wait: Wait, { topic, correlation }: Signal): boolean {
  if (wait.kind !== "event" || wait.topic !== topic) return false;
  return wait.correlation === undefined || correlation === undefined || wait.correlation === correlation;
}
