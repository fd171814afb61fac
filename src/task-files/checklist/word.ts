const PLAIN_START = /[\p{L}_]/u;
const PLAIN = /[\p{L}\p{N}_.:/@&-]/u;

/** Labels and names as one word: what a word cannot hold is written as %20 and the like. */
export function encodeWord(text: string): string {
  return Array.from(text.toWellFormed(), (character, index) =>
    (index === 0 ? PLAIN_START : PLAIN).test(character) ? character : percent(character),
  ).join("");
}

function percent(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

const WORD = /^(?:[\p{L}_]|%[\da-f]{2})(?:[\p{L}\p{N}_.:/@&-]|%[\da-f]{2})*$/iu;

/** Undefined for what is no such word: `+1` is no label, `@` nobody. */
export function decodeWord(word: string): string | undefined {
  if (!WORD.test(word)) return undefined;
  try {
    return decodeURIComponent(word);
  } catch {
    return undefined;
  }
}
