import { isDeeperThan, isObject } from "../../../core/json.js";
import { DEEPEST_VALUE } from "../../../core/value-limits.js";
import { readJsonText } from "../pi-json.js";
import { rewriteParts, type Shape } from "../pi-schema.js";
import { withPlainKeys, withUnflattenedKeys } from "./argument-keys.js";
import { spilledFields } from "./argument-spill.js";
import { complaintsAbout, jsonOf } from "./complaints.js";
import { TODO } from "./todo-op-schema.js";

const MOST_PASSES = 5;

/**
 * What oh-my-pi's host makes of arguments before the tool sees them. Where it cannot make them fit, the tool gets them
 * as the model wrote them, and complains itself.
 */
export function repairedArguments(original: unknown): unknown {
  const args = isObject(original) ? original : {};
  // Also a string that holds the arguments, and nothing deeper than what is stored anywhere.
  const start = typeof original === "string" ? original : args;
  if (isDeeperThan(start, DEEPEST_VALUE)) return args;
  const first = withoutPlaceholders(withUnflattenedKeys(withPlainKeys(start)));
  const value = coerced(first);
  if (fits(value)) return value;
  const healed = isObject(value) ? spilledFields(value) : undefined;
  const again = healed && coerced(healed);
  return again && fits(again) ? again : args;
}

function fits(value: unknown): boolean {
  return complaintsAbout(TODO, value).length === 0;
}

function coerced(start: unknown): unknown {
  let value = start;
  for (let pass = 0; pass < MOST_PASSES && !fits(value); pass += 1) {
    const next = coercedParts(TODO, value);
    if (Object.is(next, value) || isDeeperThan(next, DEEPEST_VALUE)) break;
    value = withoutPlaceholders(withPlainKeys(next));
  }
  return value;
}

/** Models say null, or "null", or nothing at all, where they have nothing to say; `op` may have blanks around it. */
function withoutPlaceholders(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key, part]) => !isPlaceholder(key, part));
  return Object.fromEntries(entries.map(([key, part]) => [key, key === "op" ? trimmedOption(part) : part]));
}

function isPlaceholder(key: string, value: unknown): boolean {
  const shape = Object.hasOwn(TODO.properties, key) ? TODO.properties[key] : undefined;
  if (!shape || TODO.required.includes(key)) return false;
  return value === null || value === "null" || (value === "" && shape.type !== "string");
}

function trimmedOption(value: unknown): unknown {
  const { op } = TODO.properties;
  const trimmed = typeof value === "string" ? value.trim() : "";
  return op?.type === "string" && op.enum?.includes(trimmed) ? trimmed : value;
}

/** Every part of the wrong type, made the right one where that is possible. What is inside is for the next pass. */
function coercedParts(shape: Shape, value: unknown): unknown {
  if (value === undefined) return value;
  if (typeOf(value) === shape.type) return rewriteParts(shape, value, coercedParts);
  if (shape.type === "string") return textOf(value);
  const read = typeof value === "string" ? readNested(value, shape.type) : undefined;
  if (read) return read.value;
  return shape.type === "array" ? listOf(value) : value;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function textOf(value: unknown): unknown {
  if (value === null || typeof value === "function" || typeof value === "symbol") return value;
  return typeof value === "object" ? (jsonOf(value) ?? value) : String(value);
}

/** One value where several could be; not a text that was meant to be a list. */
function listOf(value: unknown): unknown {
  if (typeof value !== "string") return [value];
  const read = readNested(value, "object");
  if (read) return [read.value];
  return looksLikeJson(value) ? value : [value];
}

/** How often JSON may have been written as a JSON string. */
const MOST_QUOTED = 3;

function readNested(text: string, type: "array" | "object", quoted = 0): ReturnType<typeof readJsonText> {
  const json = text.trim();
  if (json.startsWith('"')) {
    const inner = readString(json);
    return inner !== undefined && quoted < MOST_QUOTED ? readNested(inner, type, quoted + 1) : undefined;
  }
  return json === "null" || looksLikeJson(json) ? readJsonText(json, type) : undefined;
}

function readString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text in brackets may just be a text: "[draft] title". */
function looksLikeJson(text: string): boolean {
  const json = text.trimStart();
  const inner = json.slice(1).trimStart();
  if (json.startsWith("{")) return /^["}]/.test(inner) || json.includes(":");
  return (
    json.startsWith("[") &&
    /^(?:[{["\]]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*(?:,|\]|$))/.test(inner)
  );
}
