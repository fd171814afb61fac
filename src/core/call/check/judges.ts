import type { CheckKind } from "../call-facts.js";
import { checkByFile, checkByName } from "./script-name.js";
import { programName } from "./wrapped-command.js";

// How the words behind a program's name tell what it checks.

/** The words of one command, without what is put before it. */
export type Words = readonly string[];
/** `of`: the same question about another command, for a program that runs one. */
export type Judge = CheckKind | ((words: Words, of: (words: Words) => CheckKind | undefined) => CheckKind | undefined);

/** The first words that are no options; `values`: options that take the next word. */
export function plain(words: Words, values: Words = []): Words {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") continue;
    if (values.includes(word)) at += 1;
    else if (!word.startsWith("-") && !word.startsWith("+")) found.push(word);
  }
  return found;
}

export const has = (words: Words, ...wanted: Words) => wanted.some((one) => words.includes(one));

/** By the first plain word: `go test`. */
export const bySubcommand =
  (table: Readonly<Record<string, Judge>>, values: Words = []): Judge =>
  (words, of) => {
    const [verb = ""] = plain(words, values);
    const judge = Object.hasOwn(table, verb) ? table[verb] : undefined;
    return typeof judge === "function" ? judge(words, of) : judge;
  };

/** Names of scripts or targets; the last one that is a check counts. */
export const byTargets = (words: Words): CheckKind | undefined =>
  words.reduce<CheckKind | undefined>((found, word) => checkByName(word) ?? found, undefined);

const NPM_VALUES = "--prefix -w --workspace -C --loglevel --filter -F --dir --cwd -c --userconfig --filter-prod".split(
  " ",
);

/** `run` may be left out where the manager takes a script's name, or the program's, as a command. */
export const packageManager =
  (isBare: boolean): Judge =>
  (all, of) => {
    const end = all.indexOf("--");
    const words = plain(end < 0 ? all : all.slice(0, end), NPM_VALUES);
    const [verb = "", script = "", third = ""] = words;
    if (verb === "workspace") return scriptOf([third === "run" ? (words[3] ?? "") : third, ...words.slice(3)]);
    if (verb === "workspaces") return scriptOf([words.at(-1) ?? ""]);
    if (verb === "run" || verb === "run-script" || verb === "rum" || verb === "urn")
      return scriptOf([script, ...words]);
    if (verb === "test" || verb === "t" || verb === "tst") return "tests";
    if (["install", "ci", "i", "add", "remove", "publish", "pack", "link", "audit", "outdated"].includes(verb))
      return undefined;
    return isBare && verb !== "" ? (scriptOf(words) ?? of(words)) : undefined;
  };

export const scriptOf = ([name = ""]: Words): CheckKind | undefined => checkByName(name);

export const GO: Judge = bySubcommand({ test: "tests", build: "build", install: "build", vet: "lint" }, ["-C"]);

export const CARGO: Judge = (words) => {
  const [verb = "", second = ""] = plain(words, ["--manifest-path", "--config", "-Z", "-p", "--package"]);
  if (verb === "test" || verb === "t") return has(words, "--no-run") ? "build" : "tests";
  if (verb === "nextest") return second === "run" ? "tests" : undefined;
  if (verb === "miri" || verb === "xtask") return checkByName(second);
  if (verb === "fmt") return has(words, "--check") ? "lint" : undefined;
  const table: Readonly<Record<string, CheckKind>> = {
    ...{
      build: "build",
      b: "build",
      check: "build",
      c: "build",
      clippy: "lint",
      "llvm-cov": "tests",
      tarpaulin: "tests",
    },
    ...{ deny: "lint", machete: "lint", hack: "build" },
  };
  return Object.hasOwn(table, verb) ? table[verb] : undefined;
};

export const MAKE: Judge = (words) => {
  if (has(words, "-n", "-q", "-p")) return undefined;
  const targets = plain(words, ["-C", "-f", "-j", "-l", "-o", "-I"]).filter(
    (word) => !word.includes("=") && !/^\d+$/.test(word),
  );
  if (targets.length === 0 || targets.at(-1) === "all") return "build";
  return targets.includes("check") ? "tests" : byTargets(targets);
};

export const PYTHON: Judge = (words, of) => {
  const module = words.indexOf("-m");
  if (module >= 0) {
    const [name = "", ...rest] = words.slice(module + 1);
    return PYTHON_MODULES[name] ?? of([name, ...rest]);
  }
  if (has(words, "-c")) return undefined;
  const [script = "", verb = ""] = plain(words, ["-W", "-X"]);
  if (programName(script) === "manage.py") return verb === "test" ? "tests" : verb === "check" ? "lint" : undefined;
  if (programName(script) === "setup.py") return verb === "test" ? "tests" : verb === "build" ? "build" : undefined;
  return checkByFile(script);
};

const PYTHON_MODULES: Readonly<Record<string, CheckKind>> = {
  unittest: "tests",
  nose2: "tests",
  py_compile: "build",
  compileall: "build",
  build: "build",
  doctest: "tests",
};

const NODE_VALUES = "-r --require --loader --import".split(" ");

export const NODE: Judge = (words, of) => {
  const [script = ""] = plain(words, NODE_VALUES);
  const at = words.indexOf(script);
  const options = script === "" ? words : words.slice(0, at);
  if (has(options, "--test")) return "tests";
  if (has(options, "--check", "-c")) return "lint";
  if (has(options, "-e", "--eval", "-p", "--print")) return undefined;
  const inside = /node_modules\/(?:\.bin\/)?([\w@/.-]+)/.exec(script)?.[1];
  return inside === undefined ? checkByFile(script) : of([binaryOf(inside), ...words.slice(at + 1)]);
};

/** `vitest/vitest.mjs`, `typescript/bin/tsc`, `tsc`. */
const binaryOf = (path: string): string => programName(path).replace(/\.[mc]?js$/, "");

export const GRADLE: Judge = (words) => {
  const tasks = plain(words, ["-p", "-b", "--project-dir", "-x", "--tests"]);
  const found = tasks.map(
    (task) =>
      checkByName(task.slice(task.lastIndexOf(":") + 1)) ?? (/^:?(?:.*:)?check$/.test(task) ? "tests" : undefined),
  );
  return found.findLast((kind) => kind !== undefined);
};

export const MAVEN: Judge = (words) => {
  const isSkipping = words.some((word) => /^-D(?:skipTests|maven\.test\.skip)/.test(word));
  const goals = plain(words, ["-f", "-pl", "-P", "-s"]);
  if (goals.some((goal) => ["test", "verify", "integration-test"].includes(goal)) && !isSkipping) return "tests";
  return goals.some((goal) => /^(?:compile|package|install|verify|test-compile|process-classes)$/.test(goal))
    ? "build"
    : undefined;
};

export const ifCheck =
  (kind: CheckKind, ...flags: Words): Judge =>
  (words) =>
    words.some((word) => flags.includes(word.split("=", 1)[0] ?? "")) ? kind : undefined;

export const compiler: Judge = (words) => (plain(words).length > 0 ? "build" : undefined);
export const shellScript: Judge = (words) => (has(words, "-n") ? "lint" : checkByFile(plain(words)[0] ?? ""));
export const nx: Judge = (words) => {
  const targets = words.flatMap((word) => /^(?:--targets?=)(.+)$/.exec(word)?.[1]?.split(",") ?? []);
  const [verb = "", second = ""] = plain(words, ["--base", "--head", "--parallel"]);
  if (verb === "run") return checkByName(second.split(":")[1] ?? "");
  if (verb === "run-many" || verb === "affected") return byTargets([...targets, ...plain(words)]);
  return checkByName(verb);
};
export const runner: Judge = (words) => byTargets(plain(words, ["-f", "-d", "--justfile", "--filter", "--dir"]));
export const screenshot: Judge = (words) =>
  words.some((word) => word.startsWith("--screenshot")) ? "screenshot" : undefined;

const HERE = /^(?:https?:\/\/)?(?:[^/@\s]*@)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(?::\d+|\/|\?|$)/i;
/** HTTPie's own way to say this machine: `:3000/health`. */
export const request: Judge = (words) =>
  words.some((word) => HERE.test(word) || /^:\d{2,5}(?:\/|$)/.test(word)) ? "request" : undefined;
