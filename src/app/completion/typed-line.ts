import type { CommandWords, FlagWords, ValueWords } from "./command-words.js";

// What a line that is being typed asks for at its end. Nothing is refused here: a person may mend the rest later.

/** What may stand where the cursor is. */
type Wanted =
  | { readonly type: "command" }
  | { readonly type: "verb"; readonly group: CommandWords }
  | { readonly type: "flag"; readonly flags: readonly FlagWords[] }
  | { readonly type: "value"; readonly value: ValueWords };

export interface TypedLine {
  /** Undefined where anything may stand, such as a text. */
  readonly wanted: Wanted | undefined;
  /** The beginning of the last word that belongs to nothing that is completed, such as `--session=` or `3,`. */
  readonly before: string;
  /** What is completed: the rest of the last word. */
  readonly word: string;
  /** Names of the command and its verb, as far as they are there. */
  readonly name: string;
  /** Values of flags, by the flag; empty texts for switches. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** Words that are told by their place, before the last one. */
  readonly words: readonly string[];
}

/** Flags that every command takes, or Milepost itself. */
export interface SharedFlags {
  readonly everywhere: readonly FlagWords[];
  /** Only before a command. */
  readonly alone: readonly FlagWords[];
}

/** `words` without the name of the program; the last one is being typed. */
export function readTyped(commands: readonly CommandWords[], shared: SharedFlags, words: readonly string[]): TypedLine {
  const reader = new LineReader(commands, shared);
  for (const word of words.slice(0, -1)) reader.take(word);
  return reader.end(words.at(-1) ?? "");
}

class LineReader {
  readonly #commands: readonly CommandWords[];
  readonly #shared: SharedFlags;
  readonly #flags = new Map<string, string[]>();
  readonly #words: string[] = [];
  #command: CommandWords | undefined;
  #verb: CommandWords | undefined;
  /** The flag whose value comes next. */
  #open: FlagWords | undefined;
  /** After `--`: no flags follow. */
  #isPlain = false;
  /** `milepost help todo done`: names, and nothing else. */
  #isHelp = false;
  /** There is no such command or verb: nothing is known of what follows. */
  #isLost = false;

  constructor(commands: readonly CommandWords[], shared: SharedFlags) {
    this.#commands = commands;
    this.#shared = shared;
  }

  take(word: string): void {
    if (this.#open) {
      this.#give(this.#open.flag, word);
      this.#open = undefined;
    } else if (!this.#isPlain && word === "--") this.#isPlain = true;
    else if (!this.#isPlain && word.startsWith("-") && word !== "-") this.#takeFlag(word);
    else this.#takeName(word);
  }

  #takeFlag(word: string): void {
    const [name = "", ...rest] = word.split("=");
    const verb = this.#verb ? undefined : this.#command?.verbs.find((one) => one.name === name);
    if (verb) {
      this.#verb = verb;
      if (rest.length > 0) this.#words.push(rest.join("="));
      return;
    }
    const flag = this.#scope().find((one) => one.flag === name);
    if (flag?.value && rest.length === 0) this.#open = flag;
    else this.#give(name, rest.join("="));
  }

  #give(flag: string, value: string): void {
    this.#flags.set(flag, [...(this.#flags.get(flag) ?? []), value]);
  }

  #takeName(word: string): void {
    if (!this.#command) {
      if (word === "help" && !this.#isHelp) this.#isHelp = true;
      else {
        this.#command = this.#commands.find(({ name }) => name === word);
        this.#isLost ||= !this.#command;
      }
    } else if (this.#command.verbs.length > 0 && !this.#verb) {
      this.#verb = this.#command.verbs.find(({ name }) => name === word);
      this.#isLost ||= !this.#verb;
    } else this.#words.push(word);
  }

  /** Without a verb any of its verbs may follow, and a flag of it may come first. */
  #scope(): readonly FlagWords[] {
    const { everywhere, alone } = this.#shared;
    if (!this.#command) return [...everywhere, ...alone];
    const own = this.#verb ? [this.#verb] : [this.#command, ...this.#command.verbs];
    return [...own.flatMap(({ flags }) => flags), ...everywhere];
  }

  end(last: string): TypedLine {
    const { wanted, before = "" } = this.#isLost ? { wanted: undefined } : this.#wanted(last);
    const word = last.slice(before.length);
    const names = [this.#command, this.#verb].flatMap((one) => (one ? [one.name] : []));
    return { wanted, before, word, name: names.join(" "), flags: this.#flags, words: this.#words };
  }

  #wanted(last: string): { readonly wanted: Wanted | undefined; readonly before?: string } {
    if (this.#open?.value) return valueIn(this.#open.value, last);
    if (!this.#isPlain && !this.#isHelp && last.startsWith("-")) {
      const [name = "", ...rest] = last.split("=");
      if (rest.length === 0) return { wanted: this.#newFlags() };
      const value = this.#scope().find((one) => one.flag === name)?.value;
      return value ? valueIn(value, last, `${name}=`) : { wanted: undefined };
    }
    if (!this.#command) return { wanted: { type: "command" } };
    if (this.#command.verbs.length > 0 && !this.#verb) return { wanted: { type: "verb", group: this.#command } };
    return this.#isHelp ? { wanted: undefined } : this.#placed(last);
  }

  /** A word that is told by its place; where none can follow, the flags are all that can. */
  #placed(last: string): { readonly wanted: Wanted | undefined; readonly before?: string } {
    const places = (this.#verb ?? this.#command)?.words ?? [];
    const value = places[this.#words.length] ?? (places.at(-1)?.isMany ? places.at(-1) : undefined);
    if (value) return valueIn({ ...value, isMany: false }, last);
    return { wanted: last === "" && !this.#isPlain ? this.#newFlags() : undefined };
  }

  /** Those that are not there yet, or may be there again. Of a group: those of the verb that is meant without one. */
  #newFlags(): Wanted {
    const { everywhere, alone } = this.#shared;
    const own = this.#verb ?? this.#command?.verbs[0] ?? this.#command;
    const verbs = this.#verb ? [] : (this.#command?.verbs ?? []);
    const named = verbs
      .filter(({ name }) => name.startsWith("-"))
      .map(({ name, summary: about }) => ({ flag: name, about }));
    const all = [...(own?.flags ?? []), ...named, ...everywhere, ...(this.#command ? [] : alone)];
    const isNew = ({ flag, value }: FlagWords, at: number) =>
      all.findIndex((other) => other.flag === flag) === at && (value?.isMany || !this.#flags.has(flag));
    return { type: "flag", flags: all.filter(isNew) };
  }
}

/** Several values of one flag may also stand in one word, with commas. */
function valueIn(value: ValueWords, last: string, before = "") {
  const comma = value.isMany ? last.lastIndexOf(",") + 1 : 0;
  return { wanted: { type: "value", value } as const, before: last.slice(0, Math.max(comma, before.length)) };
}
