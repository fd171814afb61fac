/**
 * Words as one text, told apart by spaces: ` cat head tail `. A hook lives for one call, and to compile a pattern for
 * its first match takes longer than to look through a text.
 */
export type WordList = ` ${string} `;

export function isAmong(words: WordList, word: string): boolean {
  return word !== "" && !word.includes(" ") && words.includes(` ${word} `);
}

export function areAnyAmong(words: WordList, some: readonly string[]): boolean {
  return some.some((word) => isAmong(words, word));
}
