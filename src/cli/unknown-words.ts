import type { Command, CommandEntry, CommandGroup } from "../app/command-definition.js";
import { COMMANDS } from "../app/command-table.js";
import { nextStep, typedLine, WHERE_FLAGS } from "../app/terminal/next-step.js";
import type { Failure } from "../core/result.js";
import { type Mended, mendLine } from "./mend-line.js";
import {
  groupVerbs,
  isSessionLike,
  isSessionState,
  suggestCommand,
  suggestVerb,
  verbAlias,
  verbBefore,
} from "./suggest.js";
import { type Fault, flagsOf, isFlag, type Problem, readUsage, splitFlag } from "./usage.js";
import { verbIn } from "./verb-in-line.js";

// Answers to words that a line should not have: the mistake, and one line that works. Loaded when there is a mistake.

interface Table {
  readonly names: readonly string[];
  readonly groups: readonly CommandGroup[];
}

/** A line that may have been meant. */
interface Guess {
  /** The command, of one word or two. */
  readonly name: readonly string[];
  readonly rest: readonly string[];
}

export async function unknownCommand(typed: string, rest: readonly string[], table: Table): Promise<Failure> {
  const swapped = verbBefore(typed, rest, table.groups);
  const shown = JSON.stringify(swapped ? `${typed} ${swapped.noun}` : typed);
  const next = await didYouMean(commandGuesses(typed, rest, table), "milepost --help");
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

function commandGuesses(typed: string, rest: readonly string[], { names, groups }: Table): readonly Guess[] {
  const swapped = verbBefore(typed, rest, groups);
  if (swapped) return [{ name: swapped.name, rest: bareNumber(swapped.rest) }];
  if (isSessionState(typed)) return [{ name: ["sessions"], rest: ["--state", typed, ...rest] }];
  if (isSessionLike(typed)) return [{ name: ["sessions"], rest: [typed, ...rest] }];
  const meant = suggestCommand(typed, names, groups);
  if (meant === undefined) return [];
  if (meant.includes(" ")) return groupVerbs(typed, groups).map((name) => ({ name, rest: bareNumber(rest) }));
  const isForIt = TAKES_REST.has(meant) || isTypo(typed, meant) || isSessionLike(rest[0] ?? "");
  const flags = rest.filter((word) => word === "--json" || word === "--help");
  return [{ name: [meant], rest: isForIt ? rest : flags }];
}

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
  const meant = verbGuess(group, typed, rest);
  const next = await didYouMean(meant ? [meant] : [], `milepost ${name} --help`);
  return { code: "unknown-command", message: `There is no verb ${JSON.stringify(typed)} for ${name}. ${next}` };
}

function verbGuess(group: CommandGroup, typed: string, rest: readonly string[]): Guess | undefined {
  const { name } = group;
  if (/^#?\d+$/.test(typed)) return numberGuess(group, typed, rest);
  if (isSessionLike(typed)) return sessionGuess(name, typed, rest);
  const meant = suggestVerb(group, typed);
  if (meant !== undefined) return { name: [name, meant], rest };
  // Several words are the text of a new one.
  const isText = typed.includes(" ") || rest.some((word) => !word.startsWith("-"));
  return isText ? { name: [name, "add"], rest: [typed, ...rest] } : undefined;
}

/** A number is one to look at; `todo 3 done` has the words in another order. */
function numberGuess(group: CommandGroup, typed: string, [verb = "", ...rest]: readonly string[]): Guess {
  const { name } = group;
  const [meant] = groupVerbs(verb, [group]);
  if (meant) return { name: meant, rest: [...bareNumber([typed]), ...rest] };
  const flags = [verb, ...rest].filter(Boolean);
  return name === "task" ? { name: [name, "show"], rest: [typed] } : { name: [name, "list"], rest: flags };
}

function sessionGuess(group: string, typed: string, rest: readonly string[]): Guess {
  if (group !== "task") return { name: [group, "list"], rest: ["--session", typed, ...rest] };
  const isWhole = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(typed);
  return isWhole ? { name: [group, "show"], rest: [typed, ...rest] } : { name: ["sessions"], rest: [typed] };
}

/** The line, mended where its command cannot read it; undefined where nobody can guess what was meant. */
async function readableLine(words: readonly string[]): Promise<readonly string[] | undefined> {
  const [name = "", ...rest] = words;
  const found = COMMANDS.find((entry) => entry.name === name);
  if (!found) return words;
  if (!("verbs" in found)) return readable(found, rest, words);
  const { verb, word, rest: others } = verbIn(found.verbs, rest);
  const other = verb ?? found.verbs.find((entry) => entry.name === verbAlias(word, verbNames(found)));
  if (other) return readable({ ...other, name: `${name} ${other.name}` }, others, words);
  const meant = verbGuess(found, word, others);
  return meant && readableLine([...meant.name, ...meant.rest]);
}

function verbNames({ verbs }: CommandGroup): readonly string[] {
  return verbs.map(({ name }) => name);
}

async function readable({ name, load }: CommandEntry, line: readonly string[], words: readonly string[]) {
  const command = await load();
  const mended = mendLine(line, command);
  if (mended?.isSure) return words;
  const usage = readUsage(line, command);
  const fault = usage.type === "problem" ? usage.faults[0] : undefined;
  return otherCommand(name, line, command, fault) ?? (mended && [...name.split(" "), ...mended.words]);
}

/** A flag of some command that stands before it. */
export function earlyFlag(flag: string, words: readonly string[]): Failure {
  const next = `Did you mean: ${typedLine(words)}`;
  return { code: "bad-usage", message: `${flag} belongs behind the command. ${next}` };
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
  const step = STEPS[`${name} ${line[0]}`] ?? STEPS[name] ?? STEPS[field?.name ?? ""];
  if (!step || !field) return `See milepost ${name} --help`;
  return `${step[0]} ${nextStep(step[1], givenFlags(line, command), PLACE)}`;
}

/** A word too many may be meant for another command. */
function otherCommand(
  name: string,
  line: readonly string[],
  { words = [], input }: Command,
  fault: Fault | undefined,
): readonly string[] | undefined {
  if (fault?.type !== "extra-word") return undefined;
  const [word = "", next] = line.slice(fault.at);
  if (name === "backup" && line[0] === "restore") return ["backup", word, "--restore"];
  // Words behind `todo edit` are a todo and its new text.
  if (name === "todo edit" && next !== undefined && !isFlag(next)) return ["todo", "rename", ...line];
  const isSession = isSessionLike(word) && words.length === 0 && input.session === undefined;
  return isSession ? ["sessions", word] : undefined;
}

const PLACE = [...WHERE_FLAGS, "session", "agent"] as const;

/** What helps who has left a word out: by command, or by the name of the word. */
const STEPS: Readonly<Record<string, readonly [lead: string, command: string]>> = {
  backup: ["Such as:", "backup milepost-backup.db"],
  "backup --restore": ["Such as:", "backup milepost-backup.db --restore"],
  TASK: ["All tasks:", "task list"],
  TODO: ["The list:", "todo list"],
  SESSION: ["All sessions:", "sessions --all"],
};

/** Flags of a line that could not be read as a whole. */
function givenFlags(line: readonly string[], { input, words = [] }: Command): Readonly<Record<string, string>> {
  const known = flagsOf({ ...input, store: input.store ?? { kind: "text" } } as Command["input"], words);
  const pairs = line.flatMap((word, at) => {
    const { flag, attached } = splitFlag(word);
    const name = known.get(flag);
    const value = attached ?? line[at + 1];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}
