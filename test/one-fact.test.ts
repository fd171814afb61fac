import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { freshDatabase } from "./databases.js";
import { clean, command, eventsOf, hook, type Logged } from "./hook-process.js";
import { McpProcess } from "./mcp-process.js";
import { answers, calls, chained, type Line, says, side, user } from "./readers/claude-lines.js";
import { sized } from "./sizes.js";

// The same call seen by our MCP server, by a hook and in the transcript is one event. Hooks and servers are processes.

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A machine with one store, and the sessions of one client on it. */
class Machine {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-fact-")));
  readonly environment: NodeJS.ProcessEnv;
  readonly #store: NodeJS.ProcessEnv;

  constructor(store: NodeJS.ProcessEnv = {}) {
    folders.push(this.folder);
    this.#store = { MILEPOST_HOME: join(this.folder, "home"), HOME: this.folder, ...store };
    this.environment = clean(this.#store);
  }

  /** The transcript of a session; its lines are as old as this when they are read. */
  write(session: string, lines: readonly Line[], age = MINUTE): void {
    const project = join(this.folder, ".claude", "projects", "-work");
    mkdirSync(project, { recursive: true });
    const timestamp = new Date(Date.now() - age).toISOString();
    const told = chained(lines).map((line) => `${JSON.stringify({ ...line, sessionId: session, timestamp })}\n`);
    writeFileSync(join(project, `${session}.jsonl`), told.join(""));
  }

  async attach(): Promise<void> {
    expect(command(["sessions"], "", this.environment)).toMatchObject({ exit: 0, err: "" });
  }

  async hook(session: string, event: string, fields: object = {}): Promise<void> {
    const told = await hook({ session_id: session, hook_event_name: event, cwd: "/work", ...fields }, this.environment);
    expect(told).toMatchObject({ exit: 0, err: "" });
  }

  async mcp(session: string, call: string): Promise<void> {
    const environment = { ...this.#store, CLAUDE_CODE_SESSION_ID: session };
    const server = await McpProcess.greeted({ environment });
    const [text, isError] = await server.todo({ add: [`Fix ${session}`] }, { "claudecode/toolUseId": call });
    expect([text, isError]).toEqual([expect.stringContaining(`Fix ${session}`), false]);
    await server.end();
  }

  async ended(): Promise<readonly Logged[]> {
    return (await eventsOf(this.environment)).filter(({ type }) => type === "call.ended");
  }
}

const ours = (session: string): Line[] => [
  user("go"),
  calls(`toolu_${session}`, "mcp__milepost__todo", { add: [`Fix ${session}`] }),
  answers(`toolu_${session}`),
  says("Done."),
];

type Witness = "mcp" | "hook" | "transcript";
const ORDERS: readonly (readonly Witness[])[] = [
  ["mcp", "hook", "transcript"],
  ["mcp", "transcript", "hook"],
  ["hook", "mcp", "transcript"],
  ["hook", "transcript", "mcp"],
  ["transcript", "mcp", "hook"],
  ["transcript", "hook", "mcp"],
];

async function tell(machine: Machine, session: string, witness: Witness): Promise<void> {
  const call = `toolu_${session}`;
  if (witness === "mcp") await machine.mcp(session, call);
  else if (witness === "hook")
    await machine.hook(session, "PostToolUse", {
      tool_name: "mcp__milepost__todo",
      tool_input: { add: [`Fix ${session}`] },
      tool_use_id: call,
    });
  else {
    machine.write(session, ours(session));
    await machine.attach();
  }
}

describe.each(["SQLite", "PostgreSQL"])("on %s", (engine) => {
  const open = async () => new Machine(engine === "SQLite" ? {} : { MILEPOST_STORE: await freshDatabase("fact") });

  // Push tries on a server each witness as the first one once.
  const orders = ORDERS.filter((_, at) => engine === "SQLite" || at % sized(3, 1) === 0);

  test("one event, in whichever order the three tell of it", async () => {
    const machine = await open();
    for (const order of orders) {
      const session = order.join("-");
      await machine.hook(session, "SessionStart", { source: "startup" });
      for (const [at, witness] of order.entries()) {
        await tell(machine, session, witness);
        const seen = (await machine.ended()).filter(({ stream }) => stream === `calls:${session}`);
        // There from the first one on, and never twice.
        expect([session, at, seen.map(({ data }) => data.call)]).toEqual([session, at, [`toolu_${session}`]]);
        expect(seen[0]?.data).toMatchObject({ tool: "todo", server: "milepost", status: "completed" });
      }
      const list = command(["sessions", session, "--json"], "", machine.environment);
      expect(JSON.parse(list.out).sessions[0].list.phases[0].todos).toMatchObject([{ text: `Fix ${session}` }]);
    }
    const all = await machine.ended();
    await machine.attach();
    await machine.attach();
    expect(await machine.ended()).toEqual(all);
    expect(all).toHaveLength(orders.length);
  }, 120_000);
});

const bash = (call: string, fields: object = {}): Line[] => [
  calls(call, "Bash", { command: `run ${call}` }),
  answers(call, "ok", {}, fields as never),
];

describe("what only the transcript knows", () => {
  test("is one event of a session that reports to us, and nothing of one that never did", async () => {
    const machine = new Machine();
    await machine.hook("wired", "SessionStart", { source: "startup" });
    const lines = [user("go"), ...bash("t1"), ...bash("t2", { is_error: true }), says("Done.")];
    machine.write("wired", lines);
    machine.write("stranger", lines);
    await machine.attach();
    const events = await eventsOf(machine.environment);
    expect(events.filter(({ stream }) => stream.includes("stranger"))).toEqual([]);
    const ended = events.filter(({ type }) => type === "call.ended");
    expect(ended.map(({ stream, data }) => [stream, data.call, data.tool, data.status, data.subject])).toEqual([
      ["calls:wired", "t1", "Bash", "completed", "run t1"],
      ["calls:wired", "t2", "Bash", "failed", "run t2"],
    ]);
    await machine.attach();
    machine.write("wired", lines);
    await machine.attach();
    expect(await eventsOf(machine.environment)).toEqual(events);
    // A hook that comes late knows it already.
    await machine.hook("wired", "PostToolUse", { tool_name: "Bash", tool_input: {}, tool_use_id: "t1" });
    expect(await machine.ended()).toHaveLength(2);
    const { out } = command(["sessions", "stranger", "--json"], "", machine.environment);
    expect(JSON.parse(out).sessions).toMatchObject([{ id: "stranger", calls: { total: 2, failed: 1 } }]);
  });

  test("is told of a sub-agent, too", async () => {
    const machine = new Machine();
    await machine.hook("wired", "SessionStart", { source: "startup" });
    const helper = bash("t9").map((line) => side(line, { agentId: "a1" }));
    machine.write("wired", [user("go"), ...helper, says("Done.")]);
    await machine.attach();
    expect(await machine.ended()).toMatchObject([{ stream: "calls:wired", data: { call: "t9", agent: "a1" } }]);
  });

  test("does not come back when it is so old that it may have been pruned", async () => {
    const machine = new Machine();
    await machine.hook("wired", "SessionStart", { source: "startup" });
    machine.write("wired", [user("go"), ...bash("t1")], DAY + MINUTE);
    await machine.attach();
    expect(await machine.ended()).toEqual([]);
  });

  test("waits for hooks while it is young, and is not lost meanwhile", async () => {
    const machine = new Machine();
    await machine.hook("wired", "SessionStart", { source: "startup" });
    machine.write("wired", [user("go"), ...bash("t1")], 6000);
    await machine.attach();
    expect(await machine.ended()).toEqual([]);
    for (const until = Date.now() + 20_000; (await machine.ended()).length === 0 && Date.now() < until; ) {
      await sleep(200);
      await machine.attach();
    }
    expect(await machine.ended()).toMatchObject([{ data: { call: "t1" } }]);
  }, 60_000);
});
