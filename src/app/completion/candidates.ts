import { isId } from "../../core/id.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { CommandWords, CompletionTable, NamedWord, ValueWords } from "./command-words.js";
import { readTyped, type TypedLine } from "./typed-line.js";

/** One word that may follow, and what a person should know of it: in texts of others by `safeText`. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Ids that only the machine knows, the likeliest first. What cannot be read has none. */
export interface IdSources {
  sessions(line: TypedLine): Promise<readonly Candidate[]>;
  subAgents(line: TypedLine): Promise<readonly Candidate[]>;
  todos(line: TypedLine): Promise<readonly Candidate[]>;
  tasks(line: TypedLine): Promise<readonly Candidate[]>;
  taskLists(line: TypedLine): Promise<readonly Candidate[]>;
  plans(line: TypedLine): Promise<readonly Candidate[]>;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell itself knows files best: quotes, blanks, folders. */
  readonly files?: "files" | "folders";
}

const NOTHING: Completion = { candidates: [] };

/** More are no help to anybody, and a shell asks before it shows them. */
const MOST = 50;

export async function complete(
  table: CompletionTable,
  sources: IdSources,
  words: readonly string[],
): Promise<Completion> {
  const line = readTyped(table.commands, table.shared, words);
  const { candidates, files } = await completionOf(table, sources, line);
  const { word, before } = line;
  const fitting = candidates.filter((one) => one.word.startsWith(word) && isPlain(one.word, line));
  return {
    ...(files && { files }),
    candidates: fitting.slice(0, MOST).map((one) => ({ word: `${before}${one.word}`, about: one.about })),
  };
}

async function completionOf(table: CompletionTable, sources: IdSources, line: TypedLine): Promise<Completion> {
  const { wanted, word } = line;
  switch (wanted?.type) {
    case "command":
      return { candidates: named(table.commands.filter(({ isMachine }) => word !== "" || !isMachine)) };
    case "verb":
      return { candidates: named(wanted.group.verbs.filter(({ name }) => !name.startsWith("-"))) };
    case "flag":
      return { candidates: wanted.flags.map(({ flag, about }) => ({ word: flag, about })) };
    case "value":
      return valuesOf(wanted.value, table, sources, line);
    case undefined:
      return NOTHING;
  }
}

function named(commands: readonly CommandWords[]): readonly Candidate[] {
  return commands.map(({ name, summary }) => ({ word: name, about: summary }));
}

async function valuesOf(
  { name, choices }: ValueWords,
  table: CompletionTable,
  sources: IdSources,
  line: TypedLine,
): Promise<Completion> {
  if (choices) return { candidates: unused(choices.map(plain), line) };
  switch (name) {
    case "FILE":
    case "PATH":
    case "URL":
      return { candidates: [], files: "files" };
    case "FOLDER":
      return { candidates: [], files: "folders" };
    case "DIALECT":
      return { candidates: table.dialects.map(plain) };
    case "SETTING":
      return { candidates: table.settings.map(settingName) };
    case "VALUE":
      return { candidates: (table.settings.find(({ word }) => word === line.words.at(-1))?.values ?? []).map(plain) };
    case "SESSION":
      return { candidates: await sources.sessions(line) };
    case "AGENT":
      return { candidates: await sources.subAgents(line) };
    case "TODO":
      return { candidates: unused(await sources.todos(line), line) };
    case "TASK":
      return { candidates: unused(await sources.tasks(line), line) };
    case "PLAN":
      return { candidates: unused(await sources.plans(line), line) };
    case "LIST":
      return { candidates: await sources.taskLists(line) };
    default:
      return NOTHING;
  }
}

function plain(word: string): Candidate {
  return { word, about: "" };
}

function settingName({ word, about }: NamedWord): Candidate {
  return { word, about };
}

/** `todo done 3 <TAB>` does not offer 3 again. */
function unused(candidates: readonly Candidate[], { words, before }: TypedLine): readonly Candidate[] {
  const used = new Set([...words, ...before.replace(/^--[^=]*=/, "").split(",")].map((word) => word.replace(/^#/, "")));
  return candidates.filter(({ word }) => !used.has(word));
}

/** Ids, names of ours and flags: no sign that any shell would obey, and no id that looks like a flag. */
function isPlain(word: string, { wanted }: TypedLine): boolean {
  return wanted?.type === "flag" ? /^--[a-z\d-]+$/.test(word) : word.split("/").every(isId);
}

const LONGEST_TEXT = 80;

/** What models and people wrote, as a description: one row, without signs that a terminal obeys, without secrets. */
export function safeText(text: string): string {
  const row = terminalText(text).replace(/\s+/g, " ").trim();
  const signs = [...row];
  return signs.length > LONGEST_TEXT ? `${signs.slice(0, LONGEST_TEXT - 1).join("")}…` : row;
}

/** One candidate in each line, its description behind a tab; the first line says what the shell should add. */
export function completionText({ candidates, files }: Completion, kept = ""): string {
  const rows = candidates.map(({ word, about }) => {
    const shown = word.startsWith(kept) ? word.slice(kept.length) : word;
    // A tab or a line break in it would be another candidate.
    return `${shown}\t${about.replace(/\p{Cc}/gu, " ")}`;
  });
  return [...(files ? [`:${files}\t`] : []), ...rows].map((row) => `${row}\n`).join("");
}
