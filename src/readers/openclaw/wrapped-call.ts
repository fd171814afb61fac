import { isObject, type JsonObject, objectAt, parseJson } from "../../core/json.js";

// What a model has written around the call of a hidden tool, read as `tool_call` reads it: models put the tool's input
// in other places than `args`, and OpenClaw takes that.

const SELECTORS = ["id", "toolId", "name"];
const DOTTED = /^args\.(?=.)/;

interface WrappedCall {
  readonly id: string;
  readonly input: JsonObject;
}

/** Undefined for one that names no tool. */
export function wrappedCall(sent: JsonObject): WrappedCall | undefined {
  const whole = withSelector({ ...sent, ...("args" in sent && { args: ofJson(sent.args) }) });
  const id = typeof whole.id === "string" ? whole.id.trim() : "";
  // Told twice, the second is no field of the tool.
  const rest = Object.entries(whole).filter(([key, value]) => key !== "id" && !(isSelector(key) && value === id));
  return id === "" ? undefined : { id, input: inputOf(Object.fromEntries(rest)) };
}

/** In `args` or `input`; where these are absent or empty, beside them. */
function inputOf({ args, input, ...beside }: JsonObject): JsonObject {
  const entries = Object.entries(beside);
  const dotted = entries.filter(([key]) => DOTTED.test(key)).map(([key, value]) => [key.replace(DOTTED, ""), value]);
  const nested = args ?? input;
  const isGiven = nested != null && !(isObject(nested) && Object.keys(nested).length === 0);
  const flat = entries.filter(([key]) => !DOTTED.test(key));
  return { ...Object.fromEntries(dotted), ...(isGiven ? objectAt(nested) : Object.fromEntries(flat)) };
}

/** Everything may lie one level too deep. */
function withSelector(sent: JsonObject): JsonObject {
  const { args, input, ...beside } = sent;
  const nested = args ?? input;
  if (!isObject(nested) || Object.keys(sent).some(isSelector)) return sent;
  const id = nested.id ?? nested.toolId ?? nested.name;
  return id === undefined ? sent : { ...beside, ...nested, id };
}

function isSelector(key: string): boolean {
  return SELECTORS.includes(key);
}

function ofJson(value: unknown): unknown {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  return isObject(parsed) ? parsed : value;
}
