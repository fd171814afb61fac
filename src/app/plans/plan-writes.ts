import { decidePlan, observeVerdict, type PlanCommand, type PlanVerdict } from "../../core/plan/decide-plan.js";
import { PLAN_MAX, type Plan } from "../../core/plan/plan.js";
import { evolvePlan, type PlanEvent } from "../../core/plan/plan-events.js";
import { planTitle } from "../../core/plan/plan-outline.js";
import { fail, ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import type { SessionEvent } from "../../core/session/events.js";
import type { SessionPlan } from "../../core/session/session-plan.js";
import { promptText } from "../../core/text/prompt-text.js";
import { excessOf, LARGEST_VALUE } from "../../core/value-limits.js";
import type { NewEvent, Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS, sessionEvent } from "../session/session-view.js";
import { planHash, planId } from "./plan-id.js";
import { PLANS, planEvent, planStream } from "./plan-views.js";

// What is done to plans, inside a commit: the plan's stream, its session's, and that of a plan it replaces.

/** A plan as it is after the writes. */
export interface PlanChange {
  readonly plan: Plan;
  readonly writes: readonly Write[];
}

export interface Proposal {
  readonly session?: string | undefined;
  readonly client?: string | undefined;
  readonly folder?: string | undefined;
  readonly text: string;
  /** What the client calls this proposal: two reports with the same key are one plan. */
  readonly key: string;
  /** A plan that this one replaces. An agent's own proposal replaces the one before it anyway. */
  readonly supersedes?: string | undefined;
  /** A person who proposes it; undefined for the session's own agent. */
  readonly by?: string | undefined;
  /** When it happened, where it is told late. */
  readonly at?: number | undefined;
  /** The session's agent calls us right now: the session is kept from here on. */
  readonly isCall?: boolean | undefined;
}

export function* proposeScript(transaction: Transaction, proposal: Proposal): Script<Result<PlanChange>> {
  const { session, client = "", folder = "", key, by, at, isCall } = proposal;
  const text = redact(proposal.text);
  const refused = checkText(text);
  if (refused) return refused;
  const same = isCall ? yield* proposedBefore(transaction, session, planHash(text)) : undefined;
  if (same) return ok({ plan: same, writes: [] });
  const id = planId(session ?? "", key);
  const known = yield* transaction.view(PLANS, planStream(id));
  const before = yield* predecessor(transaction, proposal);
  if (!before.ok) return before;
  const supersedes = before.value?.id;
  const command: PlanCommand = { type: "propose", id, text, hash: planHash(text), session, client, folder, supersedes };
  const own = yield* changeOf(transaction, known, decidePlan(known, command), { at, by, isCall });
  if (!own.ok || own.value.writes.length === 0 || !before.value || before.value.status === "rejected") return own;
  const supersede = decidePlan(before.value, { type: "supersede", by: id });
  const replaced = yield* changeOf(transaction, before.value, supersede, { at });
  if (!replaced.ok) return replaced;
  // Its own session hears of the new plan; another one only that its own is replaced.
  const isOwn = before.value.session === session;
  const writes = isOwn ? replaced.value.writes.slice(0, 1) : replaced.value.writes;
  return ok({ ...own.value, writes: [...writes, ...own.value.writes] });
}

/** An agent that says again what it proposed asks nobody twice, also where the person has changed the words since. */
function* proposedBefore(
  transaction: Transaction,
  session: string | undefined,
  hash: string,
): Script<Plan | undefined> {
  if (session === undefined) return undefined;
  const { plan: last } = yield* transaction.view(SESSIONS, sessionStream(session));
  if (!last || last.isFinished || (last.status !== "proposed" && last.status !== "approved")) return undefined;
  const plan = yield* transaction.view(PLANS, planStream(last.plan));
  return plan.hash === hash || plan.proposedHash === hash ? plan : undefined;
}

function checkText(text: string) {
  if (text.trim() === "") return fail("empty-plan", "The plan has no text.");
  if (text.length > PLAN_MAX)
    return fail(
      "plan-too-large",
      `The plan is too long: at most ${PLAN_MAX.toLocaleString("en")} characters are stored.`,
    );
  const most = `${LARGEST_VALUE / 1024} KiB`;
  return excessOf(text) ? fail("plan-too-large", `The plan is too long: at most ${most} are stored.`) : undefined;
}

/** The plan that a new one takes the place of. A rejected one is named, and stays rejected. */
function* predecessor(transaction: Transaction, proposal: Proposal): Script<Result<Plan | undefined>> {
  const { session, supersedes, by } = proposal;
  const last = session === undefined ? undefined : (yield* transaction.view(SESSIONS, sessionStream(session))).plan;
  const id = supersedes ?? (by === undefined && isReplaced(last) ? last?.plan : undefined);
  if (id === undefined) return ok(undefined);
  const plan = yield* transaction.view(PLANS, planStream(id));
  if (plan.id !== "") return ok(plan);
  return supersedes === undefined ? ok(undefined) : fail("no-plan", `There is no plan ${id} to replace.`);
}

function isReplaced(plan: SessionPlan | undefined): boolean {
  return (
    plan?.status === "proposed" || plan?.status === "rejected" || (plan?.status === "approved" && !plan.isFinished)
  );
}

export interface Judgement extends PlanVerdict {
  readonly id: string;
  /** The id of the decision's event: with one that is known, nothing is decided again. */
  readonly fact?: string | undefined;
  /** The model hears of it in another way than by its next hook. */
  readonly isTold?: boolean | undefined;
}

/** `taken`: the plan comes into the store with the same commit. */
export function* judgeScript(
  transaction: Transaction,
  judgement: Judgement,
  taken?: PlanChange,
): Script<Result<PlanChange>> {
  const { id, fact, isTold = false, ...verdict } = judgement;
  const plan = taken?.plan ?? (yield* transaction.view(PLANS, planStream(id)));
  if (fact !== undefined && (yield* transaction.isKnown(fact)))
    return fail("already-used", "This answer was used before: a plan is decided once.");
  const reason = verdict.reason === undefined ? undefined : redact(verdict.reason);
  const decided = decidePlan(plan, { ...verdict, reason });
  const notices = isTold ? [] : [noticeOf(reason)];
  return withTaken(taken, yield* changeOf(transaction, plan, decided, { fact, by: verdict.by }, notices));
}

function withTaken(taken: PlanChange | undefined, change: Result<PlanChange>): Result<PlanChange> {
  if (!taken || !change.ok) return change;
  return ok({ ...change.value, writes: [...taken.writes, ...change.value.writes] });
}

export interface Edit {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly seen?: string | undefined;
}

export function* editScript(
  transaction: Transaction,
  { id, text: typed, by, seen }: Edit,
  taken?: PlanChange,
): Script<Result<PlanChange>> {
  const plan = taken?.plan ?? (yield* transaction.view(PLANS, planStream(id)));
  const text = redact(typed);
  const refused = checkText(text);
  if (refused) return refused;
  const decided = decidePlan(plan, { type: "edit", text, hash: planHash(text), seen });
  return withTaken(taken, yield* changeOf(transaction, plan, decided, { by }));
}

/** What the person said in the client's own dialogue: a fact, told by a hook or read in a transcript. */
export interface SeenVerdict {
  readonly id: string;
  readonly isApproved: boolean;
  /** What the person saw; undefined for the text as it is known. */
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  readonly by: string;
  readonly at?: number | undefined;
}

export function* seenVerdictScript(transaction: Transaction, seen: SeenVerdict): Script<Result<PlanChange>> {
  const { id, isApproved, by, at } = seen;
  const plan = yield* transaction.view(PLANS, planStream(id));
  const text = seen.text === undefined ? plan.text : redact(seen.text);
  const reason = seen.reason === undefined ? undefined : redact(seen.reason);
  const type = isApproved ? "approve" : "reject";
  // Of two decisions the later one holds, whichever is told first.
  const isOutdated = at !== undefined && plan.decision !== undefined && plan.decision.at > at;
  const seenText = { text, hash: planHash(text) };
  const events = isOutdated ? [] : observeVerdict(plan, { type, by, via: "client", reason }, seenText);
  return yield* changeOf(transaction, plan, ok(events), { at, by });
}

type Notice = (plan: Plan) => string;

interface ChangeNote extends Pick<Proposal, "at" | "by" | "isCall"> {
  readonly fact?: string | undefined;
}

/** The plan's own events, and what its session knows of it. A session that nobody keeps is not made by that. */
function* changeOf(
  transaction: Transaction,
  plan: Plan,
  decided: Result<readonly PlanEvent[]>,
  { fact, isCall = false, ...how }: ChangeNote,
  notices: readonly Notice[] = [],
): Script<Result<PlanChange>> {
  if (!decided.ok) return decided;
  const { value: events } = decided;
  const after = events.reduce((one, event) => evolvePlan(one, event, how.at ?? transaction.now), plan);
  const own = events.map((event, index) => planEvent(event, { ...how, fact: index === 0 ? fact : undefined }));
  const stream = after.session === undefined ? undefined : sessionStream(after.session);
  const isKept = stream !== undefined && (isCall || (yield* transaction.version(stream)) > 0);
  const told = isKept && events.length > 0 ? sessionWrites(stream, after, how.at, notices) : [];
  return ok({
    plan: after,
    writes: events.length === 0 ? [] : [{ stream: planStream(after.id), events: own }, ...told],
  });
}

function sessionWrites(
  stream: string,
  plan: Plan,
  at: number | undefined,
  notices: readonly Notice[],
): readonly Write[] {
  const { id, text, status } = plan;
  const changed: SessionEvent = { type: "plan.changed", plan: id, title: planTitle(text), status };
  const told = notices.map((notice): SessionEvent => ({ type: "notice.left", text: notice(plan) }));
  const events = [changed, ...told].map((event): NewEvent => {
    return { ...sessionEvent(event), ...(at === undefined ? undefined : { at }) };
  });
  return [{ stream, events }];
}

const REASON_MAX = 1500;

/** For the model, with its next hook. */
function noticeOf(reason: string | undefined): Notice {
  return ({ id, text, status }) => {
    const plan = `plan ${id} "${promptText(planTitle(text)).replaceAll('"', "'")}"`;
    const words = reason === undefined ? "" : ` The person says: ${promptText(reason, REASON_MAX)}`;
    return status === "approved"
      ? `The person approved ${plan}. You may begin.${words}`
      : `The person rejected ${plan}. Do not begin; propose a changed plan, or ask.${words}`;
  };
}
