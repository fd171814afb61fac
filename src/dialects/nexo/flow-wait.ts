import { isObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { Wait } from "../../core/task/wait-until.js";
import { rustTrim } from "../wording/rust-text.js";
import { type RustTime, readTime, timeText, untilTime } from "../wording/rust-time.js";

export type WaitCondition =
  | { readonly kind: "timer"; readonly at: RustTime }
  | { readonly kind: "external_event"; readonly topic: string; readonly correlationId: string }
  | { readonly kind: "manual" };

/** Undefined for what the original cannot read. Like serde, it also takes a list with the fields in order. */
export function readCondition(value: unknown): WaitCondition | undefined {
  if (Array.isArray(value)) return readParts(value);
  if (!isObject(value)) return undefined;
  switch (own(value, "kind")) {
    case "timer":
      return timer(own(value, "at"));
    case "external_event":
      return externalEvent(own(value, "topic"), own(value, "correlation_id"));
    case "manual":
      return { kind: "manual" };
    default:
      return undefined;
  }
}

function readParts([kind, ...parts]: readonly unknown[]): WaitCondition | undefined {
  if (kind === "timer" && parts.length === 1) return timer(parts[0]);
  if (kind === "external_event" && parts.length === 2) return externalEvent(parts[0], parts[1]);
  return kind === "manual" && parts.length === 0 ? { kind } : undefined;
}

function timer(at: unknown): WaitCondition | undefined {
  const time = typeof at === "string" ? readTime(at) : undefined;
  return time && { kind: "timer", at: time };
}

function externalEvent(topic: unknown, correlationId: unknown): WaitCondition | undefined {
  if (typeof topic !== "string" || typeof correlationId !== "string") return undefined;
  return { kind: "external_event", topic, correlationId };
}

const HORIZON_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

export function checkCondition(condition: WaitCondition, now: number): Result<undefined, string> {
  if (condition.kind === "timer") {
    const left = untilTime(condition.at, now);
    if (left <= 0) return fail("timer.at must be in the future");
    if (left > HORIZON_DAYS * DAY) return fail(`timer.at exceeds max horizon (${HORIZON_DAYS} days)`);
  }
  if (condition.kind === "external_event") {
    if (rustTrim(condition.topic) === "") return fail("external_event.topic cannot be empty");
    if (rustTrim(condition.correlationId) === "") return fail("external_event.correlation_id cannot be empty");
  }
  return ok(undefined);
}

export function isDue(condition: WaitCondition, now: number): boolean {
  return condition.kind === "timer" && untilTime(condition.at, now) <= 0;
}

/** Without unknown fields; times in UTC. */
export function conditionJson(condition: WaitCondition): object {
  if (condition.kind === "timer") return { kind: "timer", at: timeText(condition.at, "Z") };
  if (condition.kind === "manual") return condition;
  return { kind: condition.kind, topic: condition.topic, correlation_id: condition.correlationId };
}

/** An unreadable condition has to be ended by a person. */
export function toWait(condition: WaitCondition | undefined): Wait {
  if (condition?.kind === "timer") return { kind: "timer", at: Math.max(0, Math.ceil(untilTime(condition.at, 0))) };
  if (condition?.kind !== "external_event") return { kind: "manual" };
  return { kind: "event", topic: condition.topic, correlation: condition.correlationId };
}

/** For a wait that somebody else began. */
export function fromWait(wait: Wait): object {
  if (wait.kind === "timer") return { kind: "timer", at: timeText({ at: wait.at, rest: 0 }, "Z") };
  if (wait.kind === "manual") return { kind: "manual" };
  return { kind: "external_event", topic: wait.topic, correlation_id: wait.correlation ?? "" };
}
