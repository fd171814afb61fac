import type { KnownPlan, SeenPlan } from "../session/observation.js";

/** More than a person looks back at; each can be long. */
const MOST_PLANS = 8;

/** A person who goes back to a plan takes the later ones back; without a plan there was none yet. */
export function plansUpTo(plans: readonly KnownPlan[], plan: SeenPlan | null, at: number): readonly KnownPlan[] {
  if (plan === null) return [];
  const place = plans.findIndex(({ key }) => key === plan.key);
  const earlier = place < 0 ? plans : plans.slice(0, place);
  return [...earlier, withTimes(plan, plans[place], at)].slice(-MOST_PLANS);
}

function withTimes(plan: SeenPlan, known: KnownPlan | undefined, at: number): KnownPlan {
  const isDecided = plan.status === "approved" || plan.status === "rejected";
  const decidedAt = known?.status === plan.status ? (known.decidedAt ?? at) : at;
  return { ...plan, at: known?.at ?? at, ...(isDecided && { decidedAt }) };
}

/**
 * The plans of a session, and those that only another transcript of it shows. Of these the ones before the last plan
 * that both know: what comes behind may have been taken back.
 */
export function mergePlans(plans: readonly KnownPlan[], others: readonly KnownPlan[]): readonly KnownPlan[] {
  const keys = new Set(plans.map(({ key }) => key));
  const shared = others.findLastIndex(({ key }) => keys.has(key));
  const earlier = (shared < 0 ? others : others.slice(0, shared)).filter(({ key }) => !keys.has(key));
  return [...earlier, ...plans].slice(-MOST_PLANS);
}
