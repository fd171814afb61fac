import type { Separator } from "./name-separator.js";
import { endOf } from "./rule.js";

/** A value behind a name. Its end is only looked for when it is a secret. */
export interface Value {
  readonly start: number;
  /** Its beginning. */
  readonly look: string;
  readonly isQuoted: boolean;
  /** What closes it: a quote, a tag, or nothing. */
  readonly sign: string;
  /** Backslashes before the quote that opened it. */
  readonly slashes: number;
}

const LOOK = 32;

export function readValue(text: string, { end: at, isTag }: Separator): Value | undefined {
  if (isTag) return tagValue(text, at);
  let quote = at;
  // b"...", r'...', $'...': one letter before the quote.
  if (isQuoteOrSlash(text.charCodeAt(at + 1)) && /^[bBrRuUfF$@]\\{0,3}["']/.test(text.slice(at, at + 5))) quote += 1;
  while (quote < at + 4 && text[quote] === "\\") quote += 1;
  const sign = text[quote] ?? "";
  if (sign === '"' || sign === "'" || sign === "`") return quotedValue(text, quote, sign);
  const look = text.slice(at, at + LOOK);
  const end = endOfRun(look, 0);
  return end === 0 ? undefined : { start: at, look: look.slice(0, end), isQuoted: false, sign: "", slashes: 0 };
}

function isQuoteOrSlash(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x5c;
}

function quotedValue(text: string, quote: number, sign: string): Value {
  const start = quote + 1;
  let slashes = 0;
  while (slashes < 8 && text[quote - 1 - slashes] === "\\") slashes += 1;
  const beginning = text.slice(start, start + LOOK);
  const near = closing(beginning, sign, 0, slashes);
  return { start, look: near < 0 ? beginning : beginning.slice(0, near), isQuoted: true, sign, slashes };
}

function tagValue(text: string, start: number): Value | undefined {
  const beginning = text.slice(start, start + LOOK);
  const near = beginning.indexOf("<");
  if (near === 0 || (near > 0 && beginning[near + 1] !== "/")) return undefined;
  return { start, look: near < 0 ? beginning : beginning.slice(0, near), isQuoted: true, sign: "</", slashes: 0 };
}

/** Of one that was cut off, or never was a quote: up to the next space. */
export function endOfValue(text: string, { start, sign, slashes }: Value): number {
  const end = sign === "" ? -1 : sign === "</" ? text.indexOf(sign, start) : closing(text, sign, start, slashes);
  return end < 0 ? endOfRun(text, start) : end;
}

/** Nothing else follows in its line. */
export function isLineEnd(text: string, { start, look, isQuoted }: Value): boolean {
  if (isQuoted || look.length === LOOK) return false;
  const end = start + look.length;
  return /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40));
}

/** The quote that closes, before its backslashes: as many as stood before the one that opened. */
function closing(text: string, sign: string, from: number, slashes: number): number {
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
    let count = 0;
    while (at - 1 - count >= from && text[at - 1 - count] === "\\") count += 1;
    if (slashes === 0 ? count % 2 === 0 : count <= slashes) return slashes === 0 ? at : at - count;
  }
  return -1;
}

/** What no unquoted value holds; a comma and a backslash only in some places. */
const RUN = /[^\s"'`&;|<>),\\]+/y;
const LIST_COMMA = /,(?:\s|$|[A-Za-z_][\w.-]{0,40}[=:])/y;
const CLOSING_SLASH = /\\{1,3}["']/y;

/** Up to what ends a word in a shell, an address or a list. */
export function endOfRun(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const end = endOf(RUN, text, at);
    if (end >= 0) at = end;
    else if (text[at] === ",") {
      if (endOf(LIST_COMMA, text, at) >= 0) break;
      at += 1;
    } else if (text[at] === "\\") {
      if (endOf(CLOSING_SLASH, text, at) >= 0) break;
      at += 1;
    } else break;
  }
  return at;
}
