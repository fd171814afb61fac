import { isAbsolute } from "node:path";
import type { Environment } from "../store-place.js";
import { type RunShort, runShort, type ShortRun } from "../watching/short-program.js";

// The room of Git: facts of repositories that agents work in. A repository is somebody else's: its .git/config can name
// programs for hooks, filters, diffs, signatures and transports, and Git would start them. Every call goes through
// `runGit`, which leaves no way to any of them. Nothing here writes, asks a network or takes a lock.

export interface GitCall {
  readonly folder: string;
  readonly words: readonly string[];
  readonly environment: Environment;
  /** Names of `filterNames`, for calls that read files of the working tree. */
  readonly filters?: readonly string[];
  readonly limitMs?: number;
  readonly mostBytes?: number;
  readonly start?: RunShort;
}

const LIMIT = 2000;
const MOST_BYTES = 100_000;

export async function runGit(call: GitCall): Promise<ShortRun> {
  const { folder, words, environment, filters = [], limitMs = LIMIT, mostBytes = MOST_BYTES, start = runShort } = call;
  // Without a folder of its own Git would tell of the one that we were started in.
  if (!isAbsolute(folder)) return { how: "missing" };
  return start({
    program: "git",
    words: ["--no-optional-locks", "--no-pager", "--literal-pathspecs", ...configOf(filters), ...words],
    environment: { ...withoutGit(environment), ...OURS },
    folder,
    limitMs,
    mostBytes,
  });
}

const OURS: Environment = {
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone would fetch what is missing by its own upload-pack. No protocol has this name.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C",
};

/** Where a repository could name a program, and what stands there instead. */
const HARMLESS: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "all"],
  ["log.showSignature", "false"],
];

function configOf(filters: readonly string[]): readonly string[] {
  const off = filters.flatMap((name) => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);
  return [...HARMLESS, ...off].flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

/** Which files of the person's own configuration Git reads; everything else may be meant for another repository. */
const KEPT = [
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_EXEC_PATH",
];

function withoutGit(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith("GIT_") || KEPT.includes(name)),
  );
}

const MOST_FILTERS = 100;

/**
 * The filters that are configured: reading a changed file would start them, and they can only be switched off by name.
 * Undefined where that is not known: then no file may be read.
 */
export async function filterNames(call: Omit<GitCall, "words" | "filters">): Promise<readonly string[] | undefined> {
  const run = await runGit({ ...call, words: ["config", "--null", "--name-only", "--get-regexp", "^filter\\."] });
  // 1: there is none.
  if (run.how !== "ended" || run.isCut || (run.code !== 0 && run.code !== 1)) return undefined;
  const names = run.said.split("\0").filter((key) => key !== "");
  const filters = [...new Set(names.map((key) => key.slice("filter.".length, key.lastIndexOf("."))))];
  // A name with this sign cannot be told to `-c`.
  return filters.length <= MOST_FILTERS && !filters.some((name) => name.includes("=")) ? filters : undefined;
}
