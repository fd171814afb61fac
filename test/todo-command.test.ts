import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Host } from "../src/app/host.js";
import { openMilepost } from "../src/app/milepost.js";
import { commandWords } from "../src/app/setup/command-line.js";
import { runCli } from "../src/cli/run.js";
import { append } from "../src/store/event-store.js";

// A person's own hand on a list, as a person uses it: command lines, files, an editor; all in this process.
const folder = mkdtempSync(join(tmpdir(), "milepost-todo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let home = "";
let made = 0;
beforeEach(() => {
  home = join(folder, `home-${++made}`);
  mkdirSync(home);
});

interface Around {
  readonly input?: string;
  readonly isTerminal?: boolean;
  readonly editor?: string;
  readonly output?: Partial<Host["output"]>;
}

async function run(line: readonly string[], { input = "", isTerminal = false, editor, output }: Around = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const host: Host = {
    arguments: line,
    // Nobody's sessions but ours.
    environment: {
      PATH: process.env.PATH,
      MILEPOST_HOME: home,
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      CODEX_HOME: join(home, "codex"),
      HOME: home,
      EDITOR: editor,
    },
    version: "0.0.0",
    program: { node: "", bundle: "", userFolder: home, temporaryFolder: home, platform: process.platform },
    input: {
      bytes: (async function* () {
        yield Buffer.from(input);
      })(),
      isTerminal,
    },
    output: { write: async (text) => void out.push(text), isTerminal, hasColor: false, columns: 80, ...output },
    writeError: async (text) => void err.push(text),
    isErrorTerminal: false,
    folder: home,
    clientProcess: "m:1",
    ownProcess: "m:2",
    isRunning: () => true,
    interrupted: () => new AbortController().signal,
    sleep: async () => undefined,
  };
  return { exit: await runCli(host), out: out.join(""), err: err.join("") };
}

const todo = (...words: readonly string[]) => run(["todo", ...words]);
const call = (input: object) => run(["call"], { input: JSON.stringify({ tool: "todo", input }) });
const json = async (...words: readonly string[]) => JSON.parse((await todo(...words, "--json")).out);
/** The rows below the heading. */
const rows = async (...flags: readonly string[]) =>
  (await todo("list", ...flags)).out
    .split("\n")
    .slice(1, -1)
    .map((row) => row.slice(2));

const WORK = ["Read the code", "Fix the bug", "Run tests"];

describe("milepost todo", () => {
  test("shows the list with whose it is, numbers, statuses, phases and notes of open todos", async () => {
    await call({ add: WORK });
    await todo("done", "1");
    await todo("note", "1", "closed: not shown");
    await todo("note", "2", "two\nlines");
    await todo("drop", "3");
    await todo("add", "Tell", "Ann", "--phase", "Later");
    const expected = `no project · default   1/3
  Todos
  1 [x] Read the code
  2 [>] Fix the bug
        two
        lines
  3 [-] Run tests
  Later
  4 [ ] Tell Ann
`;
    expect(await todo()).toEqual({ exit: 0, out: expected, err: "" });
    expect((await todo("list")).out).toBe(expected);
    const { out } = await run(["todo"], { isTerminal: true, output: { hasColor: true } });
    expect(out).not.toBe(expected);
    expect(stripVTControlCharacters(out)).toBe(expected);
  });

  test("the heading names project, branch, client and a short id", async () => {
    const place = join(home, "web");
    mkdirSync(join(place, ".git"), { recursive: true });
    writeFileSync(join(place, ".git", "HEAD"), "ref: refs/heads/fix/login\n");
    const { store, call: tool, close } = await openMilepost({ environment: { MILEPOST_HOME: home } });
    const ids = ["acc5a7b2-1111-4222-8333-444455556666", "0199ab12-1111-7222-8333-444455556666"] as const;
    for (const session of ids) {
      const started = { source: "startup", client: "claude-code", folder: place };
      await store.commit(
        append([{ stream: `session:${session}`, events: [{ type: "session.started", data: started }] }]),
      );
      await tool({ tool: "todo", input: { add: ["a"] }, session });
    }
    await close();
    expect((await todo("--session", ids[0])).out).toContain("web · fix/login · claude acc5a7   0/1\n");
    expect((await todo("--session", ids[1])).out).toContain("web · fix/login · claude 0199ab12-1111   0/1\n");
    expect(await json("--session", ids[0])).toMatchObject({
      project: "web",
      branch: "fix/login",
      agent: "claude-code",
    });
  });

  test("each verb says what it did, and what is in progress now", async () => {
    await call({ add: WORK });
    const cases: readonly [string, string][] = [
      ["done 1", "Done: 1 Read the code\nno project · default   1/3\n  1 [x] Read the code\n  2 [>] Fix the bug\n"],
      [
        "done 1",
        "Done already: 1 Read the code\nno project · default   1/3\n  1 [x] Read the code\n  2 [>] Fix the bug\n",
      ],
      ["start 3", "Started: 3 Run tests\nno project · default   1/3\n  3 [>] Run tests\n"],
      [
        "add Tell Ann --note soon",
        "Added: 4 Tell Ann\nno project · default   1/4\n  3 [>] Run tests\n  4 [ ] Tell Ann\n        soon\n",
      ],
      ["add Look --after 2", "Added: 5 Look\nno project · default   1/5\n  5 [ ] Look\n  3 [>] Run tests\n"],
      ["add Begin --first", "Added: 6 Begin\nno project · default   1/6\n  6 [ ] Begin\n  3 [>] Run tests\n"],
      [
        "note 3 slowly please",
        "Noted on 3 Run tests: slowly please\nno project · default   1/6\n  3 [>] Run tests\n        slowly please\n",
      ],
      [
        "rename 5 Look twice",
        "Renamed 5: Look -> Look twice\nno project · default   1/6\n  5 [ ] Look twice\n  3 [>] Run tests\n        slowly please\n",
      ],
      [
        "rm 2,6",
        "Removed: 2 Fix the bug, 6 Begin\nno project · default   1/4\n  3 [>] Run tests\n        slowly please\n",
      ],
      ["drop #3", "Dropped: 3 Run tests\nno project · default   1/3\n  5 [>] Look twice\n  3 [-] Run tests\n"],
    ];
    for (const [line, out] of cases) expect(await todo(...line.split(" "))).toEqual({ exit: 0, out, err: "" });
    expect((await todo("order", "4", "3")).out).toBe(
      "First now: 4 Tell Ann, 3 Run tests\nno project · default   1/3\n  4 [ ] Tell Ann\n        soon\n  3 [-] Run tests\n  1 [x] Read the code\n  5 [>] Look twice\n",
    );
    expect(await json("done", "4", "5")).toMatchObject({
      ...{ session: "default", changed: true, todos: [4, 5].map((number) => ({ number, status: "completed" })) },
    });
    expect(await json("done", "4")).toMatchObject({ changed: false });
  });

  test("undo of one todo takes back the last change only if it was that", async () => {
    await call({ add: WORK });
    await todo("done", "2");
    expect(await todo("undo", "3")).toMatchObject({
      exit: 1,
      err: expect.stringContaining("Your last change was: done 2 Fix the bug. Nothing was undone."),
    });
    expect((await todo("undo", "3", "--session", "default", "--as", "ann")).err).toContain(
      "To undo that: milepost todo undo --session default --as ann",
    );
    expect((await todo("undo", "#2")).out).toContain("Took back: done 2 Fix the bug.");
  });

  test("several todos are one change: all of them, or none", async () => {
    await call({ add: WORK });
    const refused = await todo("done", "1", "9", "12");
    expect(refused).toMatchObject({ exit: 1, out: "" });
    expect(refused.err).toBe(
      "milepost: No todo has the number 9 or 12. Nothing was changed. The list: milepost todo list [no-todo]\n",
    );
    expect(await rows()).toEqual(["1 [>] Read the code", "2 [ ] Fix the bug", "3 [ ] Run tests"]);
    expect((await todo("done", "1", "2", "3")).out).toContain("3/3");
  });

  test("no verb means everything, but for --all; a phase is named by a flag", async () => {
    await call({ add: WORK });
    await todo("add", "Tell Ann", "--phase", "Later");
    for (const verb of ["done", "drop", "rm", "start", "order"]) {
      const ran = await todo(verb);
      expect(ran).toMatchObject({ exit: 2, out: "" });
      expect(ran.err).toMatch(/^milepost: Which todo\? .*\[bad-usage\]\n$/);
    }
    expect((await todo("done")).err).toBe(
      "milepost: Which todo? milepost todo done 1 (Read the code, in progress), or --all for all 4 open ones. To a shell, #1 is a comment. [bad-usage]\n",
    );
    expect(await todo("done", "1", "--all")).toMatchObject({ exit: 2 });
    expect(await todo("done", "")).toMatchObject({ exit: 2 });
    expect((await todo("done", "--phase", "lat")).out).toContain("Done: 4 Tell Ann\n");
    expect((await todo("done", "--phase", "none")).err).toContain(
      'No phase is called "none". Phases: Todos, Later. The list: milepost todo list [unknown-phase]',
    );
    await todo("done", "1");
    // What is closed already stays as it is.
    expect((await todo("drop", "--all")).out).toContain("Dropped: 2 Fix the bug, 3 Run tests\n");
    expect(await rows()).toContain("1 [x] Read the code");
    expect((await todo("rm", "--phase", "Later")).out).toContain("Removed: 4 Tell Ann\n");
    expect(await rows()).toEqual(["1 [x] Read the code", "2 [-] Fix the bug", "3 [-] Run tests"]);
    expect((await todo("rm", "--all")).out).toContain("no todos");
    expect((await todo("done", "--all")).out).toContain("Nothing to change");
  });

  test("add: all words are one todo; standard input is one a line", async () => {
    await call({ add: ["a"] });
    await todo("add", "write", "the  docs");
    expect((await run(["todo", "add", "-", "--phase", "More"], { input: "one\n\n two \r\nthree" })).out).toContain(
      "Added to the new phase More: 3 one, 4 two, 5 three\n",
    );
    expect((await todo("add", "x", "--phase", "more", "--first")).out).toContain("Added to More: 6 x\n");
    expect(await rows()).toEqual([
      "Todos",
      "1 [>] a",
      "2 [ ] write the docs",
      "More",
      "6 [ ] x",
      "3 [ ] one",
      "4 [ ] two",
      "5 [ ] three",
    ]);
    for (const line of [["add"], ["add", " "], ["add", "x", "--after", "1", "--first"]])
      expect(await todo(...line)).toMatchObject({ exit: 2 });
  });

  test("by a part of the text; equal texts come first, and several candidates are named", async () => {
    await call({ add: ["Fix a", "Fix b", "Fix", "Done thing", "thing"] });
    await todo("done", "done", "THING");
    expect((await todo("start", "fix")).out).toContain("Started: 3 Fix\n");
    expect((await todo("start", "thin")).out).toContain("Started: 5 thing\n");
    expect((await todo("done", "fix ")).out).toContain("Done: 3 Fix\n");
    expect((await todo("done", "i")).err).toContain(
      '"i" fits 5 todos: 1 Fix a, 2 Fix b, 3 Fix, 4 Done thing, 5 thing. Say which by its number:',
    );
    expect((await todo("done", "zzz")).err).toContain(
      'No todo has "zzz" in its text. The list: milepost todo list [no-todo]',
    );
  });

  test("what is wrong is one line with a code, and changes nothing", async () => {
    await call({ add: ["a b"] });
    writeFileSync(join(home, "bad.md"), "oops\n- [?] a\n");
    const cases = [
      [["start", "zzz"], 1, "no-todo"],
      [["start"], 2, "bad-usage"],
      [["start", "1,1", "x"], 1, "no-todo"],
      [["note", "a b"], 2, "bad-usage"],
      [["note", "1", " "], 2, "empty-text"],
      [["rename", "1", ""], 2, "empty-text"],
      [["frob"], 2, "unknown-command"],
      [["rm", ""], 2, "bad-usage"],
      [["edit"], 1, "refused"],
      [["import", "none.md"], 3, "no-file"],
      [["import", "bad.md"], 1, "refused"],
      [["undo"], 1, "nothing-to-undo"],
      [["--session", "../x"], 2, "bad-id"],
      [["done", "1", "--as", "\u0007"], 2, "bad-actor"],
    ] as const;
    for (const [args, exit, code] of cases) {
      const ran = await todo(...args);
      expect([args, ran.exit, ran.out]).toEqual([args, exit, ""]);
      expect(ran.err).toMatch(new RegExp(`^milepost: [^\\n]*\\[${code}\\]\\n$`));
    }
    expect(await rows()).toEqual(["1 [>] a b"]);
  });

  test("a word that is no verb leads to the one that was meant, and flags may come first", async () => {
    await call({ add: ["a b", "c d", "e f"] });
    const cases: readonly [string, string][] = [
      ["dnoe 1", "milepost todo done 1"],
      ["finsh 1", "milepost todo done 1"],
      ["apend it's", "milepost todo add 'it'\\''s'"],
      ["shwo", "milepost todo list"],
      ["remove 3", "milepost todo rm 3"],
      ["cancel 2", "milepost todo drop 2"],
      ["qwertz", "milepost todo --help"],
    ];
    for (const [line, meant] of cases) {
      const { err } = await todo(...line.split(" "));
      expect(err).toContain(`${meant} [unknown-command]`);
      expect(await run(commandWords(meant).slice(1))).toMatchObject({ exit: 0 });
    }
    expect((await todo("--json", "--session", "default", "rm", "1")).out).toContain('"changed":true');
    expect((await run(["task", "finsh", "1"])).err).toContain("milepost task done 1 [unknown-command]");
  });

  test("every hint runs as it is printed, on the same list and by the same hand", async () => {
    const store = join(home, "own store.db");
    const flags = ["--session", "s 1", "--as", "o'neil", "--store", store];
    const input = JSON.stringify({
      tool: "todo",
      session: "s-1",
      input: { add: "abcdefgh".split("").map((x) => `Fix ${x}`) },
    });
    await run(["call", "--store", store], { input });
    const on = flags.map((word) => (word === "s 1" ? "s-1" : word));
    for (const line of [
      ["done"],
      ["drop", "fix"],
      ["start", "9"],
      ["rm"],
      ["note", "fix", "it's x"],
      ["rename", "fix", "a $b"],
      ["add", "x y", "--after", "fix"],
      ["edit"],
    ]) {
      const { err } = await todo(...line, ...on);
      const hints = err.match(/milepost todo .*?(?=,? and then| \(| \[)/g) ?? [];
      expect([line, hints.length > 0]).toEqual([line, true]);
      for (const hint of hints) {
        expect(hint).toContain(`--session s-1 --as 'o'\\''neil' --store '${store}'`);
        expect([hint, await run(commandWords(hint).slice(1))]).toMatchObject([hint, { exit: 0 }]);
      }
    }
  });

  test("nothing to change yet: says so", async () => {
    expect(await todo()).toMatchObject({ exit: 1, err: expect.stringContaining("[no-session]") });
    await run(["call"], { input: JSON.stringify({ tool: "todo", input: { add: ["a"] } }) });
    await todo("rm", "--all");
    expect((await todo()).out).toBe(
      "no project · default   no todos\n  milepost todo add 'Write the docs' adds the first one.\n",
    );
  });

  test("is recorded as the person's, and under another name with --as", async () => {
    await call({ add: ["a b", "c d"] });
    await todo("done", "1");
    await todo("done", "c d", "--as", "ann");
    const lines = (await run(["events"])).out.trim().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    const edits = events.filter(({ type }) => type === "list.edited");
    expect(edits.map(({ data }) => data.action)).toEqual(["milepost todo done 1 a b", "milepost todo done 2 c d"]);
    expect(edits[0].actor).toMatch(/^.+@.+$/);
    expect(edits[1].actor).toBe("ann");
    expect(events.filter(({ type, actor }) => type === "todo.moved" && actor === "ann")).toHaveLength(1);
  });

  test("a shared list is everybody's", async () => {
    await call({ add: ["a b"] });
    await run(["config", "list.sub-agents", "shared"]);
    expect((await todo("add", "c d", "--agent", "sub")).exit).toBe(0);
    expect(await rows()).toEqual(["1 [>] a b", "2 [ ] c d"]);
  });

  test("texts of a model cannot reach the terminal", async () => {
    await call({ add: ["a\u001b[31m\u202eb"] });
    for (const view of ["rows", "markdown", "tree", "codex", "oh-my-pi", "gencode", "gencode/node-0.5"]) {
      const { out } = await todo("--view", view);
      expect(out).toContain("a");
      for (const control of ["\u001b", "\u202e"]) expect(out).not.toContain(control);
    }
    for (const line of [["done"], ["done", "1"], ["undo"]]) {
      const { out, err } = await todo(...line);
      for (const control of ["\u001b", "\u202e"]) expect(out + err).not.toContain(control);
    }
  });
});

describe("milepost todo undo", () => {
  test("walks back, one change a call, and says what and how many are left; numbers and notes included", async () => {
    await call({ add: ["a b", "c d"] });
    await todo("note", "2", "keep me");
    await todo("done", "1", "--as", "ann");
    await todo("rm", "--all");
    expect((await todo("undo")).out).toBe(
      "Took back: rm 1 a b, 2 c d. 2 more can be undone.\nno project · default   1/2\n  1 [x] a b\n  2 [>] c d\n        keep me\n",
    );
    expect((await todo("undo")).out).toContain("Took back what ann did: done 1 a b. 1 more can be undone.\n");
    expect((await todo("undo")).out).toContain("Took back: note 2 c d. Nothing more to undo.\n");
    expect((await todo("undo")).err).toMatch(
      /^milepost: No change of a person is left to undo; the model wrote the list before \(\d\d:\d\d, 2 todos changed: 1, 2\)/,
    );
    expect(await rows()).toEqual(["1 [>] a b", "2 [ ] c d"]);
  });

  test("stops at what the model wrote, and names it", async () => {
    await call({ add: ["a b", "c d", "e f"] });
    await todo("done", "1");
    await call({ done: 2 });
    const refused = await todo("undo");
    expect(refused.exit).toBe(1);
    expect(refused.err).toMatch(
      /^milepost: The model has written the list since your last change \(\d\d:\d\d, 2 todos changed: 2, 3\)\. Nothing was undone\. The list: milepost todo list \[nothing-to-undo\]\n$/,
    );
    await todo("drop", "3");
    expect((await todo("undo")).exit).toBe(0);
    expect((await todo("undo")).err).toContain("The model has written the list since");
  });

  test("also brings back what a setting has swept away since, and says how the list is then", async () => {
    await run(["config", "list.clear", "0"]);
    await call({ add: ["a b", "c d"] });
    await todo("done", "1");
    expect(await rows()).toEqual(["2 [>] c d"]);
    const undone = await json("undo");
    expect(await rows()).toEqual(["1 [>] a b", "2 [ ] c d"]);
    expect(undone.list).toEqual((await json()).list);
  });
});

describe("milepost todo and files", () => {
  test("a list without phases stays one, through export and import too", async () => {
    await call({ add: ["a b", "c d"] });
    const path = join(home, "list.md");
    expect((await todo("export", "list.md")).out).toContain(`Wrote 2 todos to ${path}\n`);
    writeFileSync(path, `${readFileSync(path, "utf8")}- [ ] e f\n`);
    expect((await todo("import", "list.md")).out).toContain(
      `Imported ${path}: 3 todos, 1 new. To go back: milepost todo undo\n`,
    );
    const { list } = await json();
    expect(list.phases.map(({ name }: { name: string }) => name)).toEqual([""]);
    // The same todos, not new ones with their names.
    expect(list.phases[0].todos.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3]);
    expect((await todo("undo")).out).toContain(`Took back: import ${path}.`);
    expect(await rows()).toEqual(["1 [>] a b", "2 [ ] c d"]);
  });

  test("a text of several lines is one todo, here, in a file and back", async () => {
    const text = "two\n- [x] forged\n# Evil";
    const todos = [{ content: text, status: "in_progress", activeForm: "a" }];
    await run(["call", "--dialect", "claude"], { input: JSON.stringify({ tool: "TodoWrite", input: { todos } }) });
    expect(await rows()).toEqual(["1 [>] two - [x] forged # Evil"]);
    await todo("export");
    expect(await json("import")).toMatchObject({ changed: false });
    expect((await todo("done", "two - [x] forged # Evil")).exit).toBe(0);
    expect((await json()).list.phases[0].todos).toMatchObject([{ text, status: "completed", activeForm: "a" }]);
  });

  test("notes survive a file, whatever lines they have", async () => {
    await call({ add: ["a b"] });
    await todo("note", "a b", "one\rtwo\n\nthree");
    await todo("export");
    expect(await json("import")).toMatchObject({ changed: false });
  });

  test("export writes over a list, not over anything else", async () => {
    await call({ add: ["a b"] });
    for (const name of [[], [], ["new/folder/list.md"]]) expect((await todo("export", ...name)).exit).toBe(0);
    writeFileSync(join(home, "HEADS.md"), "# One\n\n# Two\n");
    expect((await todo("export", "HEADS.md")).exit).toBe(1);
    writeFileSync(join(home, "README.md"), "Precious words\n");
    expect(await todo("export", "README.md")).toMatchObject({ exit: 1, err: expect.stringContaining("is no list") });
    expect(readFileSync(join(home, "README.md"), "utf8")).toBe("Precious words\n");
    expect((await todo("export", "README.md", "--force")).exit).toBe(0);
    await todo("rm", "--all");
    expect((await todo("export")).exit).toBe(1);
  });

  test("a pipe or a device is not waited for, nor is a file that is too large to be a list", async () => {
    await call({ add: ["a b"] });
    spawnSync("mkfifo", [join(home, "pipe")]);
    writeFileSync(join(home, "large.md"), Buffer.alloc(16 * 1024 * 1024 + 1, "\n"));
    for (const name of ["pipe", "/dev/zero", "large.md"]) expect(await todo("import", name)).toMatchObject({ exit: 3 });
  });

  test("copy prints the markdown where no person sits, and only that", async () => {
    await call({ add: ["a b"] });
    expect((await todo("copy")).out).toBe("# Todos\n- [/] a b\n");
    const ran = await run(["todo", "copy"], { isTerminal: true });
    if (ran.exit !== 0) expect(ran.err).toContain("There is no clipboard here");
  });
});

describe("milepost todo --slash", () => {
  test("speaks oh-my-pi's own language, wherever the flag stands", async () => {
    await call({ add: ["Read the code", "Fix the bug"] });
    const slash = async (...words: readonly string[]) => (await todo(...words)).out;
    expect(await slash("--slash")).toBe("# Todos\n- [/] Read the code\n- [ ] Fix the bug\n");
    expect(await slash("--slash", 'append Later "ship  it"')).toBe("Appended to Later: Ship  it\n");
    expect(await slash("--session", "default", "--slash", "done bug")).toBe("Marked completed: Fix the bug\n");
    expect(await slash("--slash=rm bug")).toBe("Removed: Fix the bug\n");
    expect(await slash("--slash", "copy")).toContain("Copy not available in ACP mode; printing instead:\n");
    expect((await run(["todo", "--slash", "wat"], { isTerminal: true })).err).toContain('Unknown /todo verb "wat".');
    expect((await todo("--slash", "wat")).err).toContain("Unknown /todo subcommand.");
    expect((await todo("--slash", "start")).err).toBe(
      "milepost: Usage: /todo start <task>. See milepost todo --slash help [bad-usage]\n",
    );
    expect(await slash("--slash", "done")).toBe("Marked all tasks completed.\n");
    expect((await todo("undo")).out).toContain("Took back: /todo done (all).");
    expect((await todo("--slash", "--help")).out).toContain("oh-my-pi");
  });
});

/** At a terminal, with an editor that is a script. */
async function edit(script: string, ...flags: readonly string[]) {
  const editor = join(home, "editor");
  // Beside the script: what it writes must not land in the project.
  writeFileSync(editor, `#!/bin/sh\ncd "${home}"\n${script}\n`);
  chmodSync(editor, 0o755);
  return run(["todo", "edit", ...flags], { isTerminal: true, editor });
}

describe.skipIf(process.platform === "win32")("milepost todo edit", () => {
  test("what the editor saves is the list, and its files are gone", async () => {
    await call({ add: ["a b", "c d"] });
    const ran = await edit('echo "- [x] e f" >> "$1"; echo "$1" > path');
    expect(ran).toMatchObject({ exit: 0, out: expect.stringMatching(/^Edited: 3 todos, 1 new\.\n/), err: "" });
    expect(await rows()).toEqual(["1 [>] a b", "2 [ ] c d", "3 [x] e f"]);
    expect(existsSync(readFileSync(join(home, "path"), "utf8").trim())).toBe(false);
    expect((await todo("undo")).out).toContain("Took back: edit.");
  });

  test("an empty list begins with an example", async () => {
    await call({ add: ["a"] });
    await todo("rm", "--all");
    expect((await edit('cat "$1" > seen')).out).toContain("saved nothing");
    expect(readFileSync(join(home, "seen"), "utf8")).toContain("- [ ] (write your todos here");
  });

  test("an editor that saves nothing, or fails, changes nothing", async () => {
    await call({ add: ["a b"] });
    for (const script of ["true", 'echo x >> "$1"; exit 1'])
      expect((await edit(script)).out).toContain("The editor saved nothing; the list is as it was.\n");
    expect(await rows()).toEqual(["1 [>] a b"]);
  });

  test("what cannot be read is kept for the person", async () => {
    await call({ add: ["a b"] });
    const { exit, err } = await edit('echo "my words" > "$1"');
    expect(exit).toBe(1);
    const path = /What you wrote is in (\S+)\. \[refused\]\n$/.exec(err)?.[1] ?? "";
    expect(err).toContain('Line 1: unrecognized syntax "my words"');
    expect(existsSync(path) && readFileSync(path, "utf8")).toBe("my words\n");
    expect(await rows()).toEqual(["1 [>] a b"]);
  });

  /** A process of its own: the editor holds this one up. */
  const command = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
  const meanwhile = (line: string, ...flags: readonly string[]) =>
    `echo '${line}' | "${process.execPath}" "${command}" call ${flags.join(" ")} > said; echo "- [ ] mine" >> "$1"`;

  test("an agent that wrote meanwhile is not overwritten", async () => {
    await call({ add: ["a b"] });
    const { exit, err } = await edit(meanwhile('{"tool":"todo","input":{"add":["from the agent"]}}'));
    expect([exit, err]).toEqual([1, expect.stringMatching(/has changed meanwhile.*What you wrote is in.*\[changed\]/)]);
    expect(await rows()).toEqual(["1 [>] a b", "2 [ ] from the agent"]);
  });

  test("nor is a call that broke off, and changed the list without counting as a write", async () => {
    const hermes = (input: object) => JSON.stringify({ tool: "todo_list", session: "h", input });
    await run(["call", "--dialect", "hermes"], { input: hermes({ todos: [{ id: "1", content: "a b" }] }) });
    const merge = hermes({ merge: true, todos: [{ id: "2", content: "from the agent" }, 5] });
    const { err } = await edit(meanwhile(merge, "--dialect hermes"), "--session", "h");
    expect(err).toContain("has changed meanwhile");
    expect(await rows("--session", "h")).toContain("2 [ ] from the agent");
  });

  test("an editor that is not there is named", async () => {
    await call({ add: ["a b"] });
    expect((await edit("exit 127")).err).toContain("[no-editor]");
  });
});
