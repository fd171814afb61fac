import { isObject } from "../../core/json.js";

const WHITE_SPACE = /\p{White_Space}/u;

/** Rust's `trim`: JavaScript's keeps U+0085 and takes U+FEFF away. A loop: a pattern for the end costs the square. */
export function rustTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start += 1;
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Rust's order of texts: by code point. JavaScript's own goes by halves of surrogate pairs. */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Surrogates stand for what is above everything else. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compact JSON with the keys of every object in order. An object of ours cannot: it puts keys like "10" first. */
export function alphabeticalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(alphabeticalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([left], [right]) => compareCodePoints(left, right));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${alphabeticalJson(inner)}`).join(",")}}`;
}
