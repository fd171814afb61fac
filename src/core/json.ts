import { isId } from "./id.js";
import { redactStart } from "./secrets/redact.js";

export type JsonObject = { readonly [field: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Never what an object inherits: `__proto__` and `constructor` are keys like any other. */
export function own(item: JsonObject, key: string): unknown {
  return Object.hasOwn(item, key) ? item[key] : undefined;
}

/** Without undefined fields: an optional field is absent, so that it is neither stored nor reported. */
export function defined<const T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** An object, whatever it was: what is not there has no fields. */
export function objectAt(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

const NOTHING: JsonObject = Object.freeze({});

export function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined unless it is a text that says something. A lone surrogate becomes U+FFFD: no store could keep it. */
export function textAt(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;
}

/** A text without the blanks around it; undefined where nothing is left, or where it is none. */
export function trimmedAt(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() || undefined : undefined;
}

/** Only what can be counted: 1e400 is no number of tokens, and two of 1e308 have no sum. */
export function countAt(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** Milliseconds of an ISO time. */
export function timeAt(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

const LINE_MAX = 200;

/** The beginning of a text, without secrets. */
export function cutText(value: unknown, max: number): string | undefined {
  const text = textAt(value);
  return text === undefined ? undefined : redactStart(text, max).toWellFormed();
}

/** The beginning of a text as one line, without secrets. */
export function oneLine(value: unknown, max: number = LINE_MAX): string | undefined {
  const text = textAt(value);
  if (text === undefined) return undefined;
  const line = redactStart(text, 4 * max)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, max)
    // Half of a character that was cut in two.
    .replace(/[\ud800-\udbff]$/, "");
  return line.toWellFormed() || undefined;
}

/** The first of these fields that says something, as one line. No other is looked through for secrets. */
export function firstLine(item: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const line = oneLine(item[field]);
    if (line !== undefined) return line;
  }
  return undefined;
}

const PLAIN = /^[!-~]{1,200}$/;

/** An id of a call or a line that can be carried from fact to fact; undefined for anything else. */
export function idAt(value: unknown): string | undefined {
  return typeof value === "string" && PLAIN.test(value) ? value : undefined;
}

/** Sessions and agents are also named in commands, columns and paths, so their ids are stricter. */
export function sessionAt(value: unknown): string | undefined {
  return isId(value) ? value : undefined;
}

/**
 * A text, number or flag as text; else undefined. Foreign JSON can hold a `toString` that makes `String(value)` throw.
 */
export function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? `${value}` : undefined;
}

/** Nested deeper than that many levels? Whoever keeps or prints a value walks it with a stack that has an end. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const item of level)
      if (typeof item === "object" && item !== null)
        for (const inner of Array.isArray(item) ? item : Object.values(item))
          if (typeof inner === "object" && inner !== null) next.push(inner);
    level = next;
  }
  return false;
}

/** Equal as JSON, whatever the order of keys. A loop: a store of an older version may hold values of any depth. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const work: (readonly [unknown, unknown])[] = [[one, other]];
  for (let pair = work.pop(); pair; pair = work.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const keys = Object.keys(a);
    if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      work.push([(a as JsonObject)[key], (b as JsonObject)[key]]);
    }
  }
  return true;
}
