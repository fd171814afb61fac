interface Entry<T> {
  readonly literal: string;
  readonly value: T;
}

/** Three characters of five bits each. */
export const BEGINNINGS = 1 << 15;

/**
 * Finds any of some hundred literals in one pass, in upper or lower case. A pattern with as many alternatives takes
 * twenty times as long, and a millisecond to compile. Every literal has three characters or more: the last three
 * characters, hashed, say which of them may begin there.
 */
export class Literals<T> {
  readonly #byBeginning: (Entry<T>[] | undefined)[] = new Array(BEGINNINGS);

  constructor(entries: Iterable<readonly [literal: string, value: T]>) {
    const used = new Set<Entry<T>[]>();
    for (const [literal, value] of entries) {
      const hash = beginningOf(literal);
      const same = this.#byBeginning[hash] ?? [];
      this.#byBeginning[hash] = same;
      same.push({ literal, value });
      used.add(same);
    }
    for (const same of used) same.sort((a, b) => b.literal.length - a.literal.length);
  }

  /** The first answer to a literal at or behind a place; of several at one place the longest is asked first. */
  find<Answer>(
    text: string,
    from: number,
    answer: (at: number, value: T, end: number) => Answer | undefined,
  ): Answer | undefined {
    const byBeginning = this.#byBeginning;
    for (let at = from, hash = 0; at < text.length; at += 1) {
      hash = hashed(hash, text.charCodeAt(at));
      const same = byBeginning[hash];
      if (same === undefined || at < from + 2) continue;
      const start = at - 2;
      // By number: hostile text brings one to every few characters.
      for (let index = 0; index < same.length; index += 1) {
        const entry = same[index];
        if (entry === undefined || !isAt(text, start, entry.literal)) continue;
        const found = answer(start, entry.value, start + entry.literal.length);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/** Only the last three characters are in it: each is shifted out by the third one behind it. */
export function hashed(hash: number, code: number): number {
  return ((hash << 5) ^ (code | 0x20)) & (BEGINNINGS - 1);
}

export function beginningOf(literal: string): number {
  return hashed(hashed(hashed(0, literal.charCodeAt(0)), literal.charCodeAt(1)), literal.charCodeAt(2));
}

/** Without regard to case, and to signs that are as near to each other as letters are: who asks looks again. */
export function isAt(text: string, at: number, literal: string): boolean {
  // From its end: the beginning is known to fit, and many begin alike.
  for (let index = literal.length - 1; index >= 0; index -= 1)
    if ((text.charCodeAt(at + index) | 0x20) !== (literal.charCodeAt(index) | 0x20)) return false;
  return true;
}

/** Which of some sets of literals have one in a text, one bit each. */
export class LiteralSets {
  /** The sets that have a literal with such a beginning. */
  readonly #sets = new Int32Array(BEGINNINGS);
  readonly #byBeginning = new Map<number, Entry<number>[]>();

  constructor(sets: readonly (readonly string[])[]) {
    sets.forEach((literals, index) => {
      for (const literal of literals) {
        const hash = beginningOf(literal);
        this.#sets[hash] = (this.#sets[hash] ?? 0) | (1 << index);
        const same = this.#byBeginning.get(hash);
        if (same) same.push({ literal, value: 1 << index });
        else this.#byBeginning.set(hash, [{ literal, value: 1 << index }]);
      }
    });
  }

  in(text: string): number {
    const sets = this.#sets;
    let found = 0;
    for (let at = 0, hash = 0; at < text.length; at += 1) {
      hash = hashed(hash, text.charCodeAt(at));
      const may = sets[hash] ?? 0;
      if ((may & ~found) === 0 || at < 2) continue;
      for (const { literal, value } of this.#byBeginning.get(hash) ?? [])
        if ((value & ~found) !== 0 && isAt(text, at - 2, literal)) found |= value;
    }
    return found;
  }
}
