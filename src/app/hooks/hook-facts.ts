import { isObject } from "../../core/json.js";
import { ok, type Result } from "../../core/result.js";
import type { CallRequest } from "../calls/tool-call.js";
import type { HookStore } from "../session/hook-store.js";
import { recordSighting, type Said, type Sighting } from "../session/record-sighting.js";
import { type SessionStart, startSession } from "../session/session-start.js";
import { codexToolWay } from "../session/tool-way.js";
import type { Settings } from "../settings.js";
import { type HookInput, stringOf } from "./hook-input.js";
import { fitListInput } from "./mirrored-input.js";
import { dialectOf } from "./seen-call.js";
import { sightingOf } from "./sightings.js";

/** What a hook reports, reduced to what is recorded of it. Plain data but for `way`, so that it can wait in a file. */
export type HookFact =
  | { readonly kind: "start"; readonly start: SessionStart }
  /** A call of the client's own list tool: what it wrote is written here too, in that tool's words. */
  | { readonly kind: "list"; readonly call: CallRequest }
  | { readonly kind: "sighting"; readonly sighting: Sighting };

/** In the order in which they are recorded; each in a commit of its own. */
export function factsOf(input: HookInput): readonly HookFact[] {
  const { session, agent, client, folder, transcript, process, fields, event } = input;
  // The compaction of a sub-agent is not the start of a session.
  if (event === "SessionStart" && agent !== undefined) return [];
  const way = client === "codex" ? () => codexToolWay(transcript, stringOf(fields, "model")) : undefined;
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    return [{ kind: "start", start: { session, client, folder, transcript, source, process, way } }];
  }
  const call = event === "PostToolUse" ? mirroredCall(input) : undefined;
  const sighting = sightingOf(input);
  return [
    ...(call ? [{ kind: "list" as const, call }] : []),
    ...(sighting ? [{ kind: "sighting" as const, sighting: { ...sighting, way } }] : []),
  ];
}

/** The client's own list is the session's list. */
function mirroredCall({ session, agent, client, folder, fields }: HookInput): CallRequest | undefined {
  const tool = stringOf(fields, "tool_name") ?? "";
  const dialect = dialectOf(tool);
  if (dialect === undefined || !isObject(fields.tool_input) || isRefusedPlan(fields)) return undefined;
  const call = stringOf(fields, "tool_use_id");
  const input = fitListInput(tool, fields.tool_input);
  return { dialect, tool, input, session, agent, origin: { client, call, folder } };
}

/** Codex answers a plan that it did not take with a text of its own, and reports that as any other call. */
function isRefusedPlan({ tool_name: tool, tool_response: answer }: HookInput["fields"]): boolean {
  return tool === "update_plan" && typeof answer === "string" && answer !== "Plan updated";
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
