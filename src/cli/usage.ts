import type { Command, Given } from "../app/command-definition.js";
import { type Field, type Fields, flagName, text, toggle, valueName } from "../app/fields.js";

/** The words after a command's name, checked against its fields. */
type Usage =
  | { readonly type: "input"; readonly input: Given; readonly flags: Given }
  | { readonly type: "help" }
  | { readonly type: "problem"; readonly text: string };

/** What every command takes besides its own fields. */
export const COMMON_FLAGS: Fields = {
  json: toggle("print JSON, also for errors"),
  store: text(
    "URL",
    "a file, postgres://... or memory: (or MILEPOST_STORE; default: milepost.db in Milepost's own folder)",
  ),
};

export function readUsage(line: readonly string[], { words = [], input, show }: Command): Usage {
  const read = readLine(line, { ...COMMON_FLAGS, ...input }, words);
  if (read.type !== "texts") return read;
  const checked = checkTexts(read.texts, { ...COMMON_FLAGS, ...input }, words);
  if (checked.type === "problem") return checked;
  const { store: _, ...own } = checked.values;
  const { json: __, ...withoutJson } = own;
  // `--json` is the surface's for commands that return a value; commands that stream handle it themselves.
  return { type: "input", input: show ? withoutJson : own, flags: checked.values };
}

/** Texts as they were typed, by field; a toggle that was set has none. */
type Texts = ReadonlyMap<string, readonly string[]>;

type Line = { readonly type: "texts"; readonly texts: Texts } | Extract<Usage, { type: "help" | "problem" }>;

function readLine(line: readonly string[], fields: Fields, words: readonly string[]): Line {
  const texts = new Map<string, string[]>();
  const give = (name: string, ...given: readonly string[]) => texts.set(name, [...(texts.get(name) ?? []), ...given]);
  const byFlag = new Map(Object.keys(fields).flatMap((name) => (words.includes(name) ? [] : [[flagName(name), name]])));
  const plain: string[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const word = line[at] ?? "";
    if (word === "--") {
      plain.push(...line.slice(at + 1));
      break;
    }
    if (word === "-h" || word === "--help") return { type: "help" };
    const [, flag = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const name = byFlag.get(flag);
    if (name === undefined) {
      if (isFlag(word)) return { type: "problem", text: unknownFlag(flag, words) };
      plain.push(word);
    } else if (fields[name]?.kind === "toggle") {
      if (attached !== undefined) return { type: "problem", text: `${flag} takes no value.` };
      give(name);
    } else {
      const value = attached ?? line[at + 1];
      if (value === undefined || (attached === undefined && byFlag.has(value)))
        return { type: "problem", text: `${flag} needs a value.` };
      give(name, value);
      if (attached === undefined) at += 1;
    }
  }
  const extra = placeWords(plain, fields, words, give);
  return extra === undefined ? { type: "texts", texts } : { type: "problem", text: extra };
}

/** A lone dash stands for standard input, and `-3` for a number. */
function isFlag(word: string): boolean {
  return /^-{1,2}[^\d-]/.test(word);
}

function unknownFlag(flag: string, words: readonly string[]): string {
  const quotes = words.length === 0 ? "" : " If it is part of a text, put that in quotes.";
  return `There is no flag ${flag}.${quotes}`;
}

/** Gives each plain word to the field of its place, the rest to a last one that takes many. */
function placeWords(
  plain: readonly string[],
  fields: Fields,
  words: readonly string[],
  give: (name: string, ...given: readonly string[]) => void,
): string | undefined {
  for (const [place, name] of words.entries()) {
    const given = fields[name]?.isMany ? plain.slice(place) : plain.slice(place, place + 1);
    if (given.length > 0) give(name, ...given);
  }
  const isOpen = fields[words.at(-1) ?? ""]?.isMany === true;
  const extra = isOpen ? undefined : plain[words.length];
  return extra === undefined ? undefined : `There is a word too many: ${JSON.stringify(extra)}.`;
}

type Checked = { readonly type: "values"; readonly values: Given } | Extract<Usage, { readonly type: "problem" }>;

function checkTexts(texts: Texts, fields: Fields, words: readonly string[]): Checked {
  const problems = new Set<string>();
  const values = Object.entries(fields).flatMap(([name, field]) => {
    const given = texts.get(name);
    const shown = words.includes(name) ? valueName(name, field) : flagName(name);
    if (given === undefined && field.isNeeded) problems.add(`${shown} is required: ${field.about}`);
    const wrong = given?.map((text) => field.check?.(text)).find((problem) => problem !== undefined);
    if (wrong !== undefined) problems.add(`${shown}: ${wrong}`);
    const value = given === undefined ? field.standard : givenValue(field, given);
    return value === undefined ? [] : [[name, value]];
  });
  if (problems.size > 0) return { type: "problem", text: `${[...problems].join("; ")}.` };
  return { type: "values", values: Object.fromEntries(values) };
}

function givenValue({ kind, isMany }: Field, given: readonly string[]): unknown {
  if (kind === "toggle") return true;
  const values = kind === "number" ? given.map(Number) : given;
  return isMany ? values : values.at(-1);
}
