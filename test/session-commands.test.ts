import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Host } from "../src/app/host.js";
import { runCli } from "../src/cli/run.js";
import { clean, run as runProcess } from "./hook-process.js";
import { answers, calls, chained, type Line, says, user, wrote } from "./readers/claude-lines.js";

// restore, sessions and watch as a person or a script runs them, on real folders.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-commands-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
beforeEach(() => {
  home = join(folder, `${++machines}`);
  mkdirSync(home);
});

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Around {
  readonly output?: Partial<Host["output"]>;
  readonly folder?: string;
  readonly interrupted?: AbortSignal;
  readonly written?: (text: string) => void;
  readonly environment?: Host["environment"];
}

async function run(line: string | readonly string[], around: Around = {}): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const exit = await runCli({
    arguments: typeof line === "string" ? line.split(" ").filter(Boolean) : line,
    environment: { MILEPOST_HOME: join(home, "milepost"), ...around.environment },
    version: "9.9.9",
    program: { node: "/n", bundle: "/m.cjs", userFolder: home, temporaryFolder: "/tmp", platform: "linux" },
    input: { bytes: (async function* () {})(), isTerminal: false },
    output: {
      write: async (text) => {
        out.push(text);
        around.written?.(text);
      },
      isTerminal: false,
      hasColor: false,
      columns: 100,
      ...around.output,
    },
    writeError: async (text) => {
      err.push(text);
    },
    isErrorTerminal: false,
    folder: around.folder ?? "/elsewhere",
    clientProcess: "m:1",
    ownProcess: "m:2",
    isRunning: () => true,
    interrupted: () => around.interrupted ?? new AbortController().signal,
    sleep: async () => undefined,
  });
  return { exit, out: out.join(""), err: err.join("") };
}

const jsonLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A session of Claude Code; `age`: how long ago its file grew, in minutes. */
function claude(session: string, lines: readonly Line[], { project = "/home/dev/app", age = 1 } = {}): string {
  const path = join(home, ".claude", "projects", project.replaceAll("/", "-"), `${session}.jsonl`);
  const records = chained(lines).map((line) => ({ ...line, sessionId: session, cwd: project }));
  return put(path, jsonLines(records), age);
}

/** A session of Codex. */
function codex(session: string, steps: readonly string[], { project = "/home/dev/app", age = 1 } = {}): string {
  const line = (type: string, payload: object) => ({ timestamp: "2026-01-02T03:04:05.000Z", type, payload });
  const plan = steps.map((step) => ({ step, status: "pending" }));
  const call = { type: "function_call", call_id: "c1", name: "update_plan", arguments: JSON.stringify({ plan }) };
  const records = [
    line("session_meta", { id: session, cwd: project, cli_version: "0.150.0", git: { branch: "main" } }),
    line("event_msg", { type: "task_started" }),
    line("event_msg", { type: "user_message", message: "Write a parser" }),
    line("response_item", call),
    line("response_item", { type: "function_call_output", call_id: "c1", output: "Plan updated" }),
  ];
  const path = join(home, ".codex", "sessions", "2026", "01", "02", `rollout-2026-01-02T03-04-05-${session}.jsonl`);
  return put(path, jsonLines(records), age);
}

/** A session of oh-my-pi or pi, with a list in two phases; `below`: a sub-agent's file in the session's own folder. */
function pi(session: string, { root = ".omp", below = "", model = {} } = {}): string {
  const phases = [
    { name: "Cache", tasks: [{ content: "Read it", status: "completed" }] },
    { name: "Docs", tasks: [{ content: "Describe it", status: "in_progress" }] },
  ];
  const records = [
    { type: "session", version: 3, id: below || session, timestamp: "2026-01-02T03:04:05.000Z", cwd: "/home/dev/app" },
    { type: "model_change", id: "1", parentId: null, ...model },
    { type: "message", id: "2", parentId: "1", message: { role: "user", content: "Port the cache" } },
    { type: "custom", id: "3", parentId: "2", customType: "user_todo_edit", data: { phases } },
  ];
  const name = `2026-01-02T03-04-05-000Z_${session}`;
  const folder = join(home, root, "agent", "sessions", "--home-dev-app--");
  return put(below ? join(folder, name, `${below}.jsonl`) : join(folder, `${name}.jsonl`), jsonLines(records), 1);
}

function put(path: string, text: string, age: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const at = new Date(Date.now() - age * 60_000);
  utimesSync(path, at, at);
  return path;
}

const UUID = "0199ab12-5790-73b1-91f9-000000000001";
const work = (...texts: string[]): Line[] => [
  user("Fix the login"),
  ...wrote(...texts),
  calls("b1", "Bash", { command: "npm test" }),
  answers("b1", "failed", {}, { is_error: true }),
];

/** The contract of DESIGN.md section 4: scripts rely on these names. */
const SESSION_KEYS = [
  "id",
  "agent",
  "parent",
  "title",
  "state",
  "list",
  "plan",
  "tasks",
  "calls",
  "turns",
  "compactions",
  "tokens",
  "alerts",
];
const TODO_KEYS = ["number", "text", "status", "activeForm", "notes", "evidence", "verdict", "facts"];

function expectShape(text: string): readonly { readonly id: string; readonly [key: string]: unknown }[] {
  expect(text.endsWith("\n")).toBe(true);
  expect(text.trimEnd()).not.toContain("\n");
  const { sessions } = JSON.parse(text);
  for (const session of sessions) {
    expect(Object.keys(session)).toEqual(expect.arrayContaining(SESSION_KEYS));
    expect(Array.isArray(session.list.phases)).toBe(true);
    for (const { name, todos } of session.list.phases) {
      expect(typeof name).toBe("string");
      for (const todo of todos) expect(Object.keys(todo).sort()).toEqual([...TODO_KEYS].sort());
    }
    expect(Object.keys(session.calls).sort()).toEqual(["failed", "total"]);
    expect([typeof session.turns, typeof session.compactions]).toEqual(["number", "number"]);
    expect(session.parent === null || typeof session.parent === "string").toBe(true);
    expect([Array.isArray(session.tasks), Array.isArray(session.alerts)]).toEqual([true, true]);
  }
  return sessions;
}

describe("help", () => {
  test.each([
    ["restore", ["--format", "--json", "--store", "milepost restore FILE... [flags]", "codex-app-server"]],
    ["sessions", ["--limit", "--all", "--here", "--agent", "--json", "[SESSION]"]],
    ["watch", ["--follow", "--limit", "--json", "Ctrl+C"]],
  ])("of %s names what it takes", async (command, words) => {
    for (const line of [`${command} --help`, `help ${command}`]) {
      const { exit, out, err } = await run(line);
      expect([exit, err]).toEqual([0, ""]);
      for (const word of words) expect(out).toContain(word);
    }
  });

  test("all three are in the list of commands", async () => {
    const { exit, out } = await run("--help");
    expect(exit).toBe(0);
    for (const command of ["restore", "sessions", "watch"])
      expect(out).toMatch(new RegExp(`^  ${command} {2,}\\w`, "m"));
  });

  test.each([
    ["restore", /FILE is required/],
    ["restore x --format nope", /--format: use auto, claude, codex/],
    ["sessions --limit 0", /--limit/],
    ["sessions --limit x", /--limit/],
    ["sessions a b", /a word too many/],
    ["watch --limit -1", /--limit/],
    ["watch nope", /a word too many/],
  ])("wrong usage is one line and exit 2: %s", async (line, words) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ exit: 2, out: "", err: expect.stringMatching(words) });
    expect(ran.err).toMatch(/^milepost: [^\n]*\[bad-usage\]\n$/);
  });

  test.each([
    [["a.jsonl", "opencode.db"], ", such as FOLDER/*.jsonl. See"],
    [["opencode.db-wal", "opencode.db"], ", such as FOLDER/opencode.db. See"],
  ])("a folder with %j in it is answered with what to pass", async (names, words) => {
    for (const name of names) writeFileSync(join(home, name), "");
    const { exit, err } = await run(["restore", home]);
    expect([exit, err]).toEqual([2, expect.stringContaining(words.replace("FOLDER", home))]);
  });
});

describe("restore", () => {
  test("prints what is in a file, as the contract says", async () => {
    const path = claude("s1", work("Read.", "Fix!", "Test"));
    const { exit, out, err } = await run(["restore", path, "--json"]);
    expect([exit, err]).toEqual([0, ""]);
    expect(expectShape(out)).toMatchObject([
      {
        id: "s1",
        agent: "claude-code",
        parent: null,
        title: "Fix the login",
        list: {
          phases: [
            {
              name: "",
              todos: [
                { text: "Read", status: "completed", activeForm: "doing Read", notes: [], verdict: "unbacked" },
                { text: "Fix", status: "in_progress", verdict: null },
                { text: "Test", status: "pending", verdict: null },
              ],
            },
          ],
        },
        plan: null,
        tasks: [],
        calls: { total: 2, failed: 1 },
        turns: 1,
        compactions: 0,
        alerts: [],
        resume: "claude --resume s1",
        transcript: path,
      },
    ]);
  });

  test("a list that is over is an empty object, and never missing", async () => {
    const done = claude("s1", work("a.", "b."));
    const none = claude("s2", [user("hi"), says("Hello.")]);
    for (const path of [done, none]) {
      const [session] = expectShape((await run(["restore", path, "--json"])).out);
      expect(session?.list).toEqual({ phases: [] });
    }
  });

  test("for a person: todos, what ran, and how to go on", async () => {
    const path = claude("s1", work("Read.", "Fix!", "Test"));
    const { out } = await run(["restore", path]);
    for (const words of ["Fix the login", "Fix", "2 calls, 1 failed", "claude --resume s1", "? unbacked"])
      expect(out).toContain(words);
    expect(out).not.toContain("\u001b");
  });

  test("a session of oh-my-pi with its sub-agents; --resumed shows only what is open", async () => {
    const path = pi("o1");
    pi("o1", { below: "o2" });
    const all = expectShape((await run(["restore", path, "--json"])).out);
    expect(all).toMatchObject([
      { id: "o1", agent: "oh-my-pi", parent: null, title: "Port the cache", resume: "omp --resume o1" },
      { id: "o2", agent: "oh-my-pi", parent: "o1", resume: null },
    ]);
    const names = (out: string) =>
      JSON.parse(out).sessions[0].list.phases.map(({ name, todos }: { name: string; todos: object[] }) => [
        name,
        todos.length,
      ]);
    expect(names((await run(["restore", path, "--json"])).out)).toEqual([
      ["Cache", 1],
      ["Docs", 1],
    ]);
    expect(names((await run(["restore", path, "--resumed", "--json"])).out)).toEqual([["Docs", 1]]);
    expect((await run(["restore", path, "--resumed"])).out).not.toContain("Read it");
  });

  test("--resumed holds for every agent", async () => {
    const { out } = await run(["restore", claude("s1", work("Read.", "Fix!")), "--resumed"]);
    expect([out.includes("Fix"), out.includes("Read")]).toEqual([true, false]);
  });

  test("several files, also of several agents, in the order they were named", async () => {
    const paths = [codex(UUID, ["Parse"]), claude("s1", work("a")), claude("s2", work("b"))];
    const sessions = expectShape((await run(["restore", ...paths, "--json"])).out);
    expect(sessions.map(({ id, agent }) => [id, agent])).toEqual([
      [UUID, "codex"],
      ["s1", "claude-code"],
      ["s2", "claude-code"],
    ]);
    expect(sessions[0]).toMatchObject({ branch: "main", folder: "/home/dev/app", resume: `codex resume ${UUID}` });
    // The same file twice is one session.
    expect(expectShape((await run(["restore", paths[0] ?? "", paths[0] ?? "", "--json"])).out)).toHaveLength(1);
  });

  test("with the files of its sub-agents", async () => {
    const path = claude("s1", work("a"));
    const below = join(dirname(path), "s1", "subagents", "agent-a1.jsonl");
    const helper = chained([user("look"), calls("x", "Read"), answers("x")]);
    put(below, jsonLines(helper.map((line) => ({ ...line, agentId: "a1", isSidechain: true }))), 1);
    const sessions = expectShape((await run(["restore", path, "--json"])).out);
    expect(sessions).toMatchObject([
      { id: "s1", parent: null },
      { id: "s1/a1", parent: "s1", resume: null, calls: { total: 1, failed: 0 } },
    ]);
  });

  test("a format that is named is used, and the wrong one finds nothing", async () => {
    const path = claude("s1", work("a"));
    for (const format of ["auto", "claude"])
      expect(expectShape((await run(["restore", path, "--format", format, "--json"])).out)).toHaveLength(1);
    expect(await run(["restore", path, "--format", "codex"])).toMatchObject({
      exit: 1,
      out: "",
      err: expect.stringMatching(/\[no-session\]\n$/),
    });
  });

  test.each<[string, number, () => string, RegExp]>([
    ["a file that is not there", 3, () => join(home, "nope.jsonl"), /^milepost: .*nope\.jsonl.*\[no-file\]\n$/],
    [
      "a folder",
      2,
      () => home,
      /is a folder\. Pass the transcripts in it, such as .*\*\.jsonl\. See .*\[bad-usage\]\n$/,
    ],
    [
      "a stranger",
      1,
      () => put(join(home, "x.txt"), "hello\nworld\n", 1),
      /x\.txt \(the line at byte 0.*\[no-session\]\n$/,
    ],
    ["an empty file", 1, () => put(join(home, "e.jsonl"), "", 1), /e\.jsonl.*\[no-session\]\n$/],
  ])("%s is one line and exit %i", async (_, exit, make, err) => {
    const ran = await run(["restore", make()]);
    expect(ran).toMatchObject({ exit, out: "", err: expect.stringMatching(err) });
    expect(ran.err.split("\n")).toHaveLength(2);
  });

  test("a stranger among sessions is told of, and the others are shown", async () => {
    const [path, stranger] = [claude("s1", work("a")), put(join(home, "x.txt"), "hello\n", 1)];
    const { exit, out, err } = await run(["restore", stranger, path, "--json"]);
    expect([exit, expectShape(out).length]).toEqual([0, 1]);
    expect(err).toMatch(/No session was found in .*x\.txt/);
  });

  test("makes no store", async () => {
    const path = claude("s1", work("a"));
    await run(["restore", path]);
    expect(() => utimesSync(join(home, "milepost"), 0, 0)).toThrow(/ENOENT/);
  });
});

describe("sessions", () => {
  test("an empty machine", async () => {
    expect(await run("sessions")).toMatchObject({
      exit: 0,
      out: "No sessions yet. Start an agent (Claude Code, Codex and many more), then run this again.\n",
      err: "",
    });
    expect(await run("sessions --json")).toMatchObject({ exit: 0, out: '{"sessions":[],"more":0}\n' });
  });

  test("oh-my-pi and pi, each with the command that goes on with it; sub-agents below their session", async () => {
    pi("o1");
    pi("o1", { below: "o2" });
    pi("p1", { root: ".pi", model: { provider: "anthropic", modelId: "claude" } });
    const { out } = await run("sessions");
    for (const words of ["omp --resume o1", "pi --session p1", "▸ Describe it", "1/2"]) expect(out).toContain(words);
    expect(out).not.toContain("resume o2");
    expect(expectShape((await run("sessions --agent pi --json")).out)).toMatchObject([{ id: "p1", agent: "pi" }]);
    const all = expectShape((await run("sessions --json")).out).map(({ id, parent }) => [id, parent]);
    expect(all.sort()).toEqual([
      ["o1", null],
      ["o2", "o1"],
      ["p1", null],
    ]);
  });

  test("a digest is of what is open", async () => {
    pi("o1");
    const { exit, out } = await run("digest --session o1");
    expect([exit, out.includes("Describe it")]).toEqual([0, true]);
  });

  test("every session, the newest first, as the contract says", async () => {
    claude("old", work("a!"), { age: 300 });
    codex(UUID, ["Parse"], { age: 30 });
    claude("new", work("b!"), { age: 1 });
    const sessions = expectShape((await run("sessions --json")).out);
    expect(sessions.map(({ id, state }) => [id, state])).toEqual([
      ["new", "running"],
      [UUID, "stalled"],
      ["old", "stalled"],
    ]);
    const { out } = await run("sessions");
    for (const words of ["claude --resume new", `codex resume ${UUID}`, "▸ doing b", "0/1", "5h"])
      expect(out).toContain(words);
    expect(out.split("\n").filter((row) => row.length > 100)).toEqual([]);
  });

  test("--limit and --all", async () => {
    for (let n = 0; n < 25; n += 1) claude(`s${n}`, work("a"), { age: n + 1 });
    const count = async (line: string) => expectShape((await run(line)).out).map(({ id }) => id);
    expect(await count("sessions --limit 3 --json")).toEqual(["s0", "s1", "s2"]);
    expect(await count("sessions --all --limit 3 --json")).toEqual(["s0", "s1", "s2"]);
    expect(await count("sessions --json")).toHaveLength(20);
    expect(await count("sessions --all --json")).toHaveLength(25);
  });

  test("who waits for the person has a place before anybody newer", async () => {
    claude("asks", [user("go"), calls("q1", "AskUserQuestion", { questions: [] })], { age: 90 });
    for (let n = 0; n < 25; n += 1) claude(`s${n}`, work("a"), { age: n + 1 });
    const rows = (out: string) => out.split("\n").filter((row) => /^(?:waiting|running|stalled)/.test(row));
    for (const line of ["sessions", "watch", "sessions --agent claude", "sessions --limit 1"]) {
      const [first, ...others] = rows((await run(line)).out);
      expect([line, first, others.length]).toEqual([
        line,
        expect.stringMatching(/^waiting.* asks /),
        line.endsWith("1") ? 0 : 19,
      ]);
    }
    expect((await run("watch")).out).toMatch(/^20 sessions, .*1 waiting.*, 6 more/m);
    const shown = expectShape((await run("sessions --json --limit 2")).out).map(({ id }) => id);
    expect(shown).toEqual(["s0", "asks"]);
  });

  test("--agent and --here", async () => {
    const here = join(home, "app");
    mkdirSync(join(here, ".git"), { recursive: true });
    mkdirSync(join(here, "src"));
    claude("mine", work("a"), { project: here, age: 50 });
    claude("other", work("b"), { project: join(home, "app-two") });
    codex(UUID, ["Parse"], { project: join(here, "src"), age: 60 });
    const ids = async (line: string, place = here) =>
      expectShape((await run(line, { folder: place })).out).map(({ id }) => id);
    expect(await ids("sessions --agent codex --json")).toEqual([UUID]);
    expect(await ids("sessions --agent claude-code --limit 1 --json")).toEqual(["other"]);
    expect(await ids("sessions --agent claude --limit 1 --json")).toEqual(["other"]);
    expect(await ids("sessions --here --json")).toEqual(["mine", UUID]);
    expect(await ids("sessions --here --limit 1 --json")).toEqual(["mine"]);
    expect(await ids("sessions --here --agent codex --json", join(here, "src"))).toEqual([UUID]);
    expect(await ids("sessions --here --json", home)).toEqual([]);
  });

  test("one session by the beginning of its id, with its list", async () => {
    claude("aaaa-1", work("Read.", "Fix!"));
    claude("aabb-2", work("Else"));
    codex(UUID, ["Parse"]);
    const ids = async (id: string) => expectShape((await run(["sessions", id, "--json"])).out).map((one) => one.id);
    expect(await ids("aaaa-1")).toEqual(["aaaa-1"]);
    expect(await ids("aaaa")).toEqual(["aaaa-1"]);
    expect(await ids("0199ab12")).toEqual([UUID]);
    const { out } = await run("sessions aaaa");
    for (const words of ["Fix the login", "Read", "Fix", "claude --resume aaaa-1"]) expect(out).toContain(words);
    expect(await run("sessions nope")).toMatchObject({
      exit: 2,
      out: "",
      err: "milepost: No session is called nope. All sessions: milepost sessions --all [unknown-session]\n",
    });
  });

  test("looking twice shows the same, and what grew is seen", async () => {
    const path = claude("s1", work("a!", "b"));
    const first = (await run("sessions --json")).out;
    expect((await run("sessions --json")).out).toBe(first);
    const more = chained([...work("a!", "b"), ...wrote("a.", "b!")]).slice(work("a!", "b").length);
    appendFileSync(path, jsonLines(more.map((line) => ({ ...line, sessionId: "s1" }))));
    const [session] = expectShape((await run("sessions --json")).out);
    expect(JSON.stringify(session?.list)).toMatch(/"text":"a","status":"completed".*"text":"b","status":"in_progress"/);
  });

  test("does not change the agent's files, nor look behind links", async () => {
    const path = claude("s1", work("a"));
    const before = await filesBelow(join(home, ".claude"));
    await run("sessions");
    await run("watch");
    expect(await filesBelow(join(home, ".claude"))).toEqual(before);
    expect(before).toContain(path);
  });

  test("a store that is named and not there is trouble, and exit 3", async () => {
    expect(await run(["sessions", "--store", join(home, "nope.db")])).toMatchObject({ exit: 3, out: "" });
  });
});

async function filesBelow(place: string): Promise<readonly string[]> {
  const { readdir } = await import("node:fs/promises");
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe("watch", () => {
  test("into a pipe: the table once, and the end", async () => {
    claude("s1", work("a!", "b"));
    codex(UUID, ["Parse"]);
    const { exit, out, err } = await run("watch");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("claude --resume s1");
    expect(out).toMatch(/\n2 sessions, 2 running\n$/);
    expect(expectShape((await run("watch --json")).out)).toHaveLength(2);
    expect(expectShape((await run("watch --json --limit 1")).out)).toHaveLength(1);
  });

  test("an empty machine", async () => {
    const out = "No sessions yet. Start an agent (Claude Code, Codex and many more), or see milepost --help.\n";
    for (const line of ["watch", ""]) expect(await run(line)).toMatchObject({ exit: 0, out });
    expect(await run("watch --json")).toMatchObject({ exit: 0, out: '{"sessions":[]}\n' });
  });

  test("a terminal that is called dumb gets the table once, as a pipe does", async () => {
    claude("s1", work("a!", "b"));
    const { exit, out } = await run("watch", {
      output: { isTerminal: true, columns: 80 },
      environment: { TERM: "dumb" },
    });
    expect([exit, out]).toEqual([0, expect.stringMatching(/▸ doing a\n[\s\S]*1 session, 1 running\n$/)]);
    expect(out).not.toContain("\u001b");
  });

  test("--follow prints one line for each change, and --json one object", async () => {
    for (const flags of ["watch --follow", "watch --follow --json"]) {
      const session = flags.includes("json") ? "s2" : "s1";
      const path = claude(session, work("a!", "b"));
      const stop = new AbortController();
      let shown = "";
      const ran = run(flags, { interrupted: stop.signal, written: (text) => (shown += text) });
      await sleep(200);
      const more = chained([...work("a!", "b"), ...wrote("a.", "b!")]).slice(work("a!", "b").length);
      appendFileSync(path, jsonLines(more.map((line) => ({ ...line, sessionId: session }))));
      await until(() => shown.includes("pending -> in_progress"));
      stop.abort();
      expect((await ran).exit).toBe(0);
      const lines = shown.trimEnd().split("\n");
      expect(lines).toHaveLength(2);
      if (flags.includes("json"))
        for (const line of lines)
          expect(JSON.parse(line)).toMatchObject({ session, subAgent: null, agent: "claude-code", project: "app" });
      else
        expect(lines[0]).toMatch(
          /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}claude-code {2}app {2}Todo "a": in_progress -> completed {2}. \w+$/,
        );
    }
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 5000; !isTrue(); await sleep(10)) if (Date.now() > end) throw new Error("too late");
}

describe("as a process", () => {
  test("a pipe, and NO_COLOR, get plain text; milepost alone is milepost watch", async () => {
    claude("s1", work("Fix \u001b[31mred!", "b"));
    const base = { MILEPOST_HOME: join(home, "milepost"), HOME: home };
    for (const environment of [clean(base), clean({ ...base, NO_COLOR: "1", FORCE_COLOR: "1" })])
      for (const line of ["sessions", "watch", "sessions s1", "sessions --json", "watch --json"]) {
        const ran = await runProcess(line.split(" "), "", environment);
        expect([line, ran.exit, ran.err, ran.out.includes("\u001b")]).toEqual([line, 0, "", false]);
        expect(ran.out).toContain("s1");
      }
    const [bare, watch] = [await runProcess([], "", clean(base)), await runProcess(["watch"], "", clean(base))];
    const ageless = (text: string) => text.replace(/\d+s$/gm, "");
    expect([bare.exit, ageless(bare.out)]).toEqual([0, ageless(watch.out)]);
  });
});
