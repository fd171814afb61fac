import { NO_PAIRS, TRIPLES } from "./token-table.js";

/**
 * The most tokens that byte-pair encoding can make of one piece of a text. It ends when no two neighbours are a token
 * together; so whoever knows tokens of two and three bytes knows which neighbours cannot be left, and the bound is the
 * longest row of tokens without such neighbours. Linear in the length of the piece.
 */
export function mostTokens(piece: string): number {
  const units = unitsOf(piece);
  // The longest rows that end here, by the bytes of their last token: one, two, three or more.
  let [here, before, beforeThat] = [START, NOTHING, NOTHING];
  let mostBefore = NONE;
  for (let at = 0; at < units.length; at += 1) {
    const [third = 0, second = 0, unit = 0] = [units[at - 2], units[at - 1], units[at]];
    const isTriple = isOneToken(third, second, unit);
    mostBefore = Math.max(mostBefore, mostOf(beforeThat));
    const next: Rows = {
      one: 1 + Math.max(isPair(second, unit) ? NONE : here.one, isTriple ? NONE : here.two, here.more),
      two: 1 + Math.max(isTriple ? NONE : before.one, before.two, before.more),
      more: 1 + mostBefore,
    };
    [here, before, beforeThat] = [next, here, before];
  }
  return mostOf(here);
}

interface Rows {
  readonly one: number;
  readonly two: number;
  readonly more: number;
}

/** So few that no row grows out of it. */
const NONE = -1e9;
const NOTHING: Rows = { one: NONE, two: NONE, more: NONE };
const START: Rows = { one: NONE, two: NONE, more: 0 };

function mostOf({ one, two, more }: Rows): number {
  return Math.max(one, two, more);
}

const SPACE = 53;
/** The two bytes of a letter such as ä. */
const [LEAD, TRAIL] = [54, 55];
const LETTERS = 26;

/** Bytes, as far as anything is known of them: a to z are 1 to 26, A to Z 27 to 52, 0 any other. */
function unitsOf(piece: string): readonly number[] {
  const units: number[] = [];
  for (const character of piece) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x80) units.push(...(ACCENTED.test(character) ? [LEAD, TRAIL] : strangeBytes(code)));
    else if (code >= 97 && code <= 122) units.push(code - 96);
    else if (code >= 65 && code <= 90) units.push(code - 64 + LETTERS);
    else units.push(code === 32 ? SPACE : 0);
  }
  return units;
}

/** All that are tokens: Û is none. */
const ACCENTED = /[À-ÖØ-ÚÜ-öø-ÿ]/;

function strangeBytes(code: number): readonly number[] {
  return code < 0x800 ? [0, 0] : code < 0x10000 ? [0, 0, 0] : [0, 0, 0, 0];
}

function isPair(first: number, second: number): boolean {
  if (first === LEAD) return second === TRAIL;
  if (!isLetter(second)) return false;
  if (first === SPACE) return true;
  return isLetter(first) && (first > LETTERS || second <= LETTERS) && !noPairs().has(first * 64 + second);
}

function isLetter(unit: number): boolean {
  return unit > 0 && unit < SPACE;
}

function isOneToken(first: number, second: number, third: number): boolean {
  if (!isLetter(third) || third > LETTERS || !isLetter(second)) return false;
  const isSpaced = first === SPACE;
  if (second <= LETTERS) {
    const isKnown = isSpaced || (isLetter(first) && first <= LETTERS);
    return isKnown && bitAt(((isSpaced ? 0 : first) * LETTERS + second - 1) * LETTERS + third - 1);
  }
  return isSpaced && bitAt(((LETTERS + 1) * LETTERS + second - 1 - LETTERS) * LETTERS + third - 1);
}

let knownNoPairs: ReadonlySet<number> | undefined;

function noPairs(): ReadonlySet<number> {
  knownNoPairs ??= new Set(
    (NO_PAIRS.match(/../g) ?? []).map((pair) => {
      const [first = 0, second = 0] = unitsOf(pair);
      return first * 64 + second;
    }),
  );
  return knownNoPairs;
}

let triples: string | undefined;

function bitAt(index: number): boolean {
  triples ??= atob(TRIPLES);
  return ((triples.charCodeAt(index >> 3) >> (index & 7)) & 1) === 1;
}
