import { parseJson } from "../json.js";
import { placeholder } from "./rule.js";
import { withoutSecrets } from "./rules.js";
import { isSecretHeader, nameKind } from "./secret-names.js";
import { isNumber, isPlaceholder } from "./secret-values.js";

/** JSON text without the secrets in its strings, and in fields whose name says that they hold one. */
export function jsonWithoutSecrets(json: string): string {
  const redacted = redactStrings(json);
  // What is no JSON is a text like any other.
  return parseJson(json) === undefined ? withoutSecrets(redacted) : redacted;
}

/** What has been read of the JSON so far, as far as it decides about the next string. */
interface Context {
  /** The field that the next value belongs to; undefined in a list. */
  readonly field?: string;
  /** What `name` or `key` said in the same object: `{"name":"DB_PASSWORD","value":"..."}`. */
  readonly named?: string;
  /** The string before, in the same list: `["--password","..."]`. */
  readonly before?: string;
}

function redactStrings(json: string): string {
  let kept = "";
  let done = 0;
  let context: Context = {};
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', done)) {
    const end = stringEnd(json, at);
    const between = json.slice(done, at);
    context = /[{}]/.test(between) ? afterBrace(context, between) : context;
    const literal = json.slice(at, end);
    const text = plainText(literal);
    const isName = /^\s*:/.test(json.slice(end, end + 20));
    const redacted = isName ? withoutSecrets(text) : valueIn(context, text);
    kept += between + (redacted === text ? literal : JSON.stringify(redacted));
    context = isName ? { ...context, field: text } : afterValue(context, text);
    done = end;
    if (!isName) continue;
    const number = numberAt(json, end, text);
    if (number === undefined) continue;
    kept += number.kept;
    done = number.end;
  }
  return kept + json.slice(done);
}

/** A string that is not closed ends with the text. */
function plainText(literal: string): string {
  const value = parseJson(literal);
  return typeof value === "string" ? value : literal;
}

function stringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}

/** Behind a brace another object begins, or this one has ended; a field that leads to an object has no string. */
function afterBrace({ field }: Context, between: string): Context {
  return between.trimEnd().endsWith(":") && field !== undefined ? { field } : {};
}

function valueIn({ field, named, before }: Context, text: string): string {
  if (field !== undefined && isSecretHeader(field) && !isPlaceholder(text)) return headerValue(field, text);
  const name = field !== undefined && /^value$/i.test(field) && named !== undefined ? named : (field ?? flagIn(before));
  const kind = name === undefined ? undefined : nameKind(name);
  const isSecret = kind !== undefined && !isPlaceholder(text) && (kind === "password" || !isNumber(text));
  if (!isSecret) return withoutSecrets(text);
  // A path leads to a secret, and is none; what is known by its shape is called by it.
  if (kind !== "password" && /^(?:~|\.{1,2})?\/[^\s]*$/.test(text)) return withoutSecrets(text);
  const redacted = withoutSecrets(text);
  return /^\[redacted: [^\]]*\]$/.test(redacted) ? redacted : placeholder(kind);
}

function headerValue(field: string, text: string): string {
  const line = `${field}: ${text}`;
  const redacted = withoutSecrets(line);
  return redacted === line ? withoutSecrets(text) : redacted.slice(field.length + 2);
}

function flagIn(before: string | undefined): string | undefined {
  return before !== undefined && /^--?[a-z][\w-]{1,60}$/i.test(before) ? before : undefined;
}

function afterValue({ field, named }: Context, text: string): Context {
  const isName = field !== undefined && /^(?:name|key|variable|header)$/i.test(field);
  return { before: text, ...(isName ? { named: text } : named === undefined ? undefined : { named }) };
}

/** A number as password: `"password": 123456`. Counts of tokens stay. */
function numberAt(
  json: string,
  end: number,
  name: string,
): { readonly kept: string; readonly end: number } | undefined {
  const match = /^\s*:\s*-?\d[\d.eE+-]*/.exec(json.slice(end, end + 60));
  if (!match || nameKind(name) !== "password") return undefined;
  const colon = match[0].slice(0, match[0].search(/-?\d/));
  return { kept: `${colon}${JSON.stringify(placeholder("password"))}`, end: end + match[0].length };
}
