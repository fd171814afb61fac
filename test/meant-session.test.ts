import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { processName } from "../src/app/session/process-life.js";
import { sessionEvent } from "../src/app/session/session-view.js";
import { commandWords } from "../src/app/setup/command-line.js";
import { placeName } from "../src/app/tasks/list-name.js";
import type { SessionEvent } from "../src/core/session/events.js";
import { append } from "../src/store/event-store.js";
import { chained, type Line, user, wrote } from "./readers/claude-lines.js";
import { type Around, runOn } from "./run-on.js";

// Which session a command means, on a machine where nothing was set up: transcripts are all there is. And beside it
// sessions that report to us.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-meant-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
let web = "";
beforeEach(() => {
  home = join(folder, `${++machines}`);
  web = join(home, "web");
  mkdirSync(join(web, ".git"), { recursive: true });
  writeFileSync(join(web, ".git", "HEAD"), "ref: refs/heads/fix/login\n");
});

const run = (line: string | readonly string[], around?: Around) =>
  runOn(home, typeof line === "string" ? line.split(" ") : line, around);
const inWeb = (line: string | readonly string[]) => run(line, { folder: web });
const events = async () => (await run("events")).out;

/** A session of Claude Code, with a sub-agent where one is named; `age` in minutes. */
function claude(id: string, todos: readonly string[], { project = web, age = 1, agent = "" } = {}): void {
  const path = join(home, ".claude", "projects", project.replaceAll("/", "-"), `${id}.jsonl`);
  const lines: Line[] = [user("Fix the login"), ...(todos.length === 0 ? [] : wrote(...todos))];
  const records = chained(lines).map((line) => ({ ...line, sessionId: id, cwd: project, gitBranch: "main" }));
  put(path, records, age);
  if (agent === "") return;
  const below = chained([user("Look around"), ...wrote("Look!")]).map((line) => {
    return { ...line, sessionId: id, agentId: agent, isSidechain: true, cwd: project };
  });
  put(join(dirname(path), id, "subagents", `agent-${agent}.jsonl`), below, age);
}

function put(path: string, records: readonly object[], age: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const at = new Date(Date.now() - age * 60_000);
  utimesSync(path, at, at);
}

async function record(id: string, ...told: readonly SessionEvent[]): Promise<void> {
  const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
  await store.commit(append([{ stream: `session:${id}`, events: told.map((event) => sessionEvent(event)) }]));
  await close();
}

const started = (place = web): SessionEvent => {
  return {
    type: "session.started",
    source: "startup",
    client: "claude-code",
    process: processName(process.pid),
    folder: place,
  };
};
const call = (session: string, ...add: string[]) =>
  run(["call", "--session", session], { input: JSON.stringify({ tool: "todo", input: { add } }) });

const A = "acc5a7d2-0c42-4b7e-9c11-aa0000000001";
const B = "acc5b1d2-0c42-4b7e-9c11-aa0000000002";

describe("without a name, the nearest session that goes on is meant, reported or not", () => {
  const shown = async () => JSON.parse((await inWeb("todo list --json")).out).session;

  test("one of another program above the project does not stand for it", async () => {
    await record(B, started(home));
    claude(A, ["Fix!"]);
    expect(await shown()).toBe(A);
    expect((await inWeb("todo add Mine")).err).toContain("[only-read]");
    expect((await inWeb("tell Wait")).err).toContain("[no-reader]");
    expect(await events()).not.toMatch(/Mine|word\./);
  });

  test.each([
    ["a newer one that goes on is before one that has ended", 0, A],
    ["an older one is not", 60, B],
  ])("%s", async (_name, age, meant) => {
    await record(B, started(), { type: "session.ended", reason: "exit" });
    claude(A, ["Fix!"], { age: age - 1 });
    expect(await shown()).toBe(meant);
  });

  test("one that reports and goes on is before any other in its folder", async () => {
    await record(B, started());
    claude(A, ["Fix!"], { age: 0 });
    expect(await shown()).toBe(B);
  });
});

test.each([
  [
    "several sessions",
    "acc5",
    /2 sessions begin with acc5: .* Did you mean: milepost todo list --session acc5\w+ --agent zz/,
  ],
  [
    "none, nearly",
    "acc5a8",
    /No session is called acc5a8\. Did you mean: milepost todo list --session acc5a7? --agent zz /,
  ],
])("with a sub-agent, and a session that is the name of %s: that one is named", async (_name, typed, said) => {
  claude(A, ["One"]);
  claude(B, ["Two"]);
  expect((await inWeb(["todo", "list", "--session", typed, "--agent", "zz"])).err).toMatch(said);
});

describe("a session that sessions lists is shown by every command", () => {
  test.each([A, "acc5a7", "acc5a"])("as %s", async (name) => {
    claude(A, ["Read.", "Fix!"]);
    claude(B, ["Else"]);
    expect((await run(`todo --session ${name}`)).out).toBe(
      "web · fix/login · claude acc5a7   1/2   only read, from its transcript\n  1 [x] Read  ? unbacked\n  2 [>] Fix\n",
    );
    expect((await run(`digest --session ${name}`)).out).toContain("#2 [in progress] Fix");
    expect(JSON.parse((await run(`sessions ${name} --json`)).out).sessions).toMatchObject([{ id: A }]);
    expect(JSON.parse((await run(`todo --session ${name} --json`)).out)).toMatchObject({
      ...{ session: A, subAgent: null, agent: "claude-code", project: "web", branch: "fix/login", writable: false },
    });
  });

  test.each(["a1b2c3d", "a1b", `${A}/a1b2c3d`, "acc5/a1b"])("a sub-agent as %s", async (name) => {
    claude(A, ["Read!"], { agent: "a1b2c3d" });
    expect((await run(`todo --session ${name}`)).out).toMatch(
      /^web · fix\/login · claude acc5a7\/a1b2c3d {3}0\/1.*\n.*Look\n$/,
    );
    expect((await run(`digest --session ${name}`)).out).toContain("Look");
    const { out } = await run(`sessions ${name}`);
    expect(out).toContain(`sub-agent a1b2c3d of ${A}`);
    expect(out).not.toContain("Read");
  });

  test("without a name, the newest of this project", async () => {
    claude(A, ["Read!"], { age: 9 });
    claude(B, ["Else!"], { project: join(home, "api"), age: 1 });
    expect((await inWeb("todo")).out).toContain("claude acc5a7");
    expect((await inWeb("digest")).out).toContain("Read");
    for (const line of ["todo", "digest", "todo add x", "tell hi", "task promote 1"])
      expect(await run(line)).toMatchObject({ exit: 1, out: "", err: expect.stringContaining("[no-session]") });
  });

  test("one without a list says so, and names no command that would be refused", async () => {
    claude(A, []);
    expect((await run("todo --session acc5")).out).toBe(
      "web · fix/login · claude acc5a7   no todos   only read, from its transcript\n",
    );
    expect(await run("digest --session acc5")).toEqual({ exit: 0, out: "", err: "" });
    const seen = await run("digest --session acc5", { isErrorTerminal: true });
    expect(seen).toMatchObject({ exit: 0, out: "" });
    expect(lastRow(seen.err)).toBe("web · fix/login · claude acc5a7: no open todos\n");
  });

  test("a person is told whose digest it is, beside the text for the model", async () => {
    claude(A, ["Read.", "Fix!", "Test"]);
    const piped = await run("digest --session acc5");
    expect(piped.err).toBe("");
    const seen = await run("digest --session acc5", { isErrorTerminal: true });
    expect(seen.out).toBe(piped.out);
    expect(lastRow(seen.err)).toBe("web · fix/login · claude acc5a7: 2 open todos\n");
  });
});

/** What is left to be seen: progress is drawn over. */
function lastRow(err: string): string {
  return stripVTControlCharacters(err).split("\r").filter(Boolean).at(-1) ?? "";
}

/** The command in an answer, as a shell would read it. */
function hintIn(err: string): readonly string[] {
  const [, line = ""] = /: (milepost [^\n]*?) \[[a-z-]+\]\n$/.exec(err) ?? [];
  return commandWords(line).slice(1);
}

describe("a name that means no session, or several", () => {
  const COMMANDS = ["todo", "todo done 1", "digest", "tell hi", "task pull 1", "task promote 1"];

  test.each([...COMMANDS.map((line) => `${line} --session NAME`), "sessions NAME", "forget --yes NAME"])(
    "%s",
    async (line) => {
      claude(A, ["Read."], { age: 1 });
      claude(B, ["Else!"], { age: 5 });
      const several = await run(line.replace("NAME", "acc5"));
      expect(several).toMatchObject({ exit: 2, out: "" });
      expect(several.err).toContain("2 sessions begin with acc5: acc5a7 (web, claude-code, 1m ago), acc5b1 (web, ");
      expect(several.err).toContain("[bad-usage]");
      expect(hintIn(several.err)).toEqual(line.replace("todo --", "todo list --").replace("NAME", "acc5a7").split(" "));
      const near = await run(line.replace("NAME", "acd5b1"));
      expect(near).toMatchObject({ exit: 2, out: "", err: expect.stringContaining("[unknown-session]") });
      expect(hintIn(near.err).join(" ")).toContain("acc5b1");
      const none = await run(line.replace("NAME", "nobody"));
      expect(none).toMatchObject({ exit: 2, out: "", err: expect.stringContaining("[unknown-session]") });
      expect((await run(hintIn(none.err))).exit).toBe(0);
      expect(await run(line.replace("NAME", "../x"))).toMatchObject({
        exit: 2,
        err: expect.stringContaining("bad-id"),
      });
      expect(await events()).toBe("");
    },
  );

  test("a session of the store counts as well, and a whole id of it is that one", async () => {
    claude(B, ["Else"]);
    await record("acc5", started());
    await record("acc5a7-stored", started());
    expect((await run("todo --session acc5")).out).toMatch(/^web · fix\/login · claude acc5 /);
    expect((await run("todo --session acc5a")).out).toMatch(/^web · fix\/login · claude acc5a7 /);
    expect((await run("todo --session acc")).err).toContain("3 sessions begin with acc: ");
  });

  test("a sub-agent that is not there", async () => {
    claude(A, ["Read"], { agent: "a1b2c3d" });
    for (const name of ["--session acc5 --agent a1b2c4d", "--session acc5/a1b2c4d"]) {
      const { exit, err } = await run(`digest ${name}`);
      expect([exit, err]).toEqual([2, expect.stringContaining("[unknown-agent]")]);
      expect((await run(hintIn(err))).out).toContain("Look");
    }
  });
});

describe("what cannot be done is said, and nothing is changed", () => {
  test("a list that is only read", async () => {
    claude(A, ["Read!"]);
    await inWeb(["task", "add", "Ship it"]);
    const before = await events();
    for (const line of ["todo add x", "todo done 1", "task pull 1", `task pull 1 --session acc5`])
      expect(await inWeb(line)).toMatchObject({
        exit: 1,
        out: "",
        err: expect.stringMatching(
          new RegExp(`^milepost: Session ${A} is only read.*: milepost setup claude-code \\[only-read\\]\n$`),
        ),
      });
    expect(await inWeb("tell hi")).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/, wire it and start it again: milepost setup claude-code \[no-reader\]\n$/),
    });
    const promoted = await inWeb("task promote 1");
    expect(promoted).toMatchObject({ exit: 1, err: expect.stringContaining("[client-owned]") });
    expect(await events()).toBe(before);
    expect((await inWeb(hintIn(promoted.err))).out).toContain("Read");
  });

  test("a session that began before its agent was wired only has to be started again", async () => {
    claude(A, ["Read!"]);
    await inWeb("setup claude-code --yes");
    for (const line of ["todo add x", "tell hi"])
      expect((await inWeb(line)).err).toMatch(
        new RegExp(`, start it again: claude --resume ${A} \\[(only-read|no-reader)\\]\n$`),
      );
    await record("bare", { type: "session.started", source: "startup", client: "codex", process: "", folder: web });
    await run(["task", "add", "Ship it"]);
    expect((await run("task pull 1 --session bare")).err).toMatch(/start it again: milepost setup codex \[no-reader\]/);
  });

  test("what our own server named by its folder is not resumed: a new session reports", async () => {
    const id = placeName(web);
    await record(id, { type: "session.started", source: "call", client: "opencode", process: "", folder: web });
    expect((await run(`tell --session ${id} hi`)).err).toMatch(/wire it .*: milepost setup opencode \[no-reader\]/);
    await run("setup opencode --yes");
    expect((await run(`tell --session ${id} hi`)).err).toMatch(/, begin a new session of opencode \[no-reader\]\n$/);
  });

  test("a task is not pulled by a session that has ended, or keeps no list with us", async () => {
    await run(["task", "add", "Ship it"]);
    await record("ended", started(), { type: "session.ended", reason: "exit" });
    await record("bare", { type: "session.started", source: "startup", client: "zed", process: "", folder: web });
    const before = await events();
    for (const id of ["ended", "bare"])
      expect(await run(`task pull 1 --session ${id}`)).toMatchObject({
        ...{ exit: 1, out: "", err: expect.stringContaining("[no-reader]") },
      });
    expect(await events()).toBe(before);
    await record("reads", started());
    expect((await run("task pull 1 --session rea")).out).toBe(
      "Task #1 and todo 1 of web · fix/login · claude reads are now linked.\n",
    );
  });

  test.each<[string, () => Promise<void> | void]>([
    ["reports to us", () => record("other", started(join(home, "api")))],
    ["is only known from its transcript", () => claude(A, ["Else"], { project: join(home, "api") })],
  ])("a list of no project is changed by name alone where a session of a project %s", async (_name, add) => {
    await call("loose", "Read it");
    expect((await inWeb("todo done 1")).out).toContain("no project · loose   1/1");
    expect((await inWeb("tell hi")).err).toContain("[no-session]");
    await add();
    expect((await inWeb("todo")).out).toContain("no project · loose");
    const refused = await inWeb(["todo", "add", "it's x"]);
    expect(refused).toMatchObject({ exit: 1, out: "", err: expect.stringContaining("[no-session]") });
    expect((await inWeb("task promote 1")).err).toContain("[no-session]");
    expect((await inWeb(hintIn(refused.err))).out).toContain("Added: 2 it's x");
  });

  test("a sub-agent is told by its session, and forgotten with it", async () => {
    await record("s1", started());
    await record("s1/x1", { type: "turn.started", isStop: false });
    const told = await run("tell hi --session s1/x1");
    expect(told).toMatchObject({ exit: 1, err: expect.stringContaining("[no-reader]") });
    expect((await run(hintIn(told.err))).exit).toBe(0);
    const kept = await run("forget s1/x1 --yes");
    expect(kept).toMatchObject({ exit: 2, err: expect.stringContaining("[bad-usage]") });
    expect((await run(hintIn(kept.err))).out).toContain("Deleted session s1");
  });

  test("what is known from a transcript alone has nothing to be forgotten but what was read", async () => {
    claude(A, ["Read"]);
    expect((await run("forget acc5 --yes")).out).toContain(`Deleted session ${A}: 0 events in 0 streams, and what was`);
  });
});

test("a whole id that the store knows opens no transcript", async () => {
  await record("s1", started());
  await call("s1", "Read it");
  claude("s1", ["From the transcript"]);
  expect((await run("todo --session s1")).out).toContain("Read it");
  expect((await run("todo done 1 --session s1")).exit).toBe(0);
  // Whoever opens transcripts keeps what was read.
  const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
  expect(await store.readings(hostname())).toEqual([]);
  await close();
});

describe("filters of sessions", () => {
  const ids = async (line: string) =>
    JSON.parse((await run(`${line} --json`)).out).sessions.map(({ id }: { readonly id: string }) => id);

  beforeEach(() => {
    claude(A, ["Read!"], { age: 1 });
    claude(B, ["Else!"], { age: 200 });
  });

  test.each<[string, readonly string[]]>([
    ["sessions --since 2h", [A]],
    ["sessions --since 1d", [A, B]],
    ["sessions --since 2020-01-01", [A, B]],
    ["sessions --state running", [A]],
    ["sessions --state stalled --agent Claude", [B]],
    ["sessions --state running --since 2020-01-01T00:00", [A]],
  ])("%s", async (line, then) => {
    expect(await ids(line)).toEqual(then);
  });

  test.each([
    ["sessions --state waiting", "--state waiting"],
    ["sessions --since 2h --state waiting", "--state waiting"],
    ["sessions --since 2h --state stalled", "--state stalled and --since 2h"],
    ["sessions --here", "--here"],
    ["sessions --agent codex", "--agent codex"],
  ])("%s fits nothing, and says what does not", async (line, which) => {
    expect(await run(line)).toMatchObject({
      ...{ exit: 0, out: `No session fits ${which}. All sessions: milepost sessions --all\n`, err: "" },
    });
    expect(await ids(line)).toEqual([]);
  });

  test.each([
    ["sessions --agent cluade-code --since 2h", ["sessions", "--agent", "claude-code", "--since", "2h"]],
    ["sessions --agent nobody", ["sessions", "--all"]],
  ])("%s: an agent that nobody has is wrong usage", async (line, hint) => {
    const { exit, err } = await run(line);
    expect([exit, err]).toEqual([2, expect.stringContaining("[bad-usage]")]);
    expect(hintIn(err)).toEqual(hint);
  });

  test.each(["sessions --since soon", "sessions --since 2026", "sessions --state wating"])(
    "%s is wrong usage",
    async (line) => {
      expect(await run(line)).toMatchObject({ exit: 2, out: "", err: expect.stringContaining("[bad-usage]") });
    },
  );

  test("how many more there are, and the command that shows them", async () => {
    for (let n = 0; n < 3; n += 1) claude(`old-${n}`, ["x"], { age: 2000 + n, agent: "a1" });
    const first = await run("sessions --limit 2");
    expect(first.out).toMatch(/\nabout 3 more: milepost sessions --all\n$/);
    expect((await run("sessions --limit 2 --agent claude")).out).toMatch(
      /\n3 more: milepost sessions --all --agent claude\n$/,
    );
    // By now all of them were read.
    expect((await run("sessions --limit 2")).out).toMatch(/\n3 more: milepost sessions --all\n$/);
    expect(JSON.parse((await run("sessions --limit 2 --json")).out)).toMatchObject({ more: 3 });
    expect((await run("sessions --all")).out).not.toContain("more:");
    expect((await run("sessions --all --limit 2")).out).toMatch(/\n3 more: milepost sessions --all\n$/);
  });
});
