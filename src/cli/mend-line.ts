import type { Command } from "../app/command-definition.js";
import { type Field, type Fields, flagName } from "../app/fields.js";
import { suggestFlag, suggestValue, valueAlias } from "./suggest.js";
import { COMMON_FLAGS, type Fault, flagsOf, isFlag, splitFlag } from "./usage.js";

/** The words behind a command as they were meant. `isSure`: they mean just this, so the command can simply run. */
export interface Mended {
  readonly words: readonly string[];
  readonly isSure: boolean;
}

/** What a line with faults should have been; undefined where one of them cannot be guessed. */
export function mendLine(line: readonly string[], command: Command, faults: readonly Fault[]): Mended | undefined {
  let mended: Mended | undefined = { words: line, isSure: true };
  // From the back: the places of earlier faults stay what they are.
  for (const fault of [...faults].sort((one, other) => placeOf(other) - placeOf(one))) {
    const next = mendOne(mended.words, command, fault);
    mended = next && { words: next.words, isSure: mended.isSure && next.isSure };
    if (!mended) return undefined;
  }
  return mended;
}

function placeOf(fault: Fault): number {
  return "at" in fault ? fault.at : -1;
}

function mendOne(line: readonly string[], command: Command, fault: Fault): Mended | undefined {
  switch (fault.type) {
    case "unknown-flag":
      return mendFlag(line, command, fault.at);
    case "takes-no-value":
      return guess(line.map((word, at) => (at === fault.at ? splitFlag(word).flag : word)));
    case "extra-word":
      return mendExtra(line, command, fault.at);
    case "bad-value":
      return mendValue(line, { ...COMMON_FLAGS, ...command.input }[fault.field], fault);
    case "missing":
    case "needs-value":
      return undefined;
  }
}

function guess(words: readonly string[]): Mended {
  return { words, isSure: false };
}

function mendFlag(line: readonly string[], { words = [], input }: Command, at: number): Mended | undefined {
  const word = line[at] ?? "";
  const { flag } = splitFlag(word);
  const place = words.find((name) => flagName(name) === flag);
  // `sessions --session X`: the word it takes, named like a flag.
  if (place !== undefined) return { words: withoutFlag(line, at), isSure: true };
  const known = flagsOf({ ...COMMON_FLAGS, ...input }, words);
  const meant = suggestFlag(
    flag,
    [...known.keys()].map((name) => name.slice(2)),
  );
  if (meant !== undefined) return guess(replaced(line, at, `--${meant}${word.slice(flag.length)}`));
  return takesText(input, words) ? guess(quotedText(line, at, { known, fields: input, words })) : undefined;
}

function withoutFlag(line: readonly string[], at: number): readonly string[] {
  const { attached } = splitFlag(line[at] ?? "");
  return attached === undefined ? line.filter((_, index) => index !== at) : replaced(line, at, attached);
}

/** The last word on the line is a text that may be written without quotes. */
function takesText(fields: Fields, words: readonly string[]): boolean {
  const last = fields[words.at(-1) ?? ""];
  return last?.isMany === true && ["TEXT", "SUBJECT"].includes(last.name);
}

interface Shape {
  readonly known: ReadonlyMap<string, string>;
  readonly fields: Fields;
  readonly words: readonly string[];
}

/** `note 3 use --bail now` is meant as `note 3 'use --bail now'`. The text ends before a flag of ours. */
function quotedText(line: readonly string[], at: number, { known, fields, words }: Shape): readonly string[] {
  const takesValue = (word: string | undefined) => {
    const field = fields[known.get(word ?? "") ?? ""] ?? COMMON_FLAGS[known.get(word ?? "") ?? ""];
    return field !== undefined && field.kind !== "toggle";
  };
  const isPlain = (index: number) => !isFlag(line[index] ?? "") && !takesValue(line[index - 1]);
  const plain = line.map((_, index) => index).filter((index) => index < at && isPlain(index));
  const begin = plain[words.length - 1] ?? at;
  const end = line.findIndex((word, index) => index > at && known.has(splitFlag(word).flag));
  const rest = end < 0 ? [] : line.slice(end);
  const text = line.slice(begin, end < 0 ? undefined : end).join(" ");
  // A text that begins like a flag is one, unless the flags have ended.
  return text.startsWith("-")
    ? [...line.slice(0, begin), ...rest, "--", text]
    : [...line.slice(0, begin), text, ...rest];
}

/** Who names a session in the place of a flag means it; other words are left out. */
function mendExtra(line: readonly string[], { words = [], input }: Command, at: number): Mended {
  const without = line.filter((_, index) => index !== at);
  if (words.length === 0 && input.session !== undefined) return guess([...without, "--session", line[at] ?? ""]);
  // All that follow are too many as well.
  return guess(line.filter((word, index) => index < at || isFlag(word) || isFlag(line[index - 1] ?? "")));
}

function mendValue(
  line: readonly string[],
  field: Field | undefined,
  { at, text }: Extract<Fault, { type: "bad-value" }>,
): Mended | undefined {
  const put = (value: string) => replaced(line, at, `${(line[at] ?? "").slice(0, -text.length || undefined)}${value}`);
  if (field?.kind === "number") {
    // Its own words say where numbers end: "use 500 or more".
    const [, end] = /^use (\d+) or /.exec(field.check?.(text) ?? "") ?? [];
    const value = field.standard ?? end;
    return value === undefined ? undefined : guess(put(String(value)));
  }
  const { choices = [] } = field ?? {};
  const same = valueAlias(text, choices);
  if (same !== undefined) return { words: put(same), isSure: true };
  const parts = text.split(",").map((part) => suggestValue(part, choices));
  return parts.includes(undefined) ? undefined : guess(put(parts.join(",")));
}

function replaced(line: readonly string[], at: number, word: string): readonly string[] {
  return line.map((other, index) => (index === at ? word : other));
}
