import { isOpenPlan, isPlan, NO_PLAN, type Plan } from "../../core/plan/plan.js";
import { evolvePlan, type PlanEvent, readPlanEvent } from "../../core/plan/plan-events.js";
import type { NewEvent, RecordedEvent } from "../../store/event-store.js";
import type { Projection } from "../../store/projection.js";

// Light: whoever opens a store loads it. What makes ids and hashes is in `plan-id.ts`.

export function planStream(id: string): string {
  return `plan:${id}`;
}

export const PLANS: Projection<Plan> = {
  name: "plan",
  revision: 1,
  initial: NO_PLAN,
  covers: (stream) => stream.startsWith("plan:"),
  fold: (plan, events) => events.reduce(foldOne, plan),
  isState: isPlan,
  isOpen: isOpenPlan,
  owned: { between: plansOf, owner: ({ session }) => session?.split("/")[0] },
};

/** "." is the character after "-". */
async function plansOf(session: string): Promise<readonly [string, string]> {
  const { sessionPart } = await import("./plan-id.js");
  const part = planStream(sessionPart(session));
  return [`${part}-`, `${part}.`];
}

/** Ids and hashes are shown as they are, and typed: what looks otherwise was not written by us. */
function foldOne(plan: Plan, { type, data, at, stream }: RecordedEvent): Plan {
  const event = readPlanEvent(type, data);
  if (!event || ("hash" in event && !HASH.test(event.hash))) return plan;
  if (event.type === "plan.proposed" && planStream(event.id) !== stream) return plan;
  return evolvePlan(plan, event, at);
}

const HASH = /^[\da-f]{64}$/;

/** `at`: when it happened, where it is told late; `fact`: the id by which a second report of it is known. */
export function planEvent(
  { type, ...data }: PlanEvent,
  {
    at,
    fact,
    by,
  }: { readonly at?: number | undefined; readonly fact?: string | undefined; readonly by?: string | undefined },
): NewEvent {
  return {
    type,
    data,
    ...(at === undefined ? undefined : { at }),
    ...(fact === undefined ? undefined : { id: fact }),
    ...(by === undefined ? undefined : { actor: by }),
  };
}
