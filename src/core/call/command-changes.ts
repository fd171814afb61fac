import { programName } from "./check/wrapped-command.js";
import type { SimpleCommand } from "./command-facts.js";

/** Files that a command line changes. `isLast`: and nothing that it runs behind that is a check. */
export interface CommandChanges {
  readonly files: readonly string[];
  readonly isLast: boolean;
}

/**
 * Only what a command plainly says: a program may write anything. `hasCheck`: what is redirected is a log of it, and
 * the change comes before it unless the last command makes one.
 */
export function changesOf(commands: readonly SimpleCommand[], hasCheck: boolean): CommandChanges {
  const changes = commands.map((command) => changedBy(command, hasCheck));
  const files = changes.flatMap((change) => change?.files ?? []);
  const isLast = hasCheck ? changes.at(-1) !== undefined : changes.some((change) => change !== undefined);
  return { files, isLast };
}

interface Change {
  readonly files: readonly string[];
}

function changedBy({ words, outputs }: SimpleCommand, hasCheck: boolean): Change | undefined {
  const [first = "", ...rest] = words;
  const name = programName(first);
  const written = hasCheck ? [] : [...outputs, ...(name === "tee" ? operands(rest) : [])].filter(isKept);
  const changed = targetsOf(name, rest);
  if (changed === undefined) return written.length > 0 ? { files: written } : undefined;
  const files = [...changed, ...written].filter(isKept);
  return changed.length > 0 && files.length === 0 ? undefined : { files };
}

/** The files that a program changes, as far as they are named; undefined for one that changes none. */
function targetsOf(name: string, rest: readonly string[]): readonly string[] | undefined {
  const named = operands(rest);
  switch (name) {
    case "sed":
      return rest.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)) ? withoutScript(rest, named) : undefined;
    case "perl":
      return rest.some((word) => /^-[a-z0-9]*i/.test(word)) ? named.slice(-1) : undefined;
    case "mv":
    case "cp":
    case "install":
    case "ln":
      return named.slice(-1);
    case "rm":
    case "unlink":
    case "truncate":
    case "touch":
      return named;
    case "patch":
      return named.slice(0, 1);
    case "apply_patch":
    case "applypatch":
      return [];
    case "git":
      return changedByGit(rest);
    case "prettier":
    case "biome":
    case "eslint":
    case "ruff":
    case "gofmt":
    case "goimports":
      return rest.some((word) => /^(?:--write|--fix|--apply|-w)$/.test(word)) ? [] : undefined;
    default:
      return undefined;
  }
}

/** `sed -i s/a/b/ file`: the first operand is the script; with `-e` there may be several. */
function withoutScript(rest: readonly string[], named: readonly string[]): readonly string[] {
  const files = named.filter((word) => word !== "");
  return rest.some((word) => word === "-e" || word === "-f") ? files.slice(-1) : files.slice(1);
}

const GIT_CHANGES = ["apply", "am", "merge", "rebase", "cherry-pick", "revert", "pull", "stash", "restore"];

function changedByGit(rest: readonly string[]): readonly string[] | undefined {
  const [verb = "", ...named] = operands(rest);
  if (verb === "rm" || verb === "mv") return named.slice(verb === "mv" ? -1 : 0);
  if (verb === "restore" && !rest.includes("--staged")) return named;
  if (verb === "checkout") return rest.includes("--") ? named : undefined;
  if (verb === "reset") return rest.includes("--hard") ? [] : undefined;
  if (verb === "stash" && (named[0] === "list" || named[0] === "show")) return undefined;
  return GIT_CHANGES.includes(verb) ? [] : undefined;
}

/** What the shell puts in their place is not known. */
const OPEN = ["*", "?", "$", "`"];

function operands(words: readonly string[]): readonly string[] {
  return words.filter((word) => !word.startsWith("-") && !OPEN.some((sign) => word.includes(sign)));
}

/** What is made anew or thrown away says nothing of the work. */
const THROWN_AWAY =
  /^(?:\/tmp\/|\/dev\/|\/var\/tmp\/|\/private\/tmp\/|\$TMP)|(?:^|\/)(?:node_modules|dist|build|out|target|coverage|__pycache__|\.cache|\.next|\.venv|venv)(?:\/|$)|\.(?:log|tmp|pid|out|pyc)$/;

function isKept(file: string): boolean {
  return file !== "" && !THROWN_AWAY.test(file);
}
