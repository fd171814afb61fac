import type { Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import type { HookStore } from "../session/hook-store.js";
import { recordSighting, type Said } from "../session/record-sighting.js";
import { startSession } from "../session/session-start.js";
import { codexToolWay } from "../session/tool-way.js";
import type { Settings } from "../settings.js";
import { type HookInput, stringOf } from "./hook-input.js";
import { listCallsOf } from "./mirrored-input.js";
import { settleBatch } from "./seen-batch.js";
import { isSeen, sightingOf } from "./sightings.js";

/** Events that do not matter to us must cost nothing. */
export function isHeard({ event }: HookInput): boolean {
  return event === "SessionStart" || isSeen(event);
}

/** Records what the hook reports, and returns hook JSON for the client, or nothing. */
export async function answerHook(store: HookStore, input: HookInput, settings: Settings): Promise<Result<string>> {
  const said = await hear(store, input, settings);
  return said.ok ? { ok: true, value: render(input, said.value) } : said;
}

async function hear(store: HookStore, input: HookInput, settings: Settings): Promise<Result<Said>> {
  const { session, agent, client, folder, transcript, process, fields, event } = input;
  // The compaction of a sub-agent is not the start of a session.
  if (event === "SessionStart" && agent !== undefined) return { ok: true, value: [] };
  const way = client === "codex" ? () => codexToolWay(transcript, stringOf(fields, "model")) : undefined;
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    return startSession(store, { session, client, folder, transcript, source, process, way }, settings);
  }
  const known = event === "PostToolBatch" ? await settleBatch(input, store) : input;
  const mirrored = await mirror(store, known, settings);
  if (!mirrored.ok) return mirrored;
  const sighting = sightingOf(known);
  return sighting ? recordSighting(store, { ...sighting, way }, settings) : { ok: true, value: [] };
}

/** The client's own list is the session's list: what its tool wrote is written here too. */
async function mirror(store: HookStore, input: HookInput, settings: Settings): Promise<Result<undefined>> {
  for (const request of listCallsOf(input)) {
    // The dialects are a file of their own: few hooks need them.
    const { callOn } = await import("../calls/tool-call.js");
    const answer = await callOn(store, request, settings);
    if (!answer.ok) return answer;
  }
  return { ok: true, value: undefined };
}

export function render({ event, client }: HookInput, said: Said): string {
  if (said.length === 0) return "";
  const text = redact(said.join("\n\n"));
  // Codex takes no context at a stop. Claude Code does, and shows it as feedback; a block it would show as an error.
  if (event === "Stop" && client === "codex") return JSON.stringify({ decision: "block", reason: text });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}
