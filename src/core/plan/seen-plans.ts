import type { SeenPlan } from "../session/observation.js";

/** More than a person looks back at; each can be long. */
const MOST_PLANS = 8;

/** A person who goes back to a plan takes the later ones back; without a plan there was none yet. */
export function plansUpTo(plans: readonly SeenPlan[], plan: SeenPlan | null): readonly SeenPlan[] {
  if (plan === null) return [];
  const at = plans.findIndex(({ key }) => key === plan.key);
  return [...(at < 0 ? plans : plans.slice(0, at)), plan].slice(-MOST_PLANS);
}

/**
 * The plans of a session, and those that only another transcript of it shows. Of these the ones before the last plan
 * that both know: what comes behind may have been taken back.
 */
export function mergePlans(plans: readonly SeenPlan[], others: readonly SeenPlan[]): readonly SeenPlan[] {
  const keys = new Set(plans.map(({ key }) => key));
  const shared = others.findLastIndex(({ key }) => keys.has(key));
  const earlier = (shared < 0 ? others : others.slice(0, shared)).filter(({ key }) => !keys.has(key));
  return [...earlier, ...plans].slice(-MOST_PLANS);
}
