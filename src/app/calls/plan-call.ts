import { randomUUID } from "node:crypto";
import { checkId } from "../../core/id.js";
import { isOpenPlan, type Plan } from "../../core/plan/plan.js";
import { planTitle } from "../../core/plan/plan-outline.js";
import { ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import type { Answer, ToolCall } from "../../dialects/dialect.js";
import {
  noPlan,
  type PlanCommands,
  planAnswer,
  refusedPlan,
  type ToldPlan,
} from "../../dialects/milepost/plan/plan-answer.js";
import { readPlanRequest } from "../../dialects/milepost/plan/plan-request.js";
import type { Decision, Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { planHash } from "../plans/plan-id.js";
import { PLANS, planStream } from "../plans/plan-views.js";
import { proposeScript } from "../plans/plan-writes.js";
import { SESSIONS } from "../session/session-view.js";
import { nextStep } from "../terminal/next-step.js";
import { callFacts } from "./call-events.js";
import type { CallRequest } from "./call-request.js";
import type { PlannedCall } from "./tool-call.js";

/** What a caller that can ask the person needs to know of the answer. */
export interface AnsweredPlan {
  readonly id: string;
  readonly status: Plan["status"];
  readonly hash: string;
}

/** `plan`, our own tool. It never decides: it proposes, and tells what a person decided. */
export function planPlanCall(request: CallRequest, call: ToolCall, session: string): Result<PlannedCall> {
  const { agent } = request;
  const refused = checkId("session", session) ?? (agent === undefined ? undefined : checkId("agent", agent));
  if (refused) return refused;
  const stream = sessionStream(session);
  const read = readPlanRequest(call.input);
  const key = randomUUID();
  const decision: Decision<Answer> = function* (transaction) {
    yield* transaction.version(stream);
    const { writes, answer } = read.ok
      ? yield* answerRequest(transaction, { request, session, key, text: read.value.text })
      : { writes: [], answer: refusedPlan(read.error) };
    const facts = yield* callFacts(transaction, request, session, answer.isError);
    // A read must not be answered with a kept answer: some models number their calls from 1 in each turn.
    const isKept = request.origin === undefined || writes.length > 0;
    return ok({ writes: [...facts, ...writes], answer, isKept });
  };
  return ok({ stream, decision });
}

interface Answered {
  readonly writes: readonly Write[];
  readonly answer: Answer;
}

interface PlanCall {
  readonly request: CallRequest;
  readonly session: string;
  /** Of the plan that the call proposes, if it does. */
  readonly key: string;
  readonly text: string | undefined;
}

function* answerRequest(transaction: Transaction, { request, session, key, text }: PlanCall): Script<Answered> {
  const known = (yield* transaction.view(SESSIONS, sessionStream(session))).plan;
  const current = known && (yield* transaction.view(PLANS, planStream(known.plan)));
  const named = (plan: Plan) => toldAnswer(plan, request.namedStore);
  if (text === undefined) return { writes: [], answer: current ? named(current) : noPlan() };
  if (request.agent !== undefined) return { writes: [], answer: refusedPlan(OF_MAIN) };
  const isSame = current?.hash === planHash(redact(text)) && isOpenPlan(current) && !known?.isFinished;
  if (isSame) return { writes: [], answer: named(current) };
  const { client = "", folder } = request.origin ?? {};
  const proposal = { session, client, folder, text, key, isCall: true };
  const change = yield* proposeScript(transaction, proposal);
  if (!change.ok) return { writes: [], answer: refusedPlan(change.error.message) };
  return { writes: change.value.writes, answer: named(change.value.plan) };
}

/** A sub-agent's plan would take the place of the one that the person approved. */
const OF_MAIN = "Only the session's main agent proposes plans: tell it what you would change.";

/** Where the plan stands, for the model. `why`: what came of asking the person, where that was no decision. */
export function toldAnswer(plan: Plan, store: string | undefined, why?: string): Answer {
  const { id, status, hash } = plan;
  const data: { readonly plan: AnsweredPlan } = { plan: { id, status, hash } };
  return { ...planAnswer(toldPlan(plan), planCommands(plan, store), why), data };
}

/** What is no answer to a question of ours changes nothing; the model hears where its plan stands. */
export function refusedAnswer(why: string, plan: Plan | undefined, store: string | undefined): Answer {
  const { text } = refusedPlan(why);
  return { text: plan ? `${text} ${toldAnswer(plan, store).text}` : text, isError: true };
}

/** The text that a call proposes; undefined for one that proposes none. */
export function proposedText(input: unknown): string | undefined {
  const read = readPlanRequest({ value: input });
  return read.ok ? read.value.text : undefined;
}

function toldPlan({ id, status, text, decision, supersededBy, isEdited }: Plan): ToldPlan {
  const edited = isEdited && status === "approved" ? { editedText: text } : {};
  return { id, title: planTitle(text), status, reason: decision?.reason, supersededBy, ...edited };
}

const HASH_SHOWN = 8;

/** The hash is in the line, so that nobody approves another text than the one that was shown. */
export function planCommands({ id, hash }: Pick<Plan, "id" | "hash">, store: string | undefined): PlanCommands {
  const line = (words: string, given: object) => nextStep(`plan ${words} ${id}`, { ...given, store });
  return {
    approve: line("approve", { hash: hash.slice(0, HASH_SHOWN) }),
    reject: line("reject", { reason: "TEXT" }),
    show: line("show", {}),
  };
}
