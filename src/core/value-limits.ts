import { isDeeperThan } from "./json.js";

// One limit for everything that comes from outside and is stored: texts, metadata, payloads, inputs of calls. Loops,
// not recursion: depth is the attack.

/** Nested objects and arrays; `{"a":[1]}` has two levels. */
export const DEEPEST_VALUE = 64;
/** Bytes, as JSON. */
export const LARGEST_VALUE = 256 * 1024;

export type Excess = "deep" | "large";

/** Why a value is not stored; undefined for one that may be. */
export function excessOf(value: unknown): Excess | undefined {
  if (!isContainer(value)) return typeof value === "string" && isLongText(value) ? "large" : undefined;
  return weigh(value, LARGEST_VALUE);
}

/** Level by level, and no further than to the first reason. */
function weigh(value: object, most: number): Excess | undefined {
  let bytes = 0;
  let level: readonly object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEEPEST_VALUE) return "deep";
    const next: object[] = [];
    for (const item of level) {
      bytes += shellSize(item, next, most - bytes);
      if (bytes > most) return "large";
    }
    level = next;
  }
  return undefined;
}

/** The size of a container without the containers in it, which go to `next`. */
function shellSize(item: object, next: object[], room: number): number {
  const isList = Array.isArray(item);
  // Brackets, and a comma less than there are members.
  let bytes = 1;
  for (const key of Object.keys(item)) {
    const inner = (item as { readonly [key: string]: unknown })[key];
    if (inner === undefined && !isList) continue;
    bytes += isList ? 1 : 2 + jsonSize(key, room - bytes);
    if (isContainer(inner)) next.push(inner);
    else bytes += typeof inner === "string" ? jsonSize(inner, room - bytes) : String(inner).length;
    if (bytes > room) return bytes;
  }
  return Math.max(bytes, 2);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Bytes of a text as JSON; counted no further than the room reaches. */
function jsonSize(text: string, room: number): number {
  if (text.length > room) return text.length;
  return 2 + measure(text, room).bytes;
}

/** Bytes of a text as JSON, and how many of its UTF-16 units fit into the room. */
function measure(text: string, room: number): { readonly bytes: number; readonly units: number } {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPair = code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    const size = isPair ? 4 : unitSize(code);
    if (bytes + size > room) return { bytes: bytes + size, units: at };
    bytes += size;
    if (isPair) at += 1;
  }
  return { bytes, units: text.length };
}

function unitSize(code: number): number {
  if (code < 0x20) return SHORT_ESCAPES.includes(code) ? 2 : 6;
  if (code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1;
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 6 : 3;
}

/** \b, \t, \n, \f and \r; the other controls take six characters. */
const SHORT_ESCAPES = [8, 9, 10, 12, 13];

/** Longer than a text may be. */
export function isLongText(text: string): boolean {
  // A unit takes at most six bytes: short texts need no count.
  return text.length * 6 > LARGEST_VALUE && jsonSize(text, LARGEST_VALUE) > LARGEST_VALUE;
}

/** Anywhere in it; whatever its depth. */
export function hasLongText(root: unknown): boolean {
  const work: unknown[] = [root];
  // The list grows while it is walked.
  for (const item of work) {
    if (typeof item === "string" && isLongText(item)) return true;
    if (isContainer(item) && work.length <= MOST_CONTAINERS)
      for (const inner of Object.values(item)) if (typeof inner === "string" || isContainer(inner)) work.push(inner);
  }
  return false;
}

/** A sentence for whoever sent it. */
export function excessText(what: string, excess: Excess): string {
  return excess === "deep"
    ? `The ${what} is nested deeper than ${DEEPEST_VALUE} levels. Make it flatter, or put it into a file.`
    : `The ${what} is larger than ${LARGEST_VALUE / 1024} KiB. Shorten it, or put it into a file.`;
}

/** Stands for what was too deep or too large. */
const TOO_DEEP = `[left out by Milepost: nested deeper than ${DEEPEST_VALUE} levels]`;
const TOO_LARGE = `[left out by Milepost: larger than ${LARGEST_VALUE / 1024} KiB]`;
/** At the end of a text that was cut. */
export const CUT_MARK = " [cut by Milepost]";

/** The beginning of a text, with a mark, in so many bytes of JSON; the text itself where it fits. */
export function cutText(text: string, bytes: number = LARGEST_VALUE): string {
  if (text.length * 6 + 2 <= bytes || jsonSize(text, bytes) <= bytes) return text;
  return `${text.slice(0, measure(text, bytes - CUT_MARK.length - 2).units)}${CUT_MARK}`;
}

/** The value, or what can be stored of it, with marks in place of the rest. For what must not be refused. */
export function fitValue(value: unknown): unknown {
  if (excessOf(value) === undefined) return value;
  if (typeof value === "string") return cutText(value);
  const cut = cutDeep(value as object, { levels: DEEPEST_VALUE, bytes: LARGEST_VALUE });
  for (const most of MEMBERS) {
    if (excessOf(cut) === undefined) return cut;
    for (const key of Object.keys(cut)) replaceLarge(cut, key, most);
  }
  if (excessOf(cut) === undefined) return cut;
  return Array.isArray(value) ? [TOO_LARGE] : { milepost: TOO_LARGE };
}

/** Members beyond the first size are replaced first; that is nearly always enough. */
const MEMBERS = [64 * 1024, 4 * 1024];
const KEPT_TEXT = 1024;

type Members = Record<string, unknown>;

function replaceLarge(object: Members, key: string, most: number): void {
  const member = object[key];
  if (typeof member === "string" && jsonSize(member, most) > most) put(object, key, cutText(member, KEPT_TEXT));
  else if (isContainer(member) && weigh(member, most)) put(object, key, TOO_LARGE);
}

interface Room {
  readonly levels: number;
  /** Of each text. */
  readonly bytes: number;
}

/** More than any JSON of ours can hold; what an object of a program shares with itself has no end. */
const MOST_CONTAINERS = 4_000_000;

/** A copy in which what is deeper than so many levels has a mark in its place, and long texts are cut. */
export function cutDeep(root: object, { levels, bytes }: Room): Members {
  const copy = emptyLike(root);
  const work = [{ from: root, to: copy, level: 1 }];
  // The list grows while it is walked.
  for (const { from, to, level } of work) {
    if (work.length > MOST_CONTAINERS) return emptyLike(root);
    for (const key of Object.keys(from)) {
      const inner = (from as Members)[key];
      if (!isContainer(inner)) put(to, key, typeof inner === "string" ? cutText(inner, bytes) : inner);
      else if (level >= levels) put(to, key, TOO_DEEP);
      else {
        const next = emptyLike(inner);
        put(to, key, next);
        work.push({ from: inner, to: next, level: level + 1 });
      }
    }
  }
  return copy;
}

/** The same without a limit of size: for showing and comparing what nobody checked. */
export function fitDepth(value: unknown, levels: number = DEEPEST_VALUE): unknown {
  if (!isDeeperThan(value, levels - 1)) return value;
  return cutDeep(value as object, { levels, bytes: Number.POSITIVE_INFINITY });
}

function emptyLike(value: object): Members {
  return (Array.isArray(value) ? [] : {}) as Members;
}

/** Also `__proto__` is a key like any other. */
function put(object: Members, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** JSON text that is nested deeper. A text with fewer brackets than that is not looked at further. */
export function isDeepJson(json: string, levels: number): boolean {
  if (json.length <= 2 * levels || !hasMoreBrackets(json, levels)) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) isText = !isText;
    else if (isText) at += sign === BACKSLASH ? 1 : 0;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth += 1;
      if (depth > levels) return true;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function hasMoreBrackets(json: string, most: number): boolean {
  let count = 0;
  for (const bracket of ["{", "["])
    for (let at = json.indexOf(bracket); at >= 0 && count <= most; at = json.indexOf(bracket, at + 1)) count += 1;
  return count > most;
}
