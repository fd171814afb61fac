import { each, endOf, type Rule, type Secret } from "./rule.js";

const DASHES = "-----";
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END [A-Z0-9 ]{0,60}-----/y;
/** A line of a key. Line breaks may be spaces or `\n` by now: texts are folded to one line, and quoted in JSON. */
const KEY_LINE = /(?:\s|\\[nrt]){0,40}[A-Za-z0-9+/=]{16,}/y;
const LAST_LINE = /(?:(?:\s|\\[nrt]){1,8}[A-Za-z0-9+/=]{1,76}(?![A-Za-z0-9+/=]))?/y;
const HOLDS_KEY = /[A-Za-z0-9+/]{16}/;

const PUTTY = /Private-Lines: \d{1,3}/g;

/** PEM and OpenPGP blocks, also without their end. */
export const PRIVATE_KEYS: Rule = { literals: ["-----BEGIN"], secrets: each(findBlock) };

/** PuTTY's format: its lines have no frame. */
export const PUTTY_KEYS: Rule = { literals: ["Private-Lines:"], secrets: each(findPutty) };

function findBlock(text: string, from: number): Secret | undefined {
  for (let at = text.indexOf(`${DASHES}BEGIN`, from); at >= 0; at = text.indexOf(`${DASHES}BEGIN`, at + 1)) {
    const body = endOf(BEGIN, text, at);
    if (body < 0) continue;
    // What stands up to the next dashes is the key, and the search goes on from there: each character is read once.
    const next = text.indexOf(DASHES, body);
    const end = next < 0 ? -1 : endOf(END, text, next);
    const isWhole = end >= 0 && HOLDS_KEY.test(text.slice(body, next));
    const last = isWhole ? end : linesEnd(text, body);
    if (last > body) return { start: at, end: last, label: "private key" };
  }
  return undefined;
}

/** Behind the last of the lines that can be a key's. */
function linesEnd(text: string, start: number): number {
  let end = start;
  for (let next = endOf(KEY_LINE, text, end); next >= 0; next = endOf(KEY_LINE, text, end)) end = next;
  return end === start ? start : endOf(LAST_LINE, text, end);
}

function findPutty(text: string, from: number): Secret | undefined {
  PUTTY.lastIndex = from;
  for (let match = PUTTY.exec(text); match; match = PUTTY.exec(text)) {
    const end = linesEnd(text, PUTTY.lastIndex);
    if (end > PUTTY.lastIndex) return { start: PUTTY.lastIndex, end, label: "private key" };
  }
  return undefined;
}
