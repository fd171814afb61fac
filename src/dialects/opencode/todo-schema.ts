import { isDeeperThan, isObject, type JsonObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { DEEPEST_VALUE } from "../../core/value-limits.js";
import type { ToolInput } from "../dialect.js";
import { jscComplaint } from "../wording/jsc-json.js";

/** As the model sent it: any text is a status and a priority here. */
export interface OpencodeItem {
  readonly content: string;
  readonly status: string;
  readonly priority: string;
}

export const FIELDS = ["content", "status", "priority"] as const;

type Read<T> = Result<T, string>;

interface Naming {
  /** The host has put the tool's name into small letters. It mends a call once, so what else is wrong is said bare. */
  readonly isRenamed?: boolean;
}

/** The list that a call brings, or the refusal that the model reads. */
export function readTodos(tool: string, input: ToolInput, { isRenamed }: Naming = {}): Read<readonly OpencodeItem[]> {
  const parsed = parse(input);
  if (!parsed.ok) {
    const problem = `Invalid input for tool ${tool}: ${parsed.error}`;
    return fail(isRenamed ? problem : invalidCall(problem));
  }
  const items = itemsOf(parsed.value);
  if (items.ok) return items;
  return fail(
    `The ${tool} tool was called with invalid arguments: SchemaError(${items.error}).\nPlease rewrite the input so it satisfies the expected schema.`,
  );
}

/** What the host says of a call that never reached the tool. */
export function invalidCall(problem: string): string {
  return `The arguments provided to the tool are invalid: ${problem}`;
}

/** No text at all is an empty object. */
function parse(input: ToolInput): Read<unknown> {
  const text = "text" in input ? input.text : (input.source ?? "");
  if ("text" in input && text.trim() === "") return ok({});
  const complaint = "text" in input ? jscComplaint(text) : undefined;
  if (complaint !== undefined) return fail(unparsed(text, `JSON Parse error: ${complaint}`));
  const value: unknown = "value" in input ? input.value : JSON.parse(text);
  if (!hasPrototypeKey(value)) return ok(value);
  return fail(unparsed(text || shown(value), "Object contains forbidden prototype property"));
}

function unparsed(text: string, problem: string): string {
  return `JSON parsing failed: Text: ${text.toWellFormed()}.\nError message: ${problem}`;
}

/** Anywhere in it. A loop: depth costs no stack. */
function hasPrototypeKey(value: unknown): boolean {
  const work: unknown[] = [value];
  for (const item of work) {
    if (typeof item !== "object" || item === null) continue;
    if (Object.hasOwn(item, "__proto__")) return true;
    const made = isObject(item) ? own(item, "constructor") : undefined;
    if (isObject(made) && Object.hasOwn(made, "prototype")) return true;
    for (const inner of Object.values(item)) work.push(inner);
  }
  return false;
}

/** The first thing that is wrong ends the reading. Fields that are not in the schema are dropped. */
function itemsOf(value: unknown): Read<readonly OpencodeItem[]> {
  if (!isObject(value)) return fail(expected("object", value));
  if (!Object.hasOwn(value, "todos")) return fail(`Missing key${placeOf(["todos"])}`);
  const { todos } = value;
  if (!Array.isArray(todos)) return fail(expected("array", todos, ["todos"]));
  const items: OpencodeItem[] = [];
  for (const [index, todo] of todos.entries()) {
    const item = itemOf(todo, ["todos", index]);
    if (!item.ok) return item;
    items.push(item.value);
  }
  return ok(items);
}

type Path = readonly (string | number)[];

function itemOf(todo: unknown, path: Path): Read<OpencodeItem> {
  if (!isObject(todo)) return fail(expected("Todo", todo, path));
  const wrong = FIELDS.find((field) => typeof own(todo, field) !== "string");
  if (wrong !== undefined) return fail(fieldProblem(todo, wrong, [...path, wrong]));
  const [content, status, priority] = FIELDS.map((field) => String(todo[field])) as [string, string, string];
  return ok({ content, status, priority });
}

function fieldProblem(todo: JsonObject, field: string, path: Path): string {
  return Object.hasOwn(todo, field) ? expected("string", todo[field], path) : `Missing key${placeOf(path)}`;
}

function expected(wanted: string, got: unknown, path: Path = []): string {
  return `Expected ${wanted}, got ${shown(got)}${placeOf(path)}`;
}

function placeOf(path: Path): string {
  return path.length === 0 ? "" : `\n  at ${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
}

/** JSON, but for numbers that JSON has no word for. */
function shown(value: unknown): string {
  // Whoever walks it deeper would need a stack of any size.
  return isDeeperThan(value, DEEPEST_VALUE) ? "a value that is nested too deep" : written(value);
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (isObject(value)) {
    const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`);
    return asNamed(value, `{${fields.join(",")}}`);
  }
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "undefined");
}

/** The original takes a field `constructor` for the object's class, and says its name. */
function asNamed(value: JsonObject, text: string): string {
  const made = own(value, "constructor");
  const name = isObject(made) ? own(made, "name") : undefined;
  return name ? `${joined(name)}(${text})` : text;
}

/** As JavaScript puts a value into a text. */
function joined(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => (one === null ? "" : joined(one))).join(",");
  return isObject(value) ? "[object Object]" : String(value);
}
