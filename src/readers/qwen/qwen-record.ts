import { isId } from "../../core/id.js";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../core/json.js";

const TYPES: readonly unknown[] = ["user", "assistant", "tool_result", "system"];

/** The fields that Claude Code's lines have, too, but a message of parts, or what the agent keeps for itself. */
export function isQwenRecord({ sessionId, uuid, type, message, systemPayload, provenance }: JsonObject): boolean {
  if (!isId(sessionId) || typeof uuid !== "string" || !TYPES.includes(type)) return false;
  return isObject(systemPayload) || Array.isArray(objectAt(message).parts) || PROVENANCES.includes(provenance);
}

const PROVENANCES: readonly unknown[] = [
  "real_user",
  "assistant_output",
  "tool_result",
  "goal_control",
  "goal_runtime",
];

export function sessionOf({ sessionId, agentId, isSidechain }: JsonObject): string {
  return isSidechain === true && isId(agentId) ? `${sessionId}/${agentId}` : `${sessionId}`;
}

export function partsOf({ message }: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(message).parts).filter(isObject);
}

/** Without what the model thought. */
export function saidIn(parts: readonly JsonObject[]): string {
  return parts.flatMap(({ text, thought }) => (thought === true ? [] : (textAt(text) ?? []))).join("\n");
}
