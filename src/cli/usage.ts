import { Argument, CommanderError, Option, Command as Program } from "commander";
import * as z from "zod";
import type { Command, CommandEntry, Given } from "../app/command-definition.js";
import type { Host } from "../app/host.js";

const STORE_HELP =
  "a file, postgres://... or memory: (or MILEPOST_STORE; default: milepost.db in Milepost's own folder)";

/** The words after a command's name, checked against its schema. */
type Usage =
  | { readonly type: "input"; readonly input: Readonly<Record<string, unknown>>; readonly flags: Given }
  | { readonly type: "help"; readonly text: string }
  | { readonly type: "problem"; readonly text: string };

export function readUsage(host: Host, entry: CommandEntry, command: Command): Usage {
  let help = "";
  const program = programOf(entry, command).configureOutput({
    writeOut: (text) => {
      help += text;
    },
    writeErr: () => undefined,
    getOutHelpWidth: () => host.output.columns,
  });
  try {
    program.parse(host.arguments.slice(1), { from: "user" });
    return checkInput(command, program);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { type: "help", text: help };
    const isText = error.code === "commander.unknownOption" && command.words !== undefined;
    const quotes = isText ? " If it is part of a text, put that in quotes." : "";
    return { type: "problem", text: `${error.message.replace(/^error: /, "").replace(/\.?$/, ".")}${quotes}` };
  }
}

function programOf({ name, summary }: CommandEntry, { details, words = [], input, show }: Command): Program {
  const program = new Program(`milepost ${name}`)
    .description(summary)
    .allowExcessArguments(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .addHelpText("after", `\n${details}`);
  for (const word of words) program.addArgument(argumentOf(input, word));
  for (const option of optionsOf(input)) if (!words.includes(option.attributeName())) program.addOption(option);
  // Every command accepts --json, so that scripts can always pass it; commands that stream print JSON lines anyway.
  if (!("json" in input.shape))
    program.option("--json", show ? "print the result as JSON" : "no effect: the output is always JSON lines");
  return program.option("--store <url>", STORE_HELP);
}

function checkInput({ words = [], input, show }: Command, program: Program): Usage {
  const given = words.flatMap((word, index) => {
    const value: unknown = program.processedArgs[index];
    return value === undefined ? [] : [[word, value]];
  });
  const flags: Given = { ...program.opts(), ...Object.fromEntries(given) };
  const { store: _, json, ...own } = flags;
  // `--json` is the surface's for commands that return a value; commands that stream handle it themselves.
  const checked = input.safeParse(show ? own : { ...own, json });
  if (checked.success) return { type: "input", input: checked.data, flags };
  const problems = checked.error.issues.map((issue) => issueText(issue, { words, input }, own));
  return { type: "problem", text: `${[...new Set(problems)].join("; ")}.` };
}

interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly isNeeded: boolean;
}

function fieldsOf(input: z.ZodObject): Readonly<Record<string, Field>> {
  const { properties = {}, required = [] } = z.toJSONSchema(input) as {
    readonly properties?: Readonly<Record<string, Omit<Field, "isNeeded">>>;
    readonly required?: readonly string[];
  };
  // JSON Schema lists fields with a default as required; for a person they are optional.
  const fields = Object.entries(properties).map(([name, property]) => {
    return [name, { ...property, isNeeded: required.includes(name) && property.default === undefined }];
  });
  return Object.fromEntries(fields);
}

/** The flags of a command, read off its input schema: one source for CLI, HTTP and SDK. */
export function optionsOf(input: z.ZodObject): readonly Option[] {
  return Object.entries(fieldsOf(input)).map(([name, field]) => {
    const { type, description = "", isNeeded, enum: choices, default: standard } = field;
    const option = new Option(flagOf(kebab(name), field), `${description}${isNeeded ? " (required)" : ""}`.trim());
    if (choices) option.choices(choices);
    if (type === "number" || type === "integer") option.argParser(Number);
    // Repeated, not variadic: a variadic flag would swallow the positional words after it.
    if (type === "array")
      option.argParser<readonly string[] | undefined>((value, before) => [...(before ?? []), value]);
    // The schema fills in defaults; commander only shows them.
    if (standard !== undefined && type !== "boolean" && type !== "array") option.default(standard);
    return option;
  });
}

function flagOf(name: string, { type, enum: choices, default: standard }: Field): string {
  if (type === "boolean") return standard === true ? `--no-${name}` : `--${name}`;
  return `--${name} <${choices ? "name" : type === undefined || type === "array" ? "value" : type}>`;
}

/** An input that is told by its place: `FILE`, `[FILE]` when it may be left out, `FILE...` for several. */
function argumentOf(input: z.ZodObject, name: string): Argument {
  const field = fieldsOf(input)[name];
  const word = field?.type === "array" ? `${name}...` : name;
  return new Argument(field?.isNeeded ? `<${word}>` : `[${word}]`, field?.description ?? "");
}

/** `upTo` in a schema is `--up-to` on the command line. */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

type Issue = z.core.$ZodIssue;

/** What is wrong with a flag, or a word in its place, as the person knows it. */
function issueText(issue: Issue, { words = [], input }: Pick<Command, "words" | "input">, given: Given): string {
  const name = String(issue.path[0] ?? "");
  const shown = words.includes(name) ? name.toUpperCase() : `--${kebab(name)}`;
  if (given[name] !== undefined) return `${shown}: ${wrongText(issue)}`;
  const what = input.shape[name]?.description;
  return `${shown} is required${what === undefined ? "" : `: ${what}`}`;
}

/** The schema's own words are for programmers. */
function wrongText(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "number" || issue.expected === "int" ? "use a whole number" : "invalid value";
    case "too_small":
      return issue.origin === "string" || issue.origin === "array" ? "it is empty" : `use ${issue.minimum} or more`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array" ? "it is too long" : `use ${issue.maximum} or less`;
    default:
      return issue.message;
  }
}
