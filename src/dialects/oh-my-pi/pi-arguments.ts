import { isObject, type JsonObject } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { ToolInput } from "../dialect.js";
import { writable } from "../json-limits.js";
import { exactKindOf, type Issue, optionIssues, type Path, sizeIssues, typeIssue } from "../wording/zod-issues.js";
import { readJsonText } from "./pi-json.js";
import { type PiOp, type RecordShape, rewriteParts, type Shape, TODO_WRITE } from "./pi-schema.js";

export interface PiArguments extends JsonObject {
  readonly ops: readonly PiOp[];
}

const MOST_PASSES = 5;

/** What oh-my-pi's host makes of the arguments before the tool sees them, or why it refuses them. */
export function readPiArguments(tool: string, input: ToolInput): Result<PiArguments, string> {
  const original = readInput(input);
  let value = withoutNulls(TODO_WRITE, original, true);
  let issues = issuesOf(TODO_WRITE, value, []);
  for (let pass = 0; isRepairable(issues) && pass < MOST_PASSES; pass += 1) {
    const parsed = withParsedTexts(TODO_WRITE, value);
    if (Object.is(parsed, value)) break;
    value = withoutNulls(TODO_WRITE, parsed, true);
    issues = issuesOf(TODO_WRITE, value, []);
  }
  const received = Object.is(value, original) ? original : { original, normalized: value };
  if (issues.length > 0) return fail(refusal(tool, issues, received));
  // Without issues it is an object of the schema's shape. Only its own unknown keys are kept.
  return ok({ ...(value as JsonObject), ...(known(TODO_WRITE, value) as PiArguments) });
}

/** Unreadable text is no arguments. Unlike the host, a cut-off call is not completed: without a target it means all. */
export function readInput(input: ToolInput): unknown {
  if (!("text" in input)) return input.value;
  try {
    return JSON.parse(input.text);
  } catch {
    return readJsonText(input.text, "object")?.value ?? {};
  }
}

/** Models say null, or "null", where they have nothing to say; a required field keeps it, and is refused for it. */
function withoutNulls(shape: Shape, value: unknown, isRoot: boolean): unknown {
  const next = rewriteParts(shape, value, (part, inner) => withoutNulls(part, inner, false));
  if (shape.type !== "object" || !isObject(next)) return next;
  const kept = Object.entries(next).filter(([key, part]) => !isNull(part) || staysNull(shape, key, isRoot));
  return kept.length === Object.keys(next).length ? next : Object.fromEntries(kept);
}

function isNull(value: unknown): boolean {
  return value === null || value === "null";
}

function staysNull({ properties, required }: RecordShape, key: string, isRoot: boolean): boolean {
  return required.includes(key) || (isRoot && !Object.hasOwn(properties, key));
}

/** Texts in places of lists and objects, read once; what they hold is looked at by the next pass. */
function withParsedTexts(shape: Shape, value: unknown): unknown {
  if (shape.type === "string") return value;
  if (typeof value !== "string") return rewriteParts(shape, value, withParsedTexts);
  const found = readJsonText(value, shape.type);
  return found ? found.value : value;
}

/** Unknown keys are no issue; they are just not there any more. */
function known(shape: Shape, value: unknown): unknown {
  if (shape.type === "array") return (value as readonly unknown[]).map((part) => known(shape.items, part));
  if (shape.type === "string") return value;
  const record = value as JsonObject;
  const entries = Object.entries(shape.properties).flatMap(([key, property]) => {
    const part = Object.hasOwn(record, key) ? record[key] : undefined;
    return part === undefined ? [] : [[key, known(property, part)]];
  });
  return Object.fromEntries(entries);
}

/** Nobody reads more complaints than these, nor is such a call worth repairing: each try takes its time. */
const MOST_ISSUES = 1_000;

function isRepairable({ length }: readonly Issue[]): boolean {
  return length > 0 && length < MOST_ISSUES;
}

function issuesOf(shape: Shape, value: unknown, path: Path): readonly Issue[] {
  const wrongType = () => [typeIssue(shape.type, path, exactKindOf(value))];
  switch (shape.type) {
    case "string":
      if (shape.enum) return optionIssues(value, path, shape.enum);
      return typeof value === "string" ? [] : wrongType();
    case "object":
      return isObject(value) ? recordIssues(shape, value, path) : wrongType();
    case "array": {
      const issues = Array.isArray(value) ? listIssues(shape.items, value, path) : wrongType();
      return shape.minItems ? [...issues, ...sizeIssues(value, path, { minimum: shape.minItems })] : issues;
    }
  }
}

function recordIssues(shape: RecordShape, value: JsonObject, path: Path): readonly Issue[] {
  return Object.entries(shape.properties).flatMap(([key, property]) => {
    const part = Object.hasOwn(value, key) ? value[key] : undefined;
    const isLeftOut = part === undefined && !shape.required.includes(key);
    return isLeftOut ? [] : issuesOf(property, part, [...path, key]);
  });
}

function listIssues(items: Shape, list: readonly unknown[], path: Path): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [at, item] of list.entries()) {
    issues.push(...issuesOf(items, item, [...path, at]));
    if (issues.length >= MOST_ISSUES) return issues.slice(0, MOST_ISSUES);
  }
  return issues;
}

function refusal(tool: string, issues: readonly Issue[], received: unknown): string {
  const lines = issues.map(({ path, message }) => `  - ${path.length === 0 ? "root" : path.join("/")}: ${message}`);
  const json = JSON.stringify(writable(received, DEEPEST), null, 2);
  return `Validation failed for tool "${tool}":\n${lines.join("\n")}\n\nReceived arguments:\n${json}`;
}

/** Good arguments are seven levels deep. */
const DEEPEST = 100;
