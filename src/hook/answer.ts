import type { HookStore } from "../app/session/hook-store.js";
import { attend, type Said } from "../app/session/record-sighting.js";
import { startSession } from "../app/session/session-start.js";
import type { Settings } from "../app/settings.js";
import { isObject } from "../core/json.js";
import type { Result } from "../core/result.js";
import { type HookInput, stringOf } from "./input.js";
import { dialectOf } from "./seen-call.js";
import { isSeen, sightingOf } from "./sightings.js";

/** Whether the event matters to us; the others must cost nothing. */
export function concerns({ event }: HookInput): boolean {
  return event === "SessionStart" || isSeen(event);
}

/** Records what the hook reports, and returns hook JSON for the client, or nothing. */
export async function answerHook(store: HookStore, input: HookInput, settings: Settings): Promise<Result<string>> {
  const said = await hear(store, input, settings);
  return said.ok ? { ok: true, value: render(input.event, said.value) } : said;
}

async function hear(store: HookStore, input: HookInput, settings: Settings): Promise<Result<Said>> {
  const { session, agent, client, folder, transcript, process, fields, event } = input;
  // The compaction of a sub-agent is not the start of a session.
  if (event === "SessionStart" && agent !== undefined) return { ok: true, value: [] };
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    return startSession(store, { session, client, folder, transcript, source, process }, settings);
  }
  const mirrored = event === "PostToolUse" ? await mirror(store, input, settings) : undefined;
  if (mirrored && !mirrored.ok) return mirrored;
  const sighting = sightingOf(input);
  return sighting ? attend(store, sighting, settings) : { ok: true, value: [] };
}

/** The client's own list is the session's list: what its tool wrote is written here too, in that tool's words. */
async function mirror(store: HookStore, input: HookInput, settings: Settings) {
  const { session, agent, client, folder, fields } = input;
  const tool = stringOf(fields, "tool_name") ?? "";
  const dialect = dialectOf(tool);
  if (dialect === undefined || !isObject(fields.tool_input) || isRefusedPlan(fields)) return undefined;
  const call = stringOf(fields, "tool_use_id");
  // The dialects are a file of their own: few hooks need them.
  const { callOn } = await import("../app/calls/tool-call.js");
  const request = {
    dialect,
    tool,
    input: fields.tool_input,
    session,
    ...(agent === undefined ? undefined : { agent }),
    origin: {
      client,
      ...(call === undefined ? undefined : { call }),
      ...(folder === undefined ? undefined : { folder }),
    },
  };
  return callOn(store, request, settings);
}

/** Codex answers a plan that it did not take with a text of its own, and reports that as any other call. */
function isRefusedPlan({ tool_name: tool, tool_response: answer }: HookInput["fields"]): boolean {
  return tool === "update_plan" && typeof answer === "string" && answer !== "Plan updated";
}

function render(event: string, said: Said): string {
  if (said.length === 0) return "";
  const text = said.join("\n\n");
  if (event === "Stop") return JSON.stringify({ decision: "block", reason: text });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}
