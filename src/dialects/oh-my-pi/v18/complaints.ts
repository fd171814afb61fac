import { isDeeperThan, isObject, type JsonObject } from "../../../core/json.js";
import { DEEPEST_VALUE } from "../../../core/value-limits.js";
import type { RecordShape, Shape } from "../pi-schema.js";

// The wording of omptype, the schema library of oh-my-pi 18: a line for each value that is not what it should be.

/** Nobody reads more of them. */
const MOST_COMPLAINTS = 1_000;

export function complaintsAbout(shape: Shape, value: unknown): readonly string[] {
  const found: string[] = [];
  collect(shape, value, "", found);
  return found;
}

function collect(shape: Shape, value: unknown, path: string, found: string[]): void {
  if (found.length >= MOST_COMPLAINTS) return;
  const complain = (was: string, expected = expectedOf(shape)) =>
    found.push(`${path}${path === "" ? "" : " "}must be ${expected} (was ${was})`);
  switch (shape.type) {
    case "string":
      if (shape.enum ? !shape.enum.some((option) => option === value) : typeof value !== "string")
        complain(shape.enum ? shownValue(value) : kindOf(value));
      return;
    case "array":
      if (!Array.isArray(value)) complain(kindOf(value));
      else if (value.length < (shape.minItems ?? 0)) complain("0", "at least length 1");
      else collectItems(shape.items, value, path, found);
      return;
    case "object":
      // A list is an object, too; it has none of the fields.
      if (typeof value !== "object" || value === null) complain(kindOf(value));
      else collectFields(shape, value as JsonObject, path, found);
  }
}

function collectItems(shape: Shape, list: readonly unknown[], path: string, found: string[]): void {
  for (const [at, item] of list.entries()) {
    if (found.length >= MOST_COMPLAINTS) return;
    collect(shape, item, `${path}[${at}]`, found);
  }
}

function collectFields({ properties, required }: RecordShape, value: JsonObject, path: string, found: string[]): void {
  for (const [key, shape] of Object.entries(properties)) {
    const name = path === "" ? key : `${path}.${key}`;
    if (Object.hasOwn(value, key)) collect(shape, value[key], name, found);
    else if (required.includes(key)) found.push(`${name} must be ${expectedOf(shape)} (was missing)`);
  }
}

function expectedOf(shape: Shape): string {
  if (shape.description !== undefined) return shape.description;
  if (shape.type !== "string") return `an ${shape.type}`;
  if (!shape.enum) return "a string";
  const options = shape.enum.map((option) => `"${option}"`);
  return `${options.slice(0, -1).join(", ")} or ${options.at(-1)}`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return String(value);
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const LONGEST_SHOWN = 40;

/** Where one of a few values is expected, the value itself is shown. */
function shownValue(value: unknown): string {
  if (typeof value === "string")
    return value.length <= LONGEST_SHOWN ? JSON.stringify(value) : `a string (length ${value.length})`;
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return jsonOf(value) ?? "an object";
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
}

/** Undefined for what cannot be written as JSON, or is nested so deep that nobody should. */
export function jsonOf(value: object): string | undefined {
  if (isDeeperThan(value, DEEPEST_VALUE)) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
