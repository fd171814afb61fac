import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Fields } from "../src/extension/host-values.js";
import { MilepostServer } from "../src/extension/milepost-server.js";
import type { PluginHooks } from "../src/extension/opencode/opencode-api.js";
import { openPlugin } from "../src/extension/opencode/opencode-plugin.js";
import { runWarm } from "./warm-command.js";

// Our plugin as opencode 1.18.33 calls it, with our real server behind it.

const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "milepost-opencode-plugin-"));
const close: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of close) await end();
  rmSync(root, { recursive: true, force: true });
});

/** What opencode knows of sessions that an earlier process made. */
const OLD: Readonly<Record<string, object>> = {
  ses_old: {},
  ses_child: { parentID: "ses_mid" },
  ses_mid: { parentID: "ses_top" },
};

async function open({ hasTools = true, script = bin, store = "plugin.db" } = {}) {
  const launch = { command: process.execPath, args: [script, "mcp", "--store", join(root, store)] };
  const server = new MilepostServer("opencode", launch, root);
  const get = async ({ path: { id } }: { readonly path: { readonly id: string } }) => ({ data: OLD[id] });
  const hooks = await openPlugin(server, { client: { session: { get } } }, { hasTools });
  close.push(hooks.dispose);
  let count = 0;
  const tell = (type: string, properties: object) => hooks.event({ event: { type, properties } });
  return {
    hooks,
    tell,
    made: (id: string, more = {}) => tell("session.created", { sessionID: id, info: { id, ...more } }),
    /** A prompt, and the text that the plugin has put behind it. */
    async prompt(id: string, text: string) {
      const parts: Fields[] = [{ id: "prt_1", type: "text", text }];
      await hooks["chat.message"]({ sessionID: id }, { message: { id: `msg_${++count}` }, parts });
      return parts.slice(1);
    },
    todo: (id: string, input: object) =>
      hooks.tool.milepost_todo?.execute(input, { sessionID: id, callID: `call_${++count}` }),
    /** What the model reads in the next request. */
    async request(id: string, parts: readonly Fields[] = [{ id: "prt_9", type: "text", text: "Go on" }]) {
      const messages = [{ info: { id: "msg_asked", role: "user", sessionID: id }, parts: [...parts] }];
      await hooks["experimental.chat.messages.transform"]({}, { messages });
      return messages[0]?.parts ?? [];
    },
  };
}

const ADDED = "Added 1-2. 0/2 now #1 Read the code";
const add = { add: ["Read the code", "Fix it"] };

test("the tool by its name, with its arguments as they are described to all; its own list is denied", async () => {
  const { hooks } = await open();
  expect(Object.keys(hooks.tool)).toEqual(["milepost_todo"]);
  // When to keep a list: a server's own words, which opencode would tell its model.
  expect(hooks.tool.milepost_todo?.description).toMatch(/keep a list with the todo tool/);
  const definition: { jsonSchema?: unknown } = {};
  await hooks["tool.definition"]({ toolID: "milepost_todo" }, definition);
  expect(definition.jsonSchema).toMatchObject({ type: "object", properties: { add: expect.anything() } });
  await hooks["tool.definition"]({ toolID: "bash" }, definition);
  const config: Record<string, unknown> = { permission: "allow" };
  await hooks.config(config);
  expect(config).toEqual({ permission: { "*": "allow", todowrite: "deny" } });
});

test("a session: its list, a compaction, and the words of every later request", async () => {
  const first = await open();
  await first.made("ses_new");
  expect(await first.prompt("ses_new", "Start")).toEqual([]);
  expect(await first.todo("ses_new", add)).toBe(ADDED);
  await first.hooks["experimental.session.compacting"]({ sessionID: "ses_new" });
  await first.tell("session.compacted", { sessionID: "ses_new" });
  for (const again of [1, 2]) {
    const [, added, ...more] = await first.request("ses_new");
    expect(added, `request ${again}`).toMatchObject({ type: "text", synthetic: true, messageID: "msg_asked" });
    expect(added?.text).toContain("#1 [in progress] Read the code");
    expect(more).toEqual([]);
  }
  await first.tell("session.idle", { sessionID: "ses_new" });
  // What was done since it was summed up is not open.
  await first.hooks["experimental.session.compacting"]({ sessionID: "ses_new" });
  await first.tell("session.compacted", { sessionID: "ses_new" });
  await first.todo("ses_new", { done: 1 });
  const [behind] = await first.prompt("ses_new", "More");
  expect(behind?.text).toContain("(kept over the compaction). 1/2 done.");
  expect(behind?.text).not.toContain("in progress] Read the code");
  await first.tell("session.idle", { sessionID: "ses_new" });
  // What stood in those requests is in none of the next process.
  const second = await open();
  const [added] = await second.prompt("ses_new", "Go on");
  expect(added?.text).toContain("#2 [in progress] Fix it");
  await second.tell("session.idle", { sessionID: "ses_new" });
  expect(await (await open()).prompt("ses_new", "And on")).toEqual([]);
});

test("whoever sums up is passed no words: they wait for the next request", async () => {
  const { hooks, made, todo, tell, request } = await open({ store: "sums.db" });
  await made("ses_sum");
  await todo("ses_sum", add);
  await tell("session.compacted", { sessionID: "ses_sum" });
  await hooks["experimental.session.compacting"]({ sessionID: "ses_sum" });
  expect(await request("ses_sum")).toHaveLength(1);
  const [, added] = await request("ses_sum");
  expect(added?.text).toContain("#1 [in progress] Read the code");
});

test("a session of an earlier process is told its open todos with the prompt, where they stay", async () => {
  const first = await open();
  await first.made("ses_old");
  await first.todo("ses_old", add);
  const second = await open();
  const [added] = await second.prompt("ses_old", "Go on");
  expect(added).toMatchObject({ id: "prt_10", sessionID: "ses_old", synthetic: true });
  expect(added?.text).toMatch(/^<system-reminder>\nMilepost: the open todos of this session/);
});

test("words behind a call are in requests only, behind its answer", async () => {
  const { hooks, made, prompt, todo, request } = await open();
  await made("ses_calls");
  await prompt("ses_calls", "Start");
  await todo("ses_calls", add);
  await expect(todo("ses_calls", { done: 9 })).rejects.toThrow("There is no todo 9");
  const call = { tool: "bash", sessionID: "ses_calls", callID: "call_x" };
  await hooks["tool.execute.before"](call, { args: { command: "ls" } });
  const answer = { title: "", output: "a", metadata: { exit: 0 } };
  await hooks["tool.execute.after"]({ ...call, args: { command: "ls" } }, answer);
  expect(answer.output).toBe("a");
  const part = { id: "prt_2", type: "tool", callID: "call_x", state: { status: "completed", output: "a" } };
  const [, ran] = await request("ses_calls", [{ id: "prt_1", type: "text", text: "Start" }, part]);
  expect(ran).toMatchObject({ state: { output: expect.stringMatching(/^a\n\n<system-reminder>\nMilepost reminder/) } });
});

test("a sub-agent's list is its own, in the session at the root", async () => {
  const { todo, request, tell, prompt } = await open({ store: "agents.db" });
  expect(await prompt("ses_child", "Look around")).toEqual([]);
  expect(await todo("ses_child", add)).toBe(ADDED);
  await todo("ses_top", { add: ["Mine"] });
  await tell("session.idle", { sessionID: "ses_child" });
  await tell("session.compacted", { sessionID: "ses_top" });
  const [, added] = await request("ses_top");
  expect(added?.text).toContain("Mine");
  expect(added?.text).not.toContain("Read the code");
});

const RECORDED = new URL("fixtures/transcripts/other-logs/opencode-1.18.33-plugin.jsonl", import.meta.url);

interface Called {
  readonly hook: keyof PluginHooks;
  readonly input: object;
  readonly output?: object;
}

describe("what is told", () => {
  test("of a run of the real program: its own list, calls, a sub-agent, a compaction, a permission that was refused", async () => {
    const { hooks } = await open({ hasTools: false, store: "told.db" });
    const lines = readFileSync(RECORDED, "utf8").trim().split("\n");
    const calls = lines.map((line): Called => JSON.parse(line));
    for (const { hook, input, output } of calls)
      await (hooks[hook] as ((input: object, output?: object) => Promise<void>) | undefined)?.(input, output);
    const [{ type: _, ...start }, ...others] = events("ses_e0d87fa1effekbs7AA0INc8Dwn");
    expect(start).toMatchObject({ source: "startup", client: "opencode" });
    const told = others.map(({ type, trigger, cause, tool, for: what, text }) =>
      [type, trigger ?? cause ?? tool ?? what, text].filter(Boolean).join(" "),
    );
    expect(told).toMatchInlineSnapshot(`
      [
        "turn.started",
        "phase.opened",
        "todo.added Read the code",
        "todo.added Fix it",
        "list-tool.changed todowrite",
        "reply.ended",
        "reply.ended",
        "agent.started",
        "agent.ended",
        "notice.left Sub-agent ses_e0d87ecdeffeCrQR69H8plrUCF, which was started for todo #1, has ended. Still in progress: Read the code. If it is done, mark it as completed with todowrite.",
        "reply.ended",
        "notice.delivered",
        "reply.ended",
        "compaction.started auto",
        "session.started",
        "digest.sent kept over the compaction",
        "todo.moved",
        "todo.moved",
        "person.awaited permission edit: README.md",
        "person.answered",
        "reply.ended",
        "turn.ended",
      ]
    `);
    const after = JSON.stringify(calls.findLast(({ hook }) => hook === "experimental.chat.messages.transform"));
    expect(after).toContain("#1 [in progress] Read the code");
  });

  const events = (session: string) => {
    const around = { folder: root, environment: { MILEPOST_HOME: root } };
    const { out } = runWarm(["export", "--store", join(root, "told.db")], around);
    const all = out.split("\n").filter((line) => line.includes(`"session:${session}"`));
    return all.map((line) => JSON.parse(line)).map(({ type, data }) => ({ type, ...data }));
  };
  const asked = { type: "person.awaited" };
  const OVERFLOW = { name: "ContextOverflowError", data: { message: "prompt is too long" } };

  test.each<[string, readonly (readonly [string, object])[], readonly object[]]>([
    [
      "a permission, given",
      [
        ["permission.asked", { permission: "bash", patterns: ["ls"], metadata: { command: "ls" } }],
        ["permission.replied", { reply: "once" }],
      ],
      [{ ...asked, for: "permission", text: "bash: ls" }, { type: "person.answered" }],
    ],
    [
      "a question, answered",
      [
        ["question.asked", { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] }],
        ["question.replied", {}],
      ],
      [{ ...asked, for: "question", text: "Which?", choices: ["A", "B"] }, { type: "person.answered" }],
    ],
    [
      "a turn that a person stopped, behind which it is idle twice",
      [
        ["session.error", { error: { name: "MessageAbortedError" } }],
        ["session.idle", {}],
        ["session.idle", {}],
      ],
      [{ type: "turn.ended", because: "interrupted" }],
    ],
    [
      "a limit of its service",
      [
        [
          "session.error",
          { error: { name: "APIError", data: { statusCode: 429, message: "You have sent too much" } } },
        ],
        ["session.idle", {}],
      ],
      [{ type: "turn.ended", because: "failed" }],
    ],
    ["a turn that came to its end", [["session.idle", {}]], [{ type: "turn.ended" }]],
    [
      "more than fits into the context, which was summed up",
      [
        ["session.error", { error: OVERFLOW }],
        ["message.part.updated", { part: { type: "compaction", auto: true } }],
        ["session.idle", {}],
      ],
      [expect.not.objectContaining({ because: "failed" })],
    ],
    [
      "more than fits into the context, and no way on",
      [
        ["session.error", { error: OVERFLOW }],
        ["session.idle", {}],
        ["session.idle", {}],
      ],
      [{ type: "turn.ended", because: "failed" }],
    ],
  ])("%s", async (name, told, expected) => {
    const { made, prompt, tell, request } = await open({ hasTools: false, store: "told.db" });
    const sessionID = `ses_${name.replace(/\W+/g, "")}`;
    await made(sessionID);
    await prompt(sessionID, "Start");
    for (const [type, properties] of told) await tell(type, { sessionID, ...properties });
    await request(sessionID);
    const [started, turn, ...others] = events(sessionID);
    expect([started, turn]).toMatchObject([{ type: "session.started" }, { type: "turn.started" }]);
    expect(others).toMatchObject(expected);
    expect(others).toHaveLength(expected.length);
  });

  test("the end of a sub-agent whose work broke", async () => {
    const { made, tell, prompt, request } = await open({ hasTools: false, store: "told.db" });
    await made("ses_above");
    await prompt("ses_above", "Start");
    await made("ses_broken", { parentID: "ses_above", agent: "general" });
    await prompt("ses_broken", "Look");
    await tell("session.error", { sessionID: "ses_broken", error: { name: "APIError", data: {} } });
    await tell("session.idle", { sessionID: "ses_broken" });
    await request("ses_broken");
    const told = events("ses_above").map(({ type }) => type);
    expect(told.slice(2)).toEqual(["agent.started", "agent.ended"]);
  });

  test("who asked for a compaction", async () => {
    const { hooks, made, tell, prompt } = await open({ hasTools: false, store: "told.db" });
    const sessionID = "ses_compacted";
    await made(sessionID);
    await prompt(sessionID, "Start");
    await tell("message.part.updated", { part: { sessionID, type: "compaction", auto: false } });
    await hooks["experimental.session.compacting"]({ sessionID });
    expect(events(sessionID).at(-1)).toMatchObject({ type: "compaction.started", trigger: "manual" });
  });
});

describe("nothing breaks the agent", () => {
  test("without our server there is no tool, its own list stays, and events are heard in silence", async () => {
    const { hooks, made, prompt, request, tell } = await open({ script: join(root, "gone.cjs") });
    expect(hooks.tool).toEqual({});
    const config: Record<string, unknown> = { permission: "allow" };
    await hooks.config(config);
    expect(config.permission).toBe("allow");
    await made("ses_gone");
    expect(await prompt("ses_gone", "Start")).toEqual([]);
    await tell("session.error", { sessionID: "ses_gone", error: { name: "MessageAbortedError" } });
    expect(await request("ses_gone")).toHaveLength(1);
  });

  test("with its own list there is no tool of ours", async () => {
    const { hooks } = await open({ hasTools: false });
    expect(hooks.tool).toEqual({});
    const config: Record<string, unknown> = {};
    await hooks.config(config);
    expect(config.permission).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ["session.created", undefined],
    ["session.created", { info: 7 }],
    ["session.idle", { sessionID: 7 }],
    ["session.error", { sessionID: "not an id / of ours" }],
    ["message.part.updated", { part: null }],
    ["message.part.updated", { part: { sessionID: "ses_x", type: "tool", state: { status: "error" } } }],
  ])("a strange event: %s", async (type, properties) => {
    const { hooks } = await open({ hasTools: false, script: join(root, "gone.cjs") });
    await expect(hooks.event({ event: { type, properties } })).resolves.toBeUndefined();
    const [messages, parts] = [[{ info: {}, parts: [{}] }], [{}]];
    await hooks["experimental.chat.messages.transform"]({}, { messages });
    await hooks["chat.message"]({ sessionID: "ses_x" }, { message: {}, parts });
    expect({ messages, parts }).toEqual({ messages: [{ info: {}, parts: [{}] }], parts: [{}] });
  });
});
