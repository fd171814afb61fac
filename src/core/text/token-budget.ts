import { mostTokens } from "./byte-pairs.js";
import { utf8Length } from "./length.js";
import { ANY_FORM, BEHIND_SPACE, CAPITAL_BEHIND_SPACE, SMALL_BEHIND_SPACE } from "./token-table.js";

/**
 * No text has more o200k tokens than this, one that was made up to break it included: the text is cut where the
 * tokenizer cuts it, common words and numbers are known tokens, and of all else the most is counted that can be. For
 * ordinary English and code it is a third to two thirds above the real count, for German twice. Beyond `enough` nobody
 * needs to know.
 */
export function tokenBound(text: string, enough: number = Number.POSITIVE_INFINITY): number {
  if (!ODD.test(text)) return plainTokens(text, enough);
  let tokens = 0;
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (!ODD.test(word)) continue;
    tokens += plainTokens(text.slice(from, index), enough - tokens) + utf8Length(word);
    if (tokens > enough) return tokens;
    from = index + word.length;
  }
  return tokens + plainTokens(text.slice(from), enough - tokens);
}

/** Characters whose class tokenizers may not agree on: a word with one may be cut anywhere, so bytes are counted. */
const ODD = /[^\t\r\n -~À-ÖØ-öø-ÿ\u2010-\u2027\u2030-\u205e\u2190-\u21ff]/u;
const WORDS = /[^ \t\r\n]+/g;

/** As o200k cuts a text before it looks for tokens; no token reaches over a cut. */
const PIECES = (() => {
  const tail = "(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?";
  const small = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`;
  const capital = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`;
  const before = String.raw`[^\r\n\p{L}\p{N}]?`;
  const words = [`${before}[${capital}]*[${small}]+${tail}`, `${before}[${capital}]+[${small}]*${tail}`];
  const others = [String.raw`\p{N}{1,3}`, String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`, String.raw`\s*[\r\n]+`];
  return new RegExp([...words, ...others, String.raw`\s+(?!\S)`, String.raw`\s+`].join("|"), "gu");
})();

function plainTokens(text: string, enough: number): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += pieceTokens(piece);
    if (tokens > enough) break;
  }
  return tokens;
}

/** Up to three digits are one token, whichever they are; so are a space and one sign behind it. */
const NUMBER = /^\d+$/;
const SIGNS = /^ [!-~]/;
const WORD = /\p{L}/u;

function pieceTokens(piece: string): number {
  if (NUMBER.test(piece) || isCommonWord(piece)) return 1;
  if (WORD.test(piece)) return mostTokens(piece);
  return utf8Length(piece) - (SIGNS.test(piece) ? 1 : 0);
}

const CASED = /^( ?)([A-Z]?)[a-z]+$/;

function isCommonWord(piece: string): boolean {
  const [, space, capital] = CASED.exec(piece) ?? [];
  if (space === undefined) return false;
  commonWords ??= readWords();
  const forms = commonWords.get(piece.trim().toLowerCase());
  return forms !== undefined && (forms === "any" || (space !== "" && FORMS[forms](capital !== "")));
}

type Forms = "spaced" | "small" | "capital";
const FORMS: Readonly<Record<Forms, (isCapital: boolean) => boolean>> = {
  spaced: () => true,
  small: (isCapital) => !isCapital,
  capital: (isCapital) => isCapital,
};

let commonWords: ReadonlyMap<string, Forms | "any"> | undefined;

/** Only when the first word is looked at: most hooks say nothing. */
function readWords(): ReadonlyMap<string, Forms | "any"> {
  const lists = { any: ANY_FORM, spaced: BEHIND_SPACE, small: SMALL_BEHIND_SPACE, capital: CAPITAL_BEHIND_SPACE };
  const entries = Object.entries(lists) as [Forms | "any", string][];
  return new Map(entries.flatMap(([forms, words]) => words.split(/\s+/).map((word) => [word, forms] as const)));
}

/** What a list may take of a model's context when it is shown in full. */
const TOKENS_MAX = 2000;
/** Clients cut what a hook says at about 10,000 characters, and this is not all that it says. */
const BYTES_MAX = 4500;

/** As many rows as there is room for, and how many were left out. */
export function fittingRows(rows: readonly string[], most: number = TOKENS_MAX): readonly string[] {
  let tokens = 0;
  let bytes = 0;
  const shown = rows.findIndex((row) => {
    tokens += tokenBound(row) + 1;
    bytes += utf8Length(row) + 1;
    return tokens > most || bytes > BYTES_MAX;
  });
  return shown < 0 ? rows : [...rows.slice(0, shown), `${rows.length - shown} more rows have no room here.`];
}
