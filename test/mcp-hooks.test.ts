import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { hookToolInput } from "../src/app/hooks/hook-fields.js";
import { clean, command, eventsOf, hook, type Logged } from "./hook-process.js";
import { McpProcess, type Reply } from "./mcp-process.js";
import { holdFile } from "./store-lockers.js";

// Hooks that a client sends through the server that it has started: real servers, and `milepost hook` beside them.

type Client = "claude-code" | "codex";
type Fields = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<Client, string>> = { "claude-code": "claude-code", codex: "codex-mcp-client" };

/** As the client fills in what the wiring asks for: Claude Code as text, Codex as it is. */
function wired(client: Client, fields: Fields): object {
  const asked = Object.keys(hookToolInput(client, String(fields.hook_event_name)) ?? {});
  if (client === "codex") return Object.fromEntries(asked.map((name) => [name, fields[name]]));
  return Object.fromEntries(
    asked.map((name) => {
      const value = fields[name] ?? "";
      return [name, typeof value === "string" ? value : JSON.stringify(value)];
    }),
  );
}

/** A machine of its own, and a client on it that is this process. */
class Machine {
  readonly home = mkdtempSync(join(tmpdir(), "milepost-mcp-hooks-"));
  readonly #store: NodeJS.ProcessEnv = { MILEPOST_HOME: this.home };
  readonly environment = clean(this.#store);
  readonly client: Client;
  readonly #common: Fields;

  constructor(client: Client = "claude-code") {
    this.client = client;
    this.#common =
      client === "codex"
        ? { transcript_path: "/t/rollout-1.jsonl", turn_id: "t1", model: "m", permission_mode: "default" }
        : { transcript_path: "/t/1.jsonl", prompt_id: "p1", permission_mode: "default" };
  }

  start(more: NodeJS.ProcessEnv = {}, client = NAMES[this.client]): Promise<McpProcess> {
    return McpProcess.greeted({ environment: { ...this.environment, ...more }, client });
  }

  fields(event: string, fields: Fields, session = "s1"): Fields {
    return { hook_event_name: event, session_id: session, cwd: "/work", ...this.#common, ...fields };
  }

  /** Through the server, as the client's wiring does it. */
  async tell(server: McpProcess, event: string, fields: Fields = {}, session = "s1"): Promise<string> {
    const thread = { threadId: typeof fields.agent_id === "string" ? fields.agent_id : session, progressToken: 1 };
    const reply = await server.ask("tools/call", {
      name: "hook",
      arguments: wired(this.client, this.fields(event, fields, session)),
      ...(this.client === "codex" ? { _meta: thread } : undefined),
    });
    expect(reply.result?.isError ?? false).toBe(false);
    return said(reply);
  }

  /** By a command, as before. */
  async run(event: string, fields: Fields = {}): Promise<string> {
    const pid = this.client === "codex" ? undefined : { CLAUDE_PID: String(process.pid) };
    const { out } = await hook(this.fields(event, fields), { ...this.environment, ...pid });
    return out.trimEnd();
  }

  events(): Promise<readonly Logged[]> {
    return eventsOf(this.environment);
  }

  marks(): readonly string[] {
    const folder = join(this.home, "servers");
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}

function said({ result, error }: Reply): string {
  expect(error).toBeUndefined();
  expect(result?.content).toHaveLength(1);
  return result?.content?.[0]?.text ?? "";
}

const servers: McpProcess[] = [];
afterAll(async () => {
  for (const server of servers) if (server.process.exitCode === null) await server.end("SIGKILL");
});

function kept(server: McpProcess): McpProcess {
  servers.push(server);
  return server;
}

const SHELL = { tool_name: "Bash", tool_use_id: "c1", tool_input: { command: "npm test" } };
const PLAN = {
  tool_name: "update_plan",
  tool_use_id: "c2",
  tool_input: { plan: [{ step: "One", status: "pending" }] },
};
const TODOS = { tool_name: "TodoWrite", tool_use_id: "c2", tool_input: { todos: [todo("One")] }, tool_response: {} };

function todo(content: string) {
  return { content, status: "in_progress", activeForm: `${content} now` };
}

/** A turn of each client: what it reports, in order. */
const TURNS: Readonly<Record<Client, readonly (readonly [string, Fields])[]>> = {
  "claude-code": [
    ["UserPromptSubmit", { prompt: "Do it." }],
    ["PreToolUse", SHELL],
    ["PostToolUse", { ...SHELL, tool_response: { stdout: "ok" }, duration_ms: 12 }],
    ["PreToolUse", { ...SHELL, tool_use_id: "c9", agent_id: "a1" }],
    ["PostToolUseFailure", { ...SHELL, tool_use_id: "c9", agent_id: "a1", error: "Exit code 1", is_interrupt: false }],
    ["PostToolUse", TODOS],
    ["PostToolBatch", { tool_calls: [SHELL, TODOS].map((call) => ({ ...call, tool_response: "ok" })) }],
    ["PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm publish" } }],
    ["Notification", { notification_type: "permission_prompt", message: "Claude needs your permission" }],
    ["SubagentStart", { agent_id: "a1", agent_type: "Explore" }],
    ["SubagentStop", { agent_id: "a1", agent_type: "Explore", stop_hook_active: false }],
    // Its own summary of a compaction: no agent of anybody's.
    ["SubagentStop", { agent_id: "a2", agent_type: "", stop_hook_active: false }],
    [
      "Stop",
      { stop_hook_active: false, last_assistant_message: "Half done.", background_tasks: [], session_crons: [] },
    ],
    ["StopFailure", { error: "rate_limit", last_assistant_message: "" }],
    ["TaskCompleted", { task_id: "1", task_subject: "Do it" }],
  ],
  codex: [
    ["UserPromptSubmit", { prompt: "Do it." }],
    ["PreToolUse", SHELL],
    ["PostToolUse", { ...SHELL, tool_response: "ok\n" }],
    ["PostToolUse", { ...PLAN, tool_response: "Plan updated" }],
    ["PostToolUse", { ...PLAN, tool_use_id: "c3", agent_id: "a1", tool_response: "Plan updated" }],
    ["PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm publish" } }],
    ["SubagentStart", { agent_id: "a1", agent_type: "default" }],
    ["SubagentStop", { agent_id: "a1", agent_type: "default", stop_hook_active: false, last_assistant_message: "x" }],
    ["PreCompact", { trigger: "auto" }],
    ["Interrupt", {}],
    ["Stop", { stop_hook_active: false, last_assistant_message: "Half done." }],
  ],
};

/** What is the same whichever process reports it. */
function facts(events: readonly Logged[]) {
  return events.map(({ stream, type, data }) => ({ stream, type, data }));
}

describe.each(["claude-code", "codex"] as const)("%s", (client) => {
  test("through the server and by commands: the same facts, and the same answers", async () => {
    const [byServer, byCommand] = [new Machine(client), new Machine(client)];
    const server = kept(await byServer.start());
    const answers = [];
    for (const [event, fields] of TURNS[client]) {
      answers.push([event, await byServer.tell(server, event, fields), await byCommand.run(event, fields)]);
      if (answers.length === 1)
        for (const { environment } of [byServer, byCommand])
          expect(command(["tell", 'Say "please"', "--session", "s1"], "", environment)).toMatchObject({ exit: 0 });
    }
    expect(answers.map(([event, answer]) => [event, answer])).toEqual(answers.map(([event, , out]) => [event, out]));
    expect(answers.map(([, answer]) => answer).join("")).toContain("please");
    const recorded = facts(await byServer.events());
    expect(recorded).toEqual(facts(await byCommand.events()));
    expect(recorded.length).toBeGreaterThan(8);
    expect(await server.end()).toBe(0);
  });

  test("a model that names the tool is told what it is told of any other, and writes nothing", async () => {
    const machine = new Machine(client);
    const server = kept(await machine.start());
    const input = wired(client, machine.fields("UserPromptSubmit", { prompt: "stop" }));
    const metas = [
      { "claudecode/toolUseId": "toolu_1", progressToken: 3 },
      { callId: "call_1", threadId: "s1", "x-codex-turn-metadata": { turn_id: "t" } },
      { "x-codex-turn-metadata": { session_id: "s1" } },
      { threadId: "s1", itemId: "fc_1" },
    ];
    for (const _meta of metas) {
      const [told, other] = [
        await server.ask("tools/call", { name: "hook", arguments: input, _meta }),
        await server.ask("tools/call", { name: "hooks", arguments: input, _meta }),
      ];
      expect(told.error).toEqual({ code: -32602, message: "Unknown tool: hook" });
      expect(other.error).toEqual({ code: -32602, message: "Unknown tool: hooks" });
    }
    const { result } = await server.ask("tools/list");
    expect(JSON.stringify(result)).not.toContain('"hook"');
    await server.end();
    expect(await machine.events()).toEqual([]);
  });

  test("a hook that cannot be understood is no error on anybody's screen", async () => {
    const machine = new Machine(client);
    const server = kept(await machine.start());
    const inputs = [
      undefined,
      {},
      "hook",
      { hook_event_name: "Stop" },
      { hook_event_name: "Stop", session_id: "../../etc" },
      { hook_event_name: "Later", session_id: "s1" },
    ];
    for (const input of inputs)
      expect(said(await server.ask("tools/call", { name: "hook", arguments: input }))).toBe("");
    await server.end();
    expect(await machine.events()).toEqual([]);
  });
});

test("other clients have no such tool", async () => {
  const machine = new Machine();
  const input = wired("claude-code", machine.fields("UserPromptSubmit", { prompt: "Hello" }));
  const refusals = ["raw", "", "claude-ai", "my-codex", "hook"].map(async (name) => {
    const server = kept(await machine.start({}, name));
    const { error } = await server.ask("tools/call", { name: "hook", arguments: input });
    await server.end();
    return error;
  });
  for (const error of await Promise.all(refusals))
    expect(error).toEqual({ code: -32602, message: "Unknown tool: hook" });
  expect(await machine.events()).toEqual([]);
});

describe("a server's mark", () => {
  test("is there before the client knows the server, and goes with it", async () => {
    const machine = new Machine();
    const server = kept(new McpProcess({ environment: machine.environment }));
    await server.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "claude-code", version: "1" },
    });
    expect(machine.marks()).toEqual([`${process.pid}-${server.process.pid}`]);
    await server.end();
    expect(machine.marks()).toEqual([]);
  });

  test("goes with a signal; one that was killed leaves it, and the next server takes it away", async () => {
    const machine = new Machine();
    const [ended, killed] = [kept(await machine.start()), kept(await machine.start())];
    await ended.end("SIGTERM");
    await killed.end("SIGKILL");
    expect(machine.marks()).toEqual([`${process.pid}-${killed.process.pid}`]);
    const next = kept(await machine.start({ CLAUDE_CODE_SESSION_ID: "s1" }));
    await next.ask("tools/list");
    // Swept when nothing else is to be done.
    await next.todo({});
    expect(machine.marks()).toEqual([`${process.pid}-${next.process.pid}`]);
    await next.end();
  });
});

describe("whose call it is", () => {
  test("the hook before it tells: the session after /clear, and the sub-agent", async () => {
    const machine = new Machine();
    const server = kept(await machine.start({ CLAUDE_CODE_SESSION_ID: "old" }));
    const ours = (call: string) => ({ tool_name: "mcp__milepost__todo", tool_use_id: call, tool_input: {} });
    await machine.tell(server, "PreToolUse", ours("c1"), "new");
    await server.todo({ add: ["One"] }, { "claudecode/toolUseId": "c1" });
    await machine.tell(server, "PreToolUse", { ...ours("c2"), agent_id: "a1" }, "new");
    await server.todo({ add: ["Two"] }, { "claudecode/toolUseId": "c2" });
    // Some models number their calls from 1 in each turn.
    await machine.tell(server, "PreToolUse", ours("c1"), "newer");
    await server.todo({ add: ["Three"] }, { "claudecode/toolUseId": "c1" });
    await server.end();
    const written = (await machine.events()).filter(({ type }) => type === "call.ended");
    expect(written.map(({ stream, data }) => [stream, data.call, data.agent])).toEqual([
      ["calls:new", "c1", undefined],
      ["calls:new", "c2", "a1"],
      ["calls:newer", "c1", undefined],
    ]);
  });

  test("where the client's environment names no session, its hooks do", async () => {
    const machine = new Machine();
    const server = kept(await machine.start());
    await machine.tell(server, "PreToolUse", { tool_name: "mcp__milepost__todo", tool_use_id: "c1", tool_input: {} });
    await server.todo({ add: ["One"] }, { "claudecode/toolUseId": "c1" });
    await server.end();
    expect([...new Set((await machine.events()).map(({ stream }) => stream))]).toEqual(["session:s1", "calls:s1"]);
  });
});

describe("many at once", () => {
  test("of one session in order, and of several each in its own", async () => {
    const machine = new Machine();
    const server = kept(await machine.start());
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const sessions = ["s1", "s2", "s3"];
    await Promise.all(
      numbers.flatMap((number) =>
        sessions.map((session) =>
          machine.tell(server, "PreToolUse", { ...SHELL, tool_use_id: `${session}-${number}` }, session),
        ),
      ),
    );
    await server.end();
    const calls = (await machine.events()).filter(({ type }) => type === "call.started");
    for (const session of sessions)
      expect(calls.filter(({ stream }) => stream === `calls:${session}`).map(({ data }) => data.call)).toEqual(
        numbers.map((number) => `${session}-${number}`),
      );
  });
});

describe("a start that a shell has kept", () => {
  const START = { hook_event_name: "SessionStart", session_id: "s1", source: "startup", cwd: "/work" };
  const keep = (machine: Machine, fields: object, client = process.pid) => {
    mkdirSync(join(machine.home, "starts"), { recursive: true, mode: 0o700 });
    writeFileSync(join(machine.home, "starts", `${client}-7.json`), JSON.stringify({ ...START, ...fields }));
  };
  const started = async (machine: Machine) =>
    (await machine.events()).filter(({ type }) => type === "session.started").map(({ data }) => data);

  test("is heard before the next hook, through the server or by a command, as if the command had reported it", async () => {
    const [waiting, told, straight] = [new Machine(), new Machine(), new Machine()];
    for (const machine of [waiting, told]) keep(machine, { transcript_path: "/t/1.jsonl" });
    const server = kept(await waiting.start());
    await waiting.tell(server, "UserPromptSubmit", { prompt: "Hello" });
    await server.end();
    await told.run("UserPromptSubmit", { prompt: "Hello" });
    await straight.run("SessionStart", { source: "startup" });
    await straight.run("UserPromptSubmit", { prompt: "Hello" });
    const expected = facts(await straight.events());
    expect(facts(await waiting.events())).toEqual(expected);
    expect(facts(await told.events())).toEqual(expected);
    expect(readdirSync(join(waiting.home, "starts"))).toEqual([]);
  });

  test("is heard by a command that opens the store, too", async () => {
    const machine = new Machine();
    await machine.run("UserPromptSubmit", { prompt: "Hello" });
    keep(machine, { session_id: "s2" });
    expect(await started(machine)).toEqual([
      expect.objectContaining({ source: "call" }),
      expect.objectContaining({ source: "startup", client: "claude-code" }),
    ]);
  });

  test("Codex's model hears how it reaches our tool, with its own prompt and once", async () => {
    const [direct, waiting] = [new Machine("codex"), new Machine("codex")];
    writeFileSync(join(waiting.home, "config.toml"), 'model = "x"\n');
    const start = { transcript_path: join(waiting.home, "sessions/rollout-1.jsonl"), model: "m" };
    const said = JSON.parse(await direct.run("SessionStart", { ...start, source: "startup" }));
    keep(waiting, start);
    const server = kept(await waiting.start());
    // Another session takes it in, and does not say what is not for it.
    expect(await waiting.tell(server, "UserPromptSubmit", { prompt: "Hello" }, "other")).toBe("");
    expect(await waiting.tell(server, "PreToolUse", SHELL)).toBe("");
    const answer = JSON.parse(await waiting.tell(server, "UserPromptSubmit", { prompt: "Hello" }));
    expect(answer.hookSpecificOutput).toEqual({
      hookEventName: "UserPromptSubmit",
      additionalContext: said.hookSpecificOutput.additionalContext,
    });
    expect(await waiting.tell(server, "UserPromptSubmit", { prompt: "Again" })).toBe("");
    await server.end();
  });
});

test("what could not be recorded is recorded when it can be, without another word of the client", async () => {
  const machine = new Machine();
  const server = kept(await machine.start());
  await machine.tell(server, "UserPromptSubmit", { prompt: "Hello" });
  const release = await holdFile(join(machine.home, "milepost.db"), "BEGIN IMMEDIATE");
  for (const call of ["c1", "c2", "c3"])
    expect(await machine.tell(server, "PreToolUse", { ...SHELL, tool_use_id: call })).toBe("");
  expect(waitingFacts(machine)).toHaveLength(3);
  await release();
  await vi.waitUntil(() => waitingFacts(machine).length === 0, { timeout: 30_000, interval: 50 });
  await server.end("SIGKILL");
  const calls = (await machine.events()).filter(({ type }) => type === "call.started");
  expect(calls.map(({ data }) => data.call)).toEqual(["c1", "c2", "c3"]);
});

function waitingFacts(machine: Machine): readonly string[] {
  const spool = join(machine.home, "spool");
  return readdirSync(spool)
    .flatMap((store) => readdirSync(join(spool, store)))
    .filter((name) => /^\d/.test(name));
}

test("trouble with the store is in the log, and the client is told nothing", async () => {
  const machine = new Machine();
  mkdirSync(join(machine.home, "milepost.db"));
  const server = kept(await machine.start());
  expect(await machine.tell(server, "UserPromptSubmit", { prompt: "Hello" })).toBe("");
  await server.end();
  expect(readFileSync(join(machine.home, "milepost.log"), "utf8")).toContain("hook UserPromptSubmit: ");
});
