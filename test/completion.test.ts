import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS, SURFACES } from "../src/app/command-table.js";
import { completionTable } from "../src/app/completion/command-words.js";
import { flagName } from "../src/app/fields.js";
import { runComplete } from "../src/complete/run.js";
import { holdFile } from "./store-lockers.js";
import { runWarm } from "./warm-command.js";

// What TAB offers on a machine with a store and transcripts, without a shell.

const bundle = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "milepost-complete-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Machine {
  readonly home: string;
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

let machines = 0;
function makeMachine(): Machine {
  const home = join(root, `m${++machines}`);
  const project = join(home, "project");
  mkdirSync(project, { recursive: true });
  return { home, project, environment: { HOME: home, MILEPOST_HOME: join(home, "state"), MILEPOST_LIST: "work" } };
}

function run({ project, environment }: Machine, args: readonly string[], input = ""): string {
  const { exit, out, err } = runWarm(args, { folder: project, environment, input });
  expect([args, exit, err]).toEqual([args, 0, ""]);
  return out;
}

function callTodo(machine: Machine, session: string, input: object, agent?: string): void {
  run(machine, ["call"], `${JSON.stringify({ tool: "todo", input, session, agent })}\n`);
}

/** As Claude Code's hook reports the start of a session in a folder. */
function startSession(machine: Machine, session: string, folder: string): void {
  tellHook(machine, { hook_event_name: "SessionStart", session_id: session, cwd: folder, source: "startup" });
}

function tellHook({ environment, home }: Machine, input: object): void {
  const ran = spawnSync(process.execPath, [bundle, "hook"], {
    input: JSON.stringify({ ...input, transcript_path: join(home, "x.jsonl") }),
    env: environment,
  });
  expect(ran.status).toBe(0);
}

function ask({ home, project, environment }: Machine, words: readonly string[], folder = project): Promise<string> {
  // A busy machine may take its time here; what a person waits for is measured by the bench.
  return runComplete({ arguments: ["--", ...words], environment, folder, userFolder: home, longestLook: 20_000 });
}

/** Only the words, in order. */
async function offered(machine: Machine, line: string, folder?: string): Promise<readonly string[]> {
  const text = await ask(machine, line.split(" "), folder);
  return text.split("\n").flatMap((row) => row.split("\t")[0] || []);
}

/** Mostly nothing but a name. */
function makeTranscript({ home }: Machine, path: string, minutesAgo: number, lines: readonly object[] = []): void {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const at = Date.now() / 1000 - 60 * minutesAgo;
  utimesSync(file, at, at);
}

const HERE = "0199aa00-0000-7000-8000-000000000000";
const ELSEWHERE = "0199bb00-0000-7000-8000-000000000000";

describe("ids of a used store", () => {
  const machine = makeMachine();
  beforeAll(() => {
    startSession(machine, HERE, machine.project);
    callTodo(machine, HERE, { add: ["One", "Two", "Three\u001b[31m\nred", "Four"] });
    callTodo(machine, HERE, { done: [1] });
    callTodo(machine, HERE, { add: ["Look around"] }, "x1y2");
    mkdirSync(join(machine.home, "other"));
    startSession(machine, ELSEWHERE, join(machine.home, "other"));
    callTodo(machine, ELSEWHERE, { add: ["Elsewhere"] });
    run(machine, ["task", "import", tasksFile(machine)]);
    run(machine, ["task", "claim", "55", "--as", "amy"]);
    run(machine, ["task", "cancel", "2"]);
    run(machine, ["task", "rm", "7", "--yes"]);
    run(machine, ["task", "add", "Another list", "--list", "garden"]);
  });

  function tasksFile({ home }: Machine): string {
    const file = join(home, "tasks.md");
    writeFileSync(file, Array.from({ length: 60 }, (_, at) => `- [ ] Task ${at + 1}\n`).join(""));
    return file;
  }

  test.each([
    ["sessions: this project's first", "todo --session ", [HERE, ELSEWHERE]],
    ["sessions by their beginning", "digest --session 0199b", [ELSEWHERE]],
    ["a session by its place", "sessions 0199b", [ELSEWHERE]],
    ["a sub-agent by its own id", "todo --session x1", ["x1y2"]],
    ["a sub-agent behind its session", `todo --session ${HERE}/`, [`${HERE}/x1y2`]],
    ["todos of this project: what is in progress first, what is closed never", "todo done ", ["2", "3", "4"]],
    ["todos for a verb that takes closed ones", "todo note ", ["2", "3", "4", "1"]],
    ["todos that are not there yet", "todo done 2 4 ", ["3"]],
    ["todos of a session by its beginning", "todo done --session 0199b ", ["1"]],
    ["todos of a session behind =", "todo done --session=0199b ", ["1"]],
    ["todos of a session that nobody knows", "todo done --session 7 ", []],
    ["todos of a session that is one of two", "todo done --session 0199 ", []],
    [
      "tasks to finish: those that are held first",
      "task done 5",
      ["55", "5", "50", "51", "52", "53", "54", "56", "57", "58", "59"],
    ],
    [
      "tasks to claim: those that are held last",
      "task claim 5",
      ["5", "50", "51", "52", "53", "54", "56", "57", "58", "59", "55"],
    ],
    ["tasks to reopen", "task reopen ", ["2"]],
    ["no removed task", "task show 7", []],
    ["no closed task", "task done 2", ["20", "21", "22", "23", "24", "25", "26", "27", "28", "29"]],
    ["tasks of another list", "task done --list garden ", ["1"]],
    ["tasks of another list behind =", "task done --list=garden ", ["1"]],
    ["tasks after a comma", "task add x --after 3,6", ["3,6", "3,60"]],
    ["lists", "task list --list ", ["garden", "work"]],
    ["a store that is not there", "--store nothing.db todo done ", []],
  ])("%s", async (_name, line, words) => {
    const found = await offered(machine, line);
    expect(found).toEqual(words);
  });

  test("each with a description that no terminal obeys", async () => {
    const todos = await ask(machine, ["todo", "done", ""]);
    expect(todos).toBe("2\t(in progress) Two\n3\tThree\u241b[31m red\n4\tFour\n");
    expect(await ask(machine, ["task", "done", "5"])).toMatch(/^55\t\(amy\) Task 55\n5\tTask 5\n/);
    expect(await ask(machine, ["sessions", "0199a"])).toBe(`${HERE}\tidle · 1/4 ▸ Two\n`);
    expect(await ask(machine, ["sessions", "0199b"])).toBe(`${ELSEWHERE}\tidle · other · 0/1 ▸ Elsewhere\n`);
  });

  test("the same from bash, which gives the line", async () => {
    const line = "milepost todo done --session=0199b";
    const { environment, project: folder, home: userFolder } = machine;
    const text = await runComplete({ arguments: ["--line", " =:", line], environment, folder, userFolder });
    expect(text).toMatch(new RegExp(`^${ELSEWHERE}\t`));
  });

  test("a process answers the same, and nothing else", () => {
    const args = ["complete", "--", "todo", "done", "--help", "--session", "0199b"];
    const { stdout, stderr, status } = spawnSync(process.execPath, [bundle, ...args], {
      env: machine.environment,
      cwd: machine.project,
      encoding: "utf8",
    });
    expect([stdout.split("\t")[0], stderr, status]).toEqual([ELSEWHERE, "", 0]);
  });

  test("nothing is written by looking", async () => {
    const files = () => readdirSync(join(machine.home, "state")).filter((name) => !/-(?:wal|shm)$|^cache$/.test(name));
    const before = [files(), run(machine, ["events"])];
    for (const line of ["todo done ", "task done ", "todo --session ", "task list --list "])
      await offered(machine, line);
    expect([files(), run(machine, ["events"])]).toEqual(before);
  });
});

describe("without a name, todos of the session that commands would choose", () => {
  const machine = makeMachine();
  beforeAll(() => {
    startSession(machine, HERE, machine.project);
    callTodo(machine, HERE, { add: ["One", "Two"] });
    startSession(machine, "ended", machine.project);
    callTodo(machine, "ended", { add: ["Over"] });
    tellHook(machine, { hook_event_name: "SessionEnd", session_id: "ended", cwd: machine.project, reason: "other" });
    startSession(machine, "above", machine.home);
    callTodo(machine, "above", { add: ["A", "B", "C"] });
  });

  test.each([
    ["one that goes on before one that has ended, and the nearest", "project/src", ["1", "2"]],
    ["above all projects", "other", ["1", "2", "3"]],
    ["never another project's", "..", []],
  ])("%s", async (_, folder, words) => {
    expect(await offered(machine, "todo done ", join(machine.home, folder))).toEqual(words);
  });
});

describe("sessions that only transcripts know", () => {
  const machine = makeMachine();
  const uuid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
  beforeAll(() => {
    const slug = machine.project.replace(/[^A-Za-z0-9]/g, "-");
    makeTranscript(machine, `.claude/projects/${slug}/${uuid("a")}.jsonl`, 90);
    makeTranscript(machine, `.claude/projects/${slug}/${uuid("a")}/subagents/agent-a0b1.jsonl`, 80);
    makeTranscript(machine, `.claude/projects/-elsewhere/${uuid("b")}.jsonl`, 20);
    makeTranscript(machine, `.claude/projects/-elsewhere/notes.jsonl`, 1);
    makeTranscript(machine, `.codex/sessions/2026/11/15/rollout-2026-11-15T09-50-24-${uuid("c")}.jsonl`, 30);
    makeTranscript(machine, `.codex/sessions/2026/11/02/rollout-2026-11-02T09-50-24-${uuid("d")}.jsonl`, 4000);
    makeTranscript(machine, `.omp/agent/sessions/--elsewhere--/2026-11-15T09-50-24-000Z_${uuid("e")}.jsonl`, 10);
    makeTranscript(machine, ".hermes/sessions/session_20261115_ab12.json", 5);
  });

  test("this project's first, then the newest", async () => {
    const all = await offered(machine, "sessions ");
    expect(all).toEqual([uuid("a"), "20261115_ab12", uuid("e"), uuid("b"), uuid("c"), uuid("d")]);
    expect(await offered(machine, "todo --session b")).toEqual([uuid("b")]);
    expect(await ask(machine, ["sessions", "b"])).toBe(`${uuid("b")}\tclaude-code · elsewhere · 20m ago\n`);
  });

  test("with the title that an agent gave, once it was read", async () => {
    const read = makeMachine();
    const id = uuid("f");
    const common = { sessionId: id, cwd: "/elsewhere", version: "2.1.325", timestamp: "2026-11-15T09:50:24.000Z" };
    const lines = [
      { ...common, type: "user", uuid: "1", parentUuid: null, message: { role: "user", content: "Please help" } },
      { type: "ai-title", aiTitle: "Fix the\u001b[31m login", sessionId: id },
    ];
    makeTranscript(read, `.claude/projects/-elsewhere/${id}.jsonl`, 7, lines);
    expect(await ask(read, ["sessions", ""])).toBe(`${id}\tclaude-code · elsewhere · 7m ago\n`);
    spawnSync(process.execPath, [bundle, "sessions"], { env: read.environment, cwd: read.project });
    expect(await ask(read, ["sessions", ""])).toBe(
      `${id}\tFix the\u241b[31m login · claude-code · elsewhere · 7m ago\n`,
    );
  });

  test("and their sub-agents", async () => {
    expect(await offered(machine, `todo --session ${uuid("a")} --agent `)).toEqual(["a0b1"]);
  });

  test("no store is made by it", async () => {
    await offered(machine, "todo done ");
    expect(existsSync(join(machine.home, "state"))).toBe(false);
  });
});

describe("a store in trouble", () => {
  test.each([
    ["is no database", (file: string) => writeFileSync(file, "x".repeat(5000))],
    ["is a folder", (file: string) => mkdirSync(file)],
    ["is empty", (file: string) => writeFileSync(file, "")],
  ])("%s: nothing is said, and what needs no store is offered", async (_name, spoil) => {
    const machine = makeMachine();
    mkdirSync(join(machine.home, "state"), { mode: 0o700 });
    spoil(join(machine.home, "state", "milepost.db"));
    for (const line of ["todo done ", "task done ", "sessions ", "task list --list ", "todo --agent "])
      expect([line, await ask(machine, line.split(" "))]).toEqual([line, ""]);
    expect(await offered(machine, "todo do")).toEqual(["done"]);
  });

  test("is locked for everybody: not waited for", async () => {
    const machine = makeMachine();
    // By a process: in this one the file would stay open until garbage is collected, and cannot be locked till then.
    const add = [bundle, "task", "add", "One"];
    expect(spawnSync(process.execPath, add, { env: machine.environment, cwd: machine.project }).status).toBe(0);
    const release = await holdFile(join(machine.home, "state", "milepost.db"), "locking_mode=EXCLUSIVE");
    const start = performance.now();
    expect(await ask(machine, ["task", "done", ""])).toBe("");
    expect(performance.now() - start).toBeLessThan(2000);
    await release();
    expect(await offered(machine, "task done ")).toEqual(["1"]);
  });

  test("is being written: read as it was before", async () => {
    const machine = makeMachine();
    run(machine, ["task", "add", "One"]);
    const release = await holdFile(join(machine.home, "state", "milepost.db"), "BEGIN IMMEDIATE");
    expect(await offered(machine, "task done ")).toEqual(["1"]);
    await release();
  });
});

test("every command, verb and flag is known", async () => {
  const { commands } = await completionTable();
  const names = [...COMMANDS, ...SURFACES].map(({ name }) => name);
  expect(commands.map(({ name }) => name).sort()).toEqual(names.sort());
  const machine = makeMachine();
  const lines = COMMANDS.flatMap((one) =>
    "verbs" in one
      ? one.verbs.map((verb) => ({ line: `${one.name} ${verb.name} --`, command: verb }))
      : [{ line: `${one.name} --`, command: one }],
  );
  for (const { line, command } of lines) {
    const { input, words = [] } = await command.load();
    const flags = Object.keys(input).filter((field) => !words.includes(field));
    expect(await offered(machine, line), line).toEqual(expect.arrayContaining(flags.map(flagName)));
  }
});
