import { observeVerdict } from "../../core/plan/decide-plan.js";
import { NO_PLAN, type Plan } from "../../core/plan/plan.js";
import { evolvePlan } from "../../core/plan/plan-events.js";
import { redact } from "../../core/secrets/redact.js";
import type { SeenPlan } from "../../core/session/observation.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { planHash, planId } from "./plan-id.js";
import type { Proposal } from "./plan-writes.js";

// Plans as transcripts tell of them, and as they are together with what the store knows.

/** A plan, and where only a transcript knows it: how it comes into the store. */
export interface KnownPlan {
  readonly plan: Plan;
  readonly proposal?: Proposal;
}

type Told = Pick<SessionView, "id" | "agent" | "folder" | "plans" | "at">;

/** `by`: who decides in a client's own dialogue on this machine. */
export function seenPlans(view: Told, by: string): readonly Required<KnownPlan>[] {
  const told = view.plans.filter(({ status, text }) => status !== "draft" && text.trim() !== "");
  const known = told.map((seen) => seenPlan(view, seen, by));
  return known.map(({ plan, proposal }, index) => {
    const before = known[index - 1]?.plan;
    const after = known[index + 1]?.plan;
    const isReplaced = plan.status === "proposed" && after !== undefined;
    return {
      proposal,
      plan: {
        ...plan,
        // Nobody can tell from a transcript whether an approved one was finished before the next.
        ...(before && before.status !== "approved" ? { supersedes: before.id } : undefined),
        ...(isReplaced ? ({ status: "superseded", supersededBy: after.id } as const) : undefined),
      },
    };
  });
}

type SeenInTime = SessionView["plans"][number];

function seenPlan(view: Told, seen: SeenInTime, by: string): Required<KnownPlan> {
  const { id: session, agent: client, folder } = view;
  const at = seen.at || view.at; // lines of a transcript may have no time
  const text = redact(seen.text);
  const proposal: Proposal = { session, client, folder, text, key: seen.key, at: at || undefined };
  const id = planId(session, seen.key);
  const hash = planHash(text);
  const proposed = evolvePlan(NO_PLAN, { type: "plan.proposed", id, text, hash, session, client, folder }, at);
  return { proposal, plan: withVerdict(proposed, seen, { by, at: seen.decidedAt || at }) };
}

function withVerdict(plan: Plan, seen: SeenPlan, { by, at }: { readonly by: string; readonly at: number }): Plan {
  if (seen.status !== "approved" && seen.status !== "rejected") return plan;
  const type = seen.status === "approved" ? "approve" : "reject";
  const reason = seen.reason === undefined ? undefined : redact(seen.reason);
  const events = observeVerdict(plan, { type, by, via: "client", reason }, plan);
  return events.reduce((one, event) => evolvePlan(one, event, at), plan);
}

/** The store is believed, but for what its own hooks could not see: the client's dialogue, and a later plan. */
export function joinPlans(stored: readonly Plan[], seen: readonly Required<KnownPlan>[]): readonly KnownPlan[] {
  const byId = new Map<string, KnownPlan>(stored.map((plan) => [plan.id, { plan }]));
  for (const one of seen) {
    const known = byId.get(one.plan.id)?.plan;
    byId.set(one.plan.id, known ? { plan: joined(known, one.plan) } : one);
  }
  return [...byId.values()].sort(byNeed);
}

function joined(known: Plan, seen: Plan): Plan {
  // The plan before it may be from before its session reported.
  const stored = { ...known, supersedes: known.supersedes ?? seen.supersedes };
  if (stored.status !== "proposed" || seen.status === "proposed") return stored;
  const { status, text, hash, decision, supersededBy } = seen;
  const isEdited = stored.isEdited || hash !== stored.hash;
  return status === "superseded"
    ? { ...stored, status, supersededBy }
    : { ...stored, status, text, hash, decision, isEdited };
}

/** Those that a person has to decide on first, then the newest. */
function byNeed({ plan: a }: KnownPlan, { plan: b }: KnownPlan): number {
  const isWaiting = ({ status }: Plan) => (status === "proposed" ? 0 : 1);
  return isWaiting(a) - isWaiting(b) || b.proposedAt - a.proposedAt || (a.id < b.id ? -1 : 1);
}
