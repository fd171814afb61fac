import type { CommandGroup } from "../app/command-definition.js";
import { type Meaning, nearest } from "../core/text/nearest.js";
import {
  CLIENT_ALIASES,
  COMMAND_ALIASES,
  COMMAND_GUESSES,
  FLAG_GUESSES,
  VALUE_GUESSES,
  VERB_ALIASES,
  VERB_GUESSES,
  wordsFor,
} from "./other-words.js";

/** Another word for a command that simply works. */
export function commandAlias(typed: string, names: readonly string[]): string | undefined {
  return exact(typed, wordsFor(COMMAND_ALIASES, names));
}

export function verbAlias(typed: string, names: readonly string[]): string | undefined {
  return exact(typed, wordsFor(VERB_ALIASES, names));
}

export function valueAlias(typed: string, choices: readonly string[]): string | undefined {
  return exact(typed, wordsFor(CLIENT_ALIASES, choices));
}

function exact(typed: string, words: readonly Meaning[]): string | undefined {
  return words.find(({ word }) => word === typed)?.meant;
}

/** What was meant by a command that is not there: one of ours, or a verb of a group, as in `milepost add`. */
export function suggestCommand(
  typed: string,
  names: readonly string[],
  groups: readonly CommandGroup[],
): string | undefined {
  const others = [...wordsFor(COMMAND_ALIASES, names), ...wordsFor(COMMAND_GUESSES, names)];
  const verbs = groups.flatMap(({ name, verbs: own }) =>
    verbWords(own.map((verb) => verb.name)).map(({ word, meant }) => ({ word, meant: `${name} ${meant}` })),
  );
  // Verbs only as they are: with a letter wrong, one of forty is near to any short word.
  return exact(typed.toLowerCase(), [...others, ...verbs]) ?? nearest(typed, [...names, ...others]);
}

/** What was meant by a verb that is not there: another word for it, or one with a letter or two mistyped. */
export function suggestVerb({ verbs }: CommandGroup, typed: string): string | undefined {
  return nearest(typed, verbWords(verbs.map(({ name }) => name)));
}

function verbWords(names: readonly string[]): readonly Meaning[] {
  const own = names.filter((name) => !name.startsWith("-")).map((name) => ({ word: name, meant: name }));
  return [...own, ...wordsFor(VERB_ALIASES, names), ...wordsFor(VERB_GUESSES, names)];
}

/** Flags without their dashes, as in `dry-run`. */
export function suggestFlag(typed: string, flags: readonly string[]): string | undefined {
  const bare = typed.replace(/^-+/, "").replaceAll("_", "-");
  return nearest(bare, [...flags, ...wordsFor(FLAG_GUESSES, flags)]);
}

export function suggestValue(typed: string, choices: readonly string[]): string | undefined {
  return nearest(typed, [...choices, ...wordsFor(CLIENT_ALIASES, choices), ...wordsFor(VALUE_GUESSES, choices)]);
}
