import type { CallFacts } from "../../core/call/call-facts.js";
import { isId } from "../../core/id.js";
import { isObject, parseJson } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { guessed } from "../calls/call-events.js";
import { FIRST_CLIENTS } from "../settings/setting-words.js";
import type { OfferingClient } from "../settings.js";
import type { Environment } from "../store-place.js";

/** What every hook says, in Claude Code's words; the rest is in `fields`, and may be anything. */
export interface HookInput {
  readonly event: string;
  readonly client: OfferingClient;
  readonly session: string;
  /** The sub-agent it happened in. */
  readonly agent: string | undefined;
  readonly folder: string | undefined;
  /** Of the two clients whose transcripts hooks look into. */
  readonly transcript: string | undefined;
  /** The client's process: machine and number. */
  readonly process: string;
  /** The hook's own, which it has from the client. */
  readonly environment: Environment;
  readonly fields: Fields;
  /** The dialect of the server that heard it, where it was one. */
  readonly dialect?: string;
  /** A person's own commands that are checks. */
  readonly checkPatterns?: readonly string[];
  /** In a shape of its client's own, what the model is told; without it, in that of Claude Code. */
  readonly answer?: (text: string) => string;
  /** What the client is answered at an event that we do not hear. */
  readonly reply?: string;
  /** Without it, the client hands on at once what it is answered. */
  readonly said?: WhenSaid;
  /** Calls of a batch that are in the store already, by their ids: what their own hooks told of them. */
  readonly recorded?: ReadonlyMap<string, RecordedEnd>;
}

/**
 * `later`: the client takes no answer at this event; words wait for the session's next hook that takes one. `twice`: it
 * takes one, and may cut it away before its model reads it: the same words are said with that next hook again.
 */
export type WhenSaid = "later" | "twice";

export interface RecordedEnd {
  readonly status: "completed" | "failed" | "cancelled";
  readonly milliseconds?: number | undefined;
  readonly facts?: CallFacts | undefined;
}

export type Fields = { readonly [name: string]: unknown };

/** The longest path there is. */
const FOLDER_MAX = 4096;

export function readHookInput(text: string, process: string, environment: Environment = {}): Result<HookInput, string> {
  const fields = readFields(text);
  return fields ? hookInputOf(fields, process, environment) : fail("the input is not a JSON object");
}

/** `named`: who calls, where the caller is known otherwise than by what it says. */
export function hookInputOf(
  fields: Fields,
  process: string,
  environment: Environment,
  named?: OfferingClient,
): Result<HookInput, string> {
  const { hook_event_name: event, session_id: session } = fields;
  if (typeof event !== "string") return fail("the input has no hook_event_name");
  if (!isId(session)) return fail("the input has no valid session_id");
  const agent = stringOf(fields, "agent_id") || undefined;
  if (agent !== undefined && !isId(agent)) return fail("the agent_id is not valid");
  const told = stringOf(fields, "transcript_path");
  const client = named ?? (isCodex(fields, told) ? "codex" : "claude-code");
  const transcript = isFirstClient(client) ? told : undefined;
  const folder = stringOf(fields, "cwd")?.slice(0, FOLDER_MAX);
  return ok({ event, client, session, agent, transcript, folder, process, environment, fields });
}

/** Where somebody else knows the client's process: named as a command names it, to which Codex does not say it. */
export function withProcess(input: HookInput, process: string): HookInput {
  return { ...input, process: input.client === "codex" ? guessed(process) : process };
}

export function readFields(text: string): Fields | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Hooks of these look into their transcripts, too. */
export type FirstClient = (typeof FIRST_CLIENTS)[number];

export function isFirstClient(client: string): client is FirstClient {
  return (FIRST_CLIENTS as readonly string[]).includes(client);
}

/** Both send the same names. Codex numbers its turns, calls its transcripts rollouts, and may have none. */
function isCodex(fields: Fields, transcript: string | undefined): boolean {
  if (typeof fields.turn_id === "string") return true;
  return fields.transcript_path === null || /[\\/]rollout-[^\\/]*$/.test(transcript ?? "");
}

export function stringOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

/** The client's own id of what a person asked for; empty where it has none. Some models number calls in each turn. */
export function turnOf({ fields }: HookInput): string {
  return stringOf(fields, "prompt_id") ?? stringOf(fields, "turn_id") ?? "";
}

export function listOf(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}
