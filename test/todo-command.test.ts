import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Host } from "../src/app/host.js";
import { runCli } from "../src/cli/run.js";
import { runWarm } from "./warm-command.js";

// A person's own hand on a list, as a person uses it: commands, files, an editor.
const command = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-todo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let home = "";
let made = 0;
beforeEach(() => {
  home = join(folder, `home-${++made}`);
  mkdirSync(home);
});

/** Nobody's sessions but ours. */
const environment = () => ({
  PATH: process.env.PATH,
  MILEPOST_HOME: home,
  CLAUDE_CONFIG_DIR: join(home, "claude"),
  CODEX_HOME: join(home, "codex"),
  HOME: home,
});

function run(args: readonly string[], input = "") {
  return runWarm(args, { input, folder: home, environment: environment() });
}

const todo = (...args: readonly string[]) => run(["todo", ...args]);
const call = (input: object) => run(["call"], JSON.stringify({ tool: "todo", input }));

describe("milepost todo", () => {
  test("shows, starts, finishes, drops, notes, adds and removes, by a part of the name", () => {
    call({ add: ["Read the code", "Fix the bug", "Run tests"] });
    expect(todo("start", "tests").out).toBe("Started: Run tests\n");
    expect(todo("done", "READ").out).toBe("Marked completed: Read the code\n");
    expect(todo("drop", "bug").out).toBe("Marked abandoned: Fix the bug\n");
    expect(todo("note", "tests", "slowly", "please").out).toBe("Noted: Run tests\n");
    expect(todo("append", "ship it").out).toBe("Appended to Todos: Ship it\n");
    expect(todo("append", "later", "write the docs").out).toBe("Appended to Later: Write the docs\n");
    expect(todo("rm", "bug").out).toBe("Removed: Fix the bug\n");
    expect(todo().out).toBe(
      "# Todos\n- [x] Read the code\n- [/] Run tests\n  > slowly please\n- [ ] Ship it\n\n# Later\n- [ ] Write the docs\n",
    );
  });

  test("a list without phases stays one, through export and import too", () => {
    call({ add: ["a b", "c d"] });
    expect(todo("export", "list.md").exit).toBe(0);
    writeFileSync(join(home, "list.md"), `${readFileSync(join(home, "list.md"), "utf8")}- [ ] e f\n`);
    expect(todo("import", "list.md").out).toBe(`Imported 1 phase(s), 3 task(s) from ${join(home, "list.md")}.\n`);
    const { list } = JSON.parse(todo("--json").out);
    expect(list.phases.map(({ name }: { name: string }) => name)).toEqual([""]);
    // The same todos, not new ones with their names.
    expect(list.phases[0].todos.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3]);
  });

  test("what is wrong is one line with a code, and changes nothing", () => {
    call({ add: ["a b"] });
    writeFileSync(join(home, "bad.md"), "oops\n- [?] a\n");
    const cases = [
      [["start", "zzz"], 1, "refused"],
      [["start"], 2, "bad-usage"],
      [["note", "a b"], 2, "bad-usage"],
      [["frob"], 2, "bad-usage"],
      [["rm", ""], 2, "bad-usage"],
      [["append", "Todos", " "], 2, "bad-usage"],
      [["edit"], 1, "refused"],
      [["import", "none.md"], 1, "refused"],
      [["import", "bad.md"], 1, "refused"],
      [["--session", "../x"], 2, "bad-id"],
      [["done", "--as", "\u0007"], 2, "bad-actor"],
    ] as const;
    for (const [args, exit, code] of cases) {
      const ran = todo(...args);
      expect([ran.exit, ran.out]).toEqual([exit, ""]);
      expect(ran.err).toMatch(new RegExp(`^milepost: [^\\n]*\\[${code}\\]\\n$`));
    }
    expect(todo().out).toBe("# Todos\n- [/] a b\n");
  });

  test("nothing to change yet: says so", () => {
    expect(todo()).toMatchObject({ exit: 1, err: expect.stringContaining("[no-session]") });
  });

  test("is recorded as the person's, and under another name with --as", () => {
    call({ add: ["a b", "c d"] });
    todo("done", "a b");
    todo("done", "c d", "--as", "ann");
    const events = run(["events"])
      .out.trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const edits = events.filter(({ type }) => type === "list.edited");
    expect(edits.map(({ data }) => data.action)).toEqual(["milepost todo done a b", "milepost todo done c d"]);
    expect(edits[0].actor).toMatch(/^.+@.+$/);
    expect(edits[1].actor).toBe("ann");
    expect(events.filter(({ type, actor }) => type === "todo.moved" && actor === "ann")).toHaveLength(1);
  });

  test("undo takes the last change back, numbers and notes included; not another's", () => {
    call({ add: ["a b", "c d"] });
    todo("note", "c d", "keep me");
    todo("rm");
    expect(todo("undo").out).toBe("Took back the last change.\n");
    expect(todo().out).toBe("# Todos\n- [/] a b\n- [ ] c d\n  > keep me\n");
    call({ done: 1 });
    expect(todo("undo")).toMatchObject({ exit: 1, err: expect.stringContaining("[nothing-to-undo]") });
    expect(todo().out).toContain("- [x] a b");
  });

  test("a text of several lines is one todo, here, in a file and back", () => {
    run(
      ["call", "--dialect", "claude"],
      JSON.stringify({
        tool: "TodoWrite",
        input: { todos: [{ content: "two\n- [x] forged\n# Evil", status: "in_progress", activeForm: "a" }] },
      }),
    );
    expect(todo().out).toBe("# Todos\n- [/] two - [x] forged # Evil\n");
    todo("export");
    expect(JSON.parse(todo("import", "--json").out)).toMatchObject({ changed: false });
    expect(todo("done", "two - [x] forged # Evil").exit).toBe(0);
    expect(JSON.parse(todo("--json").out).list.phases[0].todos).toMatchObject([
      { text: "two\n- [x] forged\n# Evil", status: "completed", activeForm: "a" },
    ]);
  });

  test("quotes, blanks and backslashes in a name are a person's own", () => {
    call({ add: ['fix the "login" bug', "do it", "please do it now", "A\\b"] });
    expect(todo("start", 'fix the "login" bug').out).toBe('Started: fix the "login" bug\n');
    expect(todo("start", "do it").out).toBe("Started: do it\n");
    expect(todo("done", "A\\b").out).toBe("Marked completed: A\\b\n");
    expect(todo("start", "A\\b").out).toBe("Started: A\\b\n");
  });

  test("a shared list is everybody's", () => {
    call({ add: ["a b"] });
    run(["config", "list.sub-agents", "shared"]);
    expect(todo("append", "c d", "--agent", "sub").exit).toBe(0);
    expect(todo().out).toBe("# Todos\n- [/] a b\n- [ ] C d\n");
  });

  test("says when nothing has changed", () => {
    call({ add: ["a b"] });
    expect(JSON.parse(todo("start", "a b", "--json").out)).toMatchObject({ changed: false });
    expect(JSON.parse(todo("done", "a b", "--json").out)).toMatchObject({ changed: true });
  });

  test("undo also brings back what a setting has swept away since, and says how the list is then", () => {
    run(["config", "list.clear", "0"]);
    call({ add: ["a b", "c d"] });
    todo("done", "a b");
    expect(todo().out).toBe("# Todos\n- [/] c d\n");
    const undone = JSON.parse(todo("undo", "--json").out);
    expect(todo().out).toBe("# Todos\n- [/] a b\n- [ ] c d\n");
    expect(undone.list.revision).toBe(JSON.parse(todo("--json").out).list.revision);
  });

  test("notes survive a file, whatever lines they have", () => {
    call({ add: ["a b"] });
    todo("note", "a b", "one\rtwo\n\nthree");
    todo("export");
    expect(JSON.parse(todo("import", "--json").out)).toMatchObject({ changed: false });
  });

  test("export writes over a list, not over anything else", () => {
    call({ add: ["a b"] });
    expect(todo("export").exit).toBe(0);
    expect(todo("export").exit).toBe(0);
    writeFileSync(join(home, "HEADS.md"), "# One\n\n# Two\n");
    expect(todo("export", "HEADS.md").exit).toBe(1);
    writeFileSync(join(home, "README.md"), "Precious words\n");
    expect(todo("export", "README.md")).toMatchObject({ exit: 1, err: expect.stringContaining("is no list") });
    expect(readFileSync(join(home, "README.md"), "utf8")).toBe("Precious words\n");
    expect(todo("export", "README.md", "--force").exit).toBe(0);
  });

  test("a pipe or a device is not waited for", () => {
    call({ add: ["a b"] });
    spawnSync("mkfifo", [join(home, "pipe")]);
    for (const name of ["pipe", "/dev/zero"]) expect(todo("import", name)).toMatchObject({ exit: 1 });
  });

  test("texts of a model cannot reach the terminal", () => {
    call({ add: ["a\u001b[31m\u202eb"] });
    for (const view of ["markdown", "tree", "oh-my-pi", "gencode", "gencode/node-0.5"]) {
      const { out } = todo("--view", view);
      expect(out).toContain("a");
      for (const control of ["\u001b", "\u202e"]) expect(out).not.toContain(control);
    }
  });
});

/** At a terminal, with an editor that is a script. */
async function atTerminal(line: readonly string[], editor: string) {
  const script = join(home, "editor");
  // Beside the script: what it writes must not land in the project.
  writeFileSync(script, `#!/bin/sh\ncd "${home}"\n${editor}\n`);
  chmodSync(script, 0o755);
  const out: string[] = [];
  const err: string[] = [];
  const host: Host = {
    arguments: ["todo", ...line],
    environment: { ...environment(), EDITOR: script },
    version: "0.0.0",
    program: { node: "", bundle: "", userFolder: home, temporaryFolder: home, platform: process.platform },
    input: { bytes: (async function* () {})(), isTerminal: true },
    output: { write: async (text) => void out.push(text), isTerminal: true, hasColor: false, columns: 80 },
    writeError: async (text) => void err.push(text),
    isErrorTerminal: false,
    folder: home,
    clientProcess: "m:1",
    interrupted: () => new AbortController().signal,
    sleep: async () => undefined,
  };
  return { exit: await runCli(host), out: out.join(""), err: err.join("") };
}

describe.skipIf(process.platform === "win32")("milepost todo edit", () => {
  test("what the editor saves is the list, and its files are gone", async () => {
    call({ add: ["a b", "c d"] });
    const ran = await atTerminal(["edit"], 'echo "- [x] e f" >> "$1"; echo "$1" > path');
    expect(ran).toMatchObject({ exit: 0, out: "Todos updated from editor: 1 phase(s), 3 task(s).\n", err: "" });
    expect(todo().out).toBe("# Todos\n- [/] a b\n- [ ] c d\n- [x] e f\n");
  });

  test("an editor that saves nothing, or fails, changes nothing", async () => {
    call({ add: ["a b"] });
    for (const editor of ["true", 'echo x >> "$1"; exit 1'])
      expect((await atTerminal(["edit"], editor)).out).toBe("Editor exited without saving; todos unchanged.\n");
    expect(todo().out).toBe("# Todos\n- [/] a b\n");
  });

  test("what cannot be read is kept for the person", async () => {
    call({ add: ["a b"] });
    const { exit, err } = await atTerminal(["edit"], 'echo "my words" > "$1"');
    expect(exit).toBe(1);
    const path = /What you wrote is in (\S+)\. \[refused\]\n$/.exec(err)?.[1] ?? "";
    expect(err).toContain('Line 1: unrecognized syntax "my words"');
    expect(existsSync(path) && readFileSync(path, "utf8")).toBe("my words\n");
    expect(todo().out).toBe("# Todos\n- [/] a b\n");
  });

  test("an agent that wrote meanwhile is not overwritten", async () => {
    call({ add: ["a b"] });
    const write = `echo '{"tool":"todo","input":{"add":["from the agent"]}}' | "${process.execPath}" "${command}" call > said; echo "- [ ] mine" >> "$1"`;
    const { exit, err } = await atTerminal(["edit"], write);
    expect([exit, err]).toEqual([1, expect.stringMatching(/has changed meanwhile.*What you wrote is in/)]);
    expect(todo().out).toBe("# Todos\n- [/] a b\n- [ ] from the agent\n");
  });

  test("nor is a call that broke off, and changed the list without counting as a write", async () => {
    const hermes = (input: object) => JSON.stringify({ tool: "todo_list", session: "h", input });
    run(["call", "--dialect", "hermes"], hermes({ todos: [{ id: "1", content: "a b" }] }));
    const merge = hermes({ merge: true, todos: [{ id: "2", content: "from the agent" }, 5] });
    const write = `echo '${merge}' | "${process.execPath}" "${command}" call --dialect hermes > said; echo "- [ ] mine" >> "$1"`;
    const { err } = await atTerminal(["edit", "--session", "h"], write);
    expect(err).toContain("has changed meanwhile");
    expect(todo("--session", "h").out).toContain("- [ ] from the agent");
  });

  test("an editor that is not there is named", async () => {
    call({ add: ["a b"] });
    const { err } = await atTerminal(["edit"], "exit 127");
    expect(err).toContain("[no-editor]");
  });

  test("without a clipboard it says so", async () => {
    call({ add: ["a b"] });
    const ran = await atTerminal(["copy"], "");
    if (ran.exit !== 0) expect(ran.err).toContain("There is no clipboard here");
  });
});
