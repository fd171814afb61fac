import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { hookToolInput } from "../src/app/hooks/hook-fields.js";
import { askServer } from "../src/app/setup/probe.js";
import { SHELL_TEXT } from "../src/app/setup/shell/shell-file.js";
import { clean, eventsOf } from "./hook-process.js";
import { command, McpProcess, type Reply } from "./mcp-process.js";

// A client's first questions are answered by the shell that becomes the server: the real file, in the real /bin/sh.

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

class Machine {
  readonly home = mkdtempSync(join(tmpdir(), "milepost-greeting-"));
  readonly environment = clean({ MILEPOST_HOME: this.home });
  readonly file = join(this.home, "wiring", "milepost.sh");

  constructor() {
    homes.push(this.home);
    for (const name of ["wiring", "starts", "servers"]) mkdirSync(join(this.home, name), { mode: 0o700 });
    writeFileSync(this.file, SHELL_TEXT, { mode: 0o600 });
  }

  /** As setup wires it. */
  start(client = "claude-code", flags: readonly string[] = []): Promise<McpProcess> {
    const { command: node, args } = command(flags);
    const launch = ["/bin/sh", this.file, "server", node, ...args] as const;
    return McpProcess.greeted({ environment: this.environment, client, launch: [...launch] });
  }

  /** The first start is answered by Node, and keeps what it said. */
  async startOnce(): Promise<readonly Reply[]> {
    const server = await this.start();
    await server.ask("tools/list");
    expect(await server.end()).toBe(0);
    return server.replies;
  }

  keepStart(session: string): void {
    const start = { hook_event_name: "SessionStart", session_id: session, source: "startup", cwd: "/work" };
    const fields = { ...start, transcript_path: "/t/1.jsonl" };
    writeFileSync(join(this.home, "starts", `${process.pid}-7.json`), JSON.stringify(fields), { mode: 0o600 });
  }

  get greetings(): readonly string[] {
    const folder = join(this.home, "cache");
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("greeting")) : [];
  }

  get greeting(): string {
    return join(this.home, "cache", this.greetings[0] ?? "");
  }

  async facts(): Promise<readonly (readonly [string, unknown])[]> {
    const events = (await eventsOf(this.environment)).filter(({ stream }) => stream === "session:s1");
    return events.map(({ type, data }) => [type, data.source] as const);
  }
}

const programOf = ({ process: { pid } }: McpProcess) => readFileSync(`/proc/${pid}/comm`, "utf8").trim();

function prompt(server: McpProcess, session = "s1"): Promise<Reply> {
  const told: Readonly<Record<string, string>> = {
    hook_event_name: "UserPromptSubmit",
    session_id: session,
    cwd: "/work",
    transcript_path: "/t/1.jsonl",
    prompt_id: "p1",
    prompt: 'Say "id": 7 and {"name":"hook"}',
  };
  const names = Object.keys(hookToolInput("claude-code", "UserPromptSubmit") ?? {});
  const input = Object.fromEntries(names.map((name) => [name, told[name] ?? ""]));
  return server.ask("tools/call", { name: "hook", arguments: input });
}

const EMPTY = [{ type: "text", text: "" }];

test("a shell gives the answers of the last start, becomes Node with the next question, and has the server's mark", async () => {
  const machine = new Machine();
  const first = await machine.startOnce();
  expect(machine.greetings).toHaveLength(1);
  const server = await machine.start();
  await server.ask("tools/list");
  expect(server.replies).toEqual(first);
  expect(programOf(server)).not.toMatch(/^node/);
  expect(readdirSync(join(machine.home, "servers"))).toEqual([`${process.pid}-${server.process.pid}`]);
  const [text] = await server.todo({ add: ["Write it down"] });
  expect(text).toContain("Write it down");
  expect(programOf(server)).toMatch(/node|MainThread/);
  expect(server.replies).toHaveLength(first.length + 1);
  await server.end();
  expect(readdirSync(join(machine.home, "servers"))).toEqual([]);
});

test("a server with other tools has other answers", async () => {
  const machine = new Machine();
  for (const flags of [[], ["--tasks"], ["--plans"], ["--tasks", "--plans"], ["--plans"]]) {
    const server = await machine.start("claude-code", flags);
    const { result } = await server.ask("tools/list");
    const tools = result?.tools as readonly { readonly name: string }[];
    expect(tools.map((tool) => tool.name)).toEqual(["todo", ...flags.map((flag) => flag.slice(2, -1))]);
    await server.end();
  }
  expect(machine.greetings).toHaveLength(4);
});

test("another question than the last time is Node's, first or later; and it keeps the new ones", async () => {
  const machine = new Machine();
  await machine.startOnce();
  const before = readFileSync(machine.greeting, "utf8");
  const later = await machine.start();
  const reply = await later.ask("tools/list", { _meta: { progressToken: 5 } });
  expect(reply.result?.tools).toHaveLength(1);
  expect(later.replies).toHaveLength(2);
  await later.end();
  const other = await machine.start("another-client");
  expect((await other.ask("tools/list")).result?.tools).toHaveLength(1);
  expect(other.replies).toHaveLength(2);
  await other.end();
  expect(readFileSync(machine.greeting, "utf8")).toBe(before.replace("claude-code", "another-client"));
});

test("the first prompt of a new session is answered at once, and recorded behind its start", async () => {
  const machine = new Machine();
  await machine.startOnce();
  machine.keepStart("s1");
  const server = await machine.start();
  await server.ask("tools/list");
  expect((await prompt(server)).result?.content).toEqual(EMPTY);
  await server.todo({ add: ["One"] });
  expect(server.replies).toHaveLength(4);
  await server.end();
  expect(await machine.facts()).toEqual([
    ["session.started", "startup"],
    ["turn.started", undefined],
  ]);
  expect(readdirSync(join(machine.home, "starts"))).toEqual([]);
});

test("a prompt of a session that is not new is Node's", async () => {
  const machine = new Machine();
  await machine.startOnce();
  const server = await machine.start();
  await server.ask("tools/list");
  expect((await prompt(server)).result?.content).toEqual(EMPTY);
  expect(programOf(server)).toMatch(/node|MainThread/);
  await server.end();
  expect(await machine.facts()).toEqual([
    ["session.started", "call"],
    ["turn.started", undefined],
  ]);
});

test("killed before Node is there: whoever comes next takes in the start and the prompt, once", async () => {
  const machine = new Machine();
  await machine.startOnce();
  machine.keepStart("s1");
  const server = await machine.start();
  await server.ask("tools/list");
  await prompt(server);
  await server.end("SIGKILL");
  const expected = [
    ["session.started", "startup"],
    ["turn.started", undefined],
  ];
  expect(await machine.facts()).toEqual(expected);
  expect(await machine.facts()).toEqual(expected);
});

test("answers of another version are given once: Node keeps its own", async () => {
  const machine = new Machine();
  await machine.startOnce();
  const own = readFileSync(machine.greeting, "utf8");
  writeFileSync(machine.greeting, own.replace('"name":"todo"', '"name":"older"'));
  const server = await machine.start();
  expect(JSON.stringify(await server.ask("tools/list"))).toContain("older");
  await server.todo({ add: ["One"] });
  await server.end();
  expect(readFileSync(machine.greeting, "utf8")).toBe(own);
});

test("a client that goes before it asks anything else leaves nothing behind", async () => {
  const machine = new Machine();
  await machine.startOnce();
  const server = await machine.start();
  await server.ask("tools/list");
  expect(await server.end()).toBe(0);
  expect(readdirSync(join(machine.home, "servers"))).toEqual([]);
});

test("whoever wants to know whether it works is answered by Node", async () => {
  const machine = new Machine();
  const { command: node, args } = command([]);
  const [bundle = "", ...words] = args;
  const script = join(machine.home, "mine.cjs");
  const put = (text: string) => {
    writeFileSync(script, text);
    utimesSync(script, 1, 1);
  };
  const entry = { command: "/bin/sh", args: [machine.file, "server", node, script, ...words], env: {} };
  const ask = () => askServer(entry, machine.environment, { client: "doctor" });
  put(`require(${JSON.stringify(bundle)})`);
  expect(await ask()).toMatchObject({ ok: true, value: { tools: ["todo"] } });
  expect(machine.greetings).toHaveLength(1);
  put("process.exit(9)");
  expect(await ask()).toMatchObject({ ok: false, error: { message: expect.stringContaining("exited with 9") } });
});
