import { isObject, parseJson } from "../../core/json.js";
import { redact } from "../../core/secrets/redact.js";
import { redactJson } from "../../core/secrets/redact-json.js";
import type { Given } from "../command-definition.js";

/** What a person writes into a list is redacted before it is compared with what is there; names of files are not. */
const TEXTS = /^(?:todo|task|tell)(?: |$)/;
const NAMES = ["file", "path", "key", "list", "session", "agent", "store"];

export function redactedInput(name: string, input: Given): Given {
  if (!TEXTS.test(name)) return input;
  const fields = Object.entries(input).map(([field, value]) => [field, NAMES.includes(field) ? value : told(value)]);
  return Object.fromEntries(fields);
}

function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  return typeof value === "string" ? (isObject(parseJson(value)) ? redactJson(value) : redact(value)) : value;
}
