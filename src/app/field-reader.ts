import type { Given } from "./command-definition.js";
import { type Field, type Fields, flagName, type Values, valueName } from "./fields.js";

// Reads words as they were typed into fields. Which word is a flag, which its value, and which stands for itself is
// decided in `partsOf`, for whoever reads or mends a line.

/** What is wrong in words, and where: a surface makes of it the line that was meant. */
export interface Problem {
  readonly type: "problem";
  readonly text: string;
  readonly faults: readonly Fault[];
}

/** `at` is the place in the line. */
export type Fault =
  | { readonly type: "unknown-flag" | "needs-value" | "takes-no-value" | "extra-word"; readonly at: number }
  | { readonly type: "missing"; readonly field: string }
  | { readonly type: "bad-value"; readonly field: string; readonly text: string; readonly at: number };

/** `words` are the fields that are told by their place. */
export function readFields<All extends Fields>(line: readonly string[], fields: All, words: readonly string[]) {
  const read = readTexts(line, fields, words);
  if (read.type !== "texts") return read;
  const checked = checkTexts(read.texts, fields, words);
  // Each text has been checked by its field.
  return checked.type === "problem" ? checked : { ...checked, values: checked.values as Values<All> };
}

/** A text and its place; in `--flag=text` it is the end of that word. */
interface Typed {
  readonly text: string;
  readonly at: number;
}

/** A word that stands for itself, or a flag; `value` is what was given to the flag, needed or not. */
type Part =
  | (Typed & { readonly type: "word" })
  | { readonly type: "help"; readonly flag: string; readonly at: number }
  | { readonly type: "unknown-flag"; readonly flag: string; readonly at: number }
  | {
      readonly type: "flag";
      readonly flag: string;
      readonly at: number;
      readonly field: string;
      readonly value: Typed | undefined;
    };

/** A line in its parts; `--` itself is none. */
export function partsOf(line: readonly string[], fields: Fields, words: readonly string[] = []): readonly Part[] {
  const flags = flagsOf(fields, words);
  const parts: Part[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const word = line[at] ?? "";
    if (word === "--") {
      const rest = line.slice(at + 1).map((text, index): Part => ({ type: "word", text, at: at + 1 + index }));
      return [...parts, ...rest];
    }
    const { flag, attached } = splitFlag(word);
    const field = flags.get(flag);
    if (field === undefined) {
      const isHelp = word === "-h" || word === "--help";
      parts.push(
        isFlag(word) ? { type: isHelp ? "help" : "unknown-flag", flag, at } : { type: "word", text: word, at },
      );
      continue;
    }
    const next = fields[field]?.kind === "toggle" ? undefined : line[at + 1];
    const isNext = attached === undefined && next !== undefined && !flags.has(next);
    const text = isNext ? next : attached;
    parts.push({
      type: "flag",
      flag,
      at,
      field,
      value: text === undefined ? text : { text, at: isNext ? at + 1 : at },
    });
    if (isNext) at += 1;
  }
  return parts;
}

/** The places of words that are no flag and no flag's value. */
export function wordPlaces(line: readonly string[], fields: Fields, words: readonly string[] = []): readonly number[] {
  return partsOf(line, fields, words).flatMap(({ type, at }) => (type === "word" ? [at] : []));
}

/** Texts as they were typed, by field; a toggle that was set has none. */
type Texts = ReadonlyMap<string, readonly Typed[]>;

type Line = { readonly type: "texts"; readonly texts: Texts } | { readonly type: "help" } | Problem;

function readTexts(line: readonly string[], fields: Fields, words: readonly string[]): Line {
  const texts = new Map<string, Typed[]>();
  const give = (name: string, ...given: readonly Typed[]) => texts.set(name, [...(texts.get(name) ?? []), ...given]);
  const plain: Typed[] = [];
  for (const part of partsOf(line, fields, words)) {
    const { at } = part;
    if (part.type === "help") return { type: "help" };
    if (part.type === "unknown-flag") return problem(`There is no flag ${part.flag}.`, { type: part.type, at });
    if (part.type === "word") {
      plain.push({ text: part.text, at });
      continue;
    }
    const { flag, field, value } = part;
    const isToggle = fields[field]?.kind === "toggle";
    if (isToggle && value) return problem(`${flag} takes no value.`, { type: "takes-no-value", at });
    if (!isToggle && !value) return problem(`${flag} needs a value.`, { type: "needs-value", at });
    give(field, ...(value ? [value] : []));
  }
  const extra = placeWords(plain, fields, words, give);
  if (!extra) return { type: "texts", texts };
  return problem(`There is a word too many: ${JSON.stringify(extra.text)}.`, { type: "extra-word", at: extra.at });
}

/** Which field each flag is for. */
export function flagsOf(fields: Fields, words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(Object.keys(fields).flatMap((name) => (words.includes(name) ? [] : [[flagName(name), name]])));
}

/** `--flag=value` in its parts. */
export function splitFlag(word: string): { readonly flag: string; readonly attached: string | undefined } {
  const [, flag = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return { flag, attached };
}

function problem(text: string, ...faults: readonly Fault[]): Problem {
  return { type: "problem", text, faults };
}

/** A lone dash stands for standard input, and `-3` for a number. */
export function isFlag(word: string): boolean {
  return /^-{1,2}[^\d-]/.test(word);
}

/** Gives each plain word to the field of its place, the rest to a last one that takes many. Returns one too many. */
function placeWords(
  plain: readonly Typed[],
  fields: Fields,
  words: readonly string[],
  give: (name: string, ...given: readonly Typed[]) => void,
): Typed | undefined {
  for (const [place, name] of words.entries()) {
    const given = fields[name]?.isMany ? plain.slice(place) : plain.slice(place, place + 1);
    if (given.length > 0) give(name, ...given);
  }
  const isOpen = fields[words.at(-1) ?? ""]?.isMany === true;
  return isOpen ? undefined : plain[words.length];
}

const NUMBERED: readonly string[] = ["TASK", "TODO"];
const HASH = " (write 3, not #3: a shell takes # for a comment)";

type Checked = { readonly type: "values"; readonly values: Given } | Problem;

function checkTexts(texts: Texts, fields: Fields, words: readonly string[]): Checked {
  const said = new Set<string>();
  const faults: Fault[] = [];
  const values = Object.entries(fields).flatMap(([name, field]) => {
    const given = texts.get(name);
    const shown = words.includes(name) ? valueName(name, field) : flagName(name);
    if (given === undefined && field.isNeeded) {
      // Only the first word that is missing can be one that the shell took away.
      const isEaten = words.includes(name) && NUMBERED.includes(field.name) && faults.length === 0;
      said.add(`${shown} is required: ${field.about}${isEaten ? HASH : ""}`);
      faults.push({ type: "missing", field: name });
    }
    for (const typed of given ?? []) {
      const wrong = field.check?.(typed.text);
      if (wrong === undefined) continue;
      said.add(`${shown}: ${wrong}`);
      faults.push({ type: "bad-value", field: name, ...typed });
    }
    const value = given === undefined ? field.standard : givenValue(field, given);
    return value === undefined ? [] : [[name, value]];
  });
  if (faults.length > 0) return problem(`${[...said].join("; ")}.`, ...faults);
  return { type: "values", values: Object.fromEntries(values) };
}

function givenValue({ kind, isMany }: Field, given: readonly Typed[]): unknown {
  if (kind === "toggle") return true;
  const values = given.map((typed) => (kind === "number" ? Number(typed.text) : typed.text));
  return isMany ? values : values.at(-1);
}
