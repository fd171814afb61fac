import type { Command, Given } from "../app/command-definition.js";
import { COMMON_FLAGS, type Field, type Fields, flagName, valueName } from "../app/fields.js";

/** The words after a command's name, checked against its fields. */
export type Usage =
  | { readonly type: "input"; readonly input: Given; readonly flags: Given }
  | { readonly type: "help" }
  | Problem;

/** What is wrong in words, and where: mend-line.ts makes of it the line that was meant. */
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

export function readUsage(line: readonly string[], { words = [], input, show }: Command): Usage {
  const fields = { ...COMMON_FLAGS, ...input };
  const read = readLine(line, fields, words);
  if (read.type !== "texts") return read;
  const checked = checkTexts(read.texts, fields, words);
  if (checked.type === "problem") return checked;
  const { store: _, ...own } = checked.values;
  const { json: __, ...withoutJson } = own;
  // `--json` is the surface's for commands that return a value; commands that stream handle it themselves.
  return { type: "input", input: show ? withoutJson : own, flags: checked.values };
}

/** A text and its place; in `--flag=text` it is the end of that word. */
interface Typed {
  readonly text: string;
  readonly at: number;
}

/** Texts as they were typed, by field; a toggle that was set has none. */
type Texts = ReadonlyMap<string, readonly Typed[]>;

type Line = { readonly type: "texts"; readonly texts: Texts } | Extract<Usage, { type: "help" | "problem" }>;

function readLine(line: readonly string[], fields: Fields, words: readonly string[]): Line {
  const texts = new Map<string, Typed[]>();
  const give = (name: string, ...given: readonly Typed[]) => texts.set(name, [...(texts.get(name) ?? []), ...given]);
  const byFlag = flagsOf(fields, words);
  const plain: Typed[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const word = line[at] ?? "";
    if (word === "--") {
      plain.push(...line.slice(at + 1).map((rest, index) => ({ text: rest, at: at + 1 + index })));
      break;
    }
    if (word === "-h" || word === "--help") return { type: "help" };
    const { flag, attached } = splitFlag(word);
    const name = byFlag.get(flag);
    if (name === undefined) {
      if (isFlag(word)) return problem(`There is no flag ${flag}.`, { type: "unknown-flag", at });
      plain.push({ text: word, at });
    } else if (fields[name]?.kind === "toggle") {
      if (attached !== undefined) return problem(`${flag} takes no value.`, { type: "takes-no-value", at });
      give(name);
    } else {
      const value = attached ?? line[at + 1];
      if (value === undefined || (attached === undefined && byFlag.has(value)))
        return problem(`${flag} needs a value.`, { type: "needs-value", at });
      if (attached === undefined) at += 1;
      give(name, { text: value, at });
    }
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
