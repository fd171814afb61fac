import { isObject } from "../../core/json.js";

/** A value that was found in a text; the value itself may be null. */
interface Found {
  readonly value: unknown;
}

/** As oh-my-pi reads it: also with raw line breaks in strings, text behind it, or one wrong bracket at its end. */
export function readJsonText(text: string, type: "array" | "object"): Found | undefined {
  const json = text.trim();
  if (json === "null") return { value: null };
  if (!/^[[{]/.test(json)) return undefined;
  const fits = (found: Found | undefined) => (found && isOfType(found.value, type) ? found : undefined);
  const whole = parse(json);
  // Good JSON of another kind is no slip of the pen.
  if (whole) return fits(whole);
  return fits(parseRepaired(json, withEscapedControls)) ?? fits(parseBeginning(json)) ?? fits(parseHealed(json));
}

function isOfType(value: unknown, type: "array" | "object"): boolean {
  return type === "array" ? Array.isArray(value) : isObject(value);
}

function parse(json: string): Found | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

function parseRepaired(json: string, repair: (json: string) => string): Found | undefined {
  const repaired = repair(json);
  return repaired === json ? undefined : parse(repaired);
}

/** Up to the bracket that closes the first one; only brackets of its own kind are counted. */
function parseBeginning(json: string): Found | undefined {
  const length = closedLength(json);
  if (length === undefined) return undefined;
  const beginning = json.slice(0, length);
  return (
    parse(beginning) ??
    parseRepaired(beginning, withoutLooseEscapes) ??
    parseRepaired(beginning, withEscapedControls) ??
    parseHealed(beginning)
  );
}

function closedLength(json: string): number | undefined {
  const [open, close] = json.startsWith("{") ? ["{", "}"] : ["[", "]"];
  let depth = 0;
  let start = 0;
  for (const part of partsOf(json)) {
    for (let at = 0; at < part.text.length && !part.isString; at += 1) {
      if (part.text[at] === open) depth += 1;
      if (part.text[at] !== close) continue;
      depth -= 1;
      if (depth === 0) return start + at + 1;
    }
    start += part.text.length;
  }
  return undefined;
}

/** A line break that was spelled as backslash and letter between two values, where JSON knows no escapes. */
function withoutLooseEscapes(json: string): string {
  if (!json.includes("\\")) return json;
  return rewrite(json, ({ text, isString }) => (isString ? text : text.replace(/\\[ntr]/g, " ")));
}

/** Inside strings JSON takes no raw control character; one behind a backslash is beyond repair. */
function withEscapedControls(json: string): string {
  if (!/[^ -\uffff]/.test(json)) return json;
  return rewrite(json, ({ text, isString }) => (isString ? text.replace(/\\[\s\S]|[^ -\uffff]/g, escaped) : text));
}

/** A backslash in front of what JSON has no escape for stands for itself: `C:\\src`, `\\d+`. Raw controls as above. */
export function withLiteralBackslashes(json: string): string {
  const known = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\|[^ -\uffff]/g;
  return rewrite(json, ({ text, isString }) => (isString ? text.replace(known, literal) : text));
}

function literal(found: string): string {
  return found === "\\" ? "\\\\" : escaped(found);
}

function rewrite(json: string, change: (part: Part) => string): string {
  return Array.from(partsOf(json), change).join("");
}

function escaped(found: string): string {
  return found.length > 1 ? found : JSON.stringify(found).slice(1, -1);
}

interface Part {
  readonly text: string;
  readonly isString: boolean;
}

/** String literals, quotes included, and what is between them; the last one may lack its end. */
function* partsOf(json: string): Generator<Part> {
  for (let start = 0; start < json.length; ) {
    const quote = json.indexOf('"', start);
    const opened = quote < 0 ? json.length : quote;
    const closed = stringEnd(json, opened);
    yield { text: json.slice(start, opened), isString: false };
    yield { text: json.slice(opened, closed), isString: true };
    start = closed;
  }
}

function stringEnd(json: string, opened: number): number {
  for (let at = opened + 1; at < json.length; at += 1) {
    if (json[at] === "\\") at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** How many characters at the end may be the wrong one. */
const TAIL = 7;
const BRACKETS = ["[", "]", "{", "}"];

/** The first text that parses: one character of the end left out, or else one of them made a bracket. */
function parseHealed(json: string): Found | undefined {
  const start = Math.max(0, json.length - TAIL);
  const head = json.slice(0, start);
  const nesting = follow(OUTSIDE, head);
  // Most texts are beyond healing, and to be told so by the parser, time after time, takes long.
  if (!nesting || nesting.closers.length > TAIL) return undefined;
  for (const tail of healedTails(json.slice(start))) {
    const end = follow(nesting, tail);
    const found = end && !end.isString && end.closers.length === 0 ? parse(head + tail) : undefined;
    if (found) return found;
  }
  return undefined;
}

function* healedTails(tail: string): Generator<string> {
  for (const put of [[""], BRACKETS]) {
    for (let at = 0; at < tail.length; at += 1) {
      for (const character of put) yield tail.slice(0, at) + character + tail.slice(at + 1);
    }
  }
}

/** Where a reader is: the brackets it waits for, the innermost last. */
interface Nesting {
  readonly closers: readonly string[];
  readonly isString: boolean;
  readonly isEscaped: boolean;
}

const OUTSIDE: Nesting = { closers: [], isString: false, isEscaped: false };

/** Undefined when a bracket closes what it cannot. */
function follow(from: Nesting, text: string): Nesting | undefined {
  const closers = [...from.closers];
  let { isString, isEscaped } = from;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isEscaped) isEscaped = false;
    else if (character === '"') isString = !isString;
    else if (isString) isEscaped = character === "\\";
    else if (character === "[") closers.push("]");
    else if (character === "{") closers.push("}");
    else if ((character === "]" || character === "}") && closers.pop() !== character) return undefined;
  }
  return { closers, isString, isEscaped };
}
