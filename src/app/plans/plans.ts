import type { Plan } from "../../core/plan/plan.js";
import { ok, type Result } from "../../core/result.js";
import type { EventStore, Transaction } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS } from "../session/session-view.js";
import { PLANS, planStream } from "./plan-views.js";
import {
  type Edit,
  editScript,
  type Judgement,
  judgeScript,
  type PlanChange,
  type Proposal,
  proposeScript,
  type SeenVerdict,
  seenVerdictScript,
} from "./plan-writes.js";

// Plans on an open store: each call is one commit.

export type { Judgement, Proposal };

type PlanScript = (transaction: Transaction) => Script<Result<PlanChange>>;

function commitPlan(store: EventStore, script: PlanScript): Promise<Result<Plan>> {
  return store.commit(function* (transaction) {
    const change = yield* script(transaction);
    return change.ok ? ok({ writes: change.value.writes, answer: change.value.plan }) : change;
  });
}

export function proposePlan(store: EventStore, proposal: Proposal): Promise<Result<Plan>> {
  return commitPlan(store, (transaction) => proposeScript(transaction, proposal));
}

/** Approves or rejects. */
export function judgePlan(store: EventStore, judgement: Judgement): Promise<Result<Plan>> {
  return commitPlan(store, (transaction) => judgeScript(transaction, judgement));
}

/** What the person said in the client's own dialogue. */
export function takeVerdict(store: EventStore, seen: SeenVerdict): Promise<Result<Plan>> {
  return commitPlan(store, (transaction) => seenVerdictScript(transaction, seen));
}

export function editPlan(store: EventStore, edit: Edit): Promise<Result<Plan>> {
  return commitPlan(store, (transaction) => editScript(transaction, edit));
}

export async function readPlan(store: EventStore, id: string): Promise<Plan | undefined> {
  const plan = await store.view(PLANS, planStream(id));
  return plan.id === "" ? undefined : plan;
}

/** The plan that a session proposed last. */
export async function sessionPlan(store: EventStore, session: string): Promise<Plan | undefined> {
  const { plan } = await store.view(SESSIONS, sessionStream(session));
  return plan && readPlan(store, plan.plan);
}
