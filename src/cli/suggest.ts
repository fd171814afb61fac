import type { CommandGroup } from "../app/command-definition.js";

/** What people type who know other programs, and the verbs that mean it here, the likeliest first. */
const OTHER_WORDS: readonly (readonly [words: string, verbs: string])[] = [
  ["ls show view print", "list show"],
  ["append new create insert", "add"],
  ["begin doing take next resume", "start claim"],
  ["finish complete completed close check tick", "done"],
  ["cancel abandon skip drop", "drop cancel"],
  ["remove delete del clear", "rm"],
  ["comment annotate", "note"],
  ["reword update modify change", "rename edit"],
  ["sort reorder move mv", "order"],
  ["revert back", "undo"],
  ["save load", "export import"],
];

/** What was meant by a verb that is not there: another word for it, or one with a letter or two mistyped. */
export function suggestVerb({ verbs }: CommandGroup, typed: string): string | undefined {
  const names = verbs.map(({ name }) => name);
  const others = OTHER_WORDS.flatMap(([words, same]) => {
    const meant = same.split(" ").find((name) => names.includes(name));
    return meant === undefined ? [] : words.split(" ").map((word) => ({ word, meant }));
  });
  const ranked = [...names.map((name) => ({ word: name, meant: name })), ...others]
    .map(({ word, meant }) => ({ meant, off: distance(typed.toLowerCase(), word), most: word.length > 3 ? 2 : 1 }))
    .filter(({ off, most }) => off <= most && off < typed.length)
    .sort((a, b) => a.off - b.off);
  return ranked[0]?.meant;
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
