import { ok, type Result } from "../../core/result.js";
import type { CallRequest } from "../calls/call-request.js";
import type { HookStore } from "../session/hook-store.js";
import { recordSighting, type Said, type Sighting } from "../session/record-sighting.js";
import { type SessionStart, startSession } from "../session/session-start.js";
import { claudeToolWay, codexToolWay } from "../session/tool-way.js";
import type { Settings } from "../settings.js";
import { type Lost, lostCalls } from "./catch-up.js";
import { type HookInput, stringOf } from "./hook-input.js";
import { listCallsOf } from "./mirrored-input.js";
import { settleBatch } from "./seen-batch.js";
import { sightingOf } from "./sightings.js";

/** What a hook reports, reduced to what is recorded of it. Plain data but for `way`, so that it can wait in a file. */
export type HookFact =
  | { readonly kind: "start"; readonly start: SessionStart }
  /** A call of the client's own list tool: what it wrote is written here too, in that tool's words. */
  | { readonly kind: "list"; readonly call: CallRequest }
  | { readonly kind: "sighting"; readonly sighting: Sighting };

/**
 * In the order in which they are recorded; each in a commit of its own. `store`: the one that may know some of the
 * calls of a batch already, where it can be asked.
 */
export async function factsOf(input: HookInput, store?: HookStore): Promise<readonly HookFact[]> {
  const lost = store ? await lostCalls(input, store) : { calls: [], lists: [] };
  return toFacts(input.event === "PostToolBatch" ? await settleBatch(input, store) : input, lost);
}

function toFacts(input: HookInput, lost: Lost): readonly HookFact[] {
  const { session, agent, client, folder, transcript, process, fields, event } = input;
  // The compaction of a sub-agent is not the start of a session.
  if (event === "SessionStart" && agent !== undefined) return [];
  const way = () =>
    client === "codex" ? codexToolWay(transcript, stringOf(fields, "model")) : claudeToolWay(input.environment);
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    return [{ kind: "start", start: { session, client, folder, transcript, source, process, way } }];
  }
  const seen = sightingOf(input);
  const sighting = seen && { ...seen, calls: [...lost.calls, ...(seen.calls ?? [])] };
  return [
    ...[...lost.lists, input].flatMap(listCallsOf).map((call) => ({ kind: "list" as const, call })),
    ...(sighting ? [{ kind: "sighting" as const, sighting: { ...sighting, way } }] : []),
  ];
}

/** Records one fact, and returns what the model is to be told. */
export async function recordFact(store: HookStore, fact: HookFact, settings: Settings): Promise<Result<Said>> {
  if (fact.kind === "start") return startSession(store, fact.start, settings);
  if (fact.kind === "sighting") return recordSighting(store, fact.sighting, settings);
  // The dialects are a file of their own: few hooks need them.
  const { callOn } = await import("../calls/tool-call.js");
  const answer = await callOn(store, fact.call, settings);
  return answer.ok ? ok([]) : answer;
}
