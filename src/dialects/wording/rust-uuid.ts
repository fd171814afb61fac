import { fail, ok, type Result } from "../../core/result.js";

const SIMPLE = /^[0-9a-fA-F]{32}$/;
const HYPHENATED = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const URN = "urn:uuid:";
const GROUP_LENGTHS = [8, 4, 4, 4, 12] as const;
/** Where each group starts. */
const STARTS = [0, 9, 14, 19, 24] as const;

/** A UUID in any spelling that Rust's `uuid` takes, in its usual one; or that library's complaint, up to 1.23.1. */
export function readUuid(text: string): Result<string, string> {
  const { inner } = unwrap(text);
  if (HYPHENATED.test(inner)) return ok(inner.toLowerCase());
  if (!SIMPLE.test(text)) return fail(complaint(text));
  const digits = text.toLowerCase();
  const groups = STARTS.map((start, group) => digits.slice(start - group, start - group + (GROUP_LENGTHS[group] ?? 0)));
  return ok(groups.join("-"));
}

interface Unwrapped {
  readonly inner: string;
  /** How much was taken away in front. */
  readonly offset: number;
}

function unwrap(text: string): Unwrapped {
  if (text.length > 1 && text.startsWith("{") && text.endsWith("}")) return { inner: text.slice(1, -1), offset: 1 };
  if (text.startsWith(URN)) return { inner: text.slice(URN.length), offset: URN.length };
  return { inner: text, offset: 0 };
}

function complaint(text: string): string {
  const { inner, offset } = unwrap(text);
  const hyphens: number[] = [];
  let at = 0;
  for (const character of inner) {
    if (character === "-") hyphens.push(at);
    else if (!/[0-9a-fA-F]/.test(character)) return oddCharacter(character, at + offset + 1);
    at += 1;
  }
  if (hyphens.length === 0 && offset === 0)
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  if (hyphens.length !== 4) return `invalid group count: expected 5, found ${hyphens.length + 1}`;
  for (const [group, hyphen] of hyphens.entries()) {
    const found = hyphen - (STARTS[group] ?? 0);
    if (found !== GROUP_LENGTHS[group]) return wrongGroup(group, found);
  }
  // The original counts the wrapping too.
  return wrongGroup(4, text.length - STARTS[4]);
}

function oddCharacter(character: string, place: number): string {
  return `invalid character: expected an optional prefix of \`${URN}\` followed by [0-9a-fA-F-], found \`${character}\` at ${place}`;
}

function wrongGroup(group: number, found: number): string {
  return `invalid group length in group ${group}: expected ${GROUP_LENGTHS[group]}, found ${found}`;
}
