import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
// @ts-expect-error: a text, which the build and the tests load as one
import pluginText from "../src/extension/openclaw/openclaw-plugin.js?text";
import { runWarm } from "./warm-command.js";

// Our plugin as OpenClaw loads it: its text in a file, events as the real program tells them, our real server.

const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "milepost-openclaw-"));
const ITEMS = ["Read the code", "Fix it"];

interface Registered {
  readonly tools: Map<string, (place: object) => OfferedTool | null>;
  readonly hooks: Map<string, (event: object, place: object) => unknown>;
  middleware(event: object, place: object): Promise<{ result: { content: readonly { text: string }[] } } | undefined>;
  stop(): void;
}

interface OfferedTool {
  readonly name: string;
  readonly catalogMode: string;
  execute(call: string, input: object): Promise<{ content: readonly { text: string }[]; details: object }>;
}

let plugin: Registered;

/** What OpenClaw hands to a plugin, as far as ours uses it. It loads one twice, and takes the middleware of the first. */
async function load(): Promise<Registered> {
  const [first, second] = [await register("first"), await register("second")];
  return { ...second, middleware: first.middleware };
}

async function register(name: string): Promise<Registered> {
  const tools = [{ name: "todo", title: "Todo", description: "A list.", inputSchema: { type: "object" } }];
  const launch = { command: process.execPath, args: [bin, "mcp", "--store", join(root, "store.db")], tools };
  const file = join(root, `${name}.mjs`);
  writeFileSync(file, `const MILEPOST_LAUNCH = ${JSON.stringify(launch)};\n${pluginText}`);
  const { default: loaded } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const found = { tools: new Map(), hooks: new Map() } as { -readonly [Key in keyof Registered]: Registered[Key] };
  loaded.register({
    registerTool: (make: never, { name }: { name: string }) => found.tools.set(name, make),
    registerAgentToolResultMiddleware: (handle: Registered["middleware"]) => {
      found.middleware = handle;
    },
    registerService: ({ stop }: { stop(): void }) => {
      found.stop = stop;
    },
    on: (name: string, handle: never) => found.hooks.set(name, handle),
  });
  return found;
}

beforeAll(async () => {
  plugin = await load();
});
afterAll(() => {
  plugin.stop();
  rmSync(root, { recursive: true, force: true });
});

const placeOf = (session: string, runId = "r1") => ({
  ...{ sessionId: session, sessionKey: `agent:main:${session}`, runId, workspaceDir: root, trigger: "user" },
});
type Place = ReturnType<typeof placeOf>;

async function prompted(place: Place, messages: readonly object[] = []): Promise<string> {
  const built = await plugin.hooks.get("before_prompt_build")?.({ prompt: "Go on.", messages }, place);
  return (built as { prependContext: string } | undefined)?.prependContext ?? "";
}

/** A call from its start to its end, as OpenClaw announces it. */
async function call(place: Place, toolName: string, params: object, toolCallId: string): Promise<string> {
  await plugin.hooks.get("before_tool_call")?.({ toolName, params, toolCallId }, place);
  const tool = plugin.tools.get(toolName)?.(place);
  const result = (await tool?.execute(toolCallId, params)) ?? { content: [{ type: "text", text: "ok" }], details: {} };
  const ended = { toolCallId, toolName, args: params, result, isError: false };
  const told = (await plugin.middleware(ended, place)) ?? { result };
  await plugin.hooks.get("after_tool_call")?.({ toolName, params, toolCallId, ...told }, place);
  return told.result.content.map(({ text }) => text).join("\n");
}

const TODO = "milepost__todo";

test("our tool is offered directly, in sessions only", () => {
  expect([...plugin.tools.keys()]).toEqual([TODO]);
  expect(plugin.tools.get(TODO)?.(placeOf("s0"))).toMatchObject({ name: TODO, catalogMode: "direct-only" });
  expect(plugin.tools.get(TODO)?.({})).toBeNull();
});

test("a session's list: kept by calls, told after a compaction until the next call of ours", async () => {
  const place = placeOf("s1");
  expect(await prompted(place)).toBe("");
  expect(await call(place, TODO, { add: ITEMS }, "c1")).toBe("Added 1-2. 0/2 now #1 Read the code");
  expect(await call(place, "exec", { command: "ls" }, "c2")).toBe("ok");
  // A compaction says only which place of conversation it was in; in the middle of a run the next answer has the list.
  await plugin.hooks.get("after_compaction")?.({}, { sessionKey: place.sessionKey });
  expect(await call(place, "exec", { command: "ls -l" }, "c3")).toContain("#1 [in progress] Read the code");
  await plugin.hooks.get("agent_end")?.({ success: true, messages: [] }, place);
  const next = placeOf("s1", "r2");
  expect(await prompted(next)).toContain("#1 [in progress] Read the code");
  // Built again for the same run.
  expect(await prompted(next)).toContain("Read the code");
  expect(await call(next, TODO, { done: 1 }, "c1")).toContain("1/2 now #2 Fix it");
  expect(await prompted(placeOf("s1", "r3"))).not.toContain("Fix it");
});

test("a session that another process began is told what is open, each time", async () => {
  const history = [{ role: "user" }];
  await call(placeOf("s2"), TODO, { add: ITEMS }, "c1");
  await plugin.hooks.get("session_end")?.({ reason: "shutdown" }, placeOf("s2"));
  expect(await prompted(placeOf("s2", "r2"), history)).toContain("Fix it");
  await plugin.hooks.get("session_end")?.({ reason: "shutdown" }, placeOf("s2"));
  expect(await prompted(placeOf("s2", "r3"), history)).toContain("Fix it");
});

test("a session that goes on under its name after /new has an empty list, and is offered what was open once", async () => {
  const end = { reason: "new", nextSessionId: "s5" };
  await prompted(placeOf("s5"));
  await call(placeOf("s5"), TODO, { add: ITEMS }, "c1");
  await plugin.hooks.get("session_end")?.(end, placeOf("s5"));
  expect(await prompted(placeOf("s5", "r2"))).toMatch(/before this conversation was cleared.*Fix it/s);
  expect(await prompted(placeOf("s5", "r3"), [{ role: "user" }])).toBe("");
  expect(await call(placeOf("s5", "r3"), TODO, { add: ["New"] }, "c2")).toContain("0/1 now #3 New");
});

test("what runs is told once, with the time that it took", async () => {
  const place = placeOf("s4");
  await prompted(place);
  await call(place, "exec", { command: "ls" }, "c1");
  await plugin.hooks.get("after_tool_call")?.({ toolName: "gone", params: {}, toolCallId: "c2", error: "no" }, place);
  const { out } = runWarm(["events", "--session", "s4", "--store", join(root, "store.db")], {
    folder: root,
    environment: { HOME: root },
  });
  const ended = out.split("\n").flatMap((line) => (line.includes("call.ended") ? [JSON.parse(line).data] : []));
  expect(ended).toMatchObject([
    { call: "c1", tool: "exec", status: "completed", milliseconds: expect.any(Number) },
    { call: "c2", tool: "gone", status: "failed" },
  ]);
});

test("a run that is tried again is one turn", async () => {
  const refused = { success: true, messages: [{ role: "assistant", stopReason: "error", errorMessage: "500" }] };
  for (const end of [refused, { success: true, messages: [] }]) {
    await prompted(placeOf("s6"));
    await plugin.hooks.get("agent_end")?.(end, placeOf("s6"));
  }
  const { out } = runWarm(["events", "--session", "s6", "--store", join(root, "store.db")], {
    folder: root,
    environment: { HOME: root },
  });
  const told = out.split("\n").flatMap((line) => /"turn\.(\w+)"/.exec(line)?.[1] ?? []);
  expect(told).toEqual(["started", "ended", "ended"]);
});

test("a refused call counts as failed there", async () => {
  const answer = await plugin.tools.get(TODO)?.(placeOf("s3"))?.execute("c1", { done: 9 });
  expect(answer).toMatchObject({ details: { status: "error", error: expect.stringContaining("9") } });
});
