import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INSTALLING, SHELLS } from "../src/app/completion/shell-scripts.js";
import { findShell, HAS_TERMINAL, startShell } from "./shells.js";
import { runWarm } from "./warm-command.js";

// Completion as a person meets it: installed as its help says, in a real shell at a terminal, key by key.

const bundle = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "milepost-shells-"));
const project = join(home, "project");
const state = join(home, "state");
const SESSION = "0199aa11-2222-7333-8444-555566667777";
const OTHER = "0199bb11-2222-7333-8444-555566667777";

const environment: NodeJS.ProcessEnv = {
  HOME: home,
  PATH: `${join(home, "bin")}:${process.env.PATH}`,
  LANG: "C.UTF-8",
  MILEPOST_HOME: state,
  MILEPOST_LIST: "work",
};

/** The real command for what completes; anything else only says what it was given. */
const COMMAND = `#!/bin/sh
case $1 in complete | completion) exec "${process.execPath}" "${bundle}" "$@" ;; esac
printf 'RAN'
printf ' <%s>' "$@"
printf ' END\\n'
`;

function milepost(...args: readonly string[]): void {
  const { exit, err } = runWarm(args, { folder: project, environment });
  expect([exit, err]).toEqual([0, ""]);
}

function addTodos(session: string, todos: readonly string[]): void {
  const line = { tool: "todo", input: { add: todos }, session };
  const { exit, out } = runWarm(["call"], { folder: project, environment, input: `${JSON.stringify(line)}\n` });
  expect([exit, JSON.parse(out).isError]).toEqual([0, false]);
}

beforeAll(() => {
  // Where the last of these is missing, fish reads all manuals of the machine first.
  for (const folder of ["bin", "project", ".config/fish/completions", ".local/share/fish/generated_completions"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "bin", "milepost"), COMMAND);
  chmodSync(join(home, "bin", "milepost"), 0o755);
  writeFileSync(join(home, ".bashrc"), "PS1='READY> '\n");
  writeFileSync(join(home, ".zshrc"), "PS1='READY> '\n");
  writeFileSync(join(home, ".config/fish/config.fish"), "function fish_prompt; echo -n 'READY> '; end\n");
  writeFileSync(join(project, "my notes.md"), "");
  addTodos(SESSION, ["Only one"]);
  addTodos(OTHER, ["Write the docs", "`touch evil` $(touch evil) %F{red} $HOME"]);
  milepost("task", "add", "Fix the login");
});
// A shell that has just been ended may still write its history.
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** The same keys in every shell: what was typed, and what the command was given in the end. */
const CASES: readonly (readonly [what: string, keys: string, words: readonly string[]])[] = [
  ["a command", "sess\t", ["sessions"]],
  ["a verb", "todo do\t", ["todo", "done"]],
  ["a verb behind a flag", "--store x.db todo ren\t", ["--store", "x.db", "todo", "rename"]],
  ["a flag", "todo done --al\t", ["todo", "done", "--all"]],
  ["a value", "task graph --format merm\t", ["task", "graph", "--format", "mermaid"]],
  ["a session", "todo --session 0199a\t", ["todo", "--session", SESSION]],
  ["a session behind =", "todo --session=0199a\t", ["todo", `--session=${SESSION}`]],
  ["a session in quotes", 'todo --session "0199a\t', ["todo", "--session", SESSION]],
  ["a todo of it", "todo done --session 0199a\t\t", ["todo", "done", "--session", SESSION, "1"]],
  ["a todo behind --", `todo done --session ${SESSION} -- \t`, ["todo", "done", "--session", SESSION, "--", "1"]],
  ["a task", "task done \t", ["task", "done", "1"]],
  ["a task list", "task list --list w\t", ["task", "list", "--list", "work"]],
  ["a setting", "config digest\t", ["config", "digest.tokens"]],
  ["a file", "todo import my\t", ["todo", "import", "my notes.md"]],
  ["a file behind =", "doctor --salvage=my\t", ["doctor", "--salvage=my notes.md"]],
  ["a word before another one", "sess x\u001b[D\u001b[D\t", ["sessions", "x"]],
  ["a word that nothing is known of", "todo add nothing-like-it\t", ["todo", "add", "nothing-like-it"]],
];

describe.skipIf(!HAS_TERMINAL)("at a terminal", () => {
  for (const shell of SHELLS) {
    const path = HAS_TERMINAL ? findShell(shell) : undefined;
    if (path === undefined) console.log(`${shell} is not installed: its completion is not tested here.`);
    test.skipIf(path === undefined).concurrent(`${shell} completes, installed as its help says`, async () => {
      execFileSync("/bin/sh", ["-c", INSTALLING[shell]], { env: environment });
      const terminal = startShell({ line: `${path} -i`, folder: project, environment });
      try {
        await terminal.type("", /READY> /);
        const ran: (readonly string[])[] = [];
        for (const [, keys] of CASES) {
          const shown = await terminal.type(`milepost ${keys}\r`, /RAN.* END\r?\n[\s\S]*READY> /);
          ran.push(
            Array.from(/RAN(.*) END/.exec(shown)?.[1]?.matchAll(/ <(.*?)>(?= |$)/g) ?? [], ([, word = ""]) => word),
          );
        }
        expect(ran.map((words, at) => [CASES[at]?.[0], words])).toEqual(CASES.map(([what, , words]) => [what, words]));
        const listed = await terminal.type(`milepost todo done --session ${OTHER} \t\t`, /Write the docs[\s\S]*touch/);
        expect(listed).toContain("`touch evil` $(touch evil) %F{red} $HOME");
        expect(existsSync(join(project, "evil"))).toBe(false);
      } finally {
        terminal.end();
      }
    });
  }
});

test("the scripts that are printed are those that are tested, and say how to install them", () => {
  for (const shell of SHELLS) {
    const { exit, out, err } = runWarm(["completion", shell], { folder: project, environment });
    const text = readFileSync(new URL(`../src/app/completion/scripts/${shell}.sh`, import.meta.url), "utf8");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toBe(`${text}\n# In every new shell: ${INSTALLING[shell]}\n`);
  }
});
