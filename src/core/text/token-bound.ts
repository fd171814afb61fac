/**
 * A number of tokens that no text exceeds: tokenizers work on bytes, so a text has at most as many tokens as bytes.
 * Ordinary English has a quarter of that; but a budget has to hold for text that was made up to break it.
 */
export function tokenBound(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
