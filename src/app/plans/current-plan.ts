import type { Plan } from "../../core/plan/plan.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { personOf } from "../session/person-name.js";
import { joinPlans, seenPlans } from "./seen-plans.js";

type Told = readonly ReturnType<typeof seenPlans>[number][];

/** A view's plans are another array when one of them has changed: a live table asks every second. */
const KNOWN = new WeakMap<SessionView["plans"], Told>();

/**
 * The plan that a session is at: the store's, with what only the transcript knows of it. Where the transcript has one
 * behind that (its hooks were taken away since), that one. What is still being written has not been proposed.
 */
export function currentPlan(view: SessionView, stored: Plan | undefined): Plan | undefined {
  const seen = toldPlans(view);
  const last = seen.at(-1)?.plan;
  const isSeen = seen.some(({ plan }) => plan.id === stored?.id);
  const id = (isSeen || !stored ? last : stored)?.id;
  return joinPlans(stored === undefined ? [] : [stored], seen).find(({ plan }) => plan.id === id)?.plan;
}

function toldPlans(view: SessionView): Told {
  const known = KNOWN.get(view.plans);
  if (known) return known;
  const by = personOf(undefined);
  const told = seenPlans(view, by.ok ? by.value : "person");
  KNOWN.set(view.plans, told);
  return told;
}
