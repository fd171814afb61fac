import type { CheckKind } from "../call-facts.js";
import { readShell, type ShellCommand, type ShellList, type ShellPipeline } from "../shell/shell-reader.js";
import type { ShellWord } from "../shell/shell-tokens.js";
import { checkOfProgram } from "./check-program.js";
import { programName, withoutOptions, wrappedCommand } from "./wrapped-command.js";

/** A check whose exit code is that of the whole command line. `isLost`: it is not: a pipe has another one's. */
export interface CommandCheck {
  readonly kind: CheckKind;
  readonly isLost: boolean;
}

/** What `set` has changed, and the person's own patterns. */
interface Shell {
  isExitingOnError: boolean;
  hasPipefail: boolean;
  readonly extra: readonly (readonly string[])[];
  readonly depth: number;
}

const DEEPEST = 4;

/** `extra`: commands that a person has called checks, by their first words. */
export function checkInCommand(list: ShellList, extra: readonly string[] = []): CommandCheck | undefined {
  return checkOfList(list, newShell(extra.map((pattern) => pattern.trim().split(/\s+/))));
}

function newShell(extra: Shell["extra"], depth = 0): Shell {
  return { isExitingOnError: false, hasPipefail: false, extra, depth };
}

/** Of several commands in a row, the last one has the exit code; unless an error ends them all. */
function checkOfList(list: ShellList, shell: Shell): CommandCheck | undefined {
  let found: CommandCheck | undefined;
  let at = 0;
  while (at < list.length) {
    const end = endOfChain(list, at);
    const chain = list.slice(at, end);
    const isLast = end >= list.length;
    const isBehind = chain.at(-1)?.joint === "&";
    found = afterChain(found, isBehind ? undefined : checkOfChain(chain, shell), chain, isBehind, shell);
    at = end;
    if (isLast) break;
  }
  return found;
}

/** Commands that `&&` and `||` join. */
function endOfChain(list: ShellList, from: number): number {
  let end = from;
  while (end < list.length && (list[end]?.joint === "&&" || list[end]?.joint === "||")) end += 1;
  return end + 1;
}

function afterChain(
  before: CommandCheck | undefined,
  check: CommandCheck | undefined,
  chain: ShellList,
  isBehind: boolean,
  shell: Shell,
): CommandCheck | undefined {
  if (check) return check;
  if (!before || (shell.isExitingOnError && !isBehind)) return before;
  const words = chain.length === 1 ? onlyWords(chain[0]) : [];
  const [name, code] = words.map(({ text }) => text);
  if (name === "exit" && (code === undefined || code === "$?")) return before;
  if (name === "exit" && code?.includes("PIPESTATUS")) return { ...before, isLost: false };
  // It shows the exit code; the summary of the check stands above it.
  const isShown =
    (name === "echo" || name === "printf") && words.some(({ text }) => /\$(?:\?|\{?PIPESTATUS)/.test(text));
  return isShown ? { ...before, isLost: true } : undefined;
}

function onlyWords(pipeline: ShellPipeline | undefined): readonly ShellWord[] {
  const [command] = pipeline?.commands ?? [];
  return pipeline?.commands.length === 1 && command?.type === "simple" ? command.words : [];
}

function checkOfChain(chain: ShellList, shell: Shell): CommandCheck | undefined {
  let found: CommandCheck | undefined;
  let joint = "&&";
  for (const pipeline of chain) {
    const check = checkOfPipeline(pipeline, shell);
    if (joint === "&&") found = check ?? found;
    // Either may have passed; a command that is no check hides how the one before it went.
    else if (!isFailing(pipeline)) found = found && check;
    joint = pipeline.joint;
  }
  return found;
}

/** `|| exit 1`: the exit code stays that of a failure. */
function isFailing(pipeline: ShellPipeline): boolean {
  const [command] = pipeline.commands;
  if (pipeline.commands.length === 1 && command?.type === "group") {
    const last = command.list.at(-1);
    return last !== undefined && isFailing(last);
  }
  const [name, code] = onlyWords(pipeline).map(({ text }) => text);
  return name === "false" || ((name === "exit" || name === "return") && code !== undefined && code !== "0");
}

function checkOfPipeline({ commands, isNegated }: ShellPipeline, shell: Shell): CommandCheck | undefined {
  if (isNegated) return undefined;
  const last = commands.at(-1);
  const ofLast = last && checkOfCommand(last, shell);
  if (ofLast || commands.length <= 1) return ofLast;
  const earlier = commands.slice(0, -1).map((command) => checkOfCommand(command, shell));
  const found = earlier.findLast((check) => check !== undefined);
  return found && { ...found, isLost: found.isLost || !shell.hasPipefail };
}

function checkOfCommand(command: ShellCommand, shell: Shell): CommandCheck | undefined {
  if (command.type === "block") return undefined;
  if (command.type === "group") return checkOfList(command.list, { ...shell });
  const words = command.words;
  if (words[0]?.text === "set") {
    applySet(shell, words);
    return undefined;
  }
  if (isOfPerson(words, shell)) return { kind: "tests", isLost: false };
  const inner = wrappedCommand(words);
  if (inner.length < words.length && isOfPerson(inner, shell)) return { kind: "tests", isLost: false };
  const nested = commandLineOf(inner);
  if (nested) return shell.depth < DEEPEST ? checkOfScript(nested, shell) : undefined;
  const kind = inner[0]?.isPlain ? checkOfProgram(inner.map(({ text }) => text)) : undefined;
  return kind && { kind, isLost: false };
}

function isOfPerson(words: readonly ShellWord[], { extra }: Shell): boolean {
  return extra.some((pattern) => pattern[0] !== "" && pattern.every((word, at) => words[at]?.text === word));
}

/** `set -euo pipefail`, `set +e`. */
function applySet(shell: Shell, words: readonly ShellWord[]): void {
  for (const [at, { text }] of words.entries()) {
    const isOn = text.startsWith("-");
    if (!isOn && !text.startsWith("+")) continue;
    if (/^[-+][a-z]*e/.test(text)) shell.isExitingOnError = isOn;
    if (/^[-+][a-z]*o$/.test(text) && words[at + 1]?.text === "pipefail") shell.hasPipefail = isOn;
    if (/^[-+][a-z]*o$/.test(text) && words[at + 1]?.text === "errexit") shell.isExitingOnError = isOn;
  }
}

const SHELLS = ["bash", "sh", "zsh", "dash", "ash", "ksh"];

/** Options of a shell that take the next word. */
const SET_VALUES = ["-o", "-O", "-eo", "-uo", "-euo", "-euxo", "-exo", "-lo"];

interface Nested {
  readonly text: string;
  readonly isExitingOnError: boolean;
  readonly hasPipefail: boolean;
}

/** `bash -lc '...'`, `eval '...'`. What is put together only when it runs cannot be read. */
function commandLineOf(words: readonly ShellWord[]): Nested | undefined {
  const [first, ...rest] = words;
  const name = programName(first?.text ?? "");
  if (name === "eval")
    return { text: rest.map(({ text }) => text).join(" "), isExitingOnError: false, hasPipefail: false };
  if (!SHELLS.includes(name)) return undefined;
  const options = rest.slice(0, rest.length - withoutOptions(rest, SET_VALUES).length).map(({ text }) => text);
  if (!options.some((option) => /^-[a-z]*c$/.test(option))) return undefined;
  const line = withoutOptions(rest, SET_VALUES)[0];
  return {
    text: line?.text ?? "",
    isExitingOnError: options.some((option) => /^-[a-z]*e/.test(option)),
    hasPipefail: options.includes("pipefail"),
  };
}

function checkOfScript({ text, ...set }: Nested, { extra, depth }: Shell): CommandCheck | undefined {
  return checkOfList(readShell(text), { ...newShell(extra, depth + 1), ...set });
}
