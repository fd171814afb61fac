import type { Command } from "../app/command-definition.js";
import { type Fault, flagsOf, isFlag, splitFlag, wordPlaces } from "../app/field-reader.js";
import { type Field, type Fields, flagName } from "../app/fields.js";
import { withFlags } from "../app/terminal/next-step.js";
import { nearest } from "../core/text/nearest.js";
import { TEXT_FLAGS } from "./other-words.js";
import { choiceNamed, isSessionLike, suggestFlag, suggestValue, valueAlias } from "./suggest.js";
import { allFields, readUsage } from "./usage.js";

/** The words behind a command as they were meant. `isSure`: they mean just this, so the command can simply run. */
export interface Mended {
  readonly words: readonly string[];
  readonly isSure: boolean;
}

/** More mistakes than this in one line, and nobody knows what was meant. */
const MOST_FAULTS = 6;

/** What a line should have been: one that the command can read. Undefined where nobody can guess it. */
export function mendLine(line: readonly string[], command: Command, left = MOST_FAULTS): Mended | undefined {
  const usage = readUsage(line, command);
  if (usage.type !== "problem") return { words: line, isSure: true };
  const [fault] = usage.faults;
  if (left === 0 || !fault) return undefined;
  for (const { words, isSure } of mendings(line, command, fault)) {
    const whole = mendLine(words, command, left - 1);
    if (whole) return { words: whole.words, isSure: isSure && whole.isSure };
  }
  return undefined;
}

/** What may have been meant, the likeliest first. */
function mendings(line: readonly string[], command: Command, fault: Fault): readonly Mended[] {
  switch (fault.type) {
    case "unknown-flag":
      return mendFlag(line, command, fault.at);
    case "takes-no-value":
      return [guess(line.map((word, at) => (at === fault.at ? splitFlag(word).flag : word)))];
    case "extra-word":
      return mendExtra(line, command, fault.at);
    case "bad-value":
      return mendValue(line, command, fault);
    case "missing":
    case "needs-value":
      return [];
  }
}

function guess(words: readonly string[]): Mended {
  return { words, isSure: false };
}

function mendFlag(line: readonly string[], { words = [], input }: Command, at: number): readonly Mended[] {
  const word = line[at] ?? "";
  const { flag, attached } = splitFlag(word);
  const place = words.find((name) => flagName(name) === flag);
  // `sessions --session X`: the word it takes, named like a flag.
  if (place !== undefined) return [{ words: withoutFlag(line, at), isSure: true }];
  const found: (readonly string[])[] = [];
  const known = flagsOf(allFields(input), words);
  const meant = suggestFlag(
    flag,
    [...known.keys()].map((name) => name.slice(2)),
  );
  const named = attached === undefined ? choiceNamed(flag, input) : undefined;
  if (named)
    found.push(replaced(line, at, ...(words.includes(named.field) ? [] : [flagName(named.field)]), named.value));
  if (meant !== undefined) found.push(replaced(line, at, `--${meant}${word.slice(flag.length)}`));
  const asText = takesText(input, words)
    ? plainText(line, at, {
        known,
        plain: wordPlaces(line, allFields(input), words),
        words,
        isNeeded: needsText(input, words),
      })
    : undefined;
  return [...found, ...(asText ? [asText] : [])].map(guess);
}

function withoutFlag(line: readonly string[], at: number): readonly string[] {
  const { attached } = splitFlag(line[at] ?? "");
  return attached === undefined ? replaced(line, at) : replaced(line, at, attached);
}

/** The last word on the line is a text that may be written without quotes. */
function takesText(fields: Fields, words: readonly string[]): boolean {
  const last = fields[words.at(-1) ?? ""];
  return last?.isMany === true && ["TEXT", "SUBJECT"].includes(last.name);
}

function needsText(fields: Fields, words: readonly string[]): boolean {
  return fields[words.at(-1) ?? ""]?.isNeeded === true;
}

interface Shape {
  readonly known: ReadonlyMap<string, string>;
  /** Places of the words that are no flags and no values. */
  readonly plain: readonly number[];
  readonly words: readonly string[];
  /** Without a text the line says nothing. */
  readonly isNeeded: boolean;
}

/**
 * `note 3 use --bail now` is meant as `note 3 'use --bail now'`. The text ends before a flag of ours. `note 3 -m Fast`,
 * as other programs want it, is `note 3 Fast`.
 */
function plainText(line: readonly string[], at: number, shape: Shape): readonly string[] | undefined {
  const { known, plain, words, isNeeded } = shape;
  const before = plain.filter((place) => place < at);
  const begin = before[words.length - 1] ?? at;
  if (before.length === words.length - 1 && isBeforeText(line[at] ?? "", line[at + 1])) return withoutFlag(line, at);
  if (line.slice(begin, at).some((word) => known.has(splitFlag(word).flag))) return undefined;
  const end = line.findIndex((word, index) => index > at && known.has(splitFlag(word).flag));
  const rest = end < 0 ? [] : line.slice(end);
  const text = line.slice(begin, end < 0 ? undefined : end).join(" ");
  // Nobody begins a text that they need not write like a flag: it is a mistyped flag, which must not be ignored.
  if (text.startsWith("-") && !isNeeded) return undefined;
  // A text that begins like a flag is one, unless the flags have ended.
  return text.startsWith("-")
    ? [...line.slice(0, begin), ...rest, "--", text]
    : [...line.slice(0, begin), text, ...rest];
}

function isBeforeText(word: string, next: string | undefined): boolean {
  const { flag, attached } = splitFlag(word);
  const hasText = attached !== undefined || (next !== undefined && !isFlag(next));
  return hasText && (/^-[a-z]$/i.test(flag) || TEXT_FLAGS.split(" ").includes(flag.slice(2)));
}

/** Who names a session in the place of a flag means it; other words are left out, and all that follow. */
function mendExtra(line: readonly string[], { words = [], input }: Command, at: number): readonly Mended[] {
  const word = line[at] ?? "";
  const hasSession = line.some((other) => splitFlag(other).flag === "--session");
  const isSession = isSessionLike(word) && input.session !== undefined && !words.includes("session") && !hasSession;
  const extra = wordPlaces(line, allFields(input), words).filter((place) => place >= at);
  const kept = line.filter((_, index) => !extra.includes(index));
  return [...(isSession ? [withFlags(replaced(line, at), "--session", word)] : []), kept].map(withoutEnd).map(guess);
}

/** `--` with nothing behind it says nothing. */
function withoutEnd(line: readonly string[]): readonly string[] {
  return line.at(-1) === "--" ? line.slice(0, -1) : line;
}

type BadValue = Extract<Fault, { type: "bad-value" }>;

function mendValue(line: readonly string[], { words = [], input }: Command, fault: BadValue): readonly Mended[] {
  const { at, text } = fault;
  const fields = allFields(input);
  const field = fields[fault.field];
  const put = (value: string) => replaced(line, at, `${(line[at] ?? "").slice(0, -text.length || undefined)}${value}`);
  if (field?.kind === "number") return numberFor(field, text).map((value) => guess(put(value)));
  const { choices = [] } = field ?? {};
  const same = valueAlias(text, choices);
  if (same !== undefined) return [{ words: put(same), isSure: true }];
  const parts = text.split(",").map((part) => suggestValue(part, choices));
  const values = parts.includes(undefined) ? [] : [put(parts.join(","))];
  if (words.includes(fault.field)) return (isAll(text, field) ? [replaced(line, at)] : values).map(guess);
  // `--status open` is `--open`.
  const toggles = Object.keys(fields).filter((name) => fields[name]?.kind === "toggle");
  const toggle = nearest(text, toggles);
  const instead = toggle === undefined ? [] : [asToggle(line, at, flagName(toggle))];
  return (toggle === text ? [...instead, ...values] : [...values, ...instead]).map(guess);
}

/** `setup all`: without the word it means all of them. */
function isAll(text: string, field: Field | undefined): boolean {
  return field?.kind === "choice" && !field.isNeeded && /^(?:all|everything|\*)$/i.test(text);
}

/** The usual one; else the end of the numbers that was passed. */
function numberFor({ standard, least, most }: Field, text: string): readonly string[] {
  const value = Number(text);
  const end = least !== undefined && value < least ? least : most !== undefined && value > most ? most : undefined;
  const meant = standard ?? end;
  return meant === undefined ? [] : [String(meant)];
}

/** A flag with its value, which is at `at`, becomes a flag without one. */
function asToggle(line: readonly string[], at: number, flag: string): readonly string[] {
  const isAttached = splitFlag(line[at] ?? "").attached !== undefined;
  return isAttached ? replaced(line, at, flag) : replaced(replaced(line, at), at - 1, flag);
}

function replaced(line: readonly string[], at: number, ...words: readonly string[]): readonly string[] {
  return [...line.slice(0, at), ...words, ...line.slice(at + 1)];
}
