/** A secret in a text: what stands from `start` to `end` goes, `label` says what it was. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * One kind of place where secrets stand. Hostile text must cost no more than its length: a rule looks at a bounded part
 * of the text for each place it refuses, and goes on behind each secret that it has found.
 */
export interface Rule {
  /** A text without any of these, in upper or lower case, holds no such secret. Three characters or more each. */
  readonly literals: readonly string[];
  /** From the beginning to the end, none inside another. */
  secrets(text: string): Iterable<Secret>;
}

/** Looks for one after the other. `find`: the first secret at or behind a place. */
export function each(find: (text: string, from: number) => Secret | undefined): Rule["secrets"] {
  return function* (text) {
    for (let found = find(text, 0); found; found = find(text, found.end)) yield found;
  };
}

/** More of a kind in one text is a dump, or made to cost time: nobody reads what is left between so many. */
export const MOST_SECRETS = 5000;

export const MARK = "[redacted";

/** Says what was there, and holds nothing of it. */
export function placeholder(label: string): string {
  return `${MARK}: ${label}]`;
}

/** The end of a match right at a place; -1 without one. The pattern is sticky. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
