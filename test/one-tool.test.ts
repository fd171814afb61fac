import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { afterAll, expect, test } from "vitest";
import { McpInProcess } from "./mcp-in-process.js";
import { answers, calls, chained, type Line, says, user } from "./readers/claude-lines.js";
import { runWarm } from "./warm-command.js";

// The whole of it, as a client sees it: one tool that takes content, status and an optional activeForm, refuses two in
// progress, shows done/total, survives a restart, and reminds after ten turns where only the model reads it.

const root = mkdtempSync(join(tmpdir(), "milepost-one-tool-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SESSION = "7b1f0c52-1d6e-4a55-9d10-0123456789ab";

function machine(name: string) {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const environment = { MILEPOST_HOME: join(folder, "milepost"), HOME: folder, CLAUDE_CODE_SESSION_ID: SESSION };
  return { folder, environment };
}

/** Claude Code with our server, and its own notes of what it calls. */
class Agent {
  readonly #client = new Client({ name: "claude-code", version: "2.1.325" });
  readonly #server: McpInProcess;
  readonly transcript: Line[];
  #calls = 0;

  constructor(on: ReturnType<typeof machine>, transcript: Line[] = []) {
    this.#server = new McpInProcess({ args: [], ...on });
    this.transcript = transcript;
  }

  async tools(): Promise<readonly string[]> {
    await this.#client.connect(this.#server);
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }

  /** A call of the model, as its client makes it and writes it down. */
  async todo(input: Record<string, unknown>) {
    const call = `toolu_${SESSION.slice(0, 4)}${this.transcript.length}`;
    const _meta = { "claudecode/toolUseId": call };
    const answer = await this.#client.callTool({ name: "todo", arguments: input, _meta });
    const text = (answer.content as readonly { readonly text: string }[]).map((block) => block.text).join("\n");
    const block = answer.isError === true ? { is_error: true } : {};
    this.transcript.push(calls(call, "mcp__milepost__todo", input), answers(call, [{ type: "text", text }], {}, block));
    return { text, isError: answer.isError === true };
  }

  /** Hook JSON in, hook JSON out; undefined where nothing is said. */
  async hook(event: string, fields: Record<string, string> = {}): Promise<Record<string, unknown> | undefined> {
    const told = { hook_event_name: event, session_id: SESSION, cwd: "/work", prompt_id: "p1", ...fields };
    const answer = await this.#client.callTool({ name: "hook", arguments: told });
    const [first] = answer.content as readonly { readonly text: string }[];
    return first?.text ? JSON.parse(first.text) : undefined;
  }

  /** A reply of the model that runs something else than the list. */
  async bash() {
    const call = `bash${++this.#calls}`;
    this.transcript.push(calls(call, "Bash", { command: "npm test" }), answers(call));
    return this.hook("PostToolUse", { tool_name: "Bash", tool_use_id: call, tool_input: '{"command":"npm test"}' });
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const item = (content: string, activeForm: string, status: string) => ({ content, status, activeForm });

test("one tool, one focus, done/total, a restart from store and transcript, and a reminder that only the model reads", async () => {
  const here = machine("here");
  const agent = new Agent(here, [user("Make the tests pass")]);

  expect(await agent.tools()).toEqual(["todo"]);
  await agent.hook("SessionStart", { source: "startup" });
  await agent.hook("UserPromptSubmit", { prompt: "Make the tests pass" });

  // Content, status, and a form for people that may be left out.
  const add = [item("Run tests", "Running tests", "in_progress"), item("Fix them", "Fixing them", "pending")];
  expect(await agent.todo({ add: [...add, { content: "Write docs", status: "pending" }] })).toMatchObject({
    isError: false,
    text: expect.stringMatching(/\b0\/3 now #1 Run tests/),
  });

  // Two in progress are refused, with the repair; nothing is written.
  const both = [item("Deploy", "Deploying", "in_progress"), item("Announce", "Announcing", "in_progress")];
  const refused = await agent.todo({ add: both });
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatch(/in progress/);
  expect(await agent.todo({ done: 1 })).toMatchObject({ text: expect.stringMatching(/\b1\/3 now #2 Fix them/) });

  // Nine turns without a change say nothing. The tenth does, and has nothing in it but context for the model:
  // what Claude Code shows to a person is `systemMessage`, `reason` and `stopReason`.
  for (let turn = 1; turn <= 9; turn += 1) expect(await agent.bash()).toBeUndefined();
  const reminder = await agent.bash();
  expect(reminder).toEqual({
    hookSpecificOutput: {
      hookEventName: "PostToolUse",
      additionalContext: expect.stringMatching(/^Milepost reminder: the todo list has not changed for 10 turns\. 1\/3 done/),
    },
  });
  agent.transcript.push(says("I will go on tomorrow."));
  await agent.close();

  // A new server on the same store.
  const again = new Agent(here);
  await again.tools();
  expect(await again.todo({})).toMatchObject({ text: expect.stringMatching(/1\/3/) });
  expect((await again.todo({ show: true })).text).toMatch(/Fix them/);
  await again.close();

  // A machine that has nothing but the transcript.
  const there = machine("there");
  const file = join(there.folder, `${SESSION}.jsonl`);
  const lines = chained(agent.transcript).map((line) => JSON.stringify({ ...line, sessionId: SESSION }));
  writeFileSync(file, `${lines.join("\n")}\n`);
  const { exit, out } = runWarm(["restore", file, "--json"], there);
  expect(exit).toBe(0);
  expect(JSON.parse(out).sessions[0].list.phases).toMatchObject([
    {
      todos: [
        { text: "Run tests", status: "completed", activeForm: "Running tests" },
        { text: "Fix them", status: "in_progress", activeForm: "Fixing them" },
        { text: "Write docs", status: "pending" },
      ],
    },
  ]);
  expect(JSON.parse(out).sessions[0].list.phases[0].todos).toHaveLength(3);
});
