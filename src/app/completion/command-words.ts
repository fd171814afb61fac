import { DIALECT_NAMES } from "../calls/dialect-names.js";
import type { CommandEntry, CommandGroup } from "../command-definition.js";
import { SECTIONS, type SurfaceEntry } from "../command-table.js";
import { COMMON_FLAGS, type Field, type Fields, flagName } from "../fields.js";
import { SETTINGS } from "../settings/setting-entries.js";
import type { SettingEntry } from "../settings/setting-entry.js";
import type { SharedFlags } from "./typed-line.js";

// All words that can be completed without looking at the machine. The build replaces this module by what it returns:
// nobody who presses a key waits until every command is loaded.

/** A value that is told by its place or after a flag. `name` says what it is, as help writes it: SESSION, FILE ... */
export interface ValueWords {
  readonly name: string;
  readonly choices?: readonly string[];
  readonly isMany?: boolean;
}

export interface FlagWords {
  readonly flag: string;
  readonly about: string;
  /** Undefined for a switch. */
  readonly value?: ValueWords;
}

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** Not for people: offered only to whoever has begun to type it. */
  readonly isMachine?: boolean;
  readonly flags: readonly FlagWords[];
  readonly words: readonly ValueWords[];
  readonly verbs: readonly CommandWords[];
}

export interface NamedWord {
  readonly word: string;
  readonly about: string;
}

export interface CompletionTable {
  readonly commands: readonly CommandWords[];
  readonly shared: SharedFlags;
  readonly settings: readonly (NamedWord & { readonly values: readonly string[] })[];
  readonly dialects: readonly string[];
}

export async function completionTable(): Promise<CompletionTable> {
  const sections = SECTIONS.map(async ({ name, commands, surfaces }) => {
    const isMachine = name === "machine";
    const words = await Promise.all(commands.map((command) => commandWords(command, isMachine)));
    return [...words, ...surfaces.map(surfaceWords)];
  });
  return {
    commands: (await Promise.all(sections)).flat(),
    shared: SHARED,
    settings: SETTINGS.map(settingWords),
    dialects: DIALECT_NAMES,
  };
}

const SHARED: SharedFlags = {
  everywhere: [...flagsOf(COMMON_FLAGS), { flag: "--help", about: "show what it does and its flags" }],
  alone: [{ flag: "--version", about: "print the version" }],
};

async function commandWords(entry: CommandEntry | CommandGroup, isMachine: boolean): Promise<CommandWords> {
  const { name, summary } = entry;
  const common = { name, summary, ...(isMachine && { isMachine }) };
  if ("verbs" in entry) {
    const verbs = await Promise.all(entry.verbs.map((verb) => commandWords(verb, false)));
    return { ...common, flags: [], words: [], verbs };
  }
  const { input, words = [] } = await entry.load();
  const flags = Object.entries(input).filter(([field]) => !words.includes(field) && !(field in COMMON_FLAGS));
  return {
    ...common,
    flags: flagsOf(Object.fromEntries(flags)),
    words: words.flatMap((field) => (input[field] ? [valueWords(input[field])] : [])),
    verbs: [],
  };
}

function flagsOf(fields: Fields): readonly FlagWords[] {
  return Object.entries(fields).map(([name, field]) => {
    const { kind, about } = field;
    return { flag: flagName(name), about, ...(kind === "toggle" ? undefined : { value: valueWords(field) }) };
  });
}

function valueWords({ name, choices, isMany }: Field): ValueWords {
  return { name, ...(choices && { choices }), ...(isMany && { isMany }) };
}

/** Their flags are only in their help: `  --list LIST  about it`. */
function surfaceWords({ name, summary, details }: SurfaceEntry): CommandWords {
  const rows = Array.from(
    details.matchAll(/^ {2}(--[a-z-]+)(?: ([A-Z]+))? {2,}(.+)$/gm),
    ([, flag = "", value, about = ""]) => {
      return { flag, about, ...(value === undefined ? undefined : { value: { name: value } }) };
    },
  );
  return { name, summary, isMachine: true, flags: rows, words: [], verbs: [] };
}

/** A few settings take one of a few words. */
function settingWords({ name, summary, takes }: SettingEntry) {
  const words = takes.replace(/^use /, "").split(/, | or /);
  const values = words.every((word) => /^[a-z-]+$/.test(word)) ? words : [];
  return { word: name, about: summary, values: [...values, "default"] };
}
