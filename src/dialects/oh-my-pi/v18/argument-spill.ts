import type { JsonObject } from "../../../core/json.js";

// Some servers read a model's own call syntax, `<arg_key>task</arg_key><arg_value>text</arg_value>`. Where the model
// ends a value with the wrong tag, the fields behind it are taken for a part of it.

type Pair = readonly [key: string, value: string];

/** The arguments with such fields in their own places; undefined where there are none. */
export function spilledFields(value: JsonObject): JsonObject | undefined {
  const fields = new Map(Object.entries(value));
  const found: Pair[] = [];
  let isChanged = false;
  for (const [key, text] of Object.entries(value)) {
    const split = typeof text === "string" && text.length <= LONGEST ? splitText(text) : undefined;
    if (!split) continue;
    isChanged = true;
    fields.set(key, split.head);
    found.push(...split.pairs);
  }
  for (const [key, text] of found) if (!fields.has(key)) fields.set(key, text);
  return isChanged ? Object.fromEntries(fields) : undefined;
}

/** Each tag may begin what has to be read to its end: longer texts are not looked at. */
const LONGEST = 20_000;

const PAIR = /<arg_key>([\w.$-]{1,128})<\/arg_key>[ \n\t\r]*<arg_value>/y;

/** Where a pair begins: its key, and the place of its value. */
function pairAt(text: string, at: number): { readonly key: string; readonly value: number } | undefined {
  PAIR.lastIndex = at;
  const key = PAIR.exec(text)?.[1];
  return key === undefined ? undefined : { key, value: PAIR.lastIndex };
}

interface Split {
  readonly head: string;
  readonly pairs: readonly Pair[];
}

/** At the first wrong end, or the first pair, behind which there are pairs and nothing else. */
function splitText(text: string): Split | undefined {
  for (const { 0: tag, index } of text.matchAll(/<\/?arg_key>/g)) {
    const isEnd = tag.startsWith("</");
    const pairs = isEnd || pairAt(text, index) ? readPairs(text, isEnd ? index + tag.length : index) : undefined;
    const head = text.slice(0, index);
    if (pairs) return { head: isEnd ? head : head.trimEnd(), pairs };
  }
  return undefined;
}

/** Undefined where something else stands between them. The end of the call may be there, too. */
function readPairs(text: string, start: number): readonly Pair[] | undefined {
  const pairs: Pair[] = [];
  let at = skipBlanks(text, start);
  while (at < text.length && !isCallEnd(text, at)) {
    const pair = pairAt(text, at);
    if (!pair) return undefined;
    const { end, next } = valueEnd(text, pair.value);
    pairs.push([pair.key, text.slice(pair.value, end)]);
    at = skipBlanks(text, next);
  }
  return pairs;
}

function skipBlanks(text: string, from: number): number {
  const blanks = /[ \n\t\r]*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}

/** And nothing behind it. */
function isCallEnd(text: string, at: number): boolean {
  return /^<\/tool_call>[ \n\t\r]*$/.test(text.slice(at));
}

/** The right end, the wrong one with more of the call behind it, or the next pair where there is none. */
function valueEnd(text: string, from: number): { readonly end: number; readonly next: number } {
  const tags = /<\/arg_value>|<\/arg_key>|<arg_key>/g;
  tags.lastIndex = from;
  for (let found = tags.exec(text); found; found = tags.exec(text)) {
    const [{ length: size }, { index }] = [found[0], found];
    const isOpening = !found[0].startsWith("</");
    if (isOpening && pairAt(text, index)) return { end: beforeBlanks(text, index), next: index };
    const behind = text.slice(skipBlanks(text, index + size));
    const isEnd = found[0] === "</arg_value>" || (!isOpening && /^(?:$|<arg_key>|<\/tool_call>)/.test(behind));
    if (isEnd) return { end: index, next: index + size };
  }
  return { end: text.length, next: text.length };
}

function beforeBlanks(text: string, from: number): number {
  let at = from;
  while (at > 0 && " \n\t\r".includes(text.charAt(at - 1))) at -= 1;
  return at;
}
