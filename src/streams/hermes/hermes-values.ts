import { isDeeperThan, isObject, type JsonObject, parseJson } from "../../core/json.js";
import { loadsFirst } from "../../dialects/wording/python-json.js";
import { strip, strOf } from "../../dialects/wording/python-text.js";
import {
  fromJson,
  isDict,
  isTrue,
  type PythonDict,
  PythonError,
  type PythonValue,
} from "../../dialects/wording/python-value.js";

/** Deeper than any tool's arguments; what walks a value has a stack that ends. */
const DEEPEST = 100;

/** The arguments of a call: an object, or its JSON text; other text is kept as `raw`. Undefined: nested too deeply. */
export function argumentsOf(told: unknown): JsonObject | undefined {
  const parsed = typeof told === "string" ? parseJson(told) : told;
  const value = parsed === undefined && typeof told === "string" ? { raw: told } : parsed;
  if (!isObject(value)) return {};
  return isDeeperThan(value, DEEPEST) ? undefined : value;
}

/** As the tool's answer came; undefined for none. */
export function resultText(result: unknown): string | undefined {
  return result === undefined || result === null ? undefined : pythonText(fromJson(result));
}

/** What Python prints; nothing for what it cannot print. */
export function pythonText(value: PythonValue): string {
  try {
    return strOf(value);
  } catch (error) {
    if (error instanceof PythonError) return "";
    throw error;
  }
}

/** The object at the start of an answer: some tools add a hint in words behind it. */
export function answerDict(result: string | undefined): PythonDict | undefined {
  const value = result === undefined ? undefined : loadsFirst(result);
  return isDict(value) ? value : undefined;
}

/** The first of these fields that Python takes for true, as a trimmed text. */
export function saidAt(dict: PythonDict, fields: readonly string[], otherwise = ""): string {
  const value = fields.map((field) => dict.get(field)).find(isTrue);
  return (value === undefined ? "" : strip(pythonText(value))) || otherwise;
}

/** A field as it is printed, also when it is empty. */
export function printedAt(dict: PythonDict, field: string, otherwise: string): string {
  const value = dict.get(field);
  return value === undefined ? otherwise : pythonText(value);
}

/** At most `most` characters, the last of which are the mark. */
export function shortened(text: string, most: number): string {
  const characters = charactersOf(text, most);
  return characters ? `${characters.slice(0, most - 3).join("")}...` : text;
}

const CUT = 100;

/** Text over the limit is cut a hundred characters before it, and says how long it was. */
export function cutLong(text: string, limit = 5000): string {
  const characters = charactersOf(text, limit);
  if (!characters) return text;
  return `${characters.slice(0, limit - CUT).join("")}\n... (${characters.length} chars total, truncated)`;
}

/** Counted as Python does; undefined where there are no more than `most`. */
function charactersOf(text: string, most: number): readonly string[] | undefined {
  if (text.length <= most) return undefined;
  const characters = Array.from(text);
  return characters.length <= most ? undefined : characters;
}
