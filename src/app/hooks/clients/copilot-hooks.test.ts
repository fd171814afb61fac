import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { client } from "../../../../test/hooked-client.js";
import type { JsonObject } from "../../../core/json.js";
import { loadSqlite } from "../../../store/sqlite/library.js";
import { DEFAULT_SETTINGS } from "../../settings.js";
import { answerHook, isHeard } from "../answer-hook.js";
import type { HookInput } from "../hook-input.js";
import { readClientHook } from "./client-hooks.js";
import { copilotHooks } from "./copilot-hooks.js";

const SAMPLES = ["hooks", "hooks-more"].map(
  (name) => new URL(`../../../../test/fixtures/transcripts/other-logs/copilot-1.0.102-${name}.jsonl`, import.meta.url),
);

const hook = (fields: object = {}): JsonObject => ({ sessionId: "s1", cwd: "/work", ...fields });
const by = { sessionId: "a1", agentId: "a1", agentType: "explore", parentAgentId: "s1" };
const read = async (event: string, fields: object = {}, environment = {}): Promise<HookInput | undefined> => {
  const input = await readClientHook(["copilot", event], hook(fields), { process: "m:7", environment });
  return input.ok ? input.value : undefined;
};

/** A session as the program's hooks tell of it. */
async function session(environment: Readonly<Record<string, string>> = { COPILOT_HOME: "/nowhere" }) {
  const { store, todo, open, events } = await client();
  const tell = async (event: string, fields: object) => {
    const input = await read(event, fields, environment);
    if (!input || !isHeard(input)) return "";
    const answer = await answerHook(store, input, DEFAULT_SETTINGS);
    return answer.ok ? answer.value : answer.error.message;
  };
  return { tell, todo, open, events };
}

const called = (toolName: string, toolArgs: object, text: string) => ({
  ...{ toolName, toolArgs },
  toolResult: { resultType: "success", textResultForLlm: text },
});
const sql = (query: string) => called("sql", { description: "d", query }, "1 row(s) inserted.");
const INSERT = "INSERT INTO todos (id, title) VALUES ('a', 'A'), ('b', 'B')";

describe("a hook", () => {
  test.each<[string, string, object, object | undefined]>([
    ["a start", "sessionStart", { source: "new" }, { hook_event_name: "SessionStart", source: "startup" }],
    ["a resume", "sessionStart", { source: "resume" }, { source: "resume" }],
    ["a prompt", "userPromptSubmitted", { prompt: "Go." }, { hook_event_name: "UserPromptSubmit", prompt: "Go." }],
    ["nothing of a sub-agent's prompt", "userPromptSubmitted", { ...by, prompt: "Look." }, undefined],
    [
      "a call, with its answer",
      "postToolUse",
      called("glob", { pattern: "*" }, "./a.md"),
      { hook_event_name: "PostToolUse", session_id: "s1", tool_name: "glob", tool_response: "./a.md" },
    ],
    ["a call of ours", "postToolUse", called("milepost-todo", {}, "Added"), { tool_name: "mcp__milepost__todo" }],
    ["no other server", "postToolUse", called("my-milepost-todo", {}, ""), { tool_name: "my-milepost-todo" }],
    [
      "a command that failed",
      "postToolUse",
      called("bash", { command: "x" }, "no\n<shellId: 0 completed with exit code 3>"),
      { hook_event_name: "PostToolUseFailure", error: "exit code 3", tool_response: { stdout: "no", exitCode: 3 } },
    ],
    ["a call of nothing", "postToolUse", { toolResult: 5 }, { tool_name: "", tool_response: "" }],
    [
      "a call in a sub-agent",
      "postToolUse",
      { ...by, ...called("glob", {}, "") },
      { session_id: "s1", agent_id: "a1", tool_name: "glob" },
    ],
    ["a failure", "postToolUseFailure", { toolName: "edit", error: "No." }, { error: "No.", tool_name: "edit" }],
    ["SQL that writes the list", "postToolUse", sql(INSERT), { tool_input: { query: INSERT } }],
    [
      "of a script what is of the list",
      "postToolUse",
      sql(`CREATE TABLE x (a); ${INSERT}`),
      { tool_input: { query: INSERT } },
    ],
    ["SQL about other tables as no write", "postToolUse", sql("DELETE FROM x"), { tool_input: undefined }],
    [
      "what SQL has run before a mistake",
      "postToolUseFailure",
      {
        ...{ toolName: "sql", toolArgs: { description: "d", query: `${INSERT}; nonsense; DELETE FROM todos` } },
        error:
          "SQL Error after statement 2 (NONSENSE): Error: x\n\nCompleted 1 statement(s) before failure:\n\n1. INSERT",
      },
      { hook_event_name: "PostToolUse", tool_input: { query: INSERT } },
    ],
    [
      "SQL that has run nothing",
      "postToolUseFailure",
      { toolName: "sql", toolArgs: { query: INSERT }, error: "SQL Error: Error: x" },
      { hook_event_name: "PostToolUseFailure" },
    ],
    ["the end of a turn", "agentStop", { stop_hook_active: true }, { hook_event_name: "Stop", stop_hook_active: true }],
    ["nothing of a sub-agent's", "agentStop", by, undefined],
    ["a sub-agent's start", "subagentStart", { agentId: "a1" }, { hook_event_name: "SubagentStart", agent_id: "a1" }],
    [
      "a sub-agent's end",
      "subagentStop",
      { agentId: "a1", response: "I looked." },
      { hook_event_name: "SubagentStop", session_id: "s1", last_assistant_message: "I looked." },
    ],
    [
      "a question for a permission",
      "notification",
      { notification_type: "permission_prompt", message: "Run it?" },
      { notification_type: "permission_prompt", message: "Run it?" },
    ],
    ["another notice", "notification", { notification_type: "agent_completed" }, undefined],
    ["a compaction", "preCompact", { trigger: "auto" }, { hook_event_name: "PreCompact", trigger: "auto" }],
    ["the end", "sessionEnd", { reason: "complete" }, { hook_event_name: "SessionEnd", reason: "complete" }],
    ["a call of another server", "preMcpToolCall", { serverName: "other" }, undefined],
    ["an event that is a name of every object", "constructor", {}, undefined],
  ])("tells %s", (_name, event, fields, expected) => {
    const told = copilotHooks.read(hook(fields), event);
    if (expected === undefined) expect(told).toBeUndefined();
    else expect(told).toMatchObject(expected);
  });

  test.each<[string, object, string | undefined, object | undefined]>([
    ["sessionStart", {}, undefined, { additionalContext: "words" }],
    ["userPromptSubmitted", { prompt: "Go" }, undefined, { additionalContext: "words" }],
    ["postToolUse", { toolName: "glob" }, undefined, { additionalContext: "words" }],
    ["postToolUseFailure", { toolName: "glob", error: "x" }, undefined, { additionalContext: "words" }],
    ["subagentStart", { agentId: "a1" }, undefined, { additionalContext: "words" }],
    ["agentStop", {}, undefined, { decision: "block", reason: "words" }],
    ["preCompact", {}, "twice", undefined],
    // It would be the person's next prompt.
    ["notification", { notification_type: "permission_prompt" }, undefined, undefined],
  ])("%s is answered as Copilot CLI reads it", async (event, fields, said, expected) => {
    const input = await read(event, fields);
    expect(input?.said).toBe(said);
    expect(input?.answer?.("words")).toBe(expected === undefined ? "" : JSON.stringify(expected));
  });
});

test.each<[string, object, object]>([
  ["the session", {}, { "milepost/session": "s1", "milepost/call": "call_1" }],
  ["the sub-agent", by, { "milepost/session": "s1", "milepost/agent": "a1", "milepost/call": "call_1" }],
  ["what is there already", { _meta: { a: 1 } }, { a: 1, "milepost/session": "s1", "milepost/call": "call_1" }],
])("our server is told whose call it is: %s", async (_name, fields, metaToUse) => {
  const input = await read("preMcpToolCall", { serverName: "milepost", toolCallId: "call_1", ...fields });
  expect(input && isHeard(input)).toBe(false);
  expect(JSON.parse(input?.reply ?? "")).toEqual({ metaToUse });
});

test("its SQL is mirrored into the list, and what is open told at a resume", async () => {
  const { tell, open } = await session();
  await tell("sessionStart", { source: "new" });
  await tell("postToolUse", sql(`${INSERT}; INSERT INTO todo_deps VALUES ('b', 'a')`));
  await tell("postToolUse", sql("UPDATE todos SET status = 'done' WHERE id = 'a'"));
  await tell("postToolUse", sql("SELECT * FROM todos"));
  expect(await open()).toEqual(["completed A", "pending B"]);
  const { additionalContext } = JSON.parse(await tell("sessionStart", { source: "resume" }));
  expect(additionalContext).toMatch(/^#2 B$/m);
  expect(additionalContext).not.toMatch(/^#1 A$/m);
});

describe("SQL that asks tables of the model's own", () => {
  const MADE = `CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT, description TEXT, status TEXT, rank INT);
    CREATE TABLE todo_deps (todo_id TEXT, depends_on TEXT)`;
  const ROWS = `INSERT INTO todos VALUES ('a', 'A''s', 'why', 'done', 1), ('c', 'C', NULL, 'in_progress', 2),
    (NULL, 'Unnamed', NULL, 'later', 3); INSERT INTO todo_deps VALUES ('c', 'a')`;

  /** What the program itself has written, in a folder of its own. */
  async function kept(...statements: readonly string[]) {
    const home = mkdtempSync(join(tmpdir(), "copilot-"));
    const folder = join(home, "session-state", "s1");
    mkdirSync(folder, { recursive: true });
    const database = (await loadSqlite())(join(folder, "session.db"), {});
    for (const statement of statements) database.exec(statement);
    return { home, database };
  }

  test.each<[string, readonly string[]]>([
    ["is what its file says then", []],
    ["also while the program holds it", ["BEGIN EXCLUSIVE"]],
  ])("%s; what others have added stays", async (_name, more) => {
    const { home, database } = await kept(MADE, ROWS, ...more);
    const { tell, todo, open } = await session({ COPILOT_HOME: home });
    await tell("postToolUse", sql(INSERT));
    await todo({ add: ["Ours"] });
    await tell("postToolUse", sql("UPDATE todos SET rank = 4 WHERE id = 'nope'"));
    await tell("postToolUse", sql("UPDATE todos SET rank = 5 WHERE id = 'nope'"));
    database.close();
    expect(await open()).toEqual(["completed A's", "pending Ours", "in_progress C", "pending Unnamed"]);
  });

  test("is refused where there is no such file", async () => {
    const { tell, open } = await session({ COPILOT_HOME: "/nowhere" });
    await tell("postToolUse", sql(INSERT));
    await tell("postToolUse", sql("UPDATE todos SET rank = 4; DELETE FROM todos"));
    expect(await open()).toEqual(["pending A", "pending B"]);
  });
});

test("hooks of the real program: its calls have ended, its turns are counted", async () => {
  for (const file of SAMPLES) {
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { tell, events } = await session();
    for (const { event, input } of lines) await tell(event, input);
    const types = (await events()).map(({ type }) => type);
    const count = (type: string) => types.filter((one) => one === type).length;
    const prompts = lines.filter(({ event, input }) => event === "userPromptSubmitted" && input.agentId === undefined);
    expect(count("turn.started")).toBe(prompts.length);
    expect(count("call.ended")).toBeGreaterThan(0);
    expect(count("list.refused")).toBe(0);
  }
});
