import { ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import type { HookStore } from "../session/hook-store.js";
import type { Said } from "../session/record-sighting.js";
import type { Settings } from "../settings.js";
import { factsOf, type HookFact, recordFact } from "./hook-facts.js";
import type { HookInput } from "./hook-input.js";
import { isSeen } from "./sightings.js";

/** Events that do not matter to us must cost nothing. */
export function isHeard({ event }: HookInput): boolean {
  return event === "SessionStart" || isSeen(event);
}

/** Records what the hook reports, and returns hook JSON for the client, or nothing. */
export async function answerHook(store: HookStore, input: HookInput, settings: Settings): Promise<Result<string>> {
  return answerFacts(input, await factsOf(input, store), (fact) => recordFact(store, fact, settings));
}

type RecordFact = (fact: HookFact, index: number) => Promise<Result<Said>>;

/** One after the other; a fact that is refused is the last. */
export async function answerFacts(
  input: HookInput,
  facts: readonly HookFact[],
  record: RecordFact,
): Promise<Result<string>> {
  const said: string[] = [];
  for (const [index, fact] of facts.entries()) {
    const recorded = await record(fact, index);
    if (!recorded.ok) return recorded;
    said.push(...recorded.value);
  }
  return ok(render(input, said));
}

export function render({ event, client }: HookInput, said: Said): string {
  if (said.length === 0) return "";
  const text = redact(said.join("\n\n"));
  // Codex takes no context at a stop. Claude Code does, and shows it as feedback; a block it would show as an error.
  if (event === "Stop" && client === "codex") return JSON.stringify({ decision: "block", reason: text });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}
