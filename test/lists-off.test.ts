import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { callOn } from "../src/app/calls/tool-call.js";
import { hasNoLists, NO_LISTS } from "../src/app/settings/lists-off.js";
import { DEFAULT_SETTINGS, type Settings } from "../src/app/settings.js";
import { client } from "./hooked-client.js";
import { McpInProcess } from "./mcp-in-process.js";

// Agents whose lists are switched off (list.off), and sub-agents that have none: what their models are offered and told.

const root = mkdtempSync(join(tmpdir(), "milepost-lists-off-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const OFF: Settings = { ...DEFAULT_SETTINGS, listsOff: ["claude-code"] };

test.each<[string | undefined, boolean]>([
  ["codex", true],
  ["codex-mcp-client", true],
  ["Codex", true],
  ["codex 0.166", true],
  ["milepost-codex", true],
  ["codexia", false],
  ["claude-code", false],
  ["", false],
  [undefined, false],
])("the client %j is codex: %j", (name, isCodex) => {
  expect(hasNoLists({ listsOff: ["codex"] }, name)).toBe(isCodex);
  expect(hasNoLists({ listsOff: [] }, name)).toBe(false);
});

describe("hooks of an agent without lists", () => {
  const write = {
    tool_name: "TodoWrite",
    tool_input: { todos: [{ content: "A", status: "pending", activeForm: "A" }] },
  };
  const task = {
    tool_name: "TaskCreate",
    tool_input: { subject: "T" },
    tool_response: { task: { id: "1", subject: "T" } },
  };

  test("its own list and its own tasks are not mirrored; its calls and turns are", async () => {
    for (const settings of [DEFAULT_SETTINGS, OFF]) {
      const { hook, open, session, events } = await client(settings);
      await hook("UserPromptSubmit", { prompt: "go" });
      await hook("PostToolUse", { ...write, tool_use_id: "t1" });
      await hook("PostToolUse", { ...task, tool_use_id: "t2" });
      const isOff = settings === OFF;
      expect(await open()).toEqual(isOff ? [] : ["pending A"]);
      expect((await session()).clientList?.tasks ?? []).toHaveLength(isOff ? 0 : 1);
      expect((await events("call.ended")).length).toBeGreaterThanOrEqual(2);
      expect((await session()).turns).toBe(1);
    }
  });

  test("no reminder comes, at whatever moment, and no digest of a list from before", async () => {
    const before = await client();
    await before.todo({ add: ["Read", "Fix"] });
    const off = await client(OFF);
    // The same moments as with a list, where something is said.
    const moments = async (one: typeof off) => {
      await one.todo({ add: ["Read", "Fix"] });
      const said: string[] = [await one.said("SessionStart", { source: "resume" })];
      await one.hook("UserPromptSubmit", { prompt: "go" });
      for (let turn = 0; turn < 12; turn += 1) said.push(await one.bash());
      said.push(await one.hook("Stop"), await one.said("SessionStart", { source: "compact" }, "m:8"));
      return said.filter((text) => text !== "");
    };
    expect((await moments(before)).length).toBeGreaterThan(2);
    expect(await moments(off)).toEqual([]);
  });

  test("a person's words, and tasks that are held, are told all the same", async () => {
    const one = await client({ ...OFF, taskStaleAfter: 2 });
    await one.hook("UserPromptSubmit", { prompt: "go" });
    await callOn(one.store, { tool: "task", input: { add: "Build" }, session: "s1", list: "l" });
    await callOn(one.store, { tool: "task", input: { claim: true }, session: "s1", list: "l" });
    const said = [await one.bash(), await one.bash(), await one.bash()].join("\n");
    expect(said).toContain("task");
    expect(said).not.toContain("todo");
  });
});

describe("calls in the name of an agent without lists", () => {
  test.each<[string, object, boolean]>([
    ["its own call", { session: "s1", origin: { client: "claude-code" } }, true],
    ["a call into its session, whoever makes it", { session: "s1" }, true],
    ["a call into its session, in another dialect", { session: "s1", dialect: "codex", tool: "update_plan" }, true],
    ["a call into a session of nobody", { session: "s2" }, false],
    [
      "another dialect is no agent",
      { session: "s2", dialect: "claude", tool: "TodoWrite", input: { todos: [] } },
      false,
    ],
    ["a task", { session: "s1", tool: "task", input: {}, origin: { client: "claude-code" } }, false],
    ["a plan", { session: "s1", tool: "plan", input: { text: "# P\n1. x" }, origin: { client: "claude-code" } }, false],
  ])("%s", async (_, request, isRefused) => {
    const { store, hook, events } = await client(OFF);
    await hook("UserPromptSubmit", { prompt: "go" });
    const before = (await events()).length;
    const answer = await callOn(store, { tool: "todo", input: { add: ["A"] }, list: "l", ...request }, OFF);
    expect(answer).toMatchObject({ ok: true });
    const isSaid = answer.ok && answer.value.text === NO_LISTS && answer.value.isError;
    expect(isSaid).toBe(isRefused);
    if (isRefused) expect((await events()).length).toBe(before);
  });
});

describe("the MCP server", () => {
  let made = 0;
  interface Said {
    readonly tools: readonly string[];
    readonly hasInstructions: boolean;
    readonly call: { readonly text: string; readonly isError: boolean };
  }

  function place(settings: object): { readonly home: string; readonly folder: string } {
    const [home, folder] = [join(root, `home${++made}`), join(root, `app${made}`)];
    for (const one of [home, join(folder, ".git")]) mkdirSync(one, { recursive: true });
    writeFileSync(join(home, "config.json"), JSON.stringify(settings));
    return { home, folder };
  }

  async function talk(
    { home, folder }: ReturnType<typeof place>,
    name: string,
    more: {
      readonly args?: readonly string[];
      readonly environment?: Record<string, string>;
      readonly between?: () => void;
    } = {},
  ): Promise<Said> {
    const environment = { MILEPOST_HOME: home, HOME: root, ...more.environment };
    const server = new McpInProcess({ args: ["--tasks", ...(more.args ?? [])], environment, folder });
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name, version: "1" } };
    const { result } = await server.ask("initialize", client);
    const { instructions } = result as { readonly instructions?: string };
    const listed = (await server.ask("tools/list", {})).result as {
      readonly tools: readonly { readonly name: string }[];
    };
    more.between?.();
    const called = await server.ask("tools/call", { name: "todo", arguments: { add: ["A"] } });
    const { content, isError } = called.result as {
      readonly content: readonly { readonly text: string }[];
      readonly isError: boolean;
    };
    await server.close();
    return {
      tools: listed.tools.map((tool) => tool.name),
      hasInstructions: instructions !== undefined,
      call: { text: content[0]?.text ?? "", isError },
    };
  }

  const refused = { text: NO_LISTS, isError: true };

  test.each<[string, string, object, Record<string, string>, boolean]>([
    ["switched off for it", "codex-mcp-client", { "list.off": "codex" }, {}, true],
    ["switched off for another", "claude-code", { "list.off": "codex" }, {}, false],
    ["switched off by a variable", "oh-my-pi", {}, { MILEPOST_LIST_OFF: "hermes,oh-my-pi" }, true],
    ["switched on by a variable", "codex-mcp-client", { "list.off": "codex" }, { MILEPOST_LIST_OFF: "none" }, false],
    ["nobody's", "codex-mcp-client", {}, {}, false],
  ])("%s: %s", async (_, name, settings, environment, isOff) => {
    const said = await talk(place(settings), name, { environment });
    expect(said.tools).toEqual(isOff ? ["task"] : ["todo", "task"]);
    expect(said.hasInstructions).toBe(!isOff);
    expect(said.call.isError).toBe(isOff);
    if (isOff) expect(said.call).toEqual(refused);
  });

  test("a running server takes new settings with the next call", async () => {
    const at = place({});
    const between = () => writeFileSync(join(at.home, "config.json"), '{"list.off":"codex"}');
    const said = await talk(at, "codex-mcp-client", { between });
    expect([said.tools, said.call]).toEqual([["todo", "task"], refused]);
  });

  test("a project cannot switch lists off", async () => {
    const at = place({});
    mkdirSync(join(at.folder, ".milepost"));
    writeFileSync(join(at.folder, ".milepost", "config.json"), '{"list.off":"codex"}');
    const said = await talk(at, "codex-mcp-client");
    expect([said.tools, said.call.isError]).toEqual([["todo", "task"], false]);
  });
});

describe("sub-agents without a list", () => {
  const start = { agent_id: "a1", agent_type: "Explore" };
  const codex = { ...start, turn_id: "u1" };

  test.each<[string, Settings, object, boolean]>([
    ["as the dialect says", DEFAULT_SETTINGS, start, false],
    ["none", { ...DEFAULT_SETTINGS, subAgents: "none" }, start, true],
    ["none, in Codex", { ...DEFAULT_SETTINGS, subAgents: "none" }, codex, true],
    ["shared", { ...DEFAULT_SETTINGS, subAgents: "shared" }, start, false],
    ["none, but our tool is not offered", withoutOurs(), start, false],
    ["none, and lists are off", { ...OFF, subAgents: "none" }, start, false],
  ])("%s: it is told at its start, once", async (_, settings, fields, isTold) => {
    const { hook, said } = await client(settings);
    await hook("UserPromptSubmit", { prompt: "go" });
    const text = await said("SubagentStart", fields);
    if (isTold) expect(text).toContain("sub-agents keep no todo list here");
    else expect(text).toBe("");
    // The same start, reported by a second way.
    expect(await said("SubagentStart", fields)).toBe("");
  });

  test("a dialect that gives lists to the main agent alone says the same, through its server's hooks", async () => {
    const folder = join(root, "pi");
    mkdirSync(folder);
    const environment = { MILEPOST_HOME: join(root, "pi-home"), HOME: root };
    for (const [dialect, isTold] of [
      ["oh-my-pi", true],
      ["claude", false],
    ] as const) {
      const server = new McpInProcess({ args: ["--dialect", dialect], environment, folder });
      const clientInfo = { name: "claude-code", version: "1" };
      await server.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      const fields = { session_id: `s-${dialect}`, hook_event_name: "SubagentStart", cwd: folder, ...start };
      const { result } = await server.ask("tools/call", { name: "hook", arguments: fields });
      const [{ text } = { text: "" }] = (result as { readonly content: readonly { readonly text: string }[] }).content;
      expect(text.includes("sub-agents keep no todo list here")).toBe(isTold);
      await server.close();
    }
  });

  function withoutOurs(): Settings {
    const offers = { ...DEFAULT_SETTINGS.offers, "claude-code": { todo: "client", tasks: false } as const };
    return { ...DEFAULT_SETTINGS, subAgents: "none", offers };
  }
});
