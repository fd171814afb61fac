import { isObject } from "./dialect.js";

/** A value that was found in a text; the value itself may be null. */
interface Found {
  readonly value: unknown;
}

/**
 * The list or object that a model wrote as text, as oh-my-pi reads it: also with raw line breaks in strings, with
 * something behind it, or with one wrong bracket at its end. The word "null" is taken for null.
 */
export function readJsonText(text: string, type: "array" | "object"): Found | undefined {
  const json = text.trim();
  if (json === "null") return { value: null };
  if (!/^[[{]/.test(json)) return undefined;
  const fits = (found: Found | undefined) => (found && isOfType(found.value, type) ? found : undefined);
  const whole = parse(json);
  // Good JSON of another kind is no slip of the pen.
  if (whole) return fits(whole);
  return fits(parse(withEscapedControls(json))) ?? fits(parseBeginning(json)) ?? fits(parseHealed(json));
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

/** Up to the bracket that closes the first one; only brackets of its own kind are counted. */
function parseBeginning(json: string): Found | undefined {
  const length = closedLength(json);
  if (length === undefined) return undefined;
  const beginning = json.slice(0, length);
  return (
    parse(beginning) ??
    parse(withoutLooseEscapes(beginning)) ??
    parse(withEscapedControls(beginning)) ??
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
  return partsOf(json)
    .map(({ text, isString }) => (isString ? text : text.replace(/\\[ntr]/g, " ")))
    .join("");
}

/** Inside strings JSON takes no raw control character; one behind a backslash is beyond repair. */
function withEscapedControls(json: string): string {
  return partsOf(json)
    .map(({ text, isString }) => (isString ? text.replace(/\\[\s\S]|[^ -\uffff]/g, escaped) : text))
    .join("");
}

function escaped(found: string): string {
  return found.length > 1 ? found : JSON.stringify(found).slice(1, -1);
}

interface Part {
  readonly text: string;
  readonly isString: boolean;
}

/** String literals, quotes included, and what is between them; the last one may lack its end. */
function partsOf(json: string): readonly Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < json.length; ) {
    const quote = json.indexOf('"', start);
    const opened = quote < 0 ? json.length : quote;
    const closed = stringEnd(json, opened);
    parts.push({ text: json.slice(start, opened), isString: false });
    parts.push({ text: json.slice(opened, closed), isString: true });
    start = closed;
  }
  return parts;
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
/** The whole text is read again for each try: longer ones take seconds. */
const LONGEST_HEALED = 1_000_000;

/** The first text that parses: one character of the end left out, or else one of them made a bracket. */
function parseHealed(json: string): Found | undefined {
  if (json.length > LONGEST_HEALED) return undefined;
  const first = Math.max(0, json.length - TAIL);
  const places = Array.from({ length: json.length - first }, (_, at) => first + at);
  for (const put of [[""], BRACKETS]) {
    for (const at of places) {
      for (const bracket of put) {
        const found = parse(json.slice(0, at) + bracket + json.slice(at + 1));
        if (found) return found;
      }
    }
  }
  return undefined;
}
