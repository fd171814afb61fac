import { cutText, type JsonObject } from "../../core/json.js";
import { markOf } from "../../core/session/digest-text.js";
import type { Fact } from "../../core/session/observation.js";

const GOAL_MAX = 4000;

/**
 * `/goal`: `sentinel` marks what the person did, set or cleared; else the client has checked it after a turn. One that
 * is not met then sends the agent on, unless the client has given up.
 */
export function goalFacts({ type, condition, met, failed, sentinel }: JsonObject): readonly Fact[] {
  const text = type === "goal_status" ? cutText(condition, GOAL_MAX) : undefined;
  if (text === undefined) return NO_FACTS;
  if (met === true && sentinel === true) return [{ type: "goal.changed", goal: null }];
  const status = met === true ? "complete" : failed === true ? "failed" : "active";
  const changed: Fact = { type: "goal.changed", goal: { text, status } };
  if (status !== "active" || sentinel === true) return [changed];
  return [changed, { type: "goal.fired", goal: markOf(text) }];
}

const NO_FACTS: readonly Fact[] = [];
