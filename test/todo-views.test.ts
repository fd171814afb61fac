import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { toNewEvent } from "../src/app/views.js";
import { append } from "../src/store/event-store.js";
import { type Around, runOn } from "./run-on.js";

// Lists as agents draw them for a person: `milepost todo --view`, on lists that agents wrote and on transcripts.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-views-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
beforeEach(() => {
  home = join(folder, `${++machines}`);
  mkdirSync(home);
});

const run = (line: string, around?: Around) => runOn(home, line.split(" "), around);
const view = async (name: string, more = "", around?: Around) =>
  (await run(`todo --view ${name}${more}`, around)).out.trimEnd().split("\n");
const call = (dialect: string, tool: string, input: object) =>
  run(`call --dialect ${dialect}`, { input: JSON.stringify({ tool, input }) });
const pi = (...ops: readonly object[]) => call("oh-my-pi", "todo_write", { ops });
const init = (...items: readonly string[]) => ({ op: "init", list: [{ phase: "P", items }] });
const several = (count: number) => Array.from({ length: count }, (_, at) => `t${at + 1}`);

describe("oh-my-pi's tree", () => {
  test("a note of two lines is two rows, blank ones too, and no row is forged", async () => {
    await pi(init("a"), { op: "note", task: "a", text: "one\r\n\n  two\u001b[2J\u2028x" });
    expect(await view("tree")).toEqual([
      "✔ Todo Write 1 tasks",
      "  └─ ☐ a ⁺¹",
      "",
      "  § notes — a",
      "  │ one",
      "  │",
      "  │   two␛[2J\\u{2028}x",
    ]);
  });

  test("a phase folds at 8, and --all unfolds it; the hint runs as printed", async () => {
    await pi(init(...several(9)));
    const folded = await view("tree");
    expect(folded.slice(-3)).toEqual([
      "  ├─ ☐ t8",
      "  └─ … 1 more todo",
      "  All of them: milepost todo list --view tree --all",
    ]);
    const [, hint = ""] = folded.join("\n").split("All of them: milepost ");
    expect((await run(hint)).out).toMatch(/ {2}└─ ☐ t9\n$/);
  });
});

describe("a write that was refused", () => {
  const WARNING = 'Todo update failed: Errors: Task "x" not found';
  const OURS = `  Maybe out of date: the agent's last write to this list was refused: Errors: Task "x" not found`;
  const marks = async () => [(await view("rows"))[1], (await view("oh-my-pi"))[0]];

  test("marks the list until the next one succeeds, also if that one changes nothing", async () => {
    await pi(init("a", "b"));
    await pi({ op: "done", task: "x" });
    expect(await marks()).toEqual([OURS, WARNING]);
    await pi({ op: "start", task: "a" });
    expect(await marks()).toEqual(["  P", "Todos"]);
    await pi({ op: "done", task: "x" });
    expect(JSON.parse((await run("todo --json")).out).refusal).toContain('Task "x" not found');
    await pi({ op: "done", task: "a" });
    expect(JSON.parse((await run("todo --json")).out).refusal).toBeNull();
  });

  test("also where there is no list yet", async () => {
    await pi({ op: "start", task: "x" });
    expect((await view("oh-my-pi"))[1]).toContain("Maybe out of date");
  });

  test("what was refused is the model's text: it reaches no terminal as it is", async () => {
    await pi(init("a"));
    await pi({ op: "done", task: "\u001b[2J\u202ex\n  forged" });
    for (const name of ["rows", "oh-my-pi"]) {
      const out = (await view(name)).join("\n");
      for (const control of ["\u001b", "\u202e"]) expect(out).not.toContain(control);
    }
  });
});

describe("oh-my-pi's panel leaves out what was closed a while ago", () => {
  const NOTHING = expect.stringMatching(/^ {2}All todos were closed .* milepost todo list --view oh-my-pi --all$/);
  const set = (seconds: number) => ({ environment: { MILEPOST_PANEL_CLEAR: String(seconds) } });

  test.each<[string, seconds: number, rows: unknown[]]>([
    ["at once", 0, [NOTHING]],
    ["after a minute", 60, ["Todos", "└ I. P", "└ ☑ a"]],
    ["never", -1, ["Todos", "└ I. P", "└ ☑ a"]],
  ])("%s; the list itself is untouched", async (_name, seconds, rows) => {
    await pi(init("a"), { op: "done" });
    expect(await view("oh-my-pi", "", set(seconds))).toEqual(rows);
    if (seconds === 0) expect((await view("oh-my-pi", " --all", set(0))).at(-1)).toBe("└ ☑ a");
    const json = JSON.parse((await run("todo --view oh-my-pi --json", set(seconds))).out);
    expect([json.list.phases[0].todos.length, json.hidden]).toEqual([1, seconds === 0 ? [1] : []]);
    if (seconds === 0) expect((await pi({ op: "append", phase: "P", items: ["b"] })).out).toContain("✓ a");
  });

  test("by the time it was closed at, with the default of 60 seconds", async () => {
    const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
    const write = (seconds: number, ...events: readonly Parameters<typeof toNewEvent>[0][]) => {
      const at = Date.now() - seconds * 1000;
      const dated = events.map((event) => ({ ...toNewEvent(event, undefined), at }));
      return store.commit(append([{ stream: "session:default", events: dated }]));
    };
    const moved = (number: number) => {
      return { type: "todo.moved", number, from: "pending", to: "completed", revision: 2 } as const;
    };
    await write(
      300,
      { type: "phase.opened", name: "P", revision: 1 },
      { type: "todo.added", number: 1, phase: 0, text: "old", status: "pending", revision: 1 },
      { type: "todo.added", number: 2, phase: 0, text: "new", status: "pending", revision: 1 },
    );
    await write(90, moved(1));
    await write(20, moved(2));
    await close();
    expect(await view("oh-my-pi")).toEqual(["Todos", "└ I. P", "└ ☑ new"]);
  });
});

describe("fitted to the terminal", () => {
  const at = (columns: number) => ({ isTerminal: true, columns });
  const plan = [
    { step: "Look at every module of it", status: "completed" },
    { step: "Fix", status: "in_progress" },
  ];

  test("Codex's plan cell", async () => {
    await call("codex", "update_plan", { explanation: "It is\nslow\u001b[2J", plan });
    expect(await view("codex")).toEqual([
      "• Updated Plan",
      "  └ It is",
      "    slow␛[2J",
      "    ✔ Look at every module of it",
      "    □ Fix",
    ]);
    expect((await view("codex", "", at(24))).slice(3)).toEqual([
      "    ✔ Look at every",
      "      module of it",
      "    □ Fix",
    ]);
  });

  test("gencode's box", async () => {
    await call("codex", "update_plan", { plan });
    for (const columns of [30, 120])
      expect(new Set((await view("gencode", "", at(columns))).map((row) => row.length))).toEqual(new Set([columns]));
    expect((await view("gencode")).at(0)).toHaveLength(46);
  });
});

describe("a session that is only read", () => {
  /** A session file of oh-my-pi: calls with their results, `age` seconds old. */
  function session(age: number, ...results: readonly (readonly [text: string, phases?: object])[]): void {
    const path = join(home, ".omp", "agent", "sessions", "--app--", "2026-01-02T03-04-05-000Z_o1-x.jsonl");
    const message = (body: object) => ({ type: "message", timestamp: "2026-01-02T03:04:06.000Z", message: body });
    const entries = results.flatMap(([text, phases], call) => [
      message({
        role: "assistant",
        content: [{ type: "toolCall", id: `c${call}`, name: "todo_write", arguments: {} }],
      }),
      message({
        ...{ role: "toolResult", toolCallId: `c${call}`, toolName: "todo_write", isError: phases === undefined },
        ...{ content: [{ type: "text", text }], details: { phases: phases ?? [] } },
      }),
    ]);
    const chained = entries.map((entry, place) => ({
      ...{ id: `e${place}`, parentId: place === 0 ? null : `e${place - 1}` },
      ...entry,
    }));
    const header = { type: "session", version: 3, id: "o1-x", timestamp: "2026-01-02T03:04:05.000Z", cwd: "/app" };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, [header, ...chained].map((record) => `${JSON.stringify(record)}\n`).join(""));
    utimesSync(path, new Date(), new Date(Date.now() - age * 1000));
  }
  const phases = (status: string) => [{ name: "P", tasks: [{ content: "a", status }] }];
  const seen = async (name: string) => (await view(name, " --session o1")).slice(0, 2);

  test("is drawn, and marked after a write that failed, until one succeeds", async () => {
    session(5, ["ok", phases("in_progress")]);
    expect(await seen("oh-my-pi")).toEqual(["Todos", "└ I. P"]);
    session(4, ["ok", phases("in_progress")], ["Errors: no\nmore"]);
    expect(await seen("oh-my-pi")).toEqual(["Todo update failed: Errors: no more", "Todos"]);
    expect((await seen("rows"))[1]).toContain("was refused: Errors: no more");
    session(3, ["ok", phases("in_progress")], ["Errors: no"], ["ok", phases("in_progress")]);
    expect(await seen("oh-my-pi")).toEqual(["Todos", "└ I. P"]);
  });

  test.each([
    [5, "Todos"],
    [90, "  All todos were closed a while ago"],
  ])("whose last word is %i seconds old: what is closed was closed before that", async (age, first) => {
    session(age, ["ok", phases("completed")]);
    expect((await seen("oh-my-pi"))[0]).toContain(first);
  });

  test("without a name it is the newest one here, and every verb that would change it says why not", async () => {
    session(5, ["ok", phases("in_progress")]);
    const here = { folder: "/app" };
    expect((await run("todo", here)).out).toBe(
      "app · oh-my-pi o1-x   0/1   only read, from its transcript\n  P\n  1 [>] a\n",
    );
    for (const line of ["add x", "done 1", "undo"])
      expect(await run(`todo ${line}`, here)).toMatchObject({
        exit: 1,
        out: "",
        err: expect.stringMatching(/^milepost: Session o1-x is only read, from its transcript: .* \[only-read\]\n$/),
      });
  });
});
