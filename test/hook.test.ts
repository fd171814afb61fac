import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freshDatabase } from "./databases.js";
import { clean, command, eventsOf, hook, type Run, run } from "./hook-process.js";
import { McpProcess } from "./mcp-process.js";
import { readableCommand } from "./readable-command.js";
import { sized } from "./sizes.js";

const home = () => mkdtempSync(join(tmpdir(), "milepost-hook-"));
const isRoot = process.getuid?.() === 0;

const call = (id: string, fields: object = {}) => ({
  session_id: "s1",
  hook_event_name: "PostToolUse",
  cwd: "/work",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: id,
  ...fields,
});

/** Whatever went wrong, a client goes on. */
function expectHarmless({ exit, out, err, milliseconds }: Run): void {
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  if (out !== "") JSON.parse(out);
  // The promise is 2 seconds; the bench measures, this only tells a hang from a slow machine.
  expect(milliseconds).toBeLessThan(20_000);
}

describe("milepost hook", () => {
  test.runIf(isRoot)("a user whom nobody knows, without a home", ({ skip }) => {
    const installed = readableCommand(54_321) ?? skip("Node itself is in a folder that only root may enter");
    const stranger = { env: { PATH: process.env.PATH }, uid: 54_321, gid: 54_321, cwd: "/" };
    for (const surface of ["hook", "statusline"]) {
      const input = JSON.stringify(call("t1"));
      const { status, stderr } = spawnSync(process.execPath, [installed, surface], { ...stranger, input });
      expect([status, String(stderr)]).toEqual([0, ""]);
    }
  });

  test("a pipe where a file of ours should be", async () => {
    const MILEPOST_HOME = home();
    for (const name of ["config.json", "milepost.log"]) spawnSync("mkfifo", [join(MILEPOST_HOME, name)]);
    expectHarmless(await hook(call("t1"), clean({ MILEPOST_HOME })));
    expectHarmless(await hook("{", clean({ MILEPOST_HOME })));
  });

  test("its event is in the store when it has ended", async () => {
    const environment = clean({ MILEPOST_HOME: home() });
    expectHarmless(await hook(call("t1"), environment));
    const events = await eventsOf(environment);
    expect(events.map(({ stream, type }) => `${stream} ${type}`)).toEqual([
      "session:s1 session.started",
      "session:s1 reply.ended",
      "calls:s1 call.ended",
    ]);
  });

  test("hooks that run at the same time lose nothing, and leave a short journal", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    await hook(call("first"), environment);
    const ids = Array.from({ length: sized(12, 60) }, (_, index) => `p${index}`);
    for (let at = 0; at < ids.length; at += 6)
      await Promise.all(ids.slice(at, at + 6).map((id) => hook(call(id), environment)));
    const seen = (await eventsOf(environment)).filter(({ type }) => type === "call.ended").map(({ data }) => data.call);
    expect(seen.sort()).toEqual(["first", ...ids].sort());
    // On a loaded machine one may give up its turn; what it had to tell was written later.
    expect(logOf(MILEPOST_HOME).filter((line) => !line.endsWith("[store-busy]"))).toEqual([]);
    for (let index = 0; index < sized(10, 40); index += 1) await hook(call(`q${index}`), environment);
    // A hook writes 18 KB: nobody who only appends stays below.
    expect(statSync(join(MILEPOST_HOME, "milepost.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBeLessThan(
      sized(400_000, 1_000_000),
    );
  });

  test("two hooks that report one fork at the same time copy its list once", async () => {
    const environment = clean({ MILEPOST_HOME: home() });
    const todos = ["Read", "Fix"].map((content) => ({ content, status: "pending", activeForm: content }));
    await hook(call("w1", { tool_name: "TodoWrite", tool_input: { todos } }), environment);
    const forks = Array.from({ length: 6 }, (_, index) => `fork-${index}`);
    for (const session_id of forks) {
      const fork = { session_id, hook_event_name: "SessionStart", source: "fork", cwd: "/work" };
      const transcript_path = forkedFile(environment.MILEPOST_HOME ?? "", session_id);
      const report = () => hook({ ...fork, transcript_path }, environment);
      for (const told of await Promise.all([report(), report()])) expectHarmless(told);
    }
    const added = (await eventsOf(environment)).filter(({ type }) => type === "todo.added");
    const copies = forks.map((name) => added.filter(({ stream }) => stream === `session:${name}`).length);
    expect(copies).toEqual(forks.map(() => 2));
  });

  test("on PostgreSQL: events, reminders, the client's own list, the status line", async () => {
    const MILEPOST_STORE = await freshDatabase("hook");
    const environment = clean({ MILEPOST_HOME: home(), MILEPOST_STORE });
    const todos = [{ content: "Fix", status: "in_progress", activeForm: "Fixing" }];
    expectHarmless(await hook(call("w1", { tool_name: "TodoWrite", tool_input: { todos } }), environment));
    expectHarmless(await hook(call("b1"), environment));
    expect((await hook({ session_id: "s1", hook_event_name: "Stop" }, environment)).out).toContain(
      "you stop with a todo in progress",
    );
    expect((await run(["statusline"], '{"session_id":"s1"}', environment)).out).toBe("0/1 ▸ Fixing\n");
    expect((await eventsOf(environment)).map(({ type }) => type)).toContain("reminder.sent");
  });

  const STRANGE = sized(16, 400);
  test(`${STRANGE} inputs that nobody should send`, async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    const inputs = fc.sample(strangeInput, { numRuns: STRANGE });
    for (let at = 0; at < inputs.length; at += 4)
      for (const one of await Promise.all(inputs.slice(at, at + 4).map((input) => hook(input, environment))))
        expectHarmless(one);
    // And it still works.
    await hook(call("after"), environment);
    expect((await eventsOf(environment)).some(({ data }) => data.call === "after")).toBe(true);
  }, 1_800_000);

  const BIG = sized(20_000_000, 50_000_000);
  test(`${BIG} characters of tool output`, async () => {
    const environment = clean({ MILEPOST_HOME: home() });
    expectHarmless(await hook(call("big", { tool_response: { stdout: "x".repeat(BIG) } }), environment));
    expectHarmless(
      await hook(call("list", { tool_name: "TaskCreate", tool_response: { text: "y".repeat(BIG) } }), environment),
    );
    const events = await eventsOf(environment);
    expect(events.filter(({ type }) => type === "call.ended")).toHaveLength(2);
    expect(JSON.stringify(events).length).toBeLessThan(5000);
  }, 60_000);

  test.each<[string, (folder: string) => NodeJS.ProcessEnv]>([
    ["a store that is a folder", (folder) => ({ MILEPOST_STORE: folder })],
    ["a store that cannot be made", () => ({ MILEPOST_HOME: "/dev/null/x" })],
    ["a folder where nothing can be made", () => ({ MILEPOST_HOME: "/proc/nope/x" })],
    ["a store of another program", (folder) => ({ MILEPOST_STORE: textFile(folder) })],
    ["a server that is not there", () => ({ MILEPOST_STORE: "postgres://nobody@127.0.0.1:1/nothing" })],
    ["an address that is none", () => ({ MILEPOST_STORE: "mysql://x" })],
  ])("%s: exit 0, and a line in the log", async (_, trouble) => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME, ...trouble(MILEPOST_HOME) });
    expectHarmless(await hook(call("t1"), environment));
    if (environment.MILEPOST_HOME === MILEPOST_HOME)
      expect(readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8")).toMatch(/^\S+Z hook(?: \w+)?: .+\n$/);
  });

  test.skipIf(isRoot)("a folder that may not be written", async () => {
    const MILEPOST_HOME = home();
    chmodSync(MILEPOST_HOME, 0o500);
    expectHarmless(await hook(call("t1"), clean({ MILEPOST_HOME })));
  });

  test("a store that is locked for long is given up", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    await hook(call("t1"), environment);
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const lock = new DatabaseSync(join(MILEPOST_HOME, "milepost.db"));
    lock.exec("BEGIN EXCLUSIVE");
    expectHarmless(await hook(call("t2"), environment));
    lock.exec("ROLLBACK");
    lock.close();
    expect(readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8")).toMatch(/given up|locked/);
    expectHarmless(await hook(call("t3"), environment));
  });

  test("a damaged store is left as it is", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    for (let index = 0; index < 5; index += 1) await hook(call(`t${index}`), environment);
    command(["doctor"], "", environment);
    const journal = join(MILEPOST_HOME, "milepost.db-wal");
    const file = join(MILEPOST_HOME, "milepost.db");
    const hurt = existsSync(journal) && statSync(journal).size > 0 ? journal : file;
    writeFileSync(hurt, readFileSync(hurt).fill(0x55, 40, 4000));
    const before = [file, journal].map((path) => (existsSync(path) ? readFileSync(path) : undefined));
    expectHarmless(await hook(call("t9"), environment));
    expect([file, journal].map((path) => (existsSync(path) ? readFileSync(path) : undefined))).toEqual(before);
    expect(readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8")).toContain("hook");
  });
});

describe("doctor's question", () => {
  const ask = { hook_event_name: "Doctor", session_id: "doctor" };

  test("is answered, and makes no store", async () => {
    const MILEPOST_HOME = home();
    expect((await hook(ask, clean({ MILEPOST_HOME }))).out).toBe(
      `${JSON.stringify({ store: join(MILEPOST_HOME, "milepost.db") })}\n`,
    );
    expect(existsSync(join(MILEPOST_HOME, "milepost.db"))).toBe(false);
  });

  test("with what hinders the hook", async () => {
    const MILEPOST_HOME = home();
    const { out } = await hook(ask, clean({ MILEPOST_HOME, MILEPOST_STORE: textFile(MILEPOST_HOME) }));
    expect(JSON.parse(out).systemMessage).toMatch(/store|SQLite/);
  });

  test("doctor shows what was logged in the last day", async () => {
    const MILEPOST_HOME = home();
    await hook("{", clean({ MILEPOST_HOME }));
    const { out } = command(["doctor"], "", clean({ MILEPOST_HOME, HOME: home() }));
    expect(out).toMatch(/warning .*milepost\.log ends with: .*not a JSON object \[logged-trouble\]/);
  });
});

/** A transcript that says whose fork it is. */
function forkedFile(folder: string, session: string): string {
  const path = join(folder, `${session}.jsonl`);
  writeFileSync(path, `${JSON.stringify({ type: "user", forkedFrom: { sessionId: "s1" }, sessionId: session })}\n`);
  return path;
}

function textFile(folder: string): string {
  const path = join(folder, "notes.db");
  writeFileSync(path, "not a store".repeat(1000));
  return path;
}

const names = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "UserPromptSubmit",
  "Notification",
  "PermissionRequest",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
  "TeammateIdle",
  "__proto__",
  "toString",
  "",
];
const anything = fc.anything({ maxDepth: 2, withNullPrototype: false });
const fields = fc.record(
  {
    hook_event_name: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, anything),
    session_id: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("s1", "../../etc/passwd", "a".repeat(500), "CON", "s1\u0000") },
      anything,
    ),
    agent_id: fc.oneof(fc.constantFrom("a1", "..", ""), anything),
    cwd: fc.oneof(fc.string({ unit: "binary" }), anything),
    transcript_path: fc.oneof(fc.constantFrom("/dev/zero", "/etc", "/nope/rollout-x.jsonl"), anything),
    tool_name: fc.oneof(
      fc.constantFrom("Bash", "TodoWrite", "update_plan", "TaskCreate", "mcp__milepost__todo", "mcp____"),
      anything,
    ),
    tool_use_id: fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), anything),
    tool_input: fc.oneof(
      fc.constantFrom({ todos: 7 }, { todos: [{ content: "a", status: "pending", activeForm: "b" }] }, { plan: [{}] }),
      anything,
    ),
    tool_calls: fc.oneof(fc.array(anything), anything),
    tool_response: anything,
    prompt: fc.oneof(fc.string({ unit: "binary" }), anything),
    source: fc.oneof(fc.constantFrom("startup", "clear", "fork", "resume", "teleport"), anything),
    background_tasks: anything,
    stop_hook_active: anything,
  },
  { requiredKeys: [] },
);
const strangeInput: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fields.map((value) => JSON.stringify(value) ?? "") },
  { weight: 1, arbitrary: fields.map((value) => (JSON.stringify(value) ?? "").slice(0, -3)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "null",
      "[]",
      "7",
      '"x"',
      "{",
      "[".repeat(100_000),
      '{"a":'.repeat(50_000),
      "\ufeff{}",
    ),
  },
);

describe("one fact, one event", () => {
  test("a call seen by our MCP server and by the hook, whoever comes first to the store", async () => {
    const MILEPOST_HOME = home();
    const environment = { MILEPOST_HOME, CLAUDE_CODE_SESSION_ID: "s1" };
    const server = await McpProcess.greeted({ environment });
    const _meta = { "claudecode/toolUseId": "toolu_1" };
    await server.ask("tools/call", { name: "todo", arguments: { add: ["Fix"] }, _meta });
    const seen = call("toolu_1", { tool_name: "mcp__milepost__todo", tool_input: { add: ["Fix"] } });
    expectHarmless(await hook(seen, clean({ MILEPOST_HOME })));
    await server.end();
    const events = await eventsOf(clean({ MILEPOST_HOME }));
    expect(events.filter((event) => JSON.stringify(event).includes("toolu_1"))).toHaveLength(1);
    expect(events.filter(({ type }) => type === "call.ended")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "reply.ended")).toEqual([]);
  });

  test("after /clear the server still has the old name, and the hook knows the new one", async () => {
    const MILEPOST_HOME = home();
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME, CLAUDE_CODE_SESSION_ID: "old" } });
    // The client of both is this very process.
    const client = clean({ MILEPOST_HOME, CLAUDE_PID: String(process.pid) });
    const announce = (id: string, more: object) =>
      hook(
        {
          session_id: "new",
          hook_event_name: "PreToolUse",
          tool_name: "mcp__milepost__todo",
          tool_use_id: id,
          ...more,
        },
        client,
      );
    await announce("toolu_1", {});
    await server.ask("tools/call", {
      name: "todo",
      arguments: { add: ["Own"] },
      _meta: { "claudecode/toolUseId": "toolu_1" },
    });
    await announce("toolu_2", { agent_id: "a1" });
    await server.ask("tools/call", {
      name: "todo",
      arguments: { add: ["Helper's"] },
      _meta: { "claudecode/toolUseId": "toolu_2" },
    });
    await server.end();
    const added = (await eventsOf(clean({ MILEPOST_HOME }))).filter(({ type }) => type === "todo.added");
    expect(added.map(({ stream, data }) => `${stream} ${data.text}`)).toEqual([
      "session:new Own",
      "session:new/a1 Helper's",
    ]);
  });
});

/** The streams that a todo was added to. */
async function writtenTo(MILEPOST_HOME: string): Promise<readonly string[]> {
  const events = await eventsOf(clean({ MILEPOST_HOME }));
  return events.filter(({ type }) => type === "todo.added").map(({ stream }) => stream);
}

describe("whose call it is, when call ids repeat", () => {
  const _meta = { "claudecode/toolUseId": "toolu_1" };
  const announced = { hook_event_name: "PreToolUse", tool_name: "mcp__milepost__todo", tool_use_id: "toolu_1" };

  test("another process's announcement of the same id is not believed", async () => {
    const MILEPOST_HOME = home();
    await hook({ ...announced, session_id: "theirs" }, clean({ MILEPOST_HOME, CLAUDE_PID: "1" }));
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME, CLAUDE_CODE_SESSION_ID: "mine" } });
    await server.ask("tools/call", { name: "todo", arguments: { add: ["Mine"] }, _meta });
    await server.end();
    expect(await writtenTo(MILEPOST_HOME)).toEqual(["session:mine"]);
  });

  test("an announcement of a session that was cleared since is not believed", async () => {
    const MILEPOST_HOME = home();
    const client = clean({ MILEPOST_HOME, CLAUDE_PID: String(process.pid) });
    await hook({ ...announced, session_id: "a" }, client);
    await hook({ session_id: "a", hook_event_name: "SessionEnd", reason: "clear", cwd: "/w" }, client);
    await hook({ session_id: "b", hook_event_name: "SessionStart", source: "clear", cwd: "/w" }, client);
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME, CLAUDE_CODE_SESSION_ID: "a" } });
    await server.ask("tools/call", { name: "todo", arguments: { add: ["B's"] }, _meta });
    await server.end();
    expect(await writtenTo(MILEPOST_HOME)).toEqual(["session:b"]);
  });

  test("Codex: the same id and input in the next turn is another call", async () => {
    const MILEPOST_HOME = home();
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME } });
    const ask = (turn_id: string, input: object) =>
      server.ask("tools/call", {
        name: "todo",
        arguments: input,
        _meta: { threadId: "t", callId: "call_1", "x-codex-turn-metadata": { session_id: "t", turn_id } },
      });
    await ask("1", { add: ["Run tests"] });
    await ask("2", { done: 1 });
    const { result } = await ask("3", { add: ["Run tests"] });
    expect(result?.content?.[0]?.text).toMatch(/^Already done|^Added 2/);
    expect((await ask("1", { add: ["Run tests"] })).result?.content?.[0]?.text).toBe("Added 1. 0/1 now #1 Run tests");
    await server.end();
  });

  test("without an announcement the session that this client has started is meant", async () => {
    const MILEPOST_HOME = home();
    const client = clean({ MILEPOST_HOME, CLAUDE_PID: String(process.pid) });
    await hook({ session_id: "now", hook_event_name: "SessionStart", source: "clear", cwd: "/w" }, client);
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME, CLAUDE_CODE_SESSION_ID: "before" } });
    await server.ask("tools/call", { name: "todo", arguments: { add: ["Mine"] }, _meta });
    await server.end();
    expect(await writtenTo(MILEPOST_HOME)).toEqual(["session:now"]);
  });

  test("a look under an id that was used before is a new look", async () => {
    const MILEPOST_HOME = home();
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME, CLAUDE_CODE_SESSION_ID: "mine" } });
    const look = () => server.ask("tools/call", { name: "todo", arguments: {}, _meta });
    await look();
    await server.ask("tools/call", { name: "todo", arguments: { add: ["Mine"] } });
    const { result } = await look();
    await server.end();
    expect(result?.content?.[0]?.text).toContain("Mine");
  });
});

describe("a hook that is broken itself", () => {
  test.each<[string, string]>([
    ["throws", 'throw new Error("boom")'],
    ["is no JavaScript", "}"],
    ["has nothing in it", ""],
  ])("%s: exit 0, and a line in the log", async (_, code) => {
    const folder = home();
    const MILEPOST_HOME = home();
    copyFileSync(fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url)), join(folder, "milepost.cjs"));
    writeFileSync(join(folder, "hook.cjs"), code);
    const { status, stdout } = spawnSync(process.execPath, [join(folder, "milepost.cjs"), "hook"], {
      input: JSON.stringify(call("t1")),
      env: clean({ MILEPOST_HOME }),
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8")).toMatch(/Z hook: /);
  });
});

describe("milepost statusline", () => {
  test.each<[string, object, string]>([
    ["shows how far it is", { add: ["Read", "Run tests"], done: [1] }, "1/2 ▸ Run tests\n"],
    ["says what is being done", { add: [{ text: "Run tests", activeForm: "Running tests" }] }, "0/1 ▸ Running tests\n"],
    ["is empty without a list", {}, ""],
    ["says when all is done", { add: ["Read"], done: [1] }, expect.stringMatching(/^1\/1 done \d+s ago\n$/)],
    [
      "also of a list that its dialect has cleared",
      { todos: ["Read", "Run"].map((content) => ({ content, status: "completed", activeForm: content })) },
      expect.stringMatching(/^2\/2 done \d+s ago\n$/),
    ],
  ])("%s", async (_, input, then) => {
    const environment = clean({ MILEPOST_HOME: home() });
    const [dialect, tool] = "todos" in input ? ["claude", "TodoWrite"] : ["milepost", "todo"];
    command(["call", "--session", "s1", "--dialect", dialect], JSON.stringify({ tool, input }), environment);
    expect((await run(["statusline"], '{"session_id":"s1"}', environment)).out).toEqual(then);
  });

  test("makes no store", async () => {
    const MILEPOST_HOME = home();
    await run(["statusline"], '{"session_id":"s1"}', clean({ MILEPOST_HOME }));
    expect(readdirSync(MILEPOST_HOME).filter((name) => name !== "cache")).toEqual([]);
  });

  test("never fails, and cannot be made to write on the terminal", async () => {
    const environment = clean({ MILEPOST_HOME: home() });
    for (const input of ["", "{}", "null", '{"session_id":"../x"}'])
      expect(await run(["statusline"], input, environment)).toMatchObject({ exit: 0, out: "", err: "" });
    await run(
      ["call", "--session", "s1"],
      JSON.stringify({ tool: "todo", input: { add: [{ text: "a", activeForm: "\u001b[31mred\u0007" }] } }),
      environment,
    );
    expect((await run(["statusline"], '{"session_id":"s1"}', environment)).out).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe("compiled code", () => {
  const cached = (folder: string) => readdirSync(join(folder, "cache")).map((name) => join(folder, "cache", name));

  test("is kept after the first hook, and used by the next", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    await hook(call("t1"), environment);
    const [file = ""] = cached(MILEPOST_HOME);
    expect(cached(MILEPOST_HOME)).toHaveLength(1);
    const before = statSync(file).mtimeMs;
    await hook(call("t2"), environment);
    expect(statSync(file).mtimeMs).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each<[string, (code: Buffer) => Buffer]>([
    ["flipped bits", (code) => Buffer.from(code).fill(0x5a, 1000, 1100)],
    ["a part of it", (code) => code.subarray(0, code.length / 3)],
    ["zeros at its end", (code) => Buffer.from(code).fill(0, Math.floor(code.length / 4))],
    ["nothing", () => Buffer.alloc(0)],
    ["something else", () => Buffer.from("console.log(1)console.log(1)")],
  ])("that holds %s is not run", async (_, damage) => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    await hook(call("t1"), environment);
    const [file = ""] = cached(MILEPOST_HOME);
    writeFileSync(file, damage(readFileSync(file)));
    expectHarmless(await hook(call("t2"), environment));
    expect((await eventsOf(environment)).filter(({ type }) => type === "call.ended")).toHaveLength(2);
  });

  test("is of the hooks that run it: each that comes often has its own", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    for (const hook_event_name of ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"])
      expectHarmless(await hook({ ...call("t1"), hook_event_name, prompt: "go" }, environment));
    const uses = cached(MILEPOST_HOME).map((file) => /^[a-z]+/.exec(basename(file))?.[0]);
    expect(uses.sort()).toEqual(expect.arrayContaining(["hook", "posttooluse", "pretooluse", "userpromptsubmit"]));
  });

  test("of another Node's stays, and of old builds only a few do", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    await hook(call("t1"), environment);
    const [own = ""] = cached(MILEPOST_HOME);
    const other = own.replace(process.version, "v22.0.0");
    renameSync(own, other);
    await hook(call("t2"), environment);
    expect(cached(MILEPOST_HOME).sort()).toEqual([own, other].sort());
    for (let build = 0; build < 36; build += 1) {
      const old = own.replace(/\d+\.code$/, `${build}.code`);
      writeFileSync(old, "");
      utimesSync(old, build, build);
    }
    rmSync(own);
    await hook(call("t3"), environment);
    expect(cached(MILEPOST_HOME)).toHaveLength(36);
    expect(cached(MILEPOST_HOME)).toEqual(expect.arrayContaining([own, other]));
  });

  test("of a file that others can write is not run", async () => {
    const MILEPOST_HOME = home();
    const environment = clean({ MILEPOST_HOME });
    await hook(call("t1"), environment);
    const [file = ""] = cached(MILEPOST_HOME);
    chmodSync(file, 0o666);
    expectHarmless(await hook(call("t2"), environment));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("without a folder for it nothing is missing", async () => {
    const MILEPOST_HOME = home();
    mkdirSync(MILEPOST_HOME, { recursive: true });
    writeFileSync(join(MILEPOST_HOME, "cache"), "a file");
    const environment = clean({ MILEPOST_HOME });
    expectHarmless(await hook(call("t1"), environment));
    expect(await eventsOf(environment)).toHaveLength(3);
  });
});

/** What went wrong. */
function logOf(folder: string): readonly string[] {
  const path = join(folder, "milepost.log");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}
