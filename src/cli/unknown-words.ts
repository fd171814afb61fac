import type { Command, CommandEntry, CommandGroup, Given } from "../app/command-definition.js";
import { COMMANDS, SURFACES } from "../app/command-table.js";
import { type Fault, flagsOf, isFlag, type Problem, partsOf, splitFlag, wordPlaces } from "../app/field-reader.js";
import { COMMON_FLAGS, type Fields, flagName } from "../app/fields.js";
import { nextStep, PLACE_FLAGS, typedLine, withFlags } from "../app/terminal/next-step.js";
import type { Failure } from "../core/result.js";
import { type Mended, mendLine } from "./mend-line.js";
import {
  COMMAND_NAMES,
  GROUPS,
  groupVerbs,
  isSessionLike,
  isSessionState,
  suggestCommand,
  suggestVerb,
  verbAlias,
  verbBefore,
} from "./suggest.js";
import { allFields, readUsage } from "./usage.js";
import { groupFields, verbIn, verbNames, without, withoutFiller } from "./verb-in-line.js";

// Answers to words that a line should not have: the mistake, and one line that works. Loaded when there is a mistake.

/** A line that may have been meant. */
interface Guess {
  /** The command, of one word or two. */
  readonly name: readonly string[];
  readonly rest: readonly string[];
}

export async function unknownCommand(typed: string, rest: readonly string[]): Promise<Failure> {
  const swapped = verbBefore(typed, rest, GROUPS);
  const shown = JSON.stringify(swapped ? `${typed} ${swapped.noun}` : typed);
  const next = await didYouMean(commandGuesses(typed, rest), "milepost --help");
  return { code: "unknown-command", message: `There is no command ${shown}. ${next}` };
}

async function didYouMean(guesses: readonly Guess[], help: string): Promise<string> {
  const meant = guesses.map(({ name, rest }) => [...name, ...rest]);
  const lines = await Promise.all(meant.map(readableLine));
  // What is right as it was typed is likelier than what had to be mended.
  const asTyped = meant.filter((words, at) => lines[at] === words);
  const usable = asTyped.length > 0 ? asTyped : lines.flatMap((line) => (line ? [line] : [])).slice(0, 1);
  if (usable.length > 0) return `Did you mean: ${usable.map(typedLine).join(", or: ")}`;
  const [first] = guesses;
  return `See ${first ? typedLine([...first.name, "--help"]) : help}`;
}

function commandGuesses(typed: string, rest: readonly string[]): readonly Guess[] {
  const swapped = verbBefore(typed, rest, GROUPS);
  if (swapped) return [{ name: swapped.name, rest: bareNumber(swapped.rest) }];
  if (isSessionState(typed)) return [{ name: ["sessions"], rest: ["--state", typed, ...rest] }];
  if (isSessionLike(typed)) return [{ name: ["sessions"], rest: [typed, ...rest] }];
  const meant = suggestCommand(typed, COMMAND_NAMES, GROUPS);
  if (meant === undefined) return [];
  if (meant.includes(" ")) return groupVerbs(typed, GROUPS).map((name) => ({ name, rest: bareNumber(rest) }));
  const [first = -1] = wordPlaces(rest, COMMON_FLAGS);
  const isForIt = TAKES_REST.has(meant) || isTypo(typed, meant) || isSessionLike(rest[first] ?? "");
  return [{ name: [meant], rest: isForIt ? rest : sharedFlags(rest, COMMON_FLAGS) }];
}

/** The flags of a line that another command takes too, with their values; without one: those that all take. */
function sharedFlags(line: readonly string[], fields: Fields, { input, words = [] }: Flags = NO_FLAGS) {
  const taken = flagsOf(allFields(input), words);
  return partsOf(line, fields).flatMap((part) => {
    if (part.type === "help") return [part.flag];
    if (part.type !== "flag" || !taken.has(part.flag)) return [];
    return line.slice(part.at, (part.value?.at ?? part.at) + 1);
  });
}

type Flags = Pick<Command, "input" | "words">;
const NO_FLAGS: Flags = { input: {} };

/** What stands behind another word for these is meant for them, too: `install claude`. */
const TAKES_REST = new Set(["setup", "unsetup", "tell", "config", "sessions", "export", "import", "backup", "restore"]);

/** `tood done 3`: the rest was written for the command that is suggested. */
function isTypo(typed: string, meant: string): boolean {
  return suggestCommand(typed, [meant], []) === meant && typed[0]?.toLowerCase() === meant[0];
}

/** `#3` works in quotes only, and 3 without them. */
function bareNumber([first, ...rest]: readonly string[]): readonly string[] {
  return first === undefined ? [] : [first.replace(/^#(?=\d+$)/, ""), ...rest];
}

export async function unknownVerb(group: CommandGroup, typed: string, rest: readonly string[]): Promise<Failure> {
  const { name } = group;
  const meant = await verbGuess(group, typed, rest);
  const next = await didYouMean(meant ? [meant] : [], `milepost ${name} --help`);
  return { code: "unknown-command", message: `There is no verb ${JSON.stringify(typed)} for ${name}. ${next}` };
}

async function verbGuess(group: CommandGroup, typed: string, rest: readonly string[]): Promise<Guess | undefined> {
  const { name } = group;
  const fields = await groupFields(group.verbs);
  if (name === "plan" && PLAN_ID.test(typed)) return planGuess(typed, rest, fields);
  if (/^#?\d+$/.test(typed)) return numberGuess(group, typed, rest, fields);
  if (isSessionLike(typed)) return sessionGuess(name, typed, rest, fields);
  const meant = suggestVerb(group, typed);
  if (meant !== undefined) return { name: [name, meant], rest };
  // Several words are the text of a new one.
  const isText = typed.includes(" ") || wordPlaces(rest, fields).length > 0;
  return isText && group.verbs.some((verb) => verb.name === "add")
    ? { name: [name, "add"], rest: [typed, ...rest] }
    : undefined;
}

const PLAN_ID = /^[a-z2-9]{4}-[a-z2-9]{1,5}$/i;

/** `plan k7qm-x3v9d` is looked at; `plan k7qm-x3v9d approve` has the words in another order. */
function planGuess(typed: string, rest: readonly string[], fields: Fields): Guess {
  const [at = -1] = wordPlaces(rest, fields);
  const group = GROUPS.filter(({ name }) => name === "plan");
  const [meant] = groupVerbs(rest[at] ?? "", group);
  if (meant) return { name: meant, rest: [typed, ...without(rest, at)] };
  return { name: ["plan", "show"], rest: [typed, ...rest] };
}

/** A number is one to look at; `todo 3 done` has the words in another order. */
async function numberGuess(
  group: CommandGroup,
  typed: string,
  rest: readonly string[],
  fields: Fields,
): Promise<Guess | undefined> {
  const [at = -1] = wordPlaces(rest, fields);
  const [meant] = groupVerbs(rest[at] ?? "", [group]);
  if (meant) return { name: meant, rest: [...bareNumber([typed]), ...without(rest, at)] };
  const look = group.verbs.find(({ name }) => name === (group.name === "task" ? "show" : "list"));
  if (!look) return undefined;
  const flags = sharedFlags(rest, fields, await look.load());
  return { name: [group.name, look.name], rest: look.name === "show" ? [typed, ...flags] : flags };
}

function sessionGuess(group: string, typed: string, rest: readonly string[], fields: Fields): Guess {
  if (group !== "task") return { name: [group, "list"], rest: ["--session", typed, ...rest] };
  const isWhole = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(typed);
  return isWhole ? { name: [group, "show"], rest: [typed, ...rest] } : sessionLine(typed, rest, fields);
}

function sessionLine(session: string, line: readonly string[], fields: Fields): Guess {
  return { name: ["sessions"], rest: [session, ...sharedFlags(line, fields)] };
}

/** The line, mended where its command cannot read it; undefined where nobody can guess what was meant. */
async function readableLine(words: readonly string[]): Promise<readonly string[] | undefined> {
  const [name = "", ...rest] = words;
  const found = COMMANDS.find((entry) => entry.name === name);
  if (!found) return foreignFlag(name, rest) === undefined ? words : undefined;
  if (!("verbs" in found)) return readable(found, await withoutFiller(found, rest), words);
  const { verb, word, rest: others } = await verbIn(found.verbs, rest);
  const other = verb ?? found.verbs.find((entry) => entry.name === verbAlias(word, verbNames(found)));
  if (other) return readable({ ...other, name: `${name} ${other.name}` }, others, words);
  const meant = await verbGuess(found, word, others);
  return meant && readableLine([...meant.name, ...meant.rest]);
}

async function readable({ name, load }: CommandEntry, line: readonly string[], words: readonly string[]) {
  const command = await load();
  const mended = mendLine(line, command);
  if (mended?.isSure) return words;
  const usage = readUsage(line, command);
  const fault = usage.type === "problem" ? usage.faults[0] : undefined;
  return otherCommand(name, line, command, fault) ?? (mended && [...name.split(" "), ...mended.words]);
}

/** A flag of some command that stands before it; `words` is the line with the command in front. */
export async function earlyFlag(flag: string, [name = "", ...rest]: readonly string[]): Promise<Failure> {
  const code = "bad-usage";
  const foreign = foreignFlag(name, rest);
  if (foreign !== undefined)
    return { code, message: `There is no flag ${foreign} for ${name}. See milepost ${name} --help` };
  const next = await didYouMean([{ name: [name], rest }], `milepost ${name} --help`);
  return { code, message: `${flag} belongs behind the command. ${next}` };
}

/** A flag that what only programs start does not take: its own are in its help, a row for each. */
function foreignFlag(name: string, line: readonly string[]): string | undefined {
  const rows = SURFACES.find((entry) => entry.name === name)?.details.split("\n");
  const flags = line.filter(isFlag).map((word) => splitFlag(word).flag);
  return rows && flags.find((flag) => flag !== "--help" && !rows.some((row) => row.startsWith(`  ${flag} `)));
}

/** The line as it was meant: to be run, where it means just that; else how the mistake is answered. */
export function misread(
  entry: CommandEntry,
  line: readonly string[],
  command: Command,
  problem: Problem,
): { readonly run: readonly string[] } | { readonly failure: Failure } {
  const mended = mendLine(line, command);
  if (mended?.isSure) return { run: mended.words };
  const next = nextAfter(entry.name, line, command, problem, mended);
  return { failure: { code: "bad-usage", message: `${problem.text} ${next}` } };
}

function nextAfter(
  name: string,
  line: readonly string[],
  command: Command,
  { faults: [fault] }: Problem,
  mended: Mended | undefined,
): string {
  const meant = otherCommand(name, line, command, fault) ?? (mended && [...name.split(" "), ...mended.words]);
  if (meant) return `Did you mean: ${typedLine(meant)}`;
  const field = fault?.type === "missing" ? command.input[fault.field] : undefined;
  const given = givenFlags(line, command);
  const flagged = Object.keys(given).find((flag) => `${name} ${flagName(flag)}` in STEPS);
  const step = STEPS[flagged === undefined ? name : `${name} ${flagName(flagged)}`] ?? STEPS[field?.name ?? ""];
  if (!step || !field) return `See milepost ${name} --help`;
  return `${step[0]} ${nextStep(step[1], given, PLACE_FLAGS)}`;
}

/** A word too many may be meant for another command. */
function otherCommand(
  name: string,
  line: readonly string[],
  { words = [], input }: Command,
  fault: Fault | undefined,
): readonly string[] | undefined {
  if (fault?.type !== "extra-word") return undefined;
  const fields = allFields(input);
  const [word = "", next] = line.slice(fault.at);
  const [first = -1] = wordPlaces(line, fields, words);
  if (name === "backup" && line[first] === "restore") return ["backup", ...asRestore(without(line, first))];
  // Words behind `todo edit` are a todo and its new text.
  if (name === "todo edit" && next !== undefined && !isFlag(next)) return ["todo", "rename", ...line];
  if (!isSessionLike(word) || words.length > 0 || input.session !== undefined) return undefined;
  const meant = sessionLine(word, line, fields);
  return [...meant.name, ...meant.rest];
}

function asRestore(line: readonly string[]): readonly string[] {
  return line.includes("--restore") ? line : withFlags(line, "--restore");
}

/** What helps who has left a word out: by command, or by the name of the word. */
const STEPS: Readonly<Record<string, readonly [lead: string, command: string]>> = {
  backup: ["Such as:", "backup milepost-backup.db"],
  "backup --restore": ["Such as:", "backup milepost-backup.db --restore"],
  TASK: ["All tasks:", "task list"],
  TODO: ["The list:", "todo list"],
  SESSION: ["All sessions:", "sessions --all"],
};

/** Flags of a line that could not be read as a whole. */
function givenFlags(line: readonly string[], { input, words }: Command): Given {
  const parts = partsOf(line, allFields(input), words);
  return Object.fromEntries(parts.flatMap((part) => (part.type === "flag" ? [[part.field, part.value?.text]] : [])));
}
