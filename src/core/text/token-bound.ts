/**
 * A number of tokens that the text does not exceed, without a tokenizer's tables. Ordinary words take about half of
 * it; the bound has to hold for text that somebody made up to break it.
 */
export function tokenBound(text: string): number {
  let bound = 0;
  for (const character of text) bound += weight(character);
  return Math.ceil(bound);
}

/** Tokenizers work on bytes, so a character is never more tokens than it has bytes. Letters come in pairs and more. */
function weight(character: string): number {
  if (/[a-z ]/.test(character)) return 0.6;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
