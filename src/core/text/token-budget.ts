import { utf8Length } from "./length.js";

/**
 * Tokenizers work on bytes, so no text has more tokens than bytes. Ordinary English has a quarter of that, but a budget
 * has to hold for text that was made up to break it.
 */
export function tokenBound(text: string): number {
  return utf8Length(text);
}

/** What a list may take of a model's context when it is shown in full. */
const TOKENS_MAX = 2000;

/** As many rows as there is room for, and how many were left out. */
export function fittingRows(rows: readonly string[], most: number = TOKENS_MAX): readonly string[] {
  let tokens = 0;
  const shown = rows.findIndex((row) => {
    tokens += tokenBound(row) + 1;
    return tokens > most;
  });
  return shown < 0 ? rows : [...rows.slice(0, shown), `${rows.length - shown} more rows have no room here.`];
}
