import { redactJson } from "../core/secrets/redact-json.js";

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

/** JSON on one line, without secrets, and safe to look at: what a terminal or a line splitter would obey is escaped. */
export function jsonLine(value: unknown): string {
  return redactJson(JSON.stringify(value)).replace(OBEYED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const OBEYED = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
