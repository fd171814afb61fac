import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import { scratchTables } from "../../store/sqlite/memory-tables.js";
import { copilotSession } from "./copilot-session.js";

type Fields = Record<string, unknown>;

const openTables = await scratchTables();

const event = (type: string, data: Fields = {}, more: Fields = {}): Fields => ({ type, data, ...more });
const start = event("session.start", { sessionId: "s1", copilotVersion: "1.0.102", context: { cwd: "/app" } });
const typed = (content: string, more: Fields = {}) => event("user.message", { content, delivery: "idle", ...more });
const said = (content: string, more: Fields = {}) => event("assistant.message", { content, toolRequests: [], ...more });
const calling = (toolName: string, args: Fields = {}, more: Fields = {}) =>
  event("tool.execution_start", { toolCallId: "c1", toolName, arguments: args, ...more });
const done = (content: string, more: Fields = {}) =>
  event("tool.execution_complete", { toolCallId: "c1", success: true, result: { content }, ...more });
const refused = (message: string, code = "failure") =>
  event("tool.execution_complete", { toolCallId: "c1", success: false, error: { message, code } });
const sql = (query: string) => [calling("sql", { description: "d", query }), done("1 row(s) inserted.")];

function read(...events: readonly Fields[]): readonly Observation[] {
  const reader = copilotSession.open("events.jsonl", { openTables });
  reader.read(start);
  return events.flatMap((one) => reader.read(one as JsonObject));
}
const typesIn = (...events: readonly Fields[]) => read(...events).map(({ type }) => type);
const find = <Type extends Observation["type"]>(all: readonly Observation[], type: Type) =>
  all.filter((one): one is Extract<Observation, { type: Type }> => one.type === type);

describe("a turn", () => {
  test.each<[string, Fields, readonly string[]]>([
    ["begins with what a person types", typed("Go"), ["turn.started", "title.given"]],
    ["not with what is typed while it runs", typed("And", { delivery: "steering" }), []],
    ["not with a notice", typed("<system_notification>", { source: "system" }), []],
    ["not with the agent's own going on", typed("Go on", { isAutopilotContinuation: true }), []],
    ["ends with an answer", said("Done."), ["words.said", "turn.ended"]],
    ["not with a call", said("I look.", { toolRequests: [{ toolCallId: "c1" }] }), []],
    ["not with the first part of an answer", said("I look.", { chunkIndex: 0, chunkCount: 2 }), []],
    ["ends with the last part", said("Done.", { chunkIndex: 1, chunkCount: 2 }), ["words.said", "turn.ended"]],
    ["is stopped", event("abort", { reason: "user_initiated" }), ["turn.ended"]],
    ["and left", event("session.shutdown"), ["session.left"]],
  ])("%s", (_name, one, types) => {
    expect(typesIn(one)).toEqual(types);
  });

  test.each([
    ["rate_limit", "usage-limit"],
    ["quota", "usage-limit"],
    ["authentication", "failed"],
  ])("%s ends it as %s", (errorType, because) => {
    expect(read(event("session.error", { errorType, message: "No." }))).toMatchObject([{ because }]);
  });

  test("ends with a question", () => {
    expect(find(read(said("Hm.\nWhich one?")), "turn.ended")).toMatchObject([{ isAsking: true, text: "Which one?" }]);
  });
});

describe("how a call ends", () => {
  const end = (one: Fields) => find(read(calling("bash", { command: "npm test" }), one), "call.ended")[0];
  const hooked =
    'ok\n<shellId: 0 completed with exit code 0>\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\nMore';

  test.each<[string, Fields, object]>([
    ["well", done(hooked, { shellExecution: { exitCode: 0 } }), { status: "completed", facts: { exit: 0 } }],
    [
      "with an exit code",
      done("no", { shellExecution: { exitCode: 3 } }),
      { status: "failed", problem: "exit code 3" },
    ],
    ["badly", refused("No such tool."), { status: "failed", problem: "No such tool." }],
    ["denied by a hook", refused("Denied by preToolUse hook: no", "denied"), { status: "failed" }],
    ["declined by a person", refused("The user rejected this tool call", "rejected"), { status: "cancelled" }],
  ])("%s", (_name, one, expected) => {
    expect(end(one)).toMatchObject(expected);
  });

  test("a server's tool is told apart, and our own is no work", () => {
    const names = { mcpServerName: "milepost", mcpToolName: "todo" };
    const all = read(calling("milepost-todo", { add: ["Read"] }, names), done("Added"));
    expect(find(all, "call.started")).toMatchObject([{ tool: "todo", server: "milepost", isWork: false }]);
    expect(find(all, "list.changed")).toHaveLength(1);
  });

  test.each<[string, Fields, object]>([
    [
      "ask_user",
      { question: "Which?", choices: ["a", "b"] },
      { kind: "question", text: "Which?", choices: ["a", "b"] },
    ],
    ["exit_plan_mode", { summary: "# The plan\n- one" }, { kind: "plan", text: "The plan" }],
  ])("%s waits for a person", (tool, args, ask) => {
    expect(read(calling(tool, args))).toMatchObject([{ isAsking: true, isWork: false, ask }]);
  });
});

describe("a permission", () => {
  const wanted = (more: Fields = {}) =>
    event("permission.requested", {
      ...{ requestId: "r1", permissionRequest: { toolCallId: "c1", fullCommandText: "npm publish" } },
      ...more,
    });
  const given = event("permission.completed", { requestId: "r1", toolCallId: "c1", result: { kind: "approved" } });

  test("is asked for until it is given", () => {
    expect(find(read(calling("bash"), wanted(), given), "call.asked")).toEqual([
      expect.objectContaining({ call: "c1", ask: { kind: "permission", text: "bash: npm publish" } }),
      expect.objectContaining({ call: "c1", ask: null }),
    ]);
  });

  test.each<[string, readonly Fields[]]>([
    ["that a hook has given asks nobody", [calling("bash"), wanted({ resolvedByHook: true })]],
    ["for no call that runs is nobody's", [wanted(), given]],
  ])("%s", (_name, events) => {
    expect(find(read(...events), "call.asked")).toEqual([]);
  });
});

describe("the list", () => {
  const INSERT = "INSERT INTO todos (id, title) VALUES ('a', 'A'), ('b', 'B')";
  const todosAfter = (...events: readonly Fields[]) =>
    find(read(...events), "list.changed")
      .at(-1)
      ?.list.phases.flatMap(({ todos }) => todos.map(({ text, status }) => `${text} ${status}`));

  test.each<[string, readonly Fields[], readonly string[] | undefined]>([
    ["is what SQL writes", sql(INSERT), ["A pending", "B pending"]],
    ["only reading writes nothing", sql("SELECT * FROM todos"), undefined],
    ["other tables are none of it", sql("INSERT INTO notes VALUES (1)"), undefined],
    [
      "nor in the same script",
      sql(
        `CREATE TABLE notes (a); ${INSERT}; INSERT INTO notes VALUES (1); UPDATE todos SET status = 'done' WHERE id = 'a'`,
      ),
      ["A completed", "B pending"],
    ],
    [
      "nor in the same transaction",
      sql(`BEGIN; CREATE TABLE notes (a); ${INSERT}; INSERT INTO notes VALUES (1); COMMIT`),
      ["A pending", "B pending"],
    ],
    [
      "what ran before a mistake stays, without the other tables",
      [
        calling("sql", { description: "d", query: `CREATE TABLE notes (a); ${INSERT}; INSERT INTO nope VALUES (1)` }),
        refused("SQL Error after statement 3 (INSERT): Error: no such table: nope"),
      ],
      ["A pending", "B pending"],
    ],
    ["a transaction is one", sql(`BEGIN; ${INSERT}; ROLLBACK`), undefined],
    [
      "what ran before a mistake stays",
      [calling("sql", { description: "d", query: `${INSERT}; nonsense` }), refused("SQL Error after statement 2")],
      ["A pending", "B pending"],
    ],
    [
      "a call that was refused has run nothing",
      [calling("sql", { description: "d", query: INSERT }), refused("Denied by preToolUse hook: no", "denied")],
      undefined,
    ],
  ])("%s", (_name, events, todos) => {
    expect(todosAfter(...events)).toEqual(todos);
  });

  test("is finished with its last todo, once", () => {
    const types = typesIn(
      ...sql(INSERT),
      ...sql("UPDATE todos SET status = 'done'"),
      ...sql("UPDATE todos SET title = 'C'"),
    );
    expect(types.filter((type) => type === "list.finished")).toHaveLength(1);
  });

  test("without tables nothing is known of it", () => {
    const reader = copilotSession.open("events.jsonl");
    const told = [start, ...sql(INSERT)].flatMap((one) => reader.read(one as JsonObject));
    expect(told.map(({ type }) => type)).toEqual(["session.seen", "call.started", "call.ended"]);
  });
});

test("a compaction counts when it was done", () => {
  const compaction = (success: boolean) => event("session.compaction_complete", { success });
  expect(typesIn(compaction(false), compaction(true))).toEqual(["context.compacted"]);
});

test("a sub-agent is a session of its own, and writes the session's tables", () => {
  const by = { agentId: "a1" };
  const told = read(
    event("subagent.started", { toolCallId: "c0", agentDisplayName: "look" }, by),
    { ...typed("Look", { source: "agent-s1" }), ...by },
    ...sql("INSERT INTO todos (id, title) VALUES ('a', 'A')").map((one) => ({ ...one, ...by })),
    { ...said("I looked."), ...by },
    event("subagent.completed", {}, by),
  );
  expect(told.map(({ session, type }) => `${session} ${type}`)).toEqual([
    "s1 agent.started",
    "s1/a1 session.seen",
    "s1/a1 title.given",
    "s1/a1 turn.started",
    "s1/a1 call.started",
    "s1/a1 call.ended",
    "s1 list.written",
    "s1 list.changed",
    "s1/a1 words.said",
    "s1/a1 turn.ended",
    "s1/a1 session.left",
    "s1 agent.ended",
  ]);
  expect(told[1]).toMatchObject({ parent: "s1", folder: "/app" });
});

test("an id that could be a path is nobody's", () => {
  expect(read({ ...said("Hi"), agentId: "../x" })).toEqual([]);
});
