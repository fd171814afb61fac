import { isObject, objectAt, parseJson } from "../../core/json.js";
import type { AgentMode } from "../../core/session/session-plan.js";
import { endOf } from "../transcripts/file-peek.js";
import { type HookInput, stringOf } from "./hook-input.js";

/** Hooks of these run beside the work, and may be heard when the mode has changed already. */
const BESIDE = ["PermissionRequest", "Notification", "SubagentStart", "SubagentStop"];

/** Whether the client lets the session's agent work. A sub-agent may have a mode of its own: that is not told. */
export function modeOf(input: HookInput): AgentMode | undefined {
  if (input.agent !== undefined || BESIDE.includes(input.event)) return undefined;
  return input.client === "codex" ? modeOfTurn(input) : modeIn(stringOf(input.fields, "permission_mode"));
}

/** Claude Code has several modes in which work is done, and Codex may get more. */
function modeIn(word: unknown): AgentMode | undefined {
  if (typeof word !== "string") return undefined;
  return word === "plan" ? "plan" : "default";
}

/** The lines of a turn's beginning that follow the one that tells its mode have room here. Bytes. */
const LOOKED_AT = 262_144;

/**
 * Codex tells its hooks nothing about it, but has written down how a turn begins before the hook of its prompt runs. A
 * turn keeps its mode.
 */
function modeOfTurn({ event, transcript }: HookInput): AgentMode | undefined {
  if (event !== "UserPromptSubmit" || transcript === undefined) return undefined;
  const lines = endOf(transcript, LOOKED_AT).split("\n").reverse();
  for (const line of lines) {
    const mode = TELLING.some((name) => line.includes(name)) ? modeIn(modeInLine(line)) : undefined;
    if (mode !== undefined) return mode;
  }
  return undefined;
}

const TELLING = ['"turn_context"', '"task_started"'];

function modeInLine(line: string): unknown {
  const record = parseJson(line);
  const { type, payload } = isObject(record) ? record : { type: undefined, payload: undefined };
  const told = objectAt(payload);
  if (type === "turn_context") return objectAt(told.collaboration_mode).mode;
  return type === "event_msg" && told.type === "task_started" ? told.collaboration_mode_kind : undefined;
}
