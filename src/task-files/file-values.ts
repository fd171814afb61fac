import { type JsonObject, listAt, objectAt, parseJson as parse, textAt } from "../core/json.js";
import { DEEPEST_VALUE } from "../core/value-limits.js";
import type { Tell } from "./task-format.js";

/**
 * Deeper values could not be written again: `JSON.stringify` calls itself for every level. A few levels more than a
 * value of ours may have: formats carry our values inside theirs.
 */
const DEEPEST = DEEPEST_VALUE + 6;

/** Editors and shells put a byte order mark before JSON. */
export function parseJson(text: string): unknown {
  return parse(withoutMark(text));
}

export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

export const NOT_JSON = "Not valid JSON; nothing of it was read. Fix it, or export it again.";

/** A text that says something. */
export function wordsAt(value: unknown): string | undefined {
  const text = textAt(value);
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** Ids are numbers in some files, and texts in others. */
export function fileIdAt(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return wordsAt(value)?.trim();
}

export function idsAt(value: unknown): readonly string[] {
  return [...new Set(listAt(value).flatMap((one) => fileIdAt(one) ?? []))];
}

export function labelsAt(value: unknown): readonly string[] {
  return [...new Set(listAt(value).flatMap((one) => wordsAt(one) ?? []))];
}

/** Milliseconds of an ISO time. */
export function fileTimeAt(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}

const LAST_TIME = 8.64e15;

export function isoTime(time: number | undefined): string | undefined {
  return time !== undefined && Math.abs(time) <= LAST_TIME ? new Date(time).toISOString() : undefined;
}

/** A copy that can be kept and written again; `isCut` when something of it could not. */
export function tame(value: unknown): { readonly value: unknown; readonly isCut: boolean } {
  let isCut = false;
  const copy = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return one.toWellFormed();
    if (typeof one !== "object" || one === null) return one;
    if (depth > DEEPEST) {
      isCut = true;
      return null;
    }
    if (Array.isArray(one)) return one.map((item) => copy(item, depth + 1));
    const entries = Object.entries(one).filter(([key]) => key !== "__proto__");
    // Whoever merges such a key by assignment would change what every object is.
    if (Object.hasOwn(one, "__proto__")) isCut = true;
    return Object.fromEntries(entries.map(([key, item]) => [key.toWellFormed(), copy(item, depth + 1)]));
  };
  return { value: copy(value, 0), isCut };
}

/** Objects of a file, ready to be kept; anything else is an empty one. */
export function keptObject(value: unknown, tell: Tell): JsonObject {
  const { value: tamed, isCut } = tame(value);
  if (isCut) tell(`Values nested deeper than ${DEEPEST} levels, or named __proto__, were skipped.`);
  return objectAt(tamed);
}

export function omit(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
