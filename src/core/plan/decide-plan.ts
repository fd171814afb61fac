import { type Failure, fail, ok, type Result } from "../result.js";
import type { DecisionWay, Plan } from "./plan.js";
import type { PlanEvent } from "./plan-events.js";

export type PlanCommand =
  | ({ readonly type: "propose" } & Pick<Plan, "id" | "text" | "hash" | "session" | "client" | "folder" | "supersedes">)
  /** `seen`: the hash of the text that the person had before them, or its beginning. */
  | { readonly type: "edit"; readonly text: string; readonly hash: string; readonly seen?: string | undefined }
  | PlanVerdict
  | { readonly type: "supersede"; readonly by: string };

export interface PlanVerdict {
  readonly type: "approve" | "reject";
  readonly by: string;
  readonly via: DecisionWay;
  readonly seen?: string | undefined;
  /** In which session it was asked; undefined for a person who names the plan itself. */
  readonly session?: string | undefined;
  readonly reason?: string | undefined;
  /** An approval is taken back. */
  readonly isWithdrawal?: boolean | undefined;
}

export type DecidedPlan = Result<readonly PlanEvent[]>;

/** The events of a command on one plan, or why it is refused. */
export function decidePlan(plan: Plan, command: PlanCommand): DecidedPlan {
  if (command.type === "propose") {
    // The same proposal was reported before, perhaps in another way.
    return ok(plan.id === "" ? [{ ...command, type: "plan.proposed" }] : []);
  }
  if (plan.id === "") return fail("no-plan", "There is no such plan.");
  if (command.type === "supersede")
    return ok(plan.status === "superseded" ? [] : [{ type: "plan.superseded", by: command.by }]);
  return command.type === "edit" ? editPlan(plan, command) : judge(plan, command);
}

function editPlan(plan: Plan, { text, hash, seen }: Extract<PlanCommand, { type: "edit" }>): DecidedPlan {
  const refused = whyDecided(plan) ?? whyOther(plan, seen);
  if (refused) return fail(refused);
  return ok(hash === plan.hash ? [] : [{ type: "plan.edited", text, hash }]);
}

function judge(plan: Plan, verdict: PlanVerdict): DecidedPlan {
  const { type, by, via, seen, session, reason, isWithdrawal = false } = verdict;
  if (session !== undefined && session !== plan.session)
    return fail("other-session", `Plan ${plan.id} belongs to another session, so it cannot be decided here.`);
  const mayDecide = isWithdrawal && type === "reject" && plan.status === "approved";
  const refused = (mayDecide ? undefined : whyDecided(plan)) ?? whyOther(plan, seen);
  if (refused) return fail(refused);
  const words = reason === undefined ? undefined : { reason };
  return ok([{ type: type === "approve" ? "plan.approved" : "plan.rejected", hash: plan.hash, by, via, ...words }]);
}

function whyDecided({ id, status, decision, supersededBy }: Plan): Failure | undefined {
  if (status === "proposed") return undefined;
  if (status === "superseded")
    return {
      code: "plan-superseded",
      message: `Plan ${id} was replaced by plan ${supersededBy}. Decide on that one: milepost plan show ${supersededBy}`,
    };
  return { code: "plan-decided", message: `Plan ${id} was ${status} by ${decision?.by ?? "somebody"} already.` };
}

const SHORTEST_HASH = 8;

function whyOther({ id, hash }: Plan, seen: string | undefined): Failure | undefined {
  if (seen === undefined || (seen.length >= SHORTEST_HASH && hash.startsWith(seen.toLowerCase()))) return undefined;
  return {
    code: "plan-changed",
    message: `Plan ${id} has another text (hash ${hash.slice(0, SHORTEST_HASH)}). Read it again: milepost plan show ${id}`,
  };
}

/**
 * What a client's own dialogue said is a fact, whatever was decided elsewhere before: the agent acts on it. The text
 * is what the person saw there.
 */
export function observeVerdict(
  plan: Plan,
  verdict: PlanVerdict,
  text: Pick<Plan, "text" | "hash">,
): readonly PlanEvent[] {
  const { type, by, via, reason } = verdict;
  const status = type === "approve" ? "approved" : "rejected";
  if (plan.id === "" || (plan.status === status && plan.hash === text.hash) || plan.status === "superseded") return [];
  const edited: readonly PlanEvent[] = text.hash === plan.hash ? [] : [{ type: "plan.edited", ...text }];
  const words = reason === undefined ? undefined : { reason };
  return [...edited, { type: `plan.${status}`, hash: text.hash, by, via, ...words }];
}
