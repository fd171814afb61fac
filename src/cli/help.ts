import type { Command, CommandGroup } from "../app/command-definition.js";
import { SECTIONS, type SurfaceEntry } from "../app/command-table.js";
import { COMMON_FLAGS, type Field, type Fields, flagName, valueName } from "../app/fields.js";
import { wrapWords } from "../app/terminal/text-width.js";
import { aliasTexts, COMMAND_ALIASES, VERB_ALIASES } from "./other-words.js";

/** No line of help is longer, on any screen. */
const COLUMNS = 100;

/** All commands, by what they are for. */
export function helpText(): string {
  const names = SECTIONS.flatMap(({ commands }) => commands.map(({ name }) => name));
  const sections = SECTIONS.flatMap(({ title, commands, surfaces }) => {
    return ["", title, ...namedRows([...commands, ...surfaces])];
  });
  return lines([
    "Usage: milepost COMMAND [flags]; without COMMAND: milepost watch",
    ...sections,
    "",
    "Flags of every command",
    ...flagRows(COMMON_FLAGS),
    "  --help       help for a command, such as: milepost todo --help",
    "  --version    the version",
    "",
    ...aliasRows(aliasTexts(COMMAND_ALIASES, names)),
    "",
    "Start with: milepost demo",
  ]);
}

export function groupHelp({ name, summary, details, examples, verbs }: CommandGroup): string {
  return lines([
    `Usage: milepost ${name} COMMAND [flags]; without COMMAND: milepost ${name} ${verbs[0]?.name}`,
    "",
    summary,
    "",
    "Commands",
    ...namedRows(verbs),
    "",
    ...paragraphs(details),
    "",
    ...aliasRows(
      aliasTexts(
        VERB_ALIASES,
        verbs.map((verb) => verb.name),
      ),
    ),
    ...exampleRows(examples),
    "",
    `Flags of a command: milepost ${name} COMMAND --help`,
  ]);
}

function aliasRows(texts: readonly string[]): readonly string[] {
  return wrapWords(`Other words that work: ${texts.join("; ")}.`, COLUMNS);
}

interface Named {
  readonly name: string;
  readonly summary: string;
}

export function surfaceHelp({ name, usage, summary, details }: SurfaceEntry): string {
  return lines([`Usage: milepost ${name} ${usage}`.trimEnd(), "", `${summary}.`, "", ...paragraphs(details)]);
}

export function commandHelp({ name, summary }: Named, { words = [], input, details, examples }: Command): string {
  const placed = words.flatMap((word) => (input[word] === undefined ? [] : [[word, input[word]] as const]));
  const own = Object.entries(input).filter(([field]) => !words.includes(field) && !(field in COMMON_FLAGS));
  const usage = ["milepost", name, ...placed.map(([word, field]) => placeText(word, field)), "[flags]"].join(" ");
  return lines([
    `Usage: ${usage}`,
    "",
    `${summary}.`,
    "",
    ...rows(placed.map(([word, field]) => [valueName(word, field), aboutText({ ...field, isNeeded: false })])),
    ...(placed.length === 0 ? [] : [""]),
    ...(own.length === 0 ? [] : ["Flags", ...flagRows(Object.fromEntries(own)), ""]),
    ...paragraphs(details),
    ...exampleRows(examples),
    "",
    "Every command also takes --json and --store: milepost --help",
  ]);
}

function exampleRows(examples: readonly string[]): readonly string[] {
  if (examples.length === 0) return [];
  return ["", examples.length === 1 ? "Example" : "Examples", ...examples.map((example) => `  ${example}`)];
}

/** `FILE`, `[FILE]` when it may be left out, `FILE...` for several. */
function placeText(name: string, field: Field): string {
  const word = `${valueName(name, field)}${field.isMany ? "..." : ""}`;
  return field.isNeeded ? word : `[${word}]`;
}

function flagRows(fields: Fields): readonly string[] {
  return rows(
    Object.entries(fields).map(([name, field]) => [
      field.kind === "toggle" ? flagName(name) : `${flagName(name)} ${valueName(name, field)}`,
      aboutText(field),
    ]),
  );
}

function aboutText({ about, choices = [], standard, isNeeded }: Field): string {
  // Those that say which there are say it in their own way.
  const listed = choices.length > 0 && !choices.every((name) => about.includes(name)) ? `: ${choices.join(", ")}` : "";
  const isSaid = standard === undefined || standard === false || about.includes("(default");
  const more = isNeeded ? " (required)" : isSaid ? "" : ` (default: ${String(standard)})`;
  return `${about}${listed}${more}`;
}

function namedRows(entries: readonly Named[]): readonly string[] {
  return rows(entries.map(({ name, summary }) => [name, summary]));
}

const LONGEST_HEAD = 26;

/** Two columns; what does not fit beside a long name begins below it. */
function rows(pairs: readonly (readonly [head: string, text: string])[]): readonly string[] {
  const width = Math.min(LONGEST_HEAD, Math.max(0, ...pairs.map(([head]) => head.length)));
  return pairs.flatMap(([head, text]) => {
    const wrapped = wrapWords(text, COLUMNS - width - 4);
    const indent = " ".repeat(width + 4);
    if (head.length > width) return [`  ${head}`, ...wrapped.map((row) => `${indent}${row}`)];
    return wrapped.map((row, at) => (at === 0 ? `  ${head.padEnd(width)}  ${row}` : `${indent}${row}`));
  });
}

/** Lines that are indented stay as they are; the others of a paragraph are one text. */
function paragraphs(text: string): readonly string[] {
  return text.split("\n\n").flatMap((paragraph, at) => {
    const parts = paragraph.split(/\n(?= )|(?<=\n .*)\n/);
    const shown = parts.flatMap((part) =>
      part.startsWith(" ") ? [part] : wrapWords(part.replaceAll("\n", " "), COLUMNS),
    );
    return at === 0 ? shown : ["", ...shown];
  });
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
