import { ok, type Result } from "../../core/result.js";
import type { ToolWay } from "../../core/session/client/list-tool.js";
import { BEFORE_COMPACTION } from "../../core/session/digest-text.js";
import type { CallRequest } from "../calls/call-request.js";
import type { PlanFact } from "../plans/hook-plans.js";
import type { HookStore } from "../session/hook-store.js";
import { CAUSE_CUT } from "../session/list-words.js";
import { recordSighting, type Said, type Sighting } from "../session/record-sighting.js";
import { type SessionStart, startSession } from "../session/session-start.js";
import { claudeToolWay, codexToolWay } from "../session/tool-way.js";
import { hasNoLists } from "../settings/lists-off.js";
import type { Settings } from "../settings.js";
import { type Lost, lostCalls } from "./catch-up.js";
import { type HookInput, stringOf } from "./hook-input.js";
import { listCallsOf } from "./mirrored-input.js";
import { plansLeft, plansTold, type ToldPlans, withAsked } from "./plan-facts.js";
import { settleBatch } from "./seen-batch.js";
import { sightingOf } from "./sightings.js";

/** What a hook reports, reduced to what is recorded of it. Plain data but for `way`, so that it can wait in a file. */
export type HookFact =
  | { readonly kind: "start"; readonly start: SessionStart }
  /** A call of the client's own list tool: what it wrote is written here too, in that tool's words. */
  | { readonly kind: "list"; readonly call: CallRequest }
  | { readonly kind: "plan"; readonly plan: PlanFact }
  | { readonly kind: "sighting"; readonly sighting: Sighting };

/**
 * In the order in which they are recorded; each in a commit of its own. `store`: the one that may know some of the
 * calls of a batch already, where it can be asked.
 */
export async function factsOf(input: HookInput, store?: HookStore): Promise<readonly HookFact[]> {
  const lost = store ? await lostCalls(input, store) : { calls: [], lists: [] };
  const plans = store ? await plansLeft(input, store) : { facts: [] };
  const facts = toFacts(input.event === "PostToolBatch" ? await settleBatch(input, store) : input, lost, plans);
  if (!store || input.client !== "copilot" || !facts.some(({ kind }) => kind === "list")) return facts;
  const { listAsKept } = await import("./clients/copilot-tables.js");
  return Promise.all(
    facts.map(async (fact) =>
      fact.kind === "list" ? { ...fact, call: await listAsKept(fact.call, store, input) } : fact,
    ),
  );
}

function toFacts(input: HookInput, lost: Lost, plans: ToldPlans): readonly HookFact[] {
  const { session, agent, client, folder, transcript, process, fields, event } = input;
  // The compaction of a sub-agent is not the start of a session.
  if (event === "SessionStart" && agent !== undefined) return [];
  const way = () => toolWay(input);
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    const isLost = lostBy(input) !== undefined;
    return [{ kind: "start", start: { session, client, folder, transcript, source, process, way, isLost } }];
  }
  const seen = sightingOf(input);
  const sighting = seen && {
    ...withAsked(seen, plans),
    ...digestBefore(input),
    calls: [...lost.calls, ...(seen.calls ?? [])],
  };
  return [
    ...[...lost.lists, input].flatMap(listCallsOf).map((call) => ({ kind: "list" as const, call })),
    ...(sighting ? [{ kind: "sighting" as const, sighting: { ...sighting, way } }] : []),
    // Behind the sighting, which makes the session known. What was said to a plan comes before the next one.
    ...[...plans.facts, ...plansTold(input)].map((plan) => ({ kind: "plan" as const, plan })),
  ];
}

/** Whoever makes the summary is told the list, where the client hands that on; so is a conversation that lost it. */
function digestBefore(input: HookInput): Pick<Sighting, "digest"> {
  const { event, said, process, agent } = input;
  const lost = event === "UserPromptSubmit" ? lostBy(input) : undefined;
  const isSummed = event === "PreCompact" && said === "twice" && agent === undefined;
  const cause = isSummed ? BEFORE_COMPACTION : lost && CAUSE_LOST[lost];
  return cause === undefined ? {} : { digest: { cause, process, isKept: true } };
}

const CAUSE_LOST = { compact: CAUSE_CUT, clear: "kept from before it was cleared" } as const;

/** An agent that sees its conversation says itself that what is open is not in it. */
function lostBy({ fields }: HookInput): keyof typeof CAUSE_LOST | undefined {
  const by = stringOf(fields, "context_lost");
  return by === "compact" || by === "clear" ? by : undefined;
}

function toolWay({ client, transcript, fields, environment }: HookInput): ToolWay {
  if (client === "codex") return codexToolWay(transcript, stringOf(fields, "model"));
  return client === "claude-code" ? claudeToolWay(environment) : "direct";
}

/** Records one fact, and returns what the model is to be told. */
export async function recordFact(store: HookStore, fact: HookFact, settings: Settings): Promise<Result<Said>> {
  if (fact.kind === "start") return startSession(store, fact.start, settings);
  if (fact.kind === "sighting") return recordSighting(store, fact.sighting, settings);
  // Plans and dialects are files of their own: few hooks need them.
  if (fact.kind === "plan") {
    const recorded = await (await import("../plans/hook-plans.js")).recordPlan(store, fact.plan);
    return recorded.ok ? ok([]) : recorded;
  }
  if (hasNoLists(settings, fact.call.origin?.client)) return ok([]);
  const { callOn } = await import("../calls/tool-call.js");
  const answer = await callOn(store, fact.call, settings);
  return answer.ok ? ok([]) : answer;
}
