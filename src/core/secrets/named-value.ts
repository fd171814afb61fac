import type { Separator } from "./name-separator.js";
import { endOf } from "./rule.js";

/** A value behind a name. `look` is its beginning; its end is only looked for when it is a secret. */
export interface Value {
  readonly start: number;
  readonly look: string;
  readonly isQuoted: boolean;
  /** Nothing else follows in its line. */
  isLineEnd(): boolean;
  end(): number;
}

const LOOK = 48;

export function readValue(text: string, separator: Separator): Value | undefined {
  const { end: at, isTag } = separator;
  if (isTag) return tagValue(text, at);
  let quote = at;
  // b"...", r'...', $'...': one letter before the quote.
  if (/^["'\\]/.test(text[at + 1] ?? "") && /^[bBrRuUfF$@]\\{0,3}["']/.test(text.slice(at, at + 5))) quote += 1;
  while (quote < at + 4 && text[quote] === "\\") quote += 1;
  const sign = text[quote];
  if (sign === '"' || sign === "'" || sign === "`") return quotedValue(text, quote, countSlashes(text, quote));
  return plainValue(text, at);
}

function countSlashes(text: string, at: number): number {
  let count = 0;
  while (count < 8 && text[at - 1 - count] === "\\") count += 1;
  return count;
}

function quotedValue(text: string, quote: number, slashes: number): Value {
  const start = quote + 1;
  const sign = text[quote] ?? "";
  const near = closing(text.slice(start, start + LOOK), sign, 0, slashes);
  const look = text.slice(start, near < 0 ? start + LOOK : start + near);
  return {
    start,
    look,
    isQuoted: true,
    isLineEnd: () => false,
    end() {
      if (near >= 0) return start + near;
      const far = closing(text, sign, start, slashes);
      // It was cut off, or it never was a quote: up to the next space.
      return far < 0 ? endOfRun(text, start) : far;
    },
  };
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

function plainValue(text: string, start: number): Value | undefined {
  const end = start + endOfRun(text.slice(start, start + LOOK), 0);
  if (end === start) return undefined;
  return {
    start,
    look: text.slice(start, end),
    isQuoted: false,
    isLineEnd: () => end < start + LOOK && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40)),
    end: () => endOfRun(text, start),
  };
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

function tagValue(text: string, start: number): Value | undefined {
  const look = text.slice(start, start + LOOK);
  const near = look.indexOf("<");
  if (near === 0 || (near > 0 && look[near + 1] !== "/")) return undefined;
  return {
    start,
    look: near < 0 ? look : look.slice(0, near),
    isQuoted: true,
    isLineEnd: () => false,
    end() {
      const far = near < 0 ? text.indexOf("</", start) : start + near;
      return far < 0 ? endOfRun(text, start) : far;
    },
  };
}
