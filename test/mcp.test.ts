import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { claudeCodeTokens, codexTokens, type SentTool } from "../bench/token-cost.js";
import { openMilepost } from "../src/app/milepost.js";
import { GUIDANCE } from "../src/core/text/guidance-text.js";
import { todosOf } from "../src/core/todo/list.js";
import { findDialect } from "../src/dialects/registry.js";
import { folderSession } from "../src/mcp/identity.js";
import { freshDatabase } from "./databases.js";
import { cleanEnvironment, command, McpProcess, type Surroundings } from "./mcp-process.js";
import { sized } from "./sizes.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-mcp-")));
let made = 0;
const freshStore = () => join(folder, `${++made}.db`);
const alive: McpProcess[] = [];
const clients: Client[] = [];

afterEach(async () => {
  for (const server of alive.splice(0)) server.process.kill("SIGKILL");
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A client of before 2026, written by hand. */
async function start(store: string, surroundings: Surroundings = {}): Promise<McpProcess> {
  const { args = [], ...rest } = surroundings;
  const server = await McpProcess.greeted({ cwd: folder, ...rest, args: [...args, "--store", store] });
  alive.push(server);
  return server;
}

async function connect(mode: VersionNegotiationMode, store: string, args: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: "probe", version: "1" }, { versionNegotiation: { mode } });
  const env = cleanEnvironment();
  await client.connect(new StdioClientTransport({ ...command([...args, "--store", store]), env, cwd: folder }));
  clients.push(client);
  return client;
}

async function textsOf(store: string, session: string, agent?: string): Promise<readonly string[]> {
  const milepost = await openMilepost({ store });
  const list = await milepost.list({ session, ...(agent === undefined ? undefined : { agent }) });
  await milepost.close();
  return list.ok ? todosOf(list.value).map(({ text }) => text) : [list.error.code];
}

const HERE = folderSession(folder);
const codex = (threadId: unknown, more: object = {}) => ({ threadId, ...more });

describe("with the real client, in both protocol eras", () => {
  const eras: [string, VersionNegotiationMode, string][] = [
    ["2025", "legacy", "2025-11-25"],
    ["2026", { pin: "2026-07-28" }, "2026-07-28"],
    ["whichever it finds", "auto", "2026-07-28"],
  ];

  test.each(eras)("%s: tools, a call, a refusal", async (_, mode, version) => {
    const client = await connect(mode, freshStore(), ["--tasks"]);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "milepost", title: "Milepost" });
    expect(client.getInstructions()).toBe(GUIDANCE);
    const { tools } = await client.listTools();
    const harmless = {
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      _meta: { "anthropic/alwaysLoad": true },
    };
    expect(tools).toMatchObject([
      { name: "todo", ...harmless },
      { name: "task", ...harmless },
    ]);
    const added = await client.callTool({ name: "todo", arguments: { add: ["Read", "Write"] } });
    expect(added).toMatchObject({ content: [{ type: "text", text: "Added 1-2. 0/2 now #1 Read" }], isError: false });
    expect(added).not.toHaveProperty("structuredContent");
    expect(await client.callTool({ name: "todo", arguments: { done: 7 } })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: "task", arguments: { add: ["Ship"] } })).toMatchObject({
      content: [{ type: "text", text: "Added #1." }],
      isError: false,
    });
    await expect(client.callTool({ name: "plan", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  test.each(eras)("%s: task is neither offered nor answered unless it was asked for", async (_, mode) => {
    const client = await connect(mode, freshStore());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["todo"]);
    await expect(client.callTool({ name: "task", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: task\. .*milepost setup --tasks/),
    });
  });

  test.each(eras)("%s: every dialect offers its own tools, with guidance where its agent has it", async (_, mode) => {
    const store = freshStore();
    for (const [dialect, tool, input, text] of [
      [
        "claude",
        "TodoWrite",
        { todos: [{ content: "a", status: "pending", activeForm: "A" }] },
        /modified successfully/,
      ],
      ["codex", "update_plan", { plan: [{ step: "a", status: "pending" }] }, /^Plan updated$/],
    ] as const) {
      const { text: rules = "", place } = findDialect(dialect)?.guidance ?? {};
      const client = await connect(mode, store, ["--dialect", dialect]);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([tool]);
      expect(client.getInstructions()).toBe(place === "instructions" ? rules : undefined);
      expect(tools[0]?.description?.endsWith(`\n${rules}`)).toBe(place === "description");
      const answer = await client.callTool({ name: tool, arguments: input });
      expect(answer).toMatchObject({ content: [{ text: expect.stringMatching(text) }], isError: false });
      expect(answer).not.toHaveProperty("structuredContent");
    }
  });
});

describe("what a model reads before it has done anything", () => {
  test.each([
    [[], 350],
    [["--tasks"], 600],
    [["--plans"], 430],
  ])("%j: definitions and instructions take at most %i tokens, as either client sends them", async (args, most) => {
    const server = await start("memory:", { args });
    const { result } = await server.ask("tools/list");
    const tools = result?.tools as readonly SentTool[];
    const instructions = String(server.replies[0]?.result?.instructions);
    for (const count of [claudeCodeTokens, codexTokens]) expect(count(tools, instructions)).toBeLessThanOrEqual(most);
    expect(tools.every((tool) => !("outputSchema" in tool))).toBe(true);
  });
});

describe("whose list it is", () => {
  test("Claude Code: the session of its environment, the folder of its project", async () => {
    const store = freshStore();
    const environment = { CLAUDE_CODE_SESSION_ID: "0199-claude", CLAUDE_PROJECT_DIR: "/tmp" };
    const server = await start(store, { environment });
    await server.todo({ add: ["from Claude"] }, { "claudecode/toolUseId": "toolu_1" });
    expect(await textsOf(store, "0199-claude")).toEqual(["from Claude"]);
  });

  test("Codex: its threads, and a sub-agent has a list of its own", async () => {
    const store = freshStore();
    const server = await start(store);
    const turn = { "x-codex-turn-metadata": { session_id: "root", thread_id: "child" } };
    await server.todo({ add: ["one"] }, codex("root", { callId: "c1" }));
    await server.todo({ add: ["two"] }, codex("other", { callId: "c1" }));
    await server.todo({ add: ["three"] }, codex("child", { callId: "c3", ...turn }));
    expect(await textsOf(store, "root")).toEqual(["one"]);
    expect(await textsOf(store, "other")).toEqual(["two"]);
    expect(await textsOf(store, "root", "child")).toEqual(["three"]);
  });

  test("any other client: the folder, so a restart keeps the list and projects do not mix", async () => {
    const store = freshStore();
    const other = join(folder, "other");
    mkdirSync(other);
    const first = await start(store);
    await first.todo({ add: ["here"] });
    expect(await first.end()).toBe(0);
    const second = await start(store);
    expect(await second.todo({ done: 1 })).toEqual(["1/1 all done", false]);
    const elsewhere = await start(store, { cwd: other });
    expect(await elsewhere.todo({})).toEqual([expect.stringMatching(/^Nothing is open/), false]);
    expect(await textsOf(store, HERE)).toEqual(["here"]);
  });

  test("--session goes before all of it", async () => {
    const store = freshStore();
    const server = await start(store, { args: ["--session", "mine"], environment: { CLAUDE_CODE_SESSION_ID: "c" } });
    await server.todo({ add: ["x"] }, codex("t1"));
    expect(await textsOf(store, "mine")).toEqual(["x"]);
  });

  test("an id that is none is refused, and nothing is written", async () => {
    const store = freshStore();
    const server = await start(store);
    for (const id of ["", "../x", "a b", 5, {}, "x".repeat(200)])
      expect(await server.todo({ add: ["x"] }, codex(id))).toEqual([
        expect.stringMatching(/^Not a valid session id.*\[bad-id\]$/),
        true,
      ]);
    expect(await textsOf(store, HERE)).toEqual([]);
  });
});

describe("a call that is sent again", () => {
  test("gives the first answer and one write, also after a restart", async () => {
    const store = freshStore();
    const call = { add: ["once"] };
    const first = await start(store);
    const answer = await first.todo(call, codex("t1", { callId: "call_1" }));
    expect(await first.todo(call, codex("t1", { callId: "call_1" }))).toEqual(answer);
    await first.end();
    const second = await start(store);
    expect(await second.todo(call, codex("t1", { callId: "call_1" }))).toEqual(answer);
    expect(await textsOf(store, "t1")).toEqual(["once"]);
  });

  test("another call under a used id is a call of its own: some models number theirs from 1 each turn", async () => {
    const server = await start(freshStore());
    await server.todo({ add: ["a"] }, codex("t1", { callId: "call_1" }));
    expect(await server.todo({ done: 1 }, codex("t1", { callId: "call_1" }))).toEqual(["1/1 all done", false]);
  });

  test("an id that fits no key is no obstacle", async () => {
    const server = await start(freshStore());
    for (const callId of ["a b", "x".repeat(500), 7])
      expect(await server.todo({}, codex("t1", { callId }))).toEqual([expect.any(String), false]);
  });
});

describe("calls at once", () => {
  test("all are answered, each is counted once, in the order they were sent", async () => {
    const store = freshStore();
    const server = await start(store);
    const sent = Array.from({ length: 300 }, (_, index) => server.todo({ add: [`todo ${index}`] }));
    const answers = await Promise.all(sent);
    expect(answers.map(([text]) => text?.split(".")[0])).toEqual(sent.map((_, index) => `Added ${index + 1}`));
    expect(await textsOf(store, HERE)).toEqual(sent.map((_, index) => `todo ${index}`));
  });

  test("two servers on one store", async () => {
    const store = freshStore();
    const args = ["--session", "both"];
    const servers = await Promise.all([start(store, { args }), start(store, { args })]);
    // On a loaded machine a call may be told that the store is busy and nothing was written: then it is made again.
    const add = async (server: (typeof servers)[number], text: string): Promise<readonly unknown[]> => {
      const answer = await server.todo({ add: [text] });
      return answer[0]?.startsWith("Busy, try again.") ? add(server, text) : answer;
    };
    const answers = await Promise.all(
      servers.flatMap((server) => Array.from({ length: 50 }, (_, n) => add(server, `${n} ${server.process.pid}`))),
    );
    expect(answers.filter(([text]) => !String(text).startsWith("Added "))).toEqual([]);
    expect(await textsOf(store, "both")).toHaveLength(100);
  });
});

test("on PostgreSQL, whose client is a file of its own", async () => {
  const store = await freshDatabase("mcp");
  const server = await start(store);
  expect(await server.todo({ add: ["a"] })).toEqual(["Added 1. 0/1 now #1 a", false]);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await textsOf(store, HERE)).toEqual(["a"]);
});

describe("a store in trouble", () => {
  test("tools are there, calls say what is wrong, and the next call tries again", async () => {
    const store = join(folder, "blocked", "a.db");
    writeFileSync(join(folder, "blocked"), "a file where a folder should be");
    const server = await start(store);
    expect((await server.ask("tools/list")).result?.tools).toHaveLength(1);
    expect(await server.todo({ add: ["x"] })).toEqual([expect.stringMatching(/^[^\n]+\[[a-z-]+\]$/), true]);
    rmSync(join(folder, "blocked"));
    expect(await server.todo({ add: ["x"] })).toEqual(["Added 1. 0/1 now #1 x", false]);
  });

  test("a bad address is an answer", async () => {
    const server = await start("mysql:x");
    expect(await server.todo({})).toEqual([expect.stringMatching(/\[bad-store\]$/), true]);
    expect(await server.end()).toBe(0);
  });

  test("a file that was moved away and came back is taken up again", async () => {
    const place = join(folder, "moving");
    mkdirSync(place);
    const server = await start(join(place, "a.db"));
    await server.todo({ add: ["kept"] });
    await new Promise((resolve) => setTimeout(resolve, 20)); // a look at the file's name holds for 10 ms
    renameSync(place, `${place}-away`);
    expect(await server.todo({ add: ["lost"] })).toEqual([expect.stringMatching(/\[store-lost\]$/), true]);
    renameSync(`${place}-away`, place);
    expect(await server.todo({ done: 1 })).toEqual(["1/1 all done", false]);
  });
});

describe("the end", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s: exit 0 at once, nothing acknowledged is lost", async (signal) => {
    const store = freshStore();
    const server = await start(store);
    await server.todo({ add: ["kept"] });
    const started = performance.now();
    expect(await server.end(signal)).toBe(0);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(server.errors).toBe("");
    expect(await textsOf(store, HERE)).toEqual(["kept"]);
  });

  test("a signal in the middle of calls: what was answered is there, and no half call", async () => {
    const store = freshStore();
    const server = await start(store);
    const sent = Array.from({ length: 200 }, (_, index) =>
      server.todo({ add: [`todo ${index}`] }).catch(() => undefined),
    );
    await sent[20];
    expect(await server.end("SIGTERM")).toBe(0);
    const answered = server.replies.filter(({ result }) => result?.content?.[0]?.text.startsWith("Added")).length;
    expect((await textsOf(store, HERE)).length).toBeGreaterThanOrEqual(answered);
  });

  test("whoever closes its end still gets every answer", async () => {
    const store = freshStore();
    const server = await start(store);
    const sent = Array.from({ length: 150 }, (_, index) => server.todo({ add: [`todo ${index}`] }));
    expect(await server.end()).toBe(0);
    expect((await Promise.all(sent)).filter(([, isError]) => isError === false)).toHaveLength(150);
    expect(server.errors).toBe("");
  });

  test("a client that was never greeted and goes", async () => {
    const server = new McpProcess();
    expect(await server.end()).toBe(0);
    expect(server.errors).toBe("");
  });

  test("a signal while nobody reads the answers", async () => {
    const server = await start("memory:");
    server.process.stdout.pause();
    const sent = Array.from({ length: 2000 }, () => server.ask("tools/list").catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.process.kill("SIGTERM");
    await once(server.process, "exit");
    expect(server.process.exitCode).toBe(0);
    server.process.stdout.resume();
    await Promise.all(sent);
  });
});

describe("the wire", () => {
  test("what cannot be read is answered, and the next message is read", async () => {
    const server = await start("memory:");
    expect(await server.nextProblem("not json")).toMatchObject({ error: { code: -32700 } });
    expect(await server.nextProblem(Buffer.from([0xff, 0xfe, 0x00]))).toMatchObject({ error: { code: -32700 } });
    expect(await server.nextProblem("{}")).toMatchObject({ error: { code: -32600 } });
    expect(await server.nextProblem(`"${"x".repeat(17 * 1024 * 1024)}"`)).toMatchObject({ error: { code: -32600 } });
    expect(await server.ask("no/such")).toMatchObject({ error: { code: -32601 } });
    expect(await server.ask("prompts/list")).toMatchObject({ error: { code: -32601 } });
    server.tell("notifications/nobody-knows", { a: 1 });
    server.tell("notifications/cancelled", { requestId: "never" });
    server.write("");
    expect(await server.ask("ping")).toMatchObject({ result: {} });
    expect([server.errors, server.garbage]).toEqual(["", []]);
  });

  test("arguments of every kind are answered by the dialect", async () => {
    const server = await start(freshStore());
    for (const input of ["text", 7, true, ["a"], { nope: 1 }, JSON.parse('{"add":["x"],"__proto__":{"done":1}}')])
      expect(await server.todo(input)).toEqual([expect.stringMatching(/Nothing was changed/), true]);
    for (const input of [undefined, null, {}]) expect((await server.todo(input))[1]).toBe(false);
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const [id, meta] of [
      ["d1", "{}"],
      ["d2", '{"threadId":"t1","callId":"c1"}'],
    ]) {
      const deep = `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"todo","_meta":${meta},"arguments":{"add":${nested(100_000)}}}}`;
      server.write(deep);
      const { result } = await server.reply((reply) => reply.id === id);
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/deeper than 64 levels/) }],
      });
    }
  });

  test("a probe for the newer era, then the older greeting, as Claude Code does", async () => {
    const server = new McpProcess({ args: ["--store", "memory:"] });
    alive.push(server);
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2" },
    };
    expect(await server.ask("server/discover", { _meta: envelope })).toMatchObject({
      result: { supportedVersions: ["2026-07-28"], instructions: GUIDANCE },
    });
    const greeting = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "claude-code", version: "2" },
    };
    expect(await server.ask("initialize", greeting)).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    expect(await server.todo({ add: ["x"] })).toEqual(["Added 1. 0/1 now #1 x", false]);
  });

  test("an unknown version of the protocol gets the newest we know", async () => {
    const server = new McpProcess({ args: ["--store", "memory:"] });
    alive.push(server);
    const greeting = { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    expect(await server.ask("initialize", greeting)).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  });

  const REQUESTS = sized(2000, 10_000);
  test.each([
    ["with ids of their own", (index: number) => index],
    ["all with one id", () => 1],
  ])(`${REQUESTS} requests %s through a pipe that nobody reads at first: all are answered`, async (_, idOf) => {
    const server = await start("memory:");
    const before = server.replies.length;
    server.process.stdout.pause();
    for (let index = 0; index < REQUESTS; index += 1)
      server.write(JSON.stringify({ jsonrpc: "2.0", id: idOf(index), method: "tools/list" }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.process.stdout.resume();
    expect(await server.end()).toBe(0);
    expect(server.replies.length - before).toBe(REQUESTS);
  });
});

describe("the command line", () => {
  test.each([
    [["--nope"], /^milepost: There is no flag --nope\. See milepost mcp --help \[bad-usage\]\n$/],
    [["--dialect", "klingon"], /^milepost: There is no dialect "klingon".*\[unknown-dialect\]\n$/],
    [["--session", "../x"], /^milepost: .*\[bad-id\]\n$/],
  ])("%j is one line on standard error and exit code 2", async (args, errors) => {
    const server = new McpProcess({ args });
    expect(await server.end()).toBe(2);
    expect(server.errors).toMatch(errors);
    expect(server.replies).toEqual([]);
  });
});
