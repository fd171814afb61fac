import type { CommandGroup } from "../app/command-definition.js";

/** Which verb a line means: its first word that is no flag and no flag's value; without one the first verb. */
export function verbIn(verbs: CommandGroup["verbs"], line: readonly string[]) {
  const at = line.findIndex((word, index) => !word.startsWith("-") && !mayHaveValue(line[index - 1]));
  const isFlag = (word: string, name: string) => word === name || word.startsWith(`${name}=`);
  const flag = verbs.find(({ name }) => name.startsWith("--") && line.some((word) => isFlag(word, name)))?.name;
  if (flag !== undefined && at !== 0) {
    // `--slash=help` is `--slash help`.
    const rest = line.filter((word) => word !== flag);
    const words = rest.map((word) => (isFlag(word, flag) ? word.slice(flag.length + 1) : word));
    return { verb: verbs.find(({ name }) => name === flag), word: flag, rest: words };
  }
  const word = line[at];
  if (word === undefined) return { verb: verbs[0], word: "", rest: line };
  return { verb: verbs.find(({ name }) => name === word), word, rest: line.filter((_, index) => index !== at) };
}

/** What follows a flag may be its value, as in `--session list`. */
function mayHaveValue(word: string | undefined): boolean {
  return word?.startsWith("-") === true && word !== "--json" && !word.includes("=");
}
