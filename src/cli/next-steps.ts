import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { Given } from "../app/command-definition.js";
import { nextStep, shellWord, typedLine, WHERE_FLAGS } from "../app/terminal/next-step.js";
import type { Failure } from "../core/result.js";
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
  "cancel-pending": aboutTask("To release it:", "release"),
  "task-not-held": aboutTask("To claim it:", "claim"),
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
  "no-file": makeFile,
  "bad-record": readElsewhere,
  "unknown-format": help,
  "several-formats": help,
  "needs-yes": ({ words }) => `To do it: ${typedLine([...words, "--yes"])}`,
  "no-store": ({ words, flags }) =>
    flags.store === undefined ? undefined : `Without --store: ${typedLine(without(words, "store"))}`,
};

/** The list of tasks, and a todo list's session, are repeated. */
const PLACE_FLAGS = [...WHERE_FLAGS, "session", "agent"] as const;

function there(what: string, command: string, { flags }: FailedLine): string {
  return `${what} ${nextStep(command, flags, command.startsWith("todo") ? PLACE_FLAGS : WHERE_FLAGS)}`;
}

function aboutTask(what: string, verb: string): Step {
  return (line) => {
    const { task } = line.flags;
    return typeof task === "string" ? there(what, `task ${verb} ${shellWord(task)}`, line) : undefined;
  };
}

function fromStart(line: FailedLine): string {
  return there("From the start:", `${line.name} --after 0`, line);
}

function otherFile(line: FailedLine): string | undefined {
  const { name, flags, words } = line;
  if (name === "task export") return `To keep it under another name and write: ${typedLine([...words, "--force"])}`;
  const file = [flags.file, flags.path, flags.salvage].find((value) => typeof value === "string");
  if (typeof file !== "string") return undefined;
  const free = freeName(file, line.folder);
  const other = words.includes(file) ? words.map((word) => (word === file ? free : word)) : [...words, free];
  return `Another name: ${typedLine(other)}`;
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

/** What writes the file that was to be read. */
const WRITERS: Readonly<Record<string, string>> = {
  import: "export",
  "task import": "task export",
  "todo import": "todo export",
};

function makeFile(line: FailedLine): string | undefined {
  if (line.name === "restore") return there("All sessions:", "sessions --all", line);
  const file = line.flags.file ?? line.flags.path;
  const writer = WRITERS[line.name];
  if (writer === undefined || typeof file !== "string") return undefined;
  return there("To write one:", `${writer} ${shellWord(file)}`, line);
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
