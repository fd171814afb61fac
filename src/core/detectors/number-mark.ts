/** Texts longer than this are marked by both ends and their length: a mark must not cost more than the call. */
const LONGEST = 4096;

const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/** A number of 32 bits, the same for the same text and never 0 (FNV-1a). Not for secrets: it can be turned around. */
export function numberOf(text: string): number {
  const half = LONGEST / 2;
  const short = text.length > LONGEST ? `${text.slice(0, half)}${text.length}${text.slice(-half)}` : text;
  let mark = OFFSET;
  for (let at = 0; at < short.length; at += 1) mark = Math.imul(mark ^ short.charCodeAt(at), PRIME);
  return mark >>> 0 || 1;
}

/** One mark of two; their order matters. */
export function joinMarks(first: number, second: number): number {
  const mixed = Math.imul(Math.imul(OFFSET ^ first, PRIME) ^ (second >>> 7), PRIME) ^ Math.imul(second, 0x9e3779b1);
  return mixed >>> 0 || 1;
}
