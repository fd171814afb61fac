import type { Command, CommandEntry, CommandGroup } from "../app/command-definition.js";
import { nextStep, typedLine, WHERE_FLAGS } from "../app/terminal/next-step.js";
import type { Failure } from "../core/result.js";
import { type Mended, mendLine } from "./mend-line.js";
import { suggestCommand, suggestVerb } from "./suggest.js";
import { flagsOf, type Problem, splitFlag } from "./usage.js";

// Answers to words that a line should not have: the mistake, and one line that works. Loaded when there is a mistake.

interface Table {
  readonly names: readonly string[];
  readonly groups: readonly CommandGroup[];
}

export function unknownCommand(typed: string, rest: readonly string[], { names, groups }: Table): Failure {
  const meant = suggestCommand(typed, names, groups);
  const words = meant?.split(" ") ?? [];
  const more = meant === undefined ? [] : TAKES_REST.has(meant) || isTypo(typed, meant) || words.length > 1 ? rest : [];
  const flags = rest.filter((word) => word === "--json" || word === "--help");
  const line = typedLine(more.length > 0 ? [...words, ...more] : [...words, ...flags]);
  const next = meant === undefined ? "See milepost --help" : `Did you mean: ${line}`;
  return { code: "unknown-command", message: `There is no command ${JSON.stringify(typed)}. ${next}` };
}

/** What stands behind another word for these is meant for them, too: `install claude`. */
const TAKES_REST = new Set(["setup", "unsetup", "tell", "config", "sessions", "export", "import", "backup", "restore"]);

/** `tood done 3`: the rest was written for the command that is suggested. */
function isTypo(typed: string, meant: string): boolean {
  return suggestCommand(typed, [meant], []) === meant && typed[0]?.toLowerCase() === meant[0];
}

export function unknownVerb(group: CommandGroup, typed: string, rest: readonly string[]): Failure {
  const { name } = group;
  const meant = suggestVerb(group, typed);
  const line = meant === undefined ? unmeant(name, typed, rest) : [name, meant, ...rest];
  const next = line === undefined ? `See milepost ${name} --help` : `Did you mean: ${typedLine(line)}`;
  return { code: "unknown-command", message: `There is no verb ${JSON.stringify(typed)} for ${name}. ${next}` };
}

/** A number is one to look at; several words are the text of a new one. */
function unmeant(name: string, typed: string, rest: readonly string[]): readonly string[] | undefined {
  if (/^#?\d+$/.test(typed)) return name === "task" ? [name, "show", typed] : [name, "list", ...rest];
  const isText = typed.includes(" ") || rest.some((word) => !word.startsWith("-"));
  return isText ? [name, "add", typed, ...rest] : undefined;
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
  const mended = mendLine(line, command, problem.faults);
  if (mended?.isSure) return { run: mended.words };
  const next = nextAfter(entry.name, line, command, problem, mended);
  return { failure: { code: "bad-usage", message: `${problem.text} ${next}` } };
}

function nextAfter(
  name: string,
  line: readonly string[],
  command: Command,
  { faults }: Problem,
  mended: Mended | undefined,
): string {
  const words = name.split(" ");
  const [fault] = faults;
  // Words behind `todo edit` are a todo and its new text.
  if (fault?.type === "extra-word" && name === "todo edit")
    return `Did you mean: ${typedLine(["todo", "rename", ...line])}`;
  if (mended) return `Did you mean: ${typedLine([...words, ...mended.words])}`;
  const field = fault?.type === "missing" ? command.input[fault.field] : undefined;
  const step = STEPS[name] ?? STEPS[field?.name ?? ""];
  if (!step || !field) return `See milepost ${name} --help`;
  return `${step[0]} ${nextStep(step[1], givenFlags(line, command), PLACE)}`;
}

const PLACE = [...WHERE_FLAGS, "session", "agent"] as const;

/** What helps who has left a word out: by command, or by the name of the word. */
const STEPS: Readonly<Record<string, readonly [lead: string, command: string]>> = {
  backup: ["Such as:", "backup milepost-backup.db"],
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
