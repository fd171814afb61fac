import { isId } from "../../core/id.js";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../core/json.js";

/** Whole enough to be read. */
export function isQwenRecord(record: JsonObject): boolean {
  const { sessionId, uuid, type } = record;
  return isId(sessionId) && typeof uuid === "string" && typeof type === "string" && hasQwenShape(record);
}

/** The fields that Claude Code's lines have, too, but a message of parts, or a word on where a line comes from. */
export function hasQwenShape({ message, systemPayload, provenance }: JsonObject): boolean {
  return isObject(systemPayload) || Array.isArray(objectAt(message).parts) || typeof provenance === "string";
}

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
