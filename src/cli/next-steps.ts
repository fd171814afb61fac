import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import type { Given } from "../app/command-definition.js";
import {
  nextStep,
  PLACE_FLAGS,
  shellWord,
  typedLine,
  WHERE_FLAGS,
  WHO_FLAGS,
  withFlags,
} from "../app/terminal/next-step.js";
import type { Failure } from "../core/result.js";
import { nearest } from "../core/text/nearest.js";
import { EXIT_USAGE, exitCode, shownCode } from "./exit-codes.js";
import { isSessionState } from "./suggest.js";

// What to do after a failure, as a command that runs as it is printed. Core and store say what is wrong, for models and
// libraries too; only the command line knows which line was typed.

/** The command line that failed. */
export interface FailedLine {
  /** The command, as in `task claim`. */
  readonly name: string;
  readonly flags: Given;
  /** All words behind `milepost`. */
  readonly words: readonly string[];
  readonly folder: string;
}

/** The failure with a next step, unless its message has one already. */
export function withNextStep(failure: Failure, line: FailedLine): Failure {
  const { session } = line.flags;
  // `sessions waiting`; the message has a command, but a poorer one.
  if (shownCode(failure.code) === "unknown-session" && typeof session === "string" && isSessionState(session)) {
    const next = there("Did you mean:", `sessions --state ${session}`, line);
    return { ...failure, message: `No session is called ${session}. ${next}` };
  }
  if (HAS_COMMAND.test(failure.message)) return failure;
  const step =
    STEPS[shownCode(failure.code)]?.(line) ?? (exitCode(failure.code) === EXIT_USAGE ? help(line) : undefined);
  return step === undefined ? failure : { ...failure, message: `${failure.message} ${step}` };
}

const HAS_COMMAND = /(?:^|[\s:(])milepost (?:--)?[a-z]/;

type Step = (line: FailedLine) => string | undefined;

const STEPS: Readonly<Record<string, Step>> = {
  "task-blocked": aboutTask("What blocks it:", "show"),
  "task-waiting": aboutTask("What it waits for:", "show"),
  "task-backing-off": aboutTask("Its attempts:", "show"),
  "not-waiting": aboutTask("Its state:", "show"),
  "cancel-pending": aboutTask("To release it:", "release", WHO_FLAGS),
  "task-not-held": aboutTask("To claim it:", "claim", WHO_FLAGS),
  // Whoever may do something about a newer claim is told it with the failure.
  "stale-fence": aboutTask("Its state:", "show"),
  "task-closed": aboutTask("To reopen it:", "reopen"),
  "task-held": (line) => there("Others:", "task ready", line),
  "self-edge": (line) => there("All blockers:", "task graph", line),
  "cyclic-edge": (line) => there("All blockers:", "task graph", line),
  "bad-parent": (line) => there("All subtasks:", "task graph", line),
  "no-task": (line) => there("All tasks:", "task list --all", line),
  "nothing-to-undo": (line) => there("The list:", "todo list", line),
  "unknown-phase": (line) => there("The list:", "todo list", line),
  "bad-cursor": fromStart,
  "unknown-cursor": fromStart,
  "file-exists": otherFile,
  "no-file": nearFile,
  "bad-record": readElsewhere,
  "unknown-format": help,
  "several-formats": help,
  "needs-yes": ({ words }) => `To do it: ${typedLine(withFlags(words, "--yes"))}`,
  "no-store": ({ words, flags }) =>
    flags.store === undefined ? undefined : `Without --store: ${typedLine(without(words, "store"))}`,
};

/** The list of tasks, and a todo list's session, are repeated. */
function there(what: string, command: string, { flags }: FailedLine): string {
  return `${what} ${nextStep(command, flags, command.startsWith("todo") ? PLACE_FLAGS : WHERE_FLAGS)}`;
}

function aboutTask(what: string, verb: string, repeated: readonly string[] = WHERE_FLAGS): Step {
  return ({ flags }) => {
    const { task } = flags;
    if (typeof task !== "string") return undefined;
    return `${what} ${nextStep(`task ${verb} ${shellWord(task)}`, flags, repeated)}`;
  };
}

function fromStart(line: FailedLine): string {
  return there("From the start:", `${line.name} --after 0`, line);
}

function otherFile(line: FailedLine): string | undefined {
  const { name, flags, words } = line;
  if (name === "task export")
    return `To keep it under another name and write: ${typedLine(withFlags(words, "--force"))}`;
  const file = [flags.file, flags.path, flags.salvage].find((value) => typeof value === "string");
  if (typeof file !== "string") return undefined;
  const free = freeName(file, line.folder);
  return `Another name: ${typedLine(withFile(words, file, free) ?? [...words, free])}`;
}

/** The words with another file in the place of one; undefined where that was not typed. */
function withFile(words: readonly string[], file: string, other: string): readonly string[] | undefined {
  // A store may have the same name.
  const at = words.findLastIndex((word, index) =>
    word === file ? words[index - 1] !== "--store" : word.endsWith(`=${file}`) && !word.startsWith("--store="),
  );
  if (at < 0) return undefined;
  return words.map((word, index) => (index === at ? word.slice(0, word.length - file.length) + other : word));
}

const MOST_TRIED = 100;

/** `store.db` is taken: `store-2.db`. */
function freeName(file: string, folder: string): string {
  const ending = extname(file);
  const base = file.slice(0, file.length - ending.length);
  for (let number = 2; number < MOST_TRIED; number += 1) {
    const name = `${base}-${number}${ending}`;
    if (!existsSync(resolve(folder, name))) return name;
  }
  return `${base}-${Date.now()}${ending}`;
}

/** Commands that read a file. */
const READERS: readonly string[] = ["import", "task import", "todo import", "backup", "plan propose", "plan edit"];

/** The file that was mistyped, where one has almost the same name. */
function nearFile(line: FailedLine): string | undefined {
  if (line.name === "restore") return there("All sessions:", "sessions --all", line);
  const file = line.flags.file ?? line.flags.path;
  if (!READERS.includes(line.name) || typeof file !== "string") return undefined;
  const path = resolve(line.folder, file);
  const near = existsSync(path) ? undefined : nearest(basename(path), filesIn(dirname(path), line.name));
  const meant = near && withFile(line.words, file, file.slice(0, file.length - basename(file).length) + near);
  return meant ? `Did you mean: ${typedLine(meant)}` : help(line);
}

/** Tasks may also be read from a folder. */
function filesIn(folder: string, command: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => command === "task import" || !entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function readElsewhere(line: FailedLine): string {
  const { file } = line.flags;
  const isTasks = typeof file === "string" && /\.(?:md|markdown)$/i.test(file);
  return isTasks ? there("For a list of tasks:", `task import ${shellWord(file)}`, line) : help(line);
}

function help({ name }: FailedLine): string {
  return `See milepost ${name} --help`;
}

/** The words without a flag and its value. */
function without(words: readonly string[], flag: string): readonly string[] {
  const at = words.findIndex((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
  if (at < 0) return words;
  const count = words[at] === `--${flag}` ? 2 : 1;
  return words.filter((_, index) => index < at || index >= at + count);
}
