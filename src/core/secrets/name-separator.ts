/** What stands between a name and its value, and where the value begins. */
export interface Separator {
  /** `equals`: without spaces; `assignment`: `x = v`; `flag`: `--x v`; `words`: `x is v`, `set x v`. */
  readonly type: "equals" | "assignment" | "colon" | "flag" | "words";
  /** Behind the name. */
  readonly name: number;
  readonly end: number;
  /** A tag of XML ends at the next one. */
  readonly isTag?: boolean;
}

const [EQUALS, COLON, GREATER, PERCENT] = [0x3d, 0x3a, 0x3e, 0x25];
const MOST_CLOSERS = 5;
const MOST_SPACES = 8;

/** Undefined where nothing leads from the name to a value. By character: these places may be dense in hostile text. */
export function separatorAt(text: string, start: number, name: number): Separator | undefined {
  const closed = behindClosers(text, name);
  const mark = text.charCodeAt(closed);
  const at = behindSpaces(text, mark === 0x3f || mark === 0x21 ? closed + 1 : closed);
  const isSpaced = at > closed;
  switch (text.charCodeAt(at)) {
    case EQUALS:
      return behindEquals(text, name, at, isSpaced);
    case COLON:
      return behindColon(text, name, at, isSpaced);
    case GREATER:
      return text[start - 1] === "<" && closed === name && at === name
        ? { type: "equals", name, end: at + 1, isTag: true }
        : undefined;
    case PERCENT:
      return /^%3[ad]/i.test(text.slice(at, at + 3)) ? { type: "equals", name, end: at + 3 } : undefined;
    default:
      return behindWords(text, start, name, closed);
  }
}

/** Quotes that close a name, escaped or not; and the bracket of `config["token"]`, never one without quotes. */
function behindClosers(text: string, name: number): number {
  let at = name;
  while (at < name + MOST_CLOSERS && isCloser(text.charCodeAt(at))) at += 1;
  return at > name && text[at] === "]" ? at + 1 : at;
}

function isCloser(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x5c || code === 0x60;
}

function behindSpaces(text: string, from: number): number {
  let at = from;
  while (at < from + MOST_SPACES && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at += 1;
  return at;
}

function behindEquals(text: string, name: number, at: number, isSpaced: boolean): Separator | undefined {
  let end = at + 1;
  while (end < at + 3 && (text[end] === "=" || text[end] === ">" || text[end] === "~")) end += 1;
  const value = behindSpaces(text, end);
  const isQuoted = isQuote(text, value);
  // `TOKEN= command` is an empty variable.
  if (!isSpaced && value > end && !isQuoted) return undefined;
  return { type: isSpaced ? "assignment" : "equals", name, end: value };
}

/** A value on the next line is in quotes, or below `|` and `>` of YAML. */
const NEXT_LINE = /[ \t]{0,8}(?:[|>][-+]?[ \t]{0,8})?\r?\n[ \t]{1,40}/y;
/** `password: string = "..."` */
const TYPED = /[ \t]{0,4}[A-Za-z&][\w.<>[\]|*& ]{0,40}=[ \t]{0,4}(?=\\{0,3}["'`])/y;

function behindColon(text: string, name: number, at: number, isSpaced: boolean): Separator | undefined {
  if (text[at + 1] === ":") return undefined;
  if (text[at + 1] === "=") return { type: "assignment", name, end: behindSpaces(text, at + 2) };
  if (hasEquals(text, at + 1)) {
    TYPED.lastIndex = at + 1;
    if (TYPED.test(text)) return { type: "assignment", name, end: TYPED.lastIndex };
  }
  const value = behindSpaces(text, at + 1);
  if (text.charCodeAt(value) === 0x0a || text[value] === "|" || text[value] === ">") {
    NEXT_LINE.lastIndex = value;
    if (!NEXT_LINE.test(text)) return undefined;
    const isBlock = text[value] === "|" || text[value] === ">";
    return isBlock || isQuote(text, NEXT_LINE.lastIndex)
      ? { type: "equals", name, end: NEXT_LINE.lastIndex }
      : undefined;
  }
  const isTight = !isSpaced && value === at + 1;
  // "token: the one of the page". A word that ends its line may be a password in YAML.
  if (!isTight && isWord(text, value) && text[wordEnd(text, value)] === " ") return undefined;
  return { type: isTight ? "equals" : "colon", name, end: value };
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < start + 24 && text.charCodeAt(at) > 0x20) at += 1;
  return at;
}

/** Soon, and before anything that no type has in it. */
function hasEquals(text: string, from: number): boolean {
  for (let at = from; at < from + 48; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3d) return true;
    // A quote, a colon, a line break, the end.
    if (!(code >= 0x20) || code === 0x22 || code === 0x27 || code === 0x3a) return false;
  }
  return false;
}

function isQuote(text: string, at: number): boolean {
  let quote = at;
  while (quote < at + 3 && text.charCodeAt(quote) === 0x5c) quote += 1;
  const code = text.charCodeAt(quote);
  return code === 0x22 || code === 0x27 || code === 0x60;
}

/** `"name": "DB_PASSWORD", "value": "..."` */
const NAMED_VALUE = /(?:["'\\]{1,4},\s{0,30}|["'\\]{0,4}\s{1,30})["'\\]{0,4}value["'\\]{0,4}\s{0,4}[:=]\s{0,4}/iy;
const ARGUMENT = /["'\\]{1,4},\s{0,8}(?=["'\\])/y;
const IS = /[ \t](?:is|was|:=)[ \t]{1,4}:?/y;

/** A `v` behind spaces, quotes and a comma. */
function mayBeNamedValue(text: string, name: number): boolean {
  for (let at = name; at < name + 40; at += 1) {
    const code = text.charCodeAt(at);
    if ((code | 0x20) === 0x76) return at > name;
    if (code > 0x20 && code !== 0x2c && !isCloser(code)) return false;
  }
  return false;
}

/** A word of a sentence, with a stop or a dash in it at most. No random value is one. */
function isWord(text: string, start: number): boolean {
  for (let at = start; at < start + 24; at += 1) {
    const code = text.charCodeAt(at);
    if (!(code > 0x20)) return true;
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    const isStop = (code >= 0x2c && code <= 0x2e) || code === 0x3a || code === 0x3b || code === 0x3f || code === 0x29;
    if (!isLetter && !isStop) return false;
  }
  return false;
}

/** `aws configure set NAME VALUE`, `npm config set //registry/:NAME VALUE`, `login bob password VALUE`. */
const TELLS = /\b(?:set|put|add)\s{1,4}["']?[^\s"']{0,80}$|\blogin\s{1,4}\S{1,64}\s{1,4}$/i;

function behindWords(text: string, start: number, name: number, closed: number): Separator | undefined {
  if (mayBeNamedValue(text, name)) {
    NAMED_VALUE.lastIndex = name;
    if (NAMED_VALUE.test(text)) return { type: "equals", name, end: NAMED_VALUE.lastIndex };
  }
  const isFlag = text[start] === "-" && !/[\w-]/.test(text[start - 1] ?? "");
  if (isFlag) {
    ARGUMENT.lastIndex = name;
    if (ARGUMENT.test(text)) return { type: "flag", name, end: ARGUMENT.lastIndex };
  }
  const value = behindSpaces(text, closed);
  if (closed !== name || value === closed) return undefined;
  if (isFlag) return text[value] === "-" ? undefined : { type: "flag", name, end: value };
  const first = text.charCodeAt(value) | 0x20;
  // "is" or "was".
  if (first === 0x69 || first === 0x77) {
    IS.lastIndex = name;
    if (IS.test(text)) return isWord(text, IS.lastIndex) ? undefined : { type: "words", name, end: IS.lastIndex };
  }
  if (isQuote(text, value)) {
    const isSql = text.slice(start, name) === "PASSWORD";
    return { type: isSql ? "equals" : "words", name, end: value };
  }
  if (isWord(text, value)) return undefined;
  return TELLS.test(text.slice(Math.max(0, start - 90), start)) ? { type: "words", name, end: value } : undefined;
}
