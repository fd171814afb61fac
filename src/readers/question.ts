/** Marks and quotes that may stand behind the last character of a sentence. */
const BEHIND = /[\s*_`~"'“”‘’«»)\]}]+$/u;
const LOOKED_AT = 200;

/** A text that ends with a question waits for an answer. */
export function isQuestion(text: string): boolean {
  const end = text.trimEnd().slice(-LOOKED_AT).replace(BEHIND, "");
  return /[?？؟]$/u.test(end);
}
