import type { Plan } from "../../core/plan/plan.js";
import { planTitle } from "../../core/plan/plan-outline.js";
import { nearest } from "../../core/text/nearest.js";

type Named = Pick<Plan, "id" | "text">;

/** What a person typed, as ids are written. */
export function askedId(typed: string): string {
  return typed.trim().toLowerCase();
}

/** A word of a sentence must not be taken for the beginning of an id. */
const SHORTEST = 3;

/** With just that id; else all whose id, or the part of it behind the dash, begins so. */
export function matchPlans<Known extends Named>(plans: readonly Known[], typed: string): readonly Known[] {
  const asked = askedId(typed);
  const same = plans.filter(({ id }) => id === asked);
  if (same.length > 0 || asked.length < SHORTEST) return same;
  return plans.filter(({ id }) => id.startsWith(asked) || ownPart(id).startsWith(asked));
}

/** Letters from which on a part of a title is no accident. */
const PART = 3;

/** The plan that may have been meant: the row of that number, one with almost this id, or with this in its title. */
export function likelyPlan(plans: readonly Named[], typed: string): string | undefined {
  const asked = askedId(typed);
  const [, row] = /^#?(\d{1,3})$/.exec(asked) ?? [];
  if (row !== undefined) return plans[Number(row) - 1]?.id;
  const words = plans.flatMap(({ id }) => [
    { word: id, meant: id },
    { word: ownPart(id), meant: id },
  ]);
  const titled = asked.length < PART ? [] : plans.filter((plan) => isInTitle(plan, asked));
  return nearest(asked, words) ?? (titled.length === 1 ? titled[0]?.id : undefined);
}

function isInTitle({ text }: Named, asked: string): boolean {
  return planTitle(text).toLowerCase().includes(asked);
}

function ownPart(id: string): string {
  return id.slice(id.indexOf("-") + 1);
}
