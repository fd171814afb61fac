import { hookEnvironment } from "../app/hooks/attended.js";
import { checkUp, isCheckUp } from "../app/hooks/check-up.js";
import { type Ear, hearHook, hearStartsQuietly, troubleLine } from "../app/hooks/hear-hook.js";
import { readToolInput } from "../app/hooks/hook-fields.js";
import { type Fields, type HookInput, hookInputOf, withProcess } from "../app/hooks/hook-input.js";
import { writeLog } from "../app/log-file.js";
import type { Place } from "../app/milepost.js";
import type { OfferingClient } from "../app/settings.js";
import type { Environment } from "../app/store-place.js";
import { idAt, objectAt } from "../core/json.js";
import type { CallNote, Surroundings } from "./identity.js";
import type { ServerStore } from "./server-store.js";
import { SpoolDrain } from "./spool-drain.js";

/** In no list of tools: a client's hooks call it by its name, and a model is not told of it. */
const HOOK_TOOL = "hook";

/** What clients that can call a tool from a hook call themselves. */
const CLIENTS = /^(?:claude-code|codex)\b/i;

/** Our extensions in agents call themselves like the agent. */
const EXTENDED: readonly OfferingClient[] = ["oh-my-pi", "pi", "openclaw", "opencode"];

function extendedClient({ clientName }: CallNote): OfferingClient | undefined {
  return EXTENDED.find((name) => clientName === `milepost-${name}`);
}

/** A call that a model made says which one it is; a hook is no call, and says no such thing. */
const OF_MODEL = /tool|call|item|turn/i;

export interface HookCall extends CallNote {
  readonly tool: string;
  readonly input: unknown;
}

/** Anybody else who names the tool is told that there is none. */
export function isHookCall({ tool, meta, clientName }: HookCall): boolean {
  if (tool !== HOOK_TOOL || !(CLIENTS.test(clientName ?? "") || extendedClient({ meta, clientName }))) return false;
  return !Object.keys(meta).some((key) => OF_MODEL.test(key));
}

/** Calls of which the hook before them has told whose they are. Others are not made for so long. */
const MOST_PLACES = 1000;

interface HookOptions {
  /** What the server speaks. */
  readonly dialect: string;
  /** In that dialect only a session's main agent has a list. */
  readonly hasMainListOnly: boolean;
  /** Is told whose hook each is. */
  readonly heard: (place: Place) => void;
}

/** The hooks of the client that started this server. */
export class HookTool {
  readonly #surroundings: Surroundings;
  readonly #environment: Environment;
  readonly #store: ServerStore;
  readonly #drain: SpoolDrain;
  readonly #places = new Map<string, Place>();
  /** The last hook of each session that is not answered yet. */
  readonly #waiting = new Map<string, Promise<unknown>>();
  readonly #options: HookOptions;

  constructor(surroundings: Surroundings, store: ServerStore, options: HookOptions) {
    this.#surroundings = surroundings;
    this.#environment = hookEnvironment(surroundings.environment);
    this.#store = store;
    this.#drain = new SpoolDrain(this.#environment, surroundings.store, store);
    this.#options = options;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#waiting.values());
    await this.#drain.stop();
  }

  /** Whose call it is, if a hook has told. */
  placeOf(call: string | undefined): Place | undefined {
    return call === undefined ? undefined : this.#places.get(call);
  }

  /** What `milepost hook` would print. Never throws: a hook must not break somebody's agent. */
  async answer({ input: told, meta, clientName }: HookCall): Promise<string> {
    const { process } = this.#surroundings;
    const client = extendedClient({ meta, clientName });
    // An extension sends values as they are.
    const fields = client ? objectAt(told) : withAgent(readToolInput(told), meta.threadId);
    const input = hookInputOf(fields, process, this.#environment, client);
    if (!input.ok) return this.#complain("hook", input.error);
    if (isCheckUp(input.value)) return checkUp(this.#environment);
    const hook = { ...withProcess(input.value, process), dialect: this.#options.dialect };
    this.#note(hook);
    // In the order in which they came; sessions do not wait for each other.
    const before = this.#waiting.get(hook.session) ?? Promise.resolve();
    const answer = before.then(() => this.#hear(hook));
    this.#waiting.set(hook.session, answer);
    await answer;
    if (this.#waiting.get(hook.session) === answer) this.#waiting.delete(hook.session);
    return answer;
  }

  /** What a shell has kept for this server. */
  async hearStarts(): Promise<void> {
    await this.#store.milepost();
    await hearStartsQuietly(this.#ear());
  }

  #ear(): Ear {
    const open = (patience?: number) => this.#store.hookStore(patience);
    // What waits is taken in beside the hooks, and no hook tries.
    const { hasMainListOnly } = this.#options;
    return { environment: this.#environment, store: this.#surroundings.store, open, isTakingIn: true, hasMainListOnly };
  }

  async #hear(hook: HookInput): Promise<string> {
    try {
      return await hearHook(this.#ear(), hook);
    } catch (error) {
      return this.#complain(`hook ${hook.event}`, troubleLine(error));
    } finally {
      this.#drain.look();
    }
  }

  #note({ event, session, agent, fields }: HookInput): void {
    const place = { session, ...(agent === undefined ? undefined : { agent }) };
    this.#options.heard(place);
    const call = event === "PreToolUse" ? idAt(fields.tool_use_id) : undefined;
    if (call === undefined) return;
    // Again at the end: the first ones are those that are forgotten first.
    this.#places.delete(call);
    this.#places.set(call, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= MOST_PLACES) break;
      this.#places.delete(oldest);
    }
  }

  #complain(source: string, text: string): string {
    writeLog(this.#environment, source, text);
    return "";
  }
}

/** Codex tells whose hook it is with the call: a sub-agent is a thread of its own. Commands are told `agent_id`. */
function withAgent(fields: Fields, thread: unknown): Fields {
  if (typeof thread !== "string" || thread === fields.session_id || fields.agent_id !== undefined) return fields;
  return { ...fields, agent_id: thread };
}
