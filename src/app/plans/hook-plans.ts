import { basename } from "node:path";
import { objectAt, parseJson } from "../../core/json.js";
import { seenPlanText } from "../../core/plan/seen-plan-text.js";
import { ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import type { KnownPlan, SeenPlan } from "../../core/session/observation.js";
import { evolveView, newView } from "../../core/session/session-facts.js";
import type { SessionPlan } from "../../core/session/session-plan.js";
import { claudeSession } from "../../readers/claude/claude-session.js";
import { codexRollout } from "../../readers/codex/rollout.js";
import { APPROVAL } from "../../readers/codex/turn-words.js";
import type { EventStore } from "../../store/event-store.js";
import { personOf } from "../session/person-name.js";
import { endOf } from "../transcripts/file-peek.js";
import { planId } from "./plan-id.js";
import { PLANS } from "./plan-views.js";
import { proposePlan, takeVerdict } from "./plans.js";

// What hooks need of plans: a bundle of its own, loaded when a plan is in play.

/** What a client tells of a plan of its own: that it was proposed, or what its dialogue said. Plain data. */
export interface PlanFact {
  readonly type: "propose" | "approve" | "reject";
  readonly session: string;
  readonly client: string;
  readonly folder?: string | undefined;
  /** The plan, where it is known; else what the client calls the proposal. */
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  /** Of a verdict: only where the client told it. */
  readonly text?: string | undefined;
  /** The person's words. */
  readonly reason?: string | undefined;
  /** When it happened, where it is told late. */
  readonly at?: number | undefined;
}

/** The same fact twice changes nothing. */
export async function recordPlan(store: EventStore, fact: PlanFact): Promise<Result<unknown>> {
  const { type, session, client, folder, key = "", reason, at } = fact;
  const text = seenPlanText(fact.text);
  if (type === "propose")
    return text === undefined ? ok(undefined) : proposePlan(store, { session, client, folder, key, text, at });
  const person = personOf(undefined);
  const by = person.ok ? person.value : "person"; // a hook does not fail for a name
  return takeVerdict(store, {
    id: fact.id ?? planId(session, key),
    ...{ isApproved: type === "approve", text, reason, by, at },
  });
}

/** Where a client writes down what became of its plans, and the plan that the session is known to have. */
export interface PlanPlace {
  readonly client: "claude-code" | "codex";
  readonly session: string;
  readonly folder?: string | undefined;
  readonly transcript: string;
  readonly known: SessionPlan | undefined;
}

/** What a turn has written, in most cases. The agent waits meanwhile. Bytes. */
const LOOKED_AT = 4_194_304;

/** The plans of a transcript that may be news, the oldest first. */
export function plansIn({ client, transcript, session, known }: PlanPlace): readonly KnownPlan[] {
  const reader = (client === "codex" ? codexRollout : claudeSession).open(basename(transcript));
  let view = newView(session);
  for (const line of endOf(transcript, LOOKED_AT).split("\n"))
    for (const seen of reader.read(objectAt(line === "" ? undefined : parseJson(line))))
      if (seen.type === "plan.changed" && seen.session === session) view = evolveView(view, seen);
  return newsOf(session, view.plans, known);
}

/**
 * From the session's own plan on. An older one would take its place; so where that plan is not among them, it is only
 * the last.
 */
export function newsOf<Told extends SeenPlan>(
  session: string,
  plans: readonly Told[],
  known: SessionPlan | undefined,
): readonly Told[] {
  const at = plans.findIndex(({ key }) => planId(session, key) === known?.plan);
  return at < 0 ? plans.slice(-1) : plans.slice(at);
}

/** That it was proposed, and what was said to it. */
export function factsOfPlan(
  { session, client, folder }: Pick<PlanFact, "session" | "client" | "folder">,
  { key, text, status, reason, isEdited }: SeenPlan,
): readonly PlanFact[] {
  const fact = { session, client, folder, key };
  if (status === "draft") return [];
  const proposed: PlanFact = { ...fact, type: "propose", text };
  if (status === "proposed") return [proposed];
  const told = isEdited ? { text } : undefined;
  return [proposed, { ...fact, type: status === "approved" ? "approve" : "reject", reason, ...told }];
}

/** What is told of these plans, and what the words of a prompt mean for the last one. */
export function saidTo(place: PlanPlace, plans: readonly KnownPlan[], prompt: string): readonly PlanFact[] {
  const { session, client, folder, known } = place;
  // What was said long ago is read again and again: a person may have taken it back since.
  const facts = plans.flatMap((plan) =>
    factsOfPlan(place, plan).map((fact) =>
      fact.type === "propose" ? fact : { ...fact, at: plan.decidedAt || undefined },
    ),
  );
  if (client !== "codex" || prompt.trim() !== APPROVAL) return facts;
  const last = plans.at(-1);
  const which = last ? { key: last.key } : { id: known?.plan };
  return [...facts, { type: "approve", session, client, folder, ...which }];
}

const MOST_RECENT = 20;

/** A plan that a session of the same folder proposed, and that this prompt hands to a new one, word by word. */
export async function approvedAnew(
  store: EventStore,
  { client, folder = "" }: Pick<PlanFact, "client" | "folder">,
  prompt: string,
): Promise<readonly PlanFact[]> {
  const said = redact(prompt).trimEnd();
  for (const { stream } of await store.recent("plan", MOST_RECENT)) {
    const plan = await store.view(PLANS, stream);
    const isMeant = plan.status === "proposed" && plan.client === client && plan.folder === folder;
    if (isMeant && plan.session !== undefined && said.endsWith(`\n\n${plan.text.trim()}`))
      return [{ type: "approve", session: plan.session, client, id: plan.id }];
  }
  return [];
}
