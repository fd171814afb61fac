import { countAt, type JsonObject, listAt, objectAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { nextFire } from "../../core/session/state/next-fire.js";
import { isUsageLimit } from "../../core/session/state/reason.js";

/** Versions before 2.1 say in the text when it ends, in seconds. */
const LIMIT_END = /\|(\d{10})\b/;

/** A turn that the model's service refused, or that could not reach it. */
export function failureAt(record: JsonObject): Fact {
  const text = listAt(objectAt(record.message).content).flatMap((block) => textAt(objectAt(block).text) ?? [])[0] ?? "";
  const isLimit = record.apiError === "usage_limit_reached" || isUsageLimit(text);
  if (!isLimit) return { type: "turn.ended", isAsking: false, because: "failed" };
  const info = objectAt(objectAt(record.apiErrorParams).rate_limit_info);
  const seconds = countAt(info.resetsAt) || Number(LIMIT_END.exec(text)?.[1] ?? 0);
  return { type: "turn.ended", isAsking: false, because: "usage-limit", resetsAt: seconds * 1000 || undefined };
}

/** `/loop`, ScheduleWakeup and CronCreate: the agent goes on by itself. */
export function wakeAt(
  { tool, schedule }: { readonly tool: string; readonly schedule?: string | undefined },
  result: JsonObject,
  at: number,
): Fact | undefined {
  if (tool === "CronDelete") return { type: "wake.set", until: null };
  if (tool === "ScheduleWakeup") return { type: "wake.set", until: countAt(result.scheduledFor) || null };
  const until = schedule === undefined ? undefined : countAt(result.nextFireAt) || nextFire(schedule, at);
  if (until === undefined) return undefined;
  return { type: "wake.set", until, schedule: result.recurring === false ? undefined : schedule };
}
