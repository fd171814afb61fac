import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { SampleProject, SESSION } from "./sample-project.js";
import { ANSWERED, SIMPLY_WORKS } from "./wrong-lines.js";

// Each wrong line is answered with the mistake and a command. That command is read by a real shell, as a person would
// paste it, and run on the same project: it works.

const scratch = mkdtempSync(join(tmpdir(), "milepost-mistakes-"));
const project = new SampleProject(scratch);
const here = (line: string) =>
  line.replaceAll("DIR", project.folder).replaceAll("STORE", project.store).replaceAll("ID", SESSION);

/** What a shell makes of lines that begin with `milepost`; one process for all of them. */
function readByShell(shell: string, lines: readonly string[]): readonly (readonly string[])[] {
  const script = ['milepost() { printf "%s\\0" "$@"; printf "\\1\\0"; }', ...lines].join("\n");
  const { stdout, stderr, status } = spawnSync(shell, ["-c", script], { encoding: "utf8" });
  if (status !== 0 || stderr !== "") throw new Error(`${shell} cannot read the lines: ${stderr}`);
  return stdout
    .split("\u0001\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

/** The command of an answer: up to what follows in brackets or behind a comma, and without the end of the sentence. */
function commandIn(answer: string): string {
  const begin = answer.search(/(?<=^|[ :(])milepost /);
  const rest = begin < 0 ? "" : answer.slice(begin);
  // What is quoted has no ends.
  const unquoted = rest.replace(/\\'|'[^']*'/g, (text) => "x".repeat(text.length));
  return rest.slice(0, unquoted.search(/ \(|, |\.?$/));
}

interface Answer {
  readonly exit: number | null;
  readonly out: string;
  readonly code: string;
  readonly message: string;
}

function answerTo(words: readonly string[]): Answer {
  const { exit, out, err } = project.run(words);
  const [, message = err, code = ""] = /^milepost: (.*) \[([a-z-]+)\]\n$/s.exec(err) ?? [];
  return { exit, out, code, message };
}

const answers = new Map<string, Answer>();
let [before, after] = ["", ""];

beforeAll(async () => {
  await project.make();
  before = project.must(["export"]).out;
  const lines = ANSWERED.map(([typed]) => here(typed));
  for (const [at, words] of readByShell(
    "bash",
    lines.map((line) => `milepost ${line}`),
  ).entries())
    answers.set(lines[at] ?? "", answerTo(words));
  after = project.must(["export"]).out;
});

test("there are enough of them, each once", () => {
  expect(ANSWERED.length).toBeGreaterThanOrEqual(80);
  expect(new Set(ANSWERED.map(([typed]) => typed)).size).toBe(ANSWERED.length);
});

test("no wrong line changes anything", () => {
  expect(after).toBe(before);
});

describe("a wrong line", () => {
  test.each(ANSWERED)("milepost %s", (typed, code, named, command) => {
    const answer = answers.get(here(typed));
    expect(answer).toMatchObject({ exit: EXIT_CODES[code], out: "", code });
    expect(answer?.message).toContain(here(named));
    expect(commandIn(answer?.message ?? "")).toBe(here(command));
  });

  test("gets an answer that both shells read alike", () => {
    const commands = ANSWERED.map(([, , , command]) => here(command));
    const zsh = spawnSync("zsh", ["--version"]).error ? "bash" : "zsh";
    expect(readByShell(zsh, commands)).toEqual(readByShell("bash", commands));
  });

  test("gets an answer that works", () => {
    const commands = [...new Set(ANSWERED.map(([, , , command]) => here(command)))];
    const failed = readByShell("bash", commands).flatMap((words, at) => {
      project.reset();
      const { exit, err } = project.run(words);
      return exit === 0 ? [] : [`${commands[at]}: ${err}`];
    });
    expect(failed).toEqual([]);
  });
});

describe("with --json an error is one line of JSON on stderr, and nothing else", () => {
  test.each([
    ["sesions --json", "unknown-command", "milepost sessions --json"],
    ["--json list tasks", "unknown-command", "milepost task list --json"],
    ["--json task list tasks", "bad-usage", "milepost task list --json"],
    ["--json help qwertz", "unknown-command", "milepost --help"],
    ["--json server", "unknown-command", "milepost mcp --help"],
    ["--json mcp", "bad-usage", "milepost mcp --help"],
    ["--json qwertz", "unknown-command", "milepost --help"],
    ["--json done todo 2", "unknown-command", "milepost todo done 2 --json"],
    ["todo --json dnoe 2", "unknown-command", "milepost todo done --json 2"],
    ["todo list --json --sesion x", "bad-usage", "milepost todo list --json --session x"],
    ["--json --all sessions", "bad-usage", "milepost sessions --json --all"],
    ["--json task claim 2", "task-blocked", "milepost task show 2"],
    ["todo done 99 --json", "no-todo", "milepost todo list"],
    ["config wombat --json", "unknown-setting", "milepost config"],
    ["todo list --json --store DIR/none.db", "no-store", "milepost todo list --json"],
  ])("milepost %s", (typed, code, command) => {
    const { exit, out, err } = project.run(here(typed).split(" "));
    expect({ exit, out }).toEqual({ exit: EXIT_CODES[code], out: "" });
    expect(err).toMatch(/^[^\n]*\n$/);
    const { error, ...rest } = JSON.parse(err);
    expect({ ...error, message: commandIn(error.message) }).toEqual({ code, message: command });
    expect(rest).toEqual({});
  });

  test("behind -- it is a text", () => {
    expect(project.run(["todo", "done", "--", "--json"]).err).toMatch(/^milepost: .* \[no-todo\]\n$/);
  });
});

describe("another word for the same", () => {
  test.each(SIMPLY_WORKS)("milepost %s is milepost %s", (typed, same) => {
    const [words = [], others = []] = readByShell(
      "bash",
      [typed, same].map((line) => `milepost ${here(line)}`),
    );
    project.reset();
    const first = project.run(words);
    project.reset();
    const second = project.run(others);
    expect(first.exit).toBe(0);
    expect(timeless(first.out)).toBe(timeless(second.out));
  });
});

/** Ages, and the time of an answer. */
function timeless(text: string): string {
  return text.replace(/ *\b\d+(?:ms|s|m)\b/g, " 0s").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
}
