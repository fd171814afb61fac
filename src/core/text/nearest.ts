/** A word that can be typed, and what it means; most words mean themselves. */
export interface Meaning {
  readonly word: string;
  readonly meant: string;
}

/**
 * What was most likely meant by a word that is not there; undefined where nothing is near enough. In this order: the
 * same in other case, the only one that begins so, a part between dots or dashes, a letter or two mistyped.
 */
export function nearest(typed: string, words: readonly (string | Meaning)[]): string | undefined {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return undefined;
  const known = words.map((word) => (typeof word === "string" ? { word, meant: word } : word));
  const lower = known.map(({ word, meant }) => ({ word: word.toLowerCase(), meant }));
  const same = lower.find(({ word }) => word === wanted);
  if (same) return same.meant;
  const prefixed = wanted.length < PREFIX_MIN ? [] : lower.filter(({ word }) => word.startsWith(wanted));
  return (
    onlyMeant(prefixed) ??
    onlyMeant(lower.filter(({ word }) => partsOf(word).includes(wanted))) ??
    mistyped(wanted, lower)
  );
}

const PREFIX_MIN = 3;

/** An id that begins almost as it was typed: ids are long, and people type their beginning. */
export function nearestId(typed: string, ids: readonly string[]): string | undefined {
  if (typed.length < ID_MIN) return undefined;
  const begun = ids.map((id) => ({ word: id.slice(0, typed.length).toLowerCase(), meant: id }));
  return mistyped(typed.toLowerCase(), begun);
}

/** Of fewer letters half may be wrong, and every id is near. */
const ID_MIN = 4;

function onlyMeant(found: readonly Meaning[]): string | undefined {
  const meant = new Set(found.map((one) => one.meant));
  return meant.size === 1 ? found[0]?.meant : undefined;
}

function partsOf(word: string): readonly string[] {
  return word.split(/[.-]/).filter((part) => part.length >= PREFIX_MIN);
}

/** The first of the nearest: tables have the likeliest word first. */
function mistyped(wanted: string, known: readonly Meaning[]): string | undefined {
  const ranked = known
    .map(({ word, meant }) => ({ word, meant, most: mostWrong(word) }))
    // A text that somebody forgot to quote may be long.
    .filter(({ word, most }) => Math.abs(word.length - wanted.length) <= most)
    .map(({ word, meant, most }) => ({ meant, most, off: distance(wanted, word) }))
    .filter(({ off, most }) => off <= most && off < wanted.length)
    .sort((a, b) => a.off - b.off);
  return ranked[0]?.meant;
}

/** Letters that may be wrong in a word: in `rm` one makes another word of it already. */
function mostWrong({ length }: string): number {
  if (length < 3) return 0;
  return length < 5 ? 1 : length < 9 ? 2 : 3;
}

/** Letters to put in, take out or replace; two neighbours that changed places count as one. */
function distance(from: string, to: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [(last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1)];
      if (isSwapped && row > 1 && column > 1) steps.push((before[column - 2] ?? 0) + 1);
      next.push(Math.min(...steps));
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
