import { redactJson } from "../core/secrets/redact-json.js";
import { DEEPEST_VALUE, fitDepth } from "../core/value-limits.js";

/** One line of input with its number, counted from 1; `text` is undefined for a line that is too long to keep. */
export interface InputLine {
  readonly number: number;
  readonly text: string | undefined;
}

export const LONGEST_LINE = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Splits bytes at 0x0A (U+2028 is text), decodes lines as a whole, and drops one beyond the limit as it comes. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number = LONGEST_LINE,
): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const take = (part: Uint8Array) => {
    size += part.length;
    if (size <= longest) parts.push(part);
    else parts = [];
  };
  const finish = (): InputLine => {
    number += 1;
    const line = { number, text: size <= longest ? decode(parts, number === 1) : undefined };
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (size > 0) yield finish();
}

function decode(parts: readonly Uint8Array[], isFirst: boolean): string {
  // The decoder drops a byte order mark; only the file's first line may have one.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: !isFirst });
  let text = "";
  for (const part of parts) text += decoder.decode(part, { stream: true });
  return (text + decoder.decode()).replace(/\r$/, "");
}

/**
 * JSON on one line, without secrets, and safe to look at, for everything we print: what a terminal or a line splitter
 * would obey, and what nobody would see, is escaped. The value is the same.
 */
export function jsonLine(value: unknown): string {
  return escapeUnseen(redactJson(toJson(value)));
}

/** Enough that a write costs nothing beside it; a page of large events would be longer than a string can be. */
const PIECE = 1024 * 1024;

/** Records as lines, several lines in a piece. */
export function* jsonLines(records: Iterable<unknown>): Generator<string> {
  let piece = "";
  for (const record of records) {
    piece += `${jsonLine(record)}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** The same for JSON that is text already. Such characters are only ever inside its strings. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (characters) => {
    let escaped = "";
    for (let at = 0; at < characters.length; at += 1)
      escaped += `\\u${characters.charCodeAt(at).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // An older version stored values that are deeper than the stack reaches here.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(fitDepth(value, 2 * DEEPEST_VALUE));
  }
}

/**
 * Controls, format characters (bidirectional ones, tags), everything that is drawn as nothing, private use. By their
 * numbers and in UTF-16 units: classes by name take a command a millisecond to compile.
 */
const UNSEEN = new RegExp(
  [
    "[\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160",
    "\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ue000-\\uf8ff",
    "\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb]",
    "|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]",
    "|[\\udb40-\\udb43\\udb80-\\udbff][\\udc00-\\udfff]",
  ].join(""),
  "g",
);
