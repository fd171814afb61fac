import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { writeLog } from "../src/app/log-file.js";
import { openMilepost } from "../src/app/milepost.js";
import { runHook, runStatusline } from "../src/hook/run.js";
import { McpProcess } from "./mcp-process.js";
import { answers, calls, chained, type Line, says, todos, user } from "./readers/claude-lines.js";
import { runOn } from "./run-on.js";
import { SECRET_PARTS, SECRETS } from "./secret-texts.js";

// Secrets come in through every entrance, on a real store; then nothing of them is in a file or in an answer.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-secrets-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;

class Machine {
  readonly home = join(folder, `${++machines}`);
  readonly environment = { MILEPOST_HOME: join(this.home, "milepost"), HOME: this.home };

  async run(words: readonly string[], input = "") {
    const ran = await runOn(this.home, words, { input, folder: "/work", environment: this.environment });
    expect(ran.exit, ran.err).toBe(0);
    expect(ran.out + ran.err).not.toMatch(SECRET_PARTS);
    return ran;
  }

  async hook(event: string, fields: object): Promise<string> {
    const told = { hook_event_name: event, session_id: "s1", cwd: "/work", ...fields };
    const said = await runHook({
      environment: this.environment,
      process: "m:1",
      read: () => JSON.stringify(told),
    });
    expect(said).not.toMatch(SECRET_PARTS);
    return said;
  }

  /** The bytes of everything that Milepost keeps: store, journal, head, log. */
  expectClean(): void {
    const { MILEPOST_HOME } = this.environment;
    const files = readdirSync(MILEPOST_HOME, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name)).toContain("milepost.db");
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "latin1").match(SECRET_PARTS)?.[0], name).toBeUndefined();
  }
}

const EVERYTHING = [
  ["events"],
  ["export"],
  ["sessions", "--all", "--json"],
  ["sessions", "--all"],
  ["task", "list", "--json"],
  ["task", "list"],
  ["task", "export", "--format", "markdown"],
  ["task", "graph"],
];

describe("nothing of a secret is stored, logged, shown or told", () => {
  test("hooks: calls, failures, a client's list and tasks, prompts, sub-agents", async () => {
    const machine = new Machine();
    await machine.hook("SessionStart", { source: "startup" });
    for (const [at, text] of SECRETS.entries()) {
      const call = { tool_name: "Bash", tool_use_id: `t${at}`, tool_input: { command: text } };
      // The interesting part may stand where a line is cut.
      const late = { ...call, tool_input: { command: `${"x".repeat(185)} ${text}` } };
      await machine.hook(at % 2 === 0 ? "PostToolUse" : "PostToolUseFailure", {
        ...(at % 4 === 0 ? late : call),
        error: text,
      });
    }
    const items = SECRETS.map((content) => ({ content, status: "pending", activeForm: content }));
    await machine.hook("PostToolUse", { tool_name: "TodoWrite", tool_use_id: "l1", tool_input: { todos: items } });
    const metadata = { password: "s3cr3tpw", nested: { text: SECRETS[0] } };
    await machine.hook("PostToolUse", {
      tool_name: "TaskCreate",
      tool_use_id: "l2",
      tool_input: { subject: SECRETS[1], description: SECRETS[2], metadata },
      tool_response: { task: { id: "1", subject: SECRETS[1] } },
    });
    for (const prompt of SECRETS.slice(0, 5)) await machine.hook("UserPromptSubmit", { prompt });
    await machine.hook("SubagentStart", { agent_id: "a1", agent_type: SECRETS[7] });
    await machine.hook("SubagentStop", { agent_id: "a1", last_assistant_message: SECRETS[3] });
    await machine.hook("Stop", { last_assistant_message: SECRETS[4] });
    expect(await machine.hook("SessionStart", { source: "compact" })).toContain("[redacted");
    const line = { environment: machine.environment, process: "m:1", read: () => '{"session_id":"s1"}' };
    expect(await runStatusline(line)).not.toMatch(SECRET_PARTS);
    for (const text of SECRETS) writeLog(machine.environment, "hook", `${"x ".repeat(490)}${text}`);
    machine.expectClean();
    for (const words of [...EVERYTHING, ["digest", "--session", "s1"], ["todo", "--session", "s1"]])
      await machine.run(words);
    machine.expectClean();
  });

  test("tool calls of every dialect, and their answers", async () => {
    const machine = new Machine();
    const line = (dialect: string, tool: string, input: object, more: object = {}) =>
      JSON.stringify({ dialect, tool, input, session: `s-${dialect}`, ...more });
    const lines = [
      line("milepost", "todo", { add: SECRETS }, { key: "k1" }),
      line("milepost", "todo", { note: { 1: SECRETS[0] } }),
      line("milepost", "todo", { [String(SECRETS[5])]: SECRETS[6] }),
      ...SECRETS.map((content) =>
        line("claude", "TodoWrite", { todos: [{ content, status: "pending", activeForm: content }] }),
      ),
      line("codex", "update_plan", {
        explanation: SECRETS[3],
        plan: SECRETS.map((step) => ({ step, status: "pending" })),
      }),
      ...SECRETS.slice(0, 20).map((subject) =>
        line(
          "claude-tasks",
          "TaskCreate",
          { subject, description: subject, metadata: { token: "s3cr3tpw", subject } },
          { key: `k${subject.length}` },
        ),
      ),
      JSON.stringify({ tool: "todo", session: "s2", arguments: `{"add":[${JSON.stringify(SECRETS[8])}]}` }),
      JSON.stringify({ tool: "todo", session: "s2", arguments: `{"add":[${JSON.stringify(SECRETS[8])}` }),
      JSON.stringify({ tool: String(SECRETS[9]), input: {}, session: "s2" }),
    ];
    const { out } = await machine.run(["call"], lines.join("\n"));
    expect(out).toContain("[redacted: ");
    machine.expectClean();
    for (const session of ["s-milepost", "s-claude", "s-codex", "s2"])
      for (const words of [["digest"], ["digest", "--json"], ["todo"]])
        await machine.run([...words, "--session", session]);
    for (const words of EVERYTHING) await machine.run(words);
    machine.expectClean();
  });

  test("the command line: what a person writes", async () => {
    const machine = new Machine();
    await machine.hook("SessionStart", { source: "startup" });
    // What begins with a dash would be a flag.
    const texts = SECRETS.map((text) => text.replace(/^-/, "x -"));
    for (const text of texts.slice(0, 20)) await machine.run(["todo", "add", text, "--session", "s1", "--note", text]);
    const rows = texts.slice(20).filter((text) => !text.includes("\n"));
    await machine.run(["todo", "add", "-", "--session", "s1"], rows.join("\n"));
    await machine.run(["todo", "note", "2", String(texts[2]), "--session", "s1"]);
    await machine.run(["todo", "rename", "3", String(texts[3]), "--session", "s1"]);
    await machine.run(["tell", String(texts[4]), "--session", "s1"]);
    for (const text of texts.slice(0, 12))
      await machine.run(["task", "add", text, "--description", text, "--metadata", '{"password":"s3cr3tpw"}']);
    await machine.run(["task", "note", "1", String(texts[5])]);
    await machine.run(["task", "claim", "1", "--as", "bot:token=s3cr3tpw"]);
    await machine.run(["task", "done", "1", "--as", "bot:token=s3cr3tpw", "--evidence", String(texts[6])]);
    writeFileSync(join(machine.home, "tasks.md"), `# Tasks\n\n${rows.map((text) => `- [ ] ${text}\n`).join("")}`);
    await machine.run(["task", "import", join(machine.home, "tasks.md"), "--list", "imported"]);
    machine.expectClean();
    for (const words of [...EVERYTHING, ["digest", "--session", "s1"], ["task", "show", "1"], ["task", "history", "1"]])
      await machine.run(words);
    // What a todo is called by is compared as it is stored.
    await machine.run(["todo", "done", String(texts[8]), "--session", "s1"]);
    machine.expectClean();
  });

  test("transcripts that are only read", async () => {
    const machine = new Machine();
    const lines: readonly Line[] = [
      user(`Deploy with ${SECRETS[0]}`),
      ...SECRETS.flatMap((command, at) => [
        calls(`c${at}`, "Bash", { command }),
        answers(`c${at}`, command, {}, { is_error: true }),
      ]),
      calls("w", "TodoWrite", { todos: todos(...SECRETS) }),
      answers("w", "ok", { toolUseResult: { oldTodos: [], newTodos: todos(...SECRETS) } }),
      calls("p", "ExitPlanMode", { plan: SECRETS.join("\n") }),
      says(`I used ${SECRETS[1]}. Shall I?`),
    ];
    const project = join(machine.home, ".claude", "projects", "-work");
    mkdirSync(project, { recursive: true });
    const timestamp = new Date().toISOString();
    const told = chained(lines).map((line) => JSON.stringify({ ...line, sessionId: "seen", cwd: "/work", timestamp }));
    writeFileSync(join(project, "seen.jsonl"), `${told.join("\n")}\n`);
    const { out } = await machine.run(["sessions", "--all", "--json"]);
    expect(out).toContain("seen");
    for (const words of [
      ["sessions", "seen"],
      ["digest", "--session", "seen"],
    ])
      await machine.run(words);
    for (const words of EVERYTHING) await machine.run(words);
    machine.expectClean();
  });

  test("our server, as a client starts it", async () => {
    const machine = new Machine();
    const server = await McpProcess.greeted({ environment: { ...machine.environment, CLAUDE_CODE_SESSION_ID: "m1" } });
    const said = [];
    for (const text of SECRETS.slice(0, 40)) said.push(await server.todo({ add: [text] }));
    await server.end();
    expect(JSON.stringify(said)).not.toMatch(SECRET_PARTS);
    expect(JSON.stringify(said)).toContain("[redacted");
    machine.expectClean();
  });
});

test("a list that is written whole keeps its states, although the model goes on writing the secret", async () => {
  const milepost = await openMilepost({ store: "memory:" });
  const content = `Deploy with curl -H "Authorization: Bearer abcDEF123456"`;
  const write = (status: string, more: object[] = []) =>
    milepost.call({
      dialect: "claude",
      tool: "TodoWrite",
      session: "s1",
      input: { todos: [{ content, status, activeForm: content }, ...more] },
    });
  await write("pending");
  await write("in_progress", [{ content: "Rest", status: "pending", activeForm: "Resting" }]);
  const list = await milepost.list({ session: "s1" });
  expect(list).toMatchObject({ value: { phases: [{ todos: [{ number: 1, status: "in_progress" }, { number: 2 }] }] } });
  expect(JSON.stringify(list)).not.toMatch(SECRET_PARTS);
  // The same key with another secret is another request.
  const keyed = (text: string) => milepost.call({ tool: "todo", session: "s2", key: "k", input: { add: [text] } });
  expect((await keyed("password=abcde1")).ok).toBe(true);
  expect((await keyed("password=abcde1")).ok).toBe(true);
  expect(await keyed("password=other2")).toMatchObject({ ok: false, error: { code: "key-reused" } });
  await milepost.close();
});
