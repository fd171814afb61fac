import { parse } from "smol-toml";

// Where things stand in a TOML text. The text has been parsed before, so this reads only what is known to be sound.

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Statement {
  readonly type: "table" | "pair";
  /** From the root; a pair's own key is the end of it. */
  readonly path: readonly string[];
  /** Whole rows, with the line break and a comment behind. */
  readonly rows: Span;
  /** Of a pair. */
  readonly value: Span | undefined;
  /** The table that it stands in. */
  readonly table: readonly string[];
}

export interface Entry extends Span {
  readonly path: readonly string[];
  readonly value: Span;
}

interface Key {
  readonly path: readonly string[];
  readonly end: number;
}

const BLANK = /(?:[ \t]+)?/y;
const BLANK_ROWS = /(?:\s+|#[^\n]*)*/y;
const BARE_KEY = /[^\s.=[\]{},#"']+/y;
const BARE_VALUE = /[^,\]}#\r\n]*/y;

export function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let place = after(BLANK_ROWS, text, 0);
  while (place < text.length) {
    const start = text.lastIndexOf("\n", place - 1) + 1;
    const isTable = text[place] === "[";
    const key = readKey(text, isTable ? place + (text[place + 1] === "[" ? 2 : 1) : place);
    if (isTable) table = key.path;
    const value = isTable ? undefined : readValue(text, key.end);
    const end = endOfRow(text, value?.end ?? key.end);
    const path = isTable ? table : [...table, ...key.path];
    statements.push({ type: isTable ? "table" : "pair", path, rows: { start, end }, value, table });
    place = after(BLANK_ROWS, text, end);
  }
  return statements;
}

/** The entries of an inline table that begins at `start`. */
export function entriesOf(text: string, start: number): readonly Entry[] {
  const entries: Entry[] = [];
  let place = after(BLANK_ROWS, text, start + 1);
  while (place < text.length && text[place] !== "}") {
    const key = readKey(text, place);
    const value = readValue(text, key.end);
    entries.push({ start: place, end: value.end, path: key.path, value });
    place = after(BLANK_ROWS, text, value.end);
    if (text[place] === ",") place = after(BLANK_ROWS, text, place + 1);
  }
  return entries;
}

/** The values in a list that begins at `start`. */
export function itemsOf(text: string, start: number): readonly Span[] {
  const items: Span[] = [];
  let place = after(BLANK_ROWS, text, start + 1);
  while (place < text.length && text[place] !== "]") {
    const end = endOfValue(text, place);
    items.push({ start: place, end });
    place = after(BLANK_ROWS, text, end);
    if (text[place] === ",") place = after(BLANK_ROWS, text, place + 1);
  }
  return items;
}

function readKey(text: string, start: number): Key {
  const path: string[] = [];
  for (let place = after(BLANK, text, start); ; ) {
    const isQuoted = text[place] === '"' || text[place] === "'";
    const end = isQuoted ? endOfString(text, place) : after(BARE_KEY, text, place);
    const word = text.slice(place, end);
    path.push(isQuoted ? String(parse(`key = ${word}`).key) : word);
    const next = after(BLANK, text, end);
    if (text[next] !== "." || end === place) return { path, end: next };
    place = after(BLANK, text, next + 1);
  }
}

/** From behind the key: the sign, then the value. */
function readValue(text: string, keyEnd: number): Span {
  const start = after(BLANK, text, keyEnd + 1);
  return { start, end: endOfValue(text, start) };
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"' || first === "'") return endOfString(text, start);
  if (first !== "[" && first !== "{") return start + text.slice(start, after(BARE_VALUE, text, start)).trimEnd().length;
  let place = start + 1;
  for (;;) {
    place = after(BLANK_ROWS, text, place);
    const sign = text[place];
    if (sign === undefined || sign === "]" || sign === "}") return place + 1;
    const isValue = sign !== "," && sign !== "=";
    const isKey = first === "{" && isValue && text[after(BLANK, text, readKey(text, place).end)] === "=";
    place = isKey ? readKey(text, place).end : isValue ? Math.max(endOfValue(text, place), place + 1) : place + 1;
  }
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  const isLong = text.startsWith(quote.repeat(3), start);
  const stop = isLong ? quote.repeat(3) : quote;
  let place = start + stop.length;
  while (place < text.length && !text.startsWith(stop, place)) place += quote === '"' && text[place] === "\\" ? 2 : 1;
  place += stop.length;
  // A long text may end in quotes of its own, before the three that close it.
  while (isLong && text[place] === quote) place += 1;
  return place;
}

function endOfRow(text: string, place: number): number {
  const end = text.indexOf("\n", place);
  return end < 0 ? text.length : end + 1;
}

function after(pattern: RegExp, text: string, place: number): number {
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : place;
}
