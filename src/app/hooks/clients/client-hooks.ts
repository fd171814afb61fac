import { ok, type Result } from "../../../core/result.js";
import type { OfferingClient } from "../../settings.js";
import type { Environment } from "../../store-place.js";
import { type Fields, type HookInput, hookInputOf, type WhenSaid } from "../hook-input.js";

/**
 * One client's hooks, in ours and back. A client with hooks of its own shape is a file here and a row below; setup
 * writes `milepost hook CLIENT [EVENT]` into its files. Pure: no files, no clock. Neither function ever throws.
 */
export interface ClientHooks {
  /**
   * The fields as Claude Code would send them (`hook_event_name`, `session_id`, `cwd`, `tool_name` with
   * `mcp__SERVER__TOOL` for a server's, `tool_input`, `tool_response`, `tool_use_id`, `prompt`, `source`,
   * `last_assistant_message` ...), and `is_unattended: true` where nobody sits before the agent. Undefined: this one
   * tells us nothing. `event`: the second word of the command, for clients that do not say it in the input.
   */
  read(fields: Fields, event: string | undefined): Fields | undefined;
  /** What the model is told, as this client takes it at this event; empty where it takes nothing. */
  answer(input: HookInput, text: string): string;
  /** When the model reads what is said at this event, where that is not at once. */
  whenSaid?(input: HookInput): WhenSaid | undefined;
  /** What it is answered at an event that is nothing to us. */
  reply?(input: HookInput): string | undefined;
}

/** Loaded by name: a hook of another client costs nothing. */
const CLIENTS: Readonly<Partial<Record<OfferingClient, () => Promise<ClientHooks>>>> = {
  copilot: async () => (await import("./copilot-hooks.js")).copilotHooks,
  gemini: async () => (await import("./gemini-hooks.js")).geminiHooks,
  qwen: async () => (await import("./qwen-hooks.js")).qwenHooks,
};

/** Undefined for an event that tells nothing. */
export async function readClientHook(
  [client = "", event]: readonly string[],
  fields: Fields,
  { process, environment }: { readonly process: string; readonly environment: Environment },
): Promise<Result<HookInput | undefined, string>> {
  const load = Object.hasOwn(CLIENTS, client) ? CLIENTS[client as OfferingClient] : undefined;
  const hooks = await load?.();
  // Doctor asks in words that every client has.
  const told = fields.hook_event_name === "Doctor" || !hooks ? fields : hooks.read(fields, event);
  if (!told) return ok(undefined);
  const input = hookInputOf(told, process, environment, hooks && (client as OfferingClient));
  if (!input.ok || !hooks) return input;
  const read = input.value;
  const said = hooks.whenSaid?.(read);
  const reply = hooks.reply?.(read);
  const more = { ...(said && { said }), ...(reply !== undefined && { reply }) };
  return ok({ ...read, answer: (text) => hooks.answer(read, text), ...more });
}
