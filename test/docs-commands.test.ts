import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { COMMANDS, SURFACES } from "../src/app/command-table.js";
import { allListed, chapters } from "./docs/all-commands.js";
import { NOT_RUN } from "./docs/not-run.js";
import { WEB, World, type WorldName } from "./docs/sample-worlds.js";
import {
  blocksIn,
  DOCUMENTS,
  mentionsIn,
  root,
  type Section,
  type Step,
  sectionsIn,
  textOf,
} from "./docs/shown-commands.js";
import { enterFor, runTyped } from "./docs/typed-line.js";

// Every command that a document shows is run as it stands there, and prints what the document shows.

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "milepost-docs-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const world = new World(scratch);

/** On which machine a section's commands are typed; elsewhere it is a new one. */
const WORLDS: Readonly<Record<string, WorldName>> = {
  "docs/evidence.md: Evidence: work that is called done, and checks": "web",
  "docs/verdicts.md: Your own word": "web",
  "README.md: Milepost": "found",
  "README.md: See your agents": "web",
  "README.md: Give it to your agents": "found",
  "docs/agents.md: Agents": "found",
  "docs/plans.md: Plans: proposed, decided, kept apart from work": "plans",
  "docs/sessions.md: Sessions: every agent on this machine, with no configuration": "board",
  "docs/report.md: Report: what was done, and what is backed": "web",
  "docs/setup.md: What setup writes": "found",
  "docs/store.md: After damage": "damaged",
  "docs/tasks.md: Commands": "release",
  "docs/tasks.md: Leases and fences": "work",
  "docs/todo-command.md: `milepost todo`: your own hand on a list": "web",
  "docs/todo-command.md: An agent's own tasks": "own-tasks",
};

/** Commands that a sentence names without what they need: their help is asked for. */
const NAMED = new Set([
  // These ask which todo, or for a terminal.
  ...["done", "start", "drop", "rm", "edit"].map((verb) => `milepost todo ${verb}`),
  ...allListed(await chapters())
    .filter(({ command: { input, words = [] } }) => words.some((word) => input[word]?.isNeeded))
    .map(({ name }) => `milepost ${name}`),
]);

const NAMES = new Set([...COMMANDS, ...SURFACES].map(({ name }) => name));
const SCRIPTS: object = JSON.parse(textOf("package.json")).scripts;
/** An example of a command is run once, wherever it is mentioned. */
const EXAMPLES = new Set(sectionsIn("docs/cli.md").flatMap(({ steps }) => steps.map(({ command }) => command)));
const MENTIONS = [...new Set(DOCUMENTS.flatMap((document) => mentionsIn(document, NAMES)))].filter(
  (line) => !EXAMPLES.has(line),
);

/** Words in capitals stand for something of the reader's own. */
function withValues(line: string): string {
  return (/^milepost plan /.test(line) ? planValues(line) : line)
    .replaceAll(/ \[\w+\]/g, "")
    .replaceAll(/\b(?:SESSION|ID)\b/g, WEB)
    .replaceAll(/\bNAME\b/g, "codex")
    .replaceAll(/\bTEXT\b/g, "'Write the docs'")
    .replace(/^npx /, "");
}

/** The plan that waits in `makePlans`. */
function planValues(line: string): string {
  return line.replaceAll(/(?<!--session )\bID\b/g, "nt54-9u2wr").replaceAll(/--hash HASH\b/g, "");
}

const SECTIONS = DOCUMENTS.flatMap(sectionsIn);
const placeOf = ({ document, heading }: Section) => `${document}: ${heading}`;

describe("blocks of commands", () => {
  test.each(SECTIONS.map((section) => [placeOf(section), section] as const))("%s", (place, { document, steps }) => {
    world.enter(WORLDS[place] ?? "new");
    for (const step of steps.filter(({ command }) => reasonOf(command) === undefined)) {
      // Examples of a command are several ways to use it, not one after the other.
      if (document === "docs/cli.md") enterFor(world, step.command);
      check(step);
    }
  });
});

/** Programs of others that documents use. */
const MISSING = ["jq"].filter((program) => !isInstalled(program));

function isInstalled(program: string): boolean {
  return spawnSync("bash", ["-c", `command -v ${program}`]).status === 0;
}

test.skipIf(MISSING.length > 0)("lines with jq are run: it is installed here", () => {
  expect(isInstalled("jq")).toBe(true);
});

const reasonOf = (command: string) =>
  Object.keys(NOT_RUN).find((begin) => command.startsWith(begin)) ??
  MISSING.find((program) => command.split(/\W/).includes(program));

function check({ command, output }: Step): void {
  const { exit, out, err } = runTyped(command, world);
  const expected = EXITS[command] ?? exitOf(output);
  expect({ command, exit, ...(exit === expected ? {} : { out, err }) }).toEqual({ command, exit: expected });
  if (output !== undefined) expect(even(`${out}${withoutQuestions(err)}`)).toBe(even(withoutQuestions(output)));
}

const EXITS: Readonly<Record<string, number>> = {
  "milepost doctor                          # what is damaged": 3,
  // The name of the command in a sentence: without an agent it asks which one.
  "milepost acp": 2,
  "milepost acp --": 2,
};

/** A screen that shows a refusal ends with its code. */
function exitOf(output = ""): number {
  return /^milepost: .*\[[a-z-]+\]$/m.test(output) ? 1 : 0;
}

/** A terminal shows the question in its place, and what was typed; into a pipe it is on another stream. */
function withoutQuestions(text: string): string {
  return text.replaceAll(/(?:Choose \[1\]:|Make these changes\? \[y\]es, \[d\]iff, \[n\]o:)(?: y)?\s/g, "");
}

/** Ages and the width of columns differ from one moment to the next; documents may shorten an id. */
function even(text: string): string {
  return text
    .replaceAll(/\b([\da-f]{6})[\da-f]{2}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, "$1")
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\bhash [\da-f]{8}\b/g, "hash HASH")
    .replaceAll(/\b\d+[smhd]\b/g, "AGE")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ $/gm, "");
}

describe("calls of our tools", () => {
  const TOOLS = { "docs/todo-tool.md": "todo", "docs/task-tool.md": "task" };
  test.each(Object.entries(TOOLS))("%s", (document, tool) => {
    world.enter("new");
    const { lines = [] } = blocksIn(textOf(document)).find((block) => block.lines[0]?.startsWith("{")) ?? {};
    expect(lines.length).toBeGreaterThan(5);
    for (const { input, answer } of callsIn(lines)) {
      if (input.includes('"claim":-1')) world.must("task", "claim", "2", "--as", "bob");
      const { out } = world.call("s1", tool, JSON.parse(input));
      expect({ input, text: even(JSON.parse(out).text) }).toEqual({ input, text: answer });
    }
  });
});

/** `{"done":1}   1/3 now #2 Fix the bug`; an answer may go on below, and end with dots where it is cut. */
function callsIn(lines: readonly string[]): readonly { readonly input: string; readonly answer: unknown }[] {
  const calls: { input: string; text: string }[] = [];
  for (const line of lines) {
    const [, input, text = ""] = /^(\{.*?\})? {2,}(.*)$/.exec(line) ?? [];
    const last = calls.at(-1);
    if (input !== undefined) calls.push({ input, text });
    else if (last) last.text += `\n${text}`;
  }
  return calls.map(({ input, text }) => {
    const isCut = text.endsWith(" ...");
    return { input, answer: isCut ? expect.stringContaining(even(text.slice(0, -4))) : even(text) };
  });
}

test("the program in the README prints what it says", () => {
  world.enter("new");
  const { lines = [] } = blocksIn(textOf("README.md")).find(({ language }) => language === "ts") ?? {};
  mkdirSync(join(world.folder, "node_modules"));
  symlinkSync(fileURLToPath(root), join(world.folder, "node_modules/milepost"));
  world.write("app/program.mjs", lines.join("\n"));
  const [, said = ""] = /console\.log\(.*\); \/\/ (.*)$/m.exec(lines.join("\n")) ?? [];
  expect(runTyped("node program.mjs", world)).toEqual({ exit: 0, out: `${said}\n`, err: "" });
});

describe("commands in sentences and tables", () => {
  test.each(MENTIONS.filter((line) => reasonOf(line) === undefined))("%s", (line) => {
    const script = /^npm (?:run )?([\w:]+)$/.exec(line)?.[1];
    if (script !== undefined) return expect(Object.keys(SCRIPTS)).toContain(script);
    enterFor(world, line);
    check({ command: NAMED.has(line) ? `${line} --help` : withValues(line) });
  });
});

test("what is not run is still shown, and what a section is run on still has its heading", () => {
  const shown = [...MENTIONS, ...SECTIONS.flatMap(({ steps }) => steps.map(({ command }) => command))];
  expect(Object.keys(NOT_RUN).filter((begin) => !shown.some((command) => command.startsWith(begin)))).toEqual([]);
  expect(Object.keys(WORLDS).filter((place) => !SECTIONS.some((section) => placeOf(section) === place))).toEqual([]);
});
