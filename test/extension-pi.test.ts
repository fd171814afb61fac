import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test, vi } from "vitest";
// @ts-expect-error: a text, as setup writes it
import text from "../src/extension/pi/pi-extension.js?text";
import type { Context, Host, HostMessage, HostTool } from "../src/extension/pi/pi-host.js";
import { runWarm } from "./warm-command.js";

// Our extension for oh-my-pi and pi, as its text, with our real server; its host is what both programs have in common.

const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "milepost-pi-"));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface StageOptions {
  readonly agent?: "oh-my-pi" | "pi";
  readonly hasTools?: boolean;
  readonly hasUI?: boolean;
  readonly file?: string;
  readonly store?: string;
  readonly entries?: readonly object[];
}

let made = 0;
async function openStage({
  agent = "oh-my-pi",
  hasTools,
  hasUI = true,
  file,
  entries = [],
  ...more
}: StageOptions = {}) {
  const store = more.store ?? join(root, `${++made}.db`);
  const launch = { command: process.execPath, args: [bin, "mcp", "--store", store], hasTools };
  const source = `const MILEPOST_LAUNCH = ${JSON.stringify(launch)};\n${text}`;
  const { default: extend } = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
  const handlers = new Map<string, (event: object, context: Context) => Promise<unknown>>();
  const [tools, said, shown]: [Map<string, HostTool>, unknown[], unknown[]] = [new Map(), [], []];
  let active: readonly string[] = ["read", "bash", "todo"];
  let isIdle = true;
  const context: Context = {
    cwd: root,
    hasUI,
    ui: { setStatus: (_key, words) => void shown.push(words) },
    isIdle: () => isIdle,
    sessionManager: {
      getSessionId: () => "s1",
      getSessionFile: () => file,
      getEntries: () => entries,
    },
  };
  const host: Host = {
    on: (event, handler) => void handlers.set(event, handler as never),
    registerTool(tool) {
      tools.set(tool.name, tool);
    },
    sendMessage: (message: HostMessage, options) => void said.push([message.content, options]),
    getActiveTools: () => active,
    setActiveTools(names) {
      active = names;
    },
  };
  extend(agent === "oh-my-pi" ? { ...host, pi: {} } : host);
  const stage = {
    store,
    tools,
    said,
    shown,
    active: () => active,
    work: () => {
      isIdle = false;
    },
    run: async (command: string) => {
      const about = { toolName: "bash", toolCallId: `call_${++made}`, input: { command } };
      await stage.emit("tool_call", about);
      await stage.emit("tool_result", { ...about, content: [{ type: "text", text: "ok" }], isError: false });
    },
    emit: async (event: string, fields: object = {}) => handlers.get(event)?.({ type: event, ...fields }, context),
    call: async (input: object) => {
      const call = `call_${++made}`;
      const about = { toolName: "mcp__milepost_todo", toolCallId: call, input };
      await stage.emit("tool_call", about);
      const answer = await tools.get("mcp__milepost_todo")?.execute(call, input, undefined, undefined, context);
      await stage.emit("tool_result", { ...about, content: answer?.content, isError: false });
      return answer?.content[0]?.text;
    },
  };
  ends.push(() => stage.emit("session_shutdown", { reason: "quit" }));
  await stage.emit("session_start", { reason: "startup" });
  return stage;
}

const ITEMS = { add: ["Read the code", "Fix it"] };
const OPEN = /^Milepost: the open todos of this session.*#1 \[in progress\] Read the code/s;

test("our tool is in each request, oh-my-pi's own list in none", async () => {
  const stage = await openStage();
  expect([...stage.tools.values()]).toMatchObject([{ name: "mcp__milepost_todo", loadMode: "essential" }]);
  expect(stage.active()).toEqual(["read", "bash", "mcp__milepost_todo"]);
  expect(await stage.call(ITEMS)).toBe("Added 1-2. 0/2 now #1 Read the code");
  expect(stage.shown).toEqual(["todo 0/2 #1 Read the code"]);
  await expect(stage.call({ done: 9 })).rejects.toThrow("There is no todo 9");
});

test("a tool of another extension that is called todo stays with pi", async () => {
  const { active, tools } = await openStage({ agent: "pi" });
  expect(active()).toEqual(["read", "bash", "todo"]);
  expect([...tools.keys()]).toEqual(["mcp__milepost_todo"]);
});

test("with the agent's own list, it is mirrored, and no tool of ours is offered", async () => {
  const stage = await openStage({ hasTools: false });
  expect([stage.tools.size, stage.active()]).toEqual([0, ["read", "bash", "todo"]]);
  const input = { op: "init", list: [{ phase: "A", items: ["Read the code"] }] };
  const called = { toolName: "todo", toolCallId: "call_1", input };
  await stage.emit("tool_call", called);
  await stage.emit("tool_result", { ...called, content: [{ type: "text", text: "Remaining items (1):" }] });
  await stage.emit("session_compact");
  expect(await stage.emit("before_agent_start", { prompt: "Go on." })).toMatchObject({
    message: { content: expect.stringContaining("Read the code") },
  });
});

test("the agent's own list is what its tool says, also where a person has changed it before", async () => {
  const stage = await openStage({ hasTools: false });
  const called = { toolName: "todo", toolCallId: "call_1", input: { op: "done", task: "Their todo" } };
  const tasks = [
    { content: "Their todo", status: "completed" },
    { content: "Fix it", status: "in_progress" },
  ];
  const answer = {
    content: [{ type: "text", text: "Remaining" }],
    details: { op: "done", phases: [{ name: "A", tasks }] },
  };
  await stage.emit("tool_call", called);
  await stage.emit("tool_result", { ...called, ...answer });
  await stage.emit("session_compact");
  const { message } = (await stage.emit("before_agent_start", { prompt: "Go on." })) as { message: HostMessage };
  expect(message.content).toMatch(/1\/2 done.*\n#2 \(A\) \[in progress\] Fix it$/s);
});

test("a resumed session is told with the next prompt, once", async () => {
  const before = await openStage();
  await before.call(ITEMS);
  await before.emit("session_shutdown", {});
  const stage = await openStage({ store: before.store, entries: [{ type: "message" }] });
  const { message } = (await stage.emit("before_agent_start", { prompt: "Go on." })) as { message: HostMessage };
  expect(message).toMatchObject({ customType: "milepost", display: false, content: expect.stringMatching(OPEN) });
  expect(await stage.emit("before_agent_start", { prompt: "And on." })).toBeUndefined();
});

test("after a compaction the next request has it, at one place until it is in the conversation", async () => {
  const stage = await openStage();
  await stage.call(ITEMS);
  expect(await stage.emit("context", { messages: ["a"] })).toBeUndefined();
  await stage.emit("session_compact");
  // It goes on by itself only where it would anyway.
  expect(stage.said).toEqual([]);
  const kept = expect.objectContaining({ role: "custom", content: expect.stringMatching(OPEN) });
  expect(await stage.emit("context", { messages: ["a", "b"] })).toEqual({ messages: ["a", "b", kept] });
  expect(await stage.emit("context", { messages: ["a", "b", "c"] })).toEqual({ messages: ["a", "b", kept, "c"] });
  await stage.emit("session_shutdown", {});
  expect(stage.said).toEqual([]);
});

const digests = (words: string) => words.match(/Milepost: the open todos/g)?.length ?? 0;
/** What is said with a prompt, and what the agent writes down of it. */
const prompted = async (stage: Awaited<ReturnType<typeof openStage>>) => {
  const told = (await stage.emit("before_agent_start", { prompt: "Go on." })) as { message: HostMessage } | undefined;
  const { content = "", details } = (told?.message ?? {}) as { content?: string; details?: object };
  return { content, entry: { type: "custom_message", details } };
};

test("after several compactions in one turn, what is open now is there once; the next prompt has it as it is then", async () => {
  const stage = await openStage();
  await stage.call(ITEMS);
  const request = async () => {
    const answer = (await stage.emit("context", { messages: ["a"] })) as { messages: { content: string }[] };
    return answer.messages.at(-1)?.content ?? "";
  };
  const compact = async () => {
    await stage.emit("session_before_compact");
    await stage.emit("session_compact");
    return request();
  };
  expect(digests(await compact())).toBe(1);
  await stage.call({ done: 1 });
  const second = await compact();
  expect([digests(second), second]).toEqual([1, expect.not.stringContaining("Read the code")]);
  await stage.call({ add: "Test it" });
  const { content } = await prompted(stage);
  expect([digests(content), content]).toEqual([1, expect.stringMatching(/#2 \[in progress\] Fix it\n#3 Test it/)]);
  expect(await stage.emit("context", { messages: ["a"] })).toBeUndefined();
});

test("a prompt that is cut before its first request says once what is open", async () => {
  const before = await openStage();
  await before.call(ITEMS);
  await before.emit("session_shutdown", {});
  const stage = await openStage({ store: before.store, entries: [{ type: "message" }] });
  const { content } = await prompted(stage);
  await stage.emit("session_before_compact");
  await stage.emit("session_compact");
  expect(await stage.emit("context", { messages: [{ role: "custom", content }] })).toBeUndefined();
});

test("a session that is resumed where it was cut is told again, until it is written down", async () => {
  const entries: object[] = [{ type: "message" }];
  const store = join(root, `${++made}.db`);
  const resumed = async (work = async (_: Awaited<ReturnType<typeof openStage>>): Promise<unknown> => undefined) => {
    const stage = await openStage({ store, entries });
    await work(stage);
    const { content, entry } = await prompted(stage);
    await stage.emit("session_shutdown", {});
    return { said: digests(content), entry };
  };
  await resumed(async (stage) => {
    await stage.call(ITEMS);
    await stage.emit("session_compact");
    await stage.emit("context", { messages: [] });
  });
  // Killed there, or ended: the requests alone had it.
  entries.push({ type: "compaction" });
  const { said, entry } = await resumed();
  expect([said, entry]).toEqual([1, { type: "custom_message", details: { hasDigest: true } }]);
  entries.push(entry);
  expect((await resumed()).said).toBe(0);
});

test("a person who empties oh-my-pi's context keeps the list, and the model is told of it once", async () => {
  const entries: object[] = [];
  const stage = await openStage({ entries });
  await stage.call(ITEMS);
  entries.push({ type: "reset_boundary" });
  const { content } = await prompted(stage);
  expect(content).toContain("(kept from before it was cleared)");
  expect(content).toMatch(OPEN);
  expect((await prompted(stage)).content).toBe("");
});

test.each([
  ["oh-my-pi", "aside"],
  ["pi", "steer"],
] as const)("what is said to a call comes before the next request of %s", async (agent, deliverAs) => {
  const stage = await openStage({ agent });
  await stage.call(ITEMS);
  await expect(stage.call({ done: 9 })).rejects.toThrow();
  const refused = { toolName: "mcp__milepost_todo", toolCallId: "call_9", input: { done: 9 } };
  stage.work();
  await stage.emit("tool_result", { ...refused, content: [{ type: "text", text: "no" }], isError: true });
  await stage.run("ls");
  expect(stage.said).toEqual([[expect.stringContaining("was refused"), { deliverAs }]]);
});

const LAST = { role: "assistant", content: [{ type: "text", text: "I stop here." }] };

test("a person's oh-my-pi is asked to go on, one that nobody sits before is not", async () => {
  const stop = async (hasUI: boolean) => {
    const stage = await openStage({ hasUI });
    await stage.emit("before_agent_start", { prompt: "Work." });
    await stage.call(ITEMS);
    await stage.run("make");
    return stage.emit("session_stop", { last_assistant_message: LAST, stop_hook_active: false });
  };
  expect(await stop(true)).toMatchObject({
    continue: true,
    additionalContext: expect.stringContaining("Read the code"),
  });
  expect(await stop(false)).toBeUndefined();
});

test.each([
  ["client", false],
  ["ours", true],
] as const)("about its own list oh-my-pi asks itself: %s", async (kept, isAsked) => {
  vi.stubEnv("MILEPOST_OH_MY_PI_TODO", kept);
  ends.push(async () => vi.unstubAllEnvs());
  const stage = await openStage({ hasTools: false });
  await stage.emit("before_agent_start", { prompt: "Work." });
  const called = { toolName: "todo", toolCallId: "call_1", input: { op: "init", items: ["Read the code"] } };
  await stage.emit("tool_call", called);
  await stage.emit("tool_result", { ...called, content: [{ type: "text", text: "Remaining items (1):" }] });
  await stage.run("make");
  const asked = await stage.emit("session_stop", { last_assistant_message: LAST, stop_hook_active: false });
  expect(asked !== undefined).toBe(isAsked);
});

/** Of the session that the stage has played. */
const turnsOf = (store: string) => {
  const environment = { HOME: root, MILEPOST_HOME: root, MILEPOST_STORE: store };
  const { out } = runWarm(["sessions", "--all", "--json"], { folder: root, environment });
  return JSON.parse(out).sessions.map(({ turns }: { turns: number }) => turns);
};

test("what oh-my-pi is asked at a stop is no prompt of anybody's", async () => {
  const stage = await openStage();
  await stage.emit("before_agent_start", { prompt: "Work." });
  await stage.call(ITEMS);
  await stage.run("make");
  const stop = { last_assistant_message: LAST, stop_hook_active: false };
  const asked = (await stage.emit("session_stop", stop)) as { additionalContext: string };
  await stage.emit("before_agent_start", { prompt: asked.additionalContext });
  expect(await stage.emit("session_stop", { ...stop, stop_hook_active: true })).toBeUndefined();
  await stage.emit("before_agent_start", { prompt: asked.additionalContext });
  await stage.emit("session_shutdown", {});
  expect(turnsOf(stage.store)).toEqual([2]);
});

test("a person's pi is asked to go on by a message that starts a turn, and once", async () => {
  const stage = await openStage({ agent: "pi" });
  await stage.emit("before_agent_start", { prompt: "Work." });
  await stage.call(ITEMS);
  await stage.run("make");
  await stage.emit("agent_end", { messages: [LAST] });
  await stage.emit("agent_end", { messages: [LAST] });
  expect(stage.said).toEqual([
    [expect.stringContaining("Read the code"), { triggerTurn: true, deliverAs: "followUp" }],
  ]);
});

test.each([
  ["oh-my-pi", 1],
  ["pi", 2],
] as const)("what a person types while %s works is a prompt, once", async (agent, prompts) => {
  const stage = await openStage({ agent });
  await stage.emit("input", { text: "Work.", source: "interactive" });
  await stage.emit("before_agent_start", { prompt: "Work." });
  stage.work();
  await stage.emit("input", { text: "And test it.", source: "interactive" });
  await stage.emit("input", { text: "Ours.", source: "extension" });
  await stage.emit("session_shutdown", {});
  expect(turnsOf(stage.store)).toEqual([prompts]);
});

test("a sub-agent of oh-my-pi has no list of ours", async () => {
  const stage = await openStage({ file: "/s/2026-11-16T05-19-31-981Z_01a1/Helper1.jsonl" });
  expect([stage.tools.size, stage.active()]).toEqual([0, ["read", "bash", "todo"]]);
  expect(await stage.emit("before_agent_start", { prompt: "Count." })).toBeUndefined();
});
