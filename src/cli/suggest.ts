import { AGENT_ALIASES } from "../app/agent-aliases.js";
import type { CommandGroup } from "../app/command-definition.js";
import { COMMANDS, SURFACES } from "../app/command-table.js";
import { wordPlaces } from "../app/field-reader.js";
import { COMMON_FLAGS, type Fields } from "../app/fields.js";
import { SHOWN_STATES } from "../core/session/session-state.js";
import { type Meaning, nearest } from "../core/text/nearest.js";
import {
  COMMAND_ALIASES,
  COMMAND_GUESSES,
  FLAG_GUESSES,
  OTHER_FLAGS,
  OWN_VERB_GUESSES,
  VALUE_GUESSES,
  VERB_ALIASES,
  VERB_GUESSES,
  wordsFor,
} from "./other-words.js";
import { without } from "./verb-in-line.js";

export const COMMAND_NAMES = [...COMMANDS, ...SURFACES].map(({ name }) => name);
export const GROUPS = COMMANDS.filter((entry) => "verbs" in entry);

/** Another word for a command that simply works. */
export function commandAlias(typed: string, names: readonly string[]): string | undefined {
  return exact(typed, wordsFor(COMMAND_ALIASES, names));
}

/** The command that another word stands for; not in `list tasks`, where it is the verb of what follows. */
export function otherName(typed: string, rest: readonly string[]): string | undefined {
  return verbBefore(typed, rest, GROUPS) ? undefined : commandAlias(typed, COMMAND_NAMES);
}

export function verbAlias(typed: string, names: readonly string[]): string | undefined {
  return exact(typed, wordsFor(VERB_ALIASES, names));
}

export function valueAlias(typed: string, choices: readonly string[]): string | undefined {
  return exact(typed, wordsFor(AGENT_ALIASES, choices));
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
  return (
    exact(typed.toLowerCase(), others) ??
    groupVerbs(typed, groups)[0]?.join(" ") ??
    nearest(typed, [...names, ...others])
  );
}

/** The groups that have this verb, or another word for it; those that call it just so come first. */
export function groupVerbs(typed: string, groups: readonly CommandGroup[]): readonly (readonly [string, string])[] {
  const word = typed.toLowerCase();
  // Verbs only as they are: with a letter wrong, one of forty is near to any short word.
  const found = groups.flatMap(({ name, verbs }): (readonly [string, string])[] => {
    const meant = exact(word, verbWords(verbs.map((verb) => verb.name)));
    return meant === undefined ? [] : [[name, meant]];
  });
  return [...found.filter(([, verb]) => verb === word), ...found.filter(([, verb]) => verb !== word)];
}

/** `done todo 2`, with the verb before its group: the command, and what is left for it. */
export function verbBefore(typed: string, rest: readonly string[], groups: readonly CommandGroup[]) {
  const [at = -1] = wordPlaces(rest, COMMON_FLAGS);
  const noun = rest[at] ?? "";
  const names = groups.map(({ name }) => name);
  const lower = noun.toLowerCase();
  const meant = names.includes(lower) ? lower : commandAlias(lower, names);
  const group = groups.filter(({ name }) => name === meant);
  const [name] = groupVerbs(typed, group);
  return name && { name, noun, rest: without(rest, at) };
}

/** The beginning of a session's id, or SESSION/AGENT. */
export function isSessionLike(word: string): boolean {
  return /^(?=[^/]*\d)[\da-f][\da-f_-]{3,}(?:\/[^\s/]+)?$/i.test(word);
}

/** A state of sessions, as in `milepost waiting`. */
export function isSessionState(word: string): boolean {
  return SHOWN_STATES.some((state) => state === word);
}

/** What was meant by a verb that is not there: another word for it, or one with a letter or two mistyped. */
export function suggestVerb({ verbs }: CommandGroup, typed: string): string | undefined {
  const names = verbs.map(({ name }) => name);
  return nearest(typed, [...verbWords(names), ...wordsFor(OWN_VERB_GUESSES, names)]);
}

function verbWords(names: readonly string[]): readonly Meaning[] {
  const own = names.filter((name) => !name.startsWith("-")).map((name) => ({ word: name, meant: name }));
  return [...own, ...wordsFor(VERB_ALIASES, names), ...wordsFor(VERB_GUESSES, names)];
}

/** Flags without their dashes, as in `dry-run`. */
export function suggestFlag(typed: string, flags: readonly string[]): string | undefined {
  const bare = typed.replace(/^-+/, "").replaceAll("_", "-");
  if (OTHER_FLAGS.split(" ").includes(bare)) return undefined;
  return nearest(bare, [...flags, ...wordsFor(FLAG_GUESSES, flags)]);
}

/** Which field has a value that was typed as a flag, as in `sessions --waiting`. */
export function choiceNamed(
  typed: string,
  fields: Fields,
): { readonly field: string; readonly value: string } | undefined {
  const bare = typed.replace(/^-+/, "").replaceAll("-", "_");
  for (const [field, { choices = [] }] of Object.entries(fields)) {
    const same = choices.find((value) => value.replaceAll("-", "_") === bare);
    const value = same ?? exact(bare, wordsFor(VALUE_GUESSES, choices));
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

export function suggestValue(typed: string, choices: readonly string[]): string | undefined {
  return nearest(typed, [...choices, ...wordsFor(AGENT_ALIASES, choices), ...wordsFor(VALUE_GUESSES, choices)]);
}
