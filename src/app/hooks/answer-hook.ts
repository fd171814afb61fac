import { ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import { pluginTool } from "../../core/session/client/list-tool.js";
import type { HookStore } from "../session/hook-store.js";
import type { Said } from "../session/record-sighting.js";
import { claudeToolWay } from "../session/tool-way.js";
import type { Settings } from "../settings.js";
import { factsOf, type HookFact, recordFact } from "./hook-facts.js";
import { type HookInput, stringOf } from "./hook-input.js";
import { isSeen } from "./sightings.js";

/** Events that do not matter to us must cost nothing. */
export function isHeard({ event }: HookInput): boolean {
  return event === "SessionStart" || isSeen(event);
}

/** Records what the hook reports, and returns hook JSON for the client, or nothing. */
export async function answerHook(store: HookStore, input: HookInput, settings: Settings): Promise<Result<string>> {
  const said = await recordFacts(await factsOf(withChecks(input, settings), store), (fact) =>
    recordFact(store, fact, settings),
  );
  return said.ok ? ok(render(input, said.value)) : said;
}

/** What else is a check, a person says. */
export function withChecks(input: HookInput, { checkPatterns }: Settings): HookInput {
  return checkPatterns.length === 0 ? input : { ...input, checkPatterns };
}

type RecordFact = (fact: HookFact, index: number) => Promise<Result<Said>>;

/** One after the other; a fact that is refused is the last. */
export async function recordFacts(facts: readonly HookFact[], record: RecordFact): Promise<Result<Said>> {
  const said: string[] = [];
  for (const [index, fact] of facts.entries()) {
    const recorded = await record(fact, index);
    if (!recorded.ok) return recorded;
    said.push(...recorded.value);
  }
  return ok(said);
}

export function render(input: HookInput, said: Said): string {
  const { event, client } = input;
  const permission = isPluginCall(input) ? ALLOWED : undefined;
  if (said.length === 0 && !permission) return "";
  const text = redact(said.join("\n\n"));
  if (input.answer) return input.answer(text);
  if (event === "TaskCompleted") return JSON.stringify({ decision: "block", reason: text });
  // Codex takes no context at a stop. Claude Code does, and shows it as feedback; a block it would show as an error.
  if (event === "Stop" && client === "codex") return JSON.stringify({ decision: "block", reason: text });
  // Nothing else is said before a call.
  const isRefused = event === "PreToolUse" && said.length > 0;
  if (isRefused)
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...DENIED, permissionDecisionReason: text } });
  const context = said.length === 0 ? undefined : { additionalContext: text };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...permission, ...context } });
}

const DENIED = { permissionDecision: "deny" };

/** A plugin cannot write to the client's permissions, and nobody wants to be asked at every tick of a list. */
const ALLOWED = { permissionDecision: "allow", permissionDecisionReason: "Milepost's own list" };
const PLUGIN_TOOLS = [pluginTool("todo"), pluginTool("task"), pluginTool("plan")];

/** For the server of our own plugin alone, and only by a hook of that plugin. */
function isPluginCall({ event, client, environment, fields }: HookInput): boolean {
  if (event !== "PreToolUse" || client !== "claude-code") return false;
  return PLUGIN_TOOLS.includes(stringOf(fields, "tool_name") ?? "") && claudeToolWay(environment) === "plugin";
}
