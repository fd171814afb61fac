import { isObject, parseJson } from "../../core/json.js";
import { commandOf } from "../session/process-life.js";
import type { Environment } from "../store-place.js";
import { endOf } from "../transcripts/file-peek.js";
import { isAskedOnce } from "./clients/qwen-attended.js";
import { type HookInput, isFirstClient, stringOf } from "./hook-input.js";

/**
 * A program reads what the agent says last, and nobody sits before it: `claude -p`, an SDK, `codex exec`. Where there
 * is no sign that a person is there, nobody is.
 */
export function isUnattended(input: HookInput): boolean {
  if (input.client === "qwen") return isAskedOnce(input.process);
  if (!isFirstClient(input.client)) return input.fields.is_unattended === true;
  return input.client === "codex" ? !isTypedInCodex(input) : isHeadlessClaude(input.environment);
}

/** Its ways in that no person looks at, as far as they do not say so themselves (older versions do not). */
const HEADLESS = /^(?:sdk-.*|mcp|bench|claude-code-github-action|claude-security|remote_baku|.*_trigger)$/;

function isHeadlessClaude(environment: Environment): boolean {
  return environment.CLAUDE_CODE_SESSION_ATTENDED === "0" || HEADLESS.test(environment.CLAUDE_CODE_ENTRYPOINT ?? "");
}

/** Kinds of sessions that run behind the one that a person sees. */
const BEHIND = ["bg", "daemon", "daemon-worker"];

/**
 * The environment of a client's server, as its hooks have it: what tells a hook whether somebody is there is not told
 * to a server, which may have inherited it from a session around its own.
 */
export function hookEnvironment(server: Environment): Environment {
  const isBehind = BEHIND.includes(server.CLAUDE_CODE_SESSION_KIND ?? "");
  return { ...server, CLAUDE_CODE_SESSION_ATTENDED: isBehind ? "0" : undefined };
}

/**
 * Codex tells hooks nothing about it. But a prompt that a person typed has an id of the program it was typed in, and
 * one of `codex exec` has none, also when it goes on with a session of a terminal; and Linux shows how it was started.
 */
function isTypedInCodex({ transcript, fields, process }: HookInput): boolean {
  const turn = stringOf(fields, "turn_id");
  if (transcript === undefined || turn === undefined || commandOf(process).includes("exec")) return false;
  return endOf(transcript, LOOKED_AT)
    .split("\n")
    .some((line) => line.includes(PROMPT) && line.includes(turn) && isTyped(line, turn));
}

/** A turn that has written more than this is taken for one that nobody looks at. */
const LOOKED_AT = 4_194_304;
const PROMPT = '"UserMessage"';

function isTyped(line: string, turn: string): boolean {
  const record = parseJson(line);
  const payload = isObject(record) ? record.payload : undefined;
  if (!isObject(payload) || payload.turn_id !== turn || !isObject(payload.item)) return false;
  const { type, client_id: by } = payload.item;
  return type === "UserMessage" && typeof by === "string" && by !== "";
}
