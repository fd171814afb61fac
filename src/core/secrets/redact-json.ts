import { isDeeperThan } from "../json.js";
import { jsonWithoutSecrets } from "./json-strings.js";
import { mayHoldSecret } from "./signs.js";

/** JSON text without secrets: those in its strings, and fields whose name says that they hold one. */
export function redactJson(json: string): string {
  // A text may be written in escapes, and then no sign is seen in it.
  return mayHoldSecret(json) || /\\[u/]/.test(json) ? jsonWithoutSecrets(json) : json;
}

/** Deeper values are refused by whoever stores them, and cannot be written as JSON at all. */
const DEEPEST = 1000;

/** A value of JSON without the secrets in it; the same value where there are none. */
export function redactValue<T>(value: T): T {
  if (isDeeperThan(value, DEEPEST)) return value;
  const json = JSON.stringify(value);
  if (json === undefined) return value;
  const redacted = redactJson(json);
  return redacted === json ? value : JSON.parse(redacted);
}
