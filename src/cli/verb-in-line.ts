import type { CommandEntry, CommandGroup } from "../app/command-definition.js";
import { partsOf, wordPlaces } from "../app/field-reader.js";
import { COMMON_FLAGS, type Fields } from "../app/fields.js";
import { FILLERS } from "./other-words.js";
import { allFields } from "./usage.js";

type Verbs = CommandGroup["verbs"];

/** Which verb a line means: its first word that is no flag and no flag's value; without one the first verb. */
export async function verbIn(verbs: Verbs, line: readonly string[]) {
  const parts = partsOf(line, COMMON_FLAGS);
  const flags = parts.flatMap((part) => (part.type === "unknown-flag" ? [part.flag] : []));
  const named = parts[0]?.type === "word" ? undefined : verbs.find(({ name }) => flags.includes(name));
  if (named) {
    // `--slash=help` is `--slash help`.
    const rest = line.filter((word) => word !== named.name);
    const words = rest.map((word) => (word.startsWith(`${named.name}=`) ? word.slice(named.name.length + 1) : word));
    return { verb: named, word: named.name, rest: words };
  }
  const at = await verbPlace(verbs, line);
  const word = line[at];
  if (word === undefined) return { verb: verbs[0], word: "", rest: line };
  return { verb: verbs.find(({ name }) => name === word), word, rest: without(line, at) };
}

/** -1 where there is none. Only behind a verb's own flag all verbs are loaded, which takes time. */
async function verbPlace(verbs: Verbs, line: readonly string[]): Promise<number> {
  const first = partsOf(line, COMMON_FLAGS).find(({ type }) => type === "word" || type === "unknown-flag");
  if (first?.type !== "unknown-flag") return first?.at ?? -1;
  const parts = partsOf(line, await groupFields(verbs));
  const found = parts.find((part, index) => {
    if (part.type !== "word") return false;
    // A mistyped flag may have a value, as in `--sesion s list`.
    return parts[index - 1]?.type !== "unknown-flag" || verbs.some(({ name }) => name === part.text);
  });
  return found?.at ?? -1;
}

/** The flags of all verbs: no two of them take the same flag with a value and without. */
export async function groupFields(verbs: Verbs): Promise<Fields> {
  const commands = await Promise.all(verbs.map((verb) => verb.load()));
  const flags = commands.flatMap(({ input, words = [] }) =>
    Object.entries(input).filter(([name]) => !words.includes(name)),
  );
  return allFields(Object.fromEntries(flags));
}

export function verbNames({ verbs }: CommandGroup): readonly string[] {
  return verbs.map(({ name }) => name);
}

/** `sessions list` is `sessions`. */
export async function withoutFiller({ name, load }: CommandEntry, line: readonly string[]): Promise<readonly string[]> {
  const fillers = FILLERS[name]?.split(" ");
  if (!fillers) return line;
  const { input, words } = await load();
  const [at = -1] = wordPlaces(line, allFields(input), words);
  return fillers.includes(line[at] ?? "") ? without(line, at) : line;
}

export function without(line: readonly string[], at: number): readonly string[] {
  return line.filter((_, index) => index !== at);
}
