import type { CommandEntry, CommandGroup } from "../app/command.js";

interface Said {
  readonly verb: CommandEntry | undefined;
  /** Its own words and flags. */
  readonly words: readonly string[];
}

/** Which verb of a group a line means: its first word; behind flags the first word that is a verb; else the standard one. */
export function verbIn({ verbs }: CommandGroup, line: readonly string[]): Said {
  const called = (word: string | undefined) => verbs.find(({ name }) => name === word);
  if (line[0] !== undefined && !line[0].startsWith("-")) return { verb: called(line[0]), words: line.slice(1) };
  const flag = verbs.find(({ name }) => name.startsWith("--") && line.some((word) => isFlag(word, name)));
  if (flag) return { verb: flag, words: line.flatMap((word) => withoutFlag(word, flag.name)) };
  // What follows a flag directly may be its value, as in `--session list`.
  const at = line.findIndex(
    (word, index) => called(word) && (!line[index - 1]?.startsWith("-") || isSwitch(line[index - 1])),
  );
  if (at < 0) return { verb: verbs[0], words: line };
  return { verb: called(line[at]), words: line.filter((_, index) => index !== at) };
}

function isSwitch(word: string | undefined): boolean {
  return word === "--json" || word?.includes("=") === true;
}

function isFlag(word: string, name: string): boolean {
  return word === name || word.startsWith(`${name}=`);
}

function withoutFlag(word: string, name: string): readonly string[] {
  if (!isFlag(word, name)) return [word];
  return word === name ? [] : [word.slice(name.length + 1)];
}

/** What was meant by a verb that is not there: another word for it, or one with a letter or two mistyped. */
export function suggestVerb(verbs: readonly CommandEntry[], typed: string): string | undefined {
  const word = typed.toLowerCase();
  const known = verbs.find(({ also }) => also.includes(word));
  if (known) return known.name;
  const ranked = verbs.map(({ name }) => ({ name, distance: distance(word, name) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= (best.name.length > 3 ? 2 : 1) && best.distance < best.name.length
    ? best.name
    : undefined;
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
