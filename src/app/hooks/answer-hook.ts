import { isObject } from "../../core/json.js";
import type { Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import { pluginTool } from "../../core/session/client/list-tool.js";
import type { HookStore } from "../session/hook-store.js";
import { recordSighting, type Said } from "../session/record-sighting.js";
import { startSession } from "../session/session-start.js";
import { claudeToolWay, codexToolWay } from "../session/tool-way.js";
import type { Settings } from "../settings.js";
import { type HookInput, stringOf } from "./hook-input.js";
import { fitListInput } from "./mirrored-input.js";
import { dialectOf } from "./seen-call.js";
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
  const way = () =>
    client === "codex" ? codexToolWay(transcript, stringOf(fields, "model")) : claudeToolWay(input.environment);
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    return startSession(store, { session, client, folder, transcript, source, process, way }, settings);
  }
  const mirrored = event === "PostToolUse" ? await mirror(store, input, settings) : undefined;
  if (mirrored && !mirrored.ok) return mirrored;
  const sighting = sightingOf(input);
  return sighting ? recordSighting(store, { ...sighting, way }, settings) : { ok: true, value: [] };
}

/** The client's own list is the session's list: what its tool wrote is written here too, in that tool's words. */
async function mirror(store: HookStore, input: HookInput, settings: Settings) {
  const { session, agent, client, folder, fields } = input;
  const tool = stringOf(fields, "tool_name") ?? "";
  const dialect = dialectOf(tool);
  if (dialect === undefined || !isObject(fields.tool_input) || isRefusedPlan(fields)) return undefined;
  const call = stringOf(fields, "tool_use_id");
  // The dialects are a file of their own: few hooks need them.
  const { callOn } = await import("../calls/tool-call.js");
  const taken = fitListInput(tool, fields.tool_input);
  const request = { dialect, tool, input: taken, session, agent, origin: { client, call, folder } };
  return callOn(store, request, settings);
}

/** Codex answers a plan that it did not take with a text of its own, and reports that as any other call. */
function isRefusedPlan({ tool_name: tool, tool_response: answer }: HookInput["fields"]): boolean {
  return tool === "update_plan" && typeof answer === "string" && answer !== "Plan updated";
}

export function render(input: HookInput, said: Said): string {
  const { event, client } = input;
  const permission = isPluginCall(input) ? ALLOWED : undefined;
  if (said.length === 0 && !permission) return "";
  const text = redact(said.join("\n\n"));
  // Codex takes no context at a stop. Claude Code does, and shows it as feedback; a block it would show as an error.
  if (event === "Stop" && client === "codex") return JSON.stringify({ decision: "block", reason: text });
  const context = said.length === 0 ? undefined : { additionalContext: text };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...permission, ...context } });
}

/** A plugin cannot write to the client's permissions, and nobody wants to be asked at every tick of a list. */
const ALLOWED = { permissionDecision: "allow", permissionDecisionReason: "Milepost's own list" };
const PLUGIN_TOOLS = [pluginTool("todo"), pluginTool("task")];

/** For the server of our own plugin alone, and only by a hook of that plugin. */
function isPluginCall({ event, client, environment, fields }: HookInput): boolean {
  if (event !== "PreToolUse" || client !== "claude-code") return false;
  return PLUGIN_TOOLS.includes(stringOf(fields, "tool_name") ?? "") && claudeToolWay(environment) === "plugin";
}
