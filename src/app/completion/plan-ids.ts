import type { Plan } from "../../core/plan/plan.js";
import { planTitle } from "../../core/plan/plan-outline.js";
import type { EventStore } from "../../store/event-store.js";
import { PLANS } from "../plans/plan-views.js";
import { type Candidate, safeText } from "./candidates.js";
import { lookInto, type Surroundings } from "./completion-store.js";
import type { TypedLine } from "./typed-line.js";

/** Verbs for which a plan that was decided on makes no sense; an approval can be taken back. */
const FITTING: Readonly<Record<string, readonly Plan["status"][]>> = {
  "plan approve": ["proposed"],
  "plan edit": ["proposed"],
  "plan reject": ["proposed", "approved"],
};

/** Each is one look, and a person waits: the newest are likeliest. */
const MOST = 50;

/** Plans of the store, those that wait for a decision first; transcripts take too long to read for a key. */
export function planIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  return lookInto(around, line, (store) => storedPlans(store, line), []);
}

async function storedPlans(store: EventStore, line: TypedLine): Promise<readonly Candidate[]> {
  const streams = await store.recent("plan", MOST);
  const plans = await Promise.all(streams.map(({ stream }) => store.view(PLANS, stream)));
  const statuses = FITTING[line.name];
  const fitting = plans.filter(({ id, status }) => id !== "" && (statuses?.includes(status) ?? true));
  const waits = ({ status }: Plan) => status === "proposed";
  const sorted = [...fitting.filter(waits), ...fitting.filter((plan) => !waits(plan))];
  return sorted.map(({ id, status, text }) => ({ word: id, about: `(${status}) ${safeText(planTitle(text))}` }));
}
