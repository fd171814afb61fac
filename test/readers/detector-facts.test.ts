import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { Fact, Observation } from "../../src/core/session/observation.js";
import { LEASE } from "../../src/core/task/lease.js";
import { claudeSession } from "../../src/readers/claude/claude-session.js";
import { claudeStream } from "../../src/readers/claude/claude-stream.js";
import { codexAppServer } from "../../src/readers/codex/app-server.js";
import { codexExec } from "../../src/readers/codex/exec.js";
import { codexRollout } from "../../src/readers/codex/rollout.js";
import { hermesGateway } from "../../src/readers/hermes/gateway.js";
import { ohMyPiSession } from "../../src/readers/oh-my-pi/oh-my-pi-session.js";
import type { Format } from "../../src/readers/reader.js";
import * as claude from "./claude-lines.js";
import { news } from "./news.js";
import * as pi from "./oh-my-pi-lines.js";
import { readInChunks } from "./recorded.js";

// What detectors and verdicts are built on, in the words of every reader.

type Records = readonly JsonObject[];
type Rows = readonly (readonly [string, Records, readonly string[]])[];

const told = (format: Format, records: Records): readonly Observation[] => {
  const reader = format.open("x.jsonl");
  return records.flatMap((record) => reader.read(record));
};
const AT = Date.UTC(2026, 0, 2);
const holds = (task: number, at: number) => `holds ${task} until ${at + LEASE.session}`;
const listNews = (facts: readonly Fact[]) => news(facts).filter((one) => /^(?:written|changed|finished)$/.test(one));
const WRITTEN_THRICE = ["written", "changed", "written", "written", "finished", "changed"];
const TASK = "mcp__milepost__task";

describe("Claude Code", () => {
  const { answers, calls, refuses, says, todos, user, wrote } = claude;
  const goal = (fields: JsonObject) => ({
    type: "attachment",
    attachment: { type: "goal_status", condition: "Tests pass", met: false, ...fields },
  });
  const report = (id: string) => `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>`;
  const background = { toolUseResult: { isAsync: true, status: "async_launched", agentId: "a1" } };
  const same = { id: "m", stop_reason: "tool_use" };
  const rows: Rows = [
    ["a call", [calls("c", "Bash"), answers("c")], ["start Bash in 1", "end c completed"]],
    [
      "calls of one reply",
      [calls("c", "Bash", {}, same), calls("d", "Read", {}, same), answers("d"), answers("c"), calls("e", "Bash")],
      ["start Bash in 1", "start Read in 1", "end d completed", "end c completed", "start Bash in 2"],
    ],
    [
      "no such tool",
      [calls("c", "Bsh"), refuses("c", "<tool_use_error>Error: No such tool available: Bsh</tool_use_error>")],
      ["start Bsh in 1", "end c failed"],
    ],
    [
      "an error of the provider",
      [
        user("go"),
        { ...says("API Error: 529"), isApiErrorMessage: true, message: { model: "<synthetic>", content: [] } },
      ],
      ["turn over: failed"],
    ],
    ["a list", wrote("a!", "b"), ["start TodoWrite in 1", "end w1 completed", "written", "changed"]],
    [
      "a list that is refused",
      [calls("c", "TodoWrite", { todos: todos("a") }), refuses("c")],
      ["start TodoWrite in 1", "end c failed"],
    ],
    [
      "our own list, written and read",
      [
        calls("c", "mcp__milepost__todo", { add: ["a"] }),
        answers("c"),
        calls("d", "mcp__milepost__todo", {}),
        answers("d"),
      ],
      ["start todo in 1", "end c completed", "written", "changed", "start todo in 2", "end d completed"],
    ],
    ["words", [user("go"), says("Done.")], ["said 1", "turn over"]],
    ["the same words", [says("On it."), says("On  it.\n")], ["said 1", "turn over", "said 1", "turn over"]],
    ["words beside a call", [says("Now.", same), calls("c", "Bash", {}, same)], ["start Bash in 1"]],
    [
      "that it cannot be checked",
      [says("This cannot be checked here: no screen.")],
      ["waived: no screen.", "said 1", "turn over"],
    ],
    ["a goal that a person sets", [goal({ sentinel: true })], []],
    ["a goal that is not met", [goal({}), says("Hm."), goal({})], ["goal 1", "said 2", "turn over", "goal 1"]],
    ["another goal", [goal({}), goal({ condition: "Docs" })], ["goal 1", "goal 2"]],
    ["a goal that is met, or given up", [goal({ met: true }), goal({ failed: true })], []],
    [
      "a sub-agent",
      [calls("c", "Agent"), answers("c")],
      ["start Agent in 1", "agent c", "end c completed", "agent c over"],
    ],
    [
      "one by its older name, refused",
      [calls("c", "Task"), refuses("c")],
      ["start Task in 1", "agent c", "end c failed", "agent c over"],
    ],
    [
      "one behind the conversation",
      [calls("c", "Agent"), answers("c", "ok", background), says("Later."), user(report("a1")), user(report("a1"))],
      ["start Agent in 1", "agent c", "end c completed", "said 2", "turn over", "agent c over"],
    ],
    [
      "one that ends while the agent is busy",
      [
        calls("c", "Agent"),
        answers("c", "ok", background),
        { type: "attachment", attachment: { type: "queued_command", prompt: report("a1") } },
      ],
      ["start Agent in 1", "agent c", "end c completed", "agent c over"],
    ],
    ["a command behind the conversation", [user(report("b7"))], []],
    [
      "a task of ours",
      [calls("c", TASK), answers("c", "Claimed #3 Fix it"), calls("d", TASK), answers("d", "Done #3.")],
      ["start task in 1", "end c completed", holds(3, AT + 1000), "start task in 2", "end d completed", "left 3"],
    ],
    [
      "a task of others",
      [calls("c", "mcp__x__task"), answers("c", "Done #3.")],
      ["start task in 1", "end c completed"],
    ],
    ["a claim that is refused", [calls("c", TASK), refuses("c", "Claimed #3 x")], ["start task in 1", "end c failed"]],
  ];
  test.each(rows)("%s", (_, lines, expected) => {
    expect(news(told(claudeSession, claude.chained(lines as readonly claude.Line[])))).toEqual(renamed(expected));
  });

  test("every write of the list is told, also one that changes nothing", () => {
    const lines = [...wrote("a!"), ...wrote("a!"), ...wrote("a.")];
    expect(listNews(told(claudeSession, claude.chained(lines)))).toEqual(WRITTEN_THRICE);
  });

  test("the stream of a run: a sub-agent behind the conversation", () => {
    const line = (fields: JsonObject) => ({ session_id: "s1", uuid: String(Math.random()), ...fields });
    const records = [calls("c", "Agent"), answers("c", "ok", { tool_use_result: background.toolUseResult })].map(line);
    const over = line({ type: "system", subtype: "task_notification", task_id: "a1", status: "completed" });
    expect(news(told(claudeStream, [...records, over]))).toEqual([
      "start Agent in 1",
      "agent c",
      "end c completed",
      "agent c over",
    ]);
  });
});

/** Calls that `wrote` makes are numbered through the whole file. */
function renamed(expected: readonly string[]) {
  return expected.map((one) => (/^end w\d+/.test(one) ? expect.stringMatching(/^end w\d+ completed$/) : one));
}

describe("Codex", () => {
  const line = (type: string, payload: JsonObject) => ({ timestamp: new Date(AT).toISOString(), type, payload });
  const META = line("session_meta", { id: "t1", cwd: "/app" });
  const event = (type: string, fields: JsonObject = {}) => line("event_msg", { type, ...fields });
  const item = (fields: JsonObject) => event("item_completed", { item: fields });
  const response = (type: string, fields: JsonObject) => line("response_item", { type, ...fields });
  const call = (id: string, name: string, input: unknown = {}, fields: JsonObject = {}) =>
    response("function_call", { call_id: id, name, arguments: JSON.stringify(input), ...fields });
  const output = (id: string, text: unknown) => response("function_call_output", { call_id: id, output: text });
  const toModel = (text: string) => response("message", { role: "user", content: [{ type: "input_text", text }] });
  const says = (message: string) => event("agent_message", { message });
  const [started, ended] = [event("task_started"), event("task_complete")];
  const plan = (id: string, status: string) => [
    call(id, "update_plan", { plan: [{ step: "a", status }] }),
    output(id, "Plan updated"),
  ];
  const goesOn = (tag: string, text: string) =>
    toModel(`<${tag}>\nContinue working toward the active thread goal.\n<objective>\n${text}\n</objective>\n</x>`);
  const collab = (tool: string, states: JsonObject, fields: JsonObject = {}) =>
    item({
      type: "CollabAgentToolCall",
      id: `i-${tool}`,
      tool,
      status: "completed",
      receiver_thread_ids: ["t2"],
      agents_states: states,
      ...fields,
    });
  const rows: Rows = [
    [
      "calls before an answer are of one reply",
      [
        call("c", "exec_command"),
        call("d", "exec_command"),
        output("d", "x"),
        output("c", "x"),
        call("e", "exec_command"),
      ],
      [
        "start exec_command in 1",
        "start exec_command in 1",
        "end d completed",
        "end c completed",
        "start exec_command in 2",
      ],
    ],
    [
      "an event of the client between two calls of a reply",
      [call("c", "exec_command"), item({ type: "CommandExecution", id: "c", exit_code: 0 }), call("d", "exec_command")],
      ["start exec_command in 1", "end c completed", "start exec_command in 1"],
    ],
    ["no such tool", [call("c", "nope"), output("c", "unsupported call: nope")], ["start nope in 1", "end c failed"]],
    [
      "cut short",
      [started, call("c", "exec_command"), event("turn_aborted")],
      ["start exec_command in 1", "end c cancelled", "turn over: interrupted"],
    ],
    [
      "an error of the provider",
      [started, event("task_complete", { error: { codex_error_info: "other" } })],
      ["turn over: failed"],
    ],
    [
      "a list that is refused",
      [call("c", "update_plan", { plan: [] }), output("c", "no")],
      ["start update_plan in 1", "end c failed"],
    ],
    ["words", [started, says("Done."), ended], ["said 1", "turn over"]],
    [
      "the last words, as the end tells them",
      [started, event("task_complete", { last_agent_message: "Done." })],
      ["said 1", "turn over"],
    ],
    [
      "words before a call",
      [started, says("Now."), call("c", "exec_command"), output("c", "x"), says("Done."), ended],
      ["start exec_command in 1", "end c completed", "said 2", "turn over"],
    ],
    [
      "that it cannot be checked",
      [started, says("It cannot be tested here: no network"), ended],
      ["waived: no network", "said 1", "turn over"],
    ],
    [
      "a goal that fires",
      [
        goesOn('codex_internal_context source="goal"', "Ship it"),
        goesOn("goal_context", "Ship it"),
        goesOn("goal_context", "Docs"),
      ],
      ["goal 1", "goal 1", "goal 2"],
    ],
    ["a goal that is only told of", [toModel("<goal_context>\nThe budget is used up.\n</goal_context>")], []],
    ["a person who says the same", [toModel("Continue working toward the active thread goal.")], []],
    [
      "a sub-agent, told by items and by answers",
      [
        call("c", "spawn_agent"),
        collab("spawn_agent", { t2: "pending_init" }, { id: "c" }),
        output("c", '{"agent_id":"t2"}'),
        collab("wait", { t2: { completed: "x" } }),
        toModel('<subagent_notification>\n{"agent_path":"t2","status":{"completed":"x"}}\n</subagent_notification>'),
      ],
      [
        "start spawn_agent in 1",
        "end c completed",
        "agent t2",
        "start wait in 1",
        "end i-wait completed",
        "agent t2 over",
      ],
    ],
    [
      "a sub-agent in older files",
      [
        call("c", "spawn_agent"),
        output("c", '{"agent_id":"t2"}'),
        call("d", "wait"),
        output("d", '{"status":{"t2":"running"},"timed_out":true}'),
        toModel('<subagent_notification>{"agent_id":"t2","status":"shutdown"}</subagent_notification>'),
      ],
      ["start spawn_agent in 1", "end c completed", "agent t2", "start wait in 2", "end d completed", "agent t2 over"],
    ],
    [
      "one that is closed",
      [collab("spawn_agent", {}), collab("close_agent", {})],
      [
        ...["start spawn_agent in 1", "end i-spawn_agent completed", "agent t2"],
        ...["start close_agent in 1", "end i-close_agent completed", "agent t2 over"],
      ],
    ],
    [
      "a task of ours",
      [
        call("c", "task", {}, { namespace: "mcp__milepost" }),
        output("c", "Wall time: 0.1 seconds\nOutput:\nClaimed #3 Fix it"),
      ],
      ["start task in 1", "end c completed", holds(3, AT)],
    ],
    [
      "a task of ours, told by an item",
      [
        item({
          type: "McpToolCall",
          id: "c",
          server: "milepost",
          tool: "task",
          arguments: {},
          result: { content: [{ type: "text", text: "Done #3." }] },
        }),
      ],
      ["start task in 1", "end c completed", "left 3"],
    ],
  ];
  test.each(rows)("%s", (_, lines, expected) => {
    expect(news(told(codexRollout, [META, ...lines]))).toEqual(expected);
  });

  test("every write of the list is told, also one that changes nothing", () => {
    const lines = [...plan("c", "in_progress"), ...plan("d", "in_progress"), ...plan("e", "completed")];
    expect(listNews(told(codexRollout, [META, ...lines]))).toEqual(WRITTEN_THRICE);
  });

  test("codex exec", () => {
    const exec = (type: string, fields: JsonObject) => ({ type: `item.${type}`, item: fields });
    const command = { id: "i1", type: "command_execution", command: "bash -lc 'npm test'", exit_code: 1 };
    const spawn = { id: "i3", type: "collab_tool_call", tool: "spawn_agent", receiver_thread_ids: ["t2"] };
    const records = [
      { type: "thread.started", thread_id: "t1" },
      { type: "turn.started" },
      exec("started", { id: "i0", type: "todo_list", items: [{ text: "a", completed: false }] }),
      exec("started", command),
      exec("completed", command),
      exec("started", { ...spawn, receiver_thread_ids: [] }),
      exec("completed", { ...spawn, agents_states: { t2: { status: "pending_init" } } }),
      exec("completed", { ...spawn, id: "i4", tool: "wait", agents_states: { t2: { status: "completed" } } }),
      exec("completed", { id: "i5", type: "agent_message", text: "Done." }),
      { type: "turn.completed" },
    ];
    expect(news(told(codexExec, records))).toEqual([
      ...["written", "changed", "start exec_command in 1", "end 1/i1 failed"],
      ...["start spawn_agent in 2", "end 1/i3 completed", "agent t2"],
      ...["start wait in 2", "end 1/i4 completed", "agent t2 over", "said 3", "turn over"],
    ]);
  });

  test("the app-server", () => {
    const note = (method: string, params: JsonObject) => ({ method, params: { threadId: "t1", ...params } });
    const shell = { id: "i1", type: "commandExecution", command: "ls", aggregatedOutput: "x", exitCode: 0 };
    const records = [
      note("turn/started", { turn: { id: "u1" } }),
      note("turn/plan/updated", { plan: [{ step: "a", status: "inProgress" }] }),
      note("item/started", { item: shell }),
      note("item/completed", { item: shell }),
      note("item/completed", { item: { id: "i2", type: "agentMessage", text: "Done." } }),
      note("turn/completed", { turn: { id: "u1", status: "completed" } }),
    ];
    expect(news(told(codexAppServer, records))).toEqual([
      ...["written", "changed", "start exec_command in 1", "end i1 completed", "said 2", "turn over"],
    ]);
  });
});

describe("oh-my-pi", () => {
  const { calls, edit, phase, result, says } = pi;
  const answer = (toolName: string, fields: JsonObject = {}) =>
    result(toolName, undefined, { content: [{ type: "text", text: "ok" }], ...fields });
  const list = (op: string) => [
    calls("c", "todo", { op }),
    result("todo", { op, phases: [phase("P", "a!")] }, { toolCallId: "c" }),
  ];
  const both = (name: string, id: string) => ({ type: "toolCall", id, name, arguments: {} });
  const rows: Rows = [
    [
      "calls of one reply",
      [
        pi.message("assistant", { content: [both("bash", "c"), both("read", "d")] }),
        answer("bash"),
        calls("e", "bash", {}),
      ],
      ["start bash in 1", "start read in 1", "end c completed", "start bash in 2"],
    ],
    ["no such tool", [calls("c", "nope", {}), answer("nope", { isError: true })], ["start nope in 1", "end c failed"]],
    ["a list", list("init"), ["start todo in 1", "end c completed", "written", "changed"]],
    ["a look at the list", list("view"), ["start todo in 1", "end c completed", "changed"]],
    ["a person's edit", [edit({ phases: [phase("P", "a!")] })], ["changed"]],
    ["words", [says("Done."), says("Done.")], ["said 1", "turn over", "said 1", "turn over"]],
    [
      "that it cannot be checked",
      [says("It cannot be verified here: no keys")],
      ["waived: no keys", "said 1", "turn over"],
    ],
    ["an error of the provider", [says("", { stopReason: "error" })], ["turn over: failed"]],
    ["a person who stops it", [says("I", { stopReason: "aborted" })], ["turn over: interrupted"]],
    [
      "a sub-agent",
      [calls("c", "task", {}), answer("task")],
      ["start task in 1", "agent c", "end c completed", "agent c over"],
    ],
    [
      "a task of ours",
      [
        { ...calls("c", "mcp__milepost_task", {}), timestamp: new Date(AT).toISOString() },
        {
          ...answer("x", { content: [{ type: "text", text: "Claimed #3 Fix it" }] }),
          timestamp: new Date(AT).toISOString(),
        },
      ],
      ["start task in 1", "end c completed", holds(3, AT)],
    ],
    [
      "a task of ours behind a device",
      [
        calls("c", "write", { path: "xd://mcp__milepost_task", content: '{"done":3}' }),
        answer("write", { content: "Done #3." }),
      ],
      ["start task in 1", "end c completed", "left 3"],
    ],
  ];
  test.each(rows)("%s", (_, entries, expected) => {
    expect(news(told(ohMyPiSession, [pi.HEADER, ...pi.chained(entries)]))).toEqual(expected);
  });

  test("files without ids", () => {
    const { version: _, ...old } = pi.HEADER;
    const records = [
      old,
      pi.message("assistant", { content: [both("bash", "c"), both("read", "d")] }),
      calls("e", "bash", {}),
    ];
    expect(news(told(ohMyPiSession, records))).toEqual(["start bash in 1", "start read in 1", "start bash in 2"]);
  });
});

describe("Hermes", () => {
  const at = { timestamp: AT / 1000 };
  const one = (id: string, name: string, input: unknown = {}) => ({
    id,
    function: { name, arguments: JSON.stringify(input) },
  });
  const calls = (...made: JsonObject[]) => ({ role: "assistant", content: "", tool_calls: made, ...at });
  const answers = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content, ...at });
  const [user, says] = ["user", "assistant"].map((role) => (content: string) => ({ role, content, ...at }));
  const list = JSON.stringify({ todos: [{ id: "1", content: "a", status: "pending" }] });
  const wrote = [calls(one("c", "todo", { todos: [{ id: "1" }] })), answers("c", list)];
  const rows: Rows = [
    [
      "calls of one reply; ids are counted anew in each",
      [
        calls(one("c", "terminal"), one("d", "terminal")),
        answers("c", "x"),
        answers("d", "x"),
        calls(one("c", "terminal")),
      ],
      ["start terminal in 1", "start terminal in 1", "end c completed", "end d completed", "start terminal in 2"],
    ],
    [
      "no such tool",
      [calls(one("c", "nope")), answers("c", '{"error":"Unknown tool: nope"}')],
      ["start nope in 1", "end c failed"],
    ],
    ["an answer whose call is lost", [answers("c", "x")], ["end c completed without facts"]],
    ["a list", wrote, ["start todo in 1", "end c completed", "written", "changed"]],
    [
      "the same list again",
      [...wrote, ...wrote],
      [
        ...["start todo in 1", "end c completed", "written", "changed"],
        ...["start todo in 2", "end c completed", "written"],
      ],
    ],
    [
      "a look at the list",
      [calls(one("c", "todo")), answers("c", list)],
      ["start todo in 1", "end c completed", "changed"],
    ],
    [
      "a look through another tool",
      [calls(one("c", "tool_call", { name: "todo_list", arguments: {} })), answers("c", list)],
      ["start tool_call in 1", "end c completed", "changed"],
    ],
    ["words", [user?.("go"), says?.("Done.")] as Records, ["said 1", "turn over"]],
    [
      "that it cannot be checked",
      [says?.("It cannot be checked here: no keys")] as Records,
      ["waived: no keys", "said 1"],
    ],
    [
      "sub-agents",
      [calls(one("c", "delegate_task")), answers("c", "{}")],
      ["start delegate_task in 1", "agent c", "end c completed", "agent c over"],
    ],
    [
      "a task of ours",
      [calls(one("c", "mcp_milepost_task")), answers("c", "Claimed #3 Fix it")],
      ["start mcp_milepost_task in 1", "end c completed", holds(3, AT)],
    ],
  ];
  test.each(rows)("%s", (_, messages, expected) => expect(news(told(hermesGateway, messages))).toEqual(expected));
});

describe("files that clients wrote", () => {
  const rows: readonly (readonly [Parameters<typeof readInChunks>[0], string, readonly string[]])[] = [
    ["claude-code", "2.1.325-subagent.jsonl", ["agent toolu_r0002_1", "agent toolu_r0002_1 over"]],
    ["claude-code", "2.1.325-subagent.stream-1.jsonl", ["agent toolu_r0002_1", "agent toolu_r0002_1 over"]],
    ["claude-code", "1.0.128-subagent-old.jsonl", ["agent toolu_r0003_1", "agent toolu_r0003_1 over"]],
    [
      "codex",
      "0.166.0-subagent.jsonl",
      ["agent 01a1de9d-74f0-7bd1-92ac-63379b60e3f0", "agent 01a1de9d-74f0-7bd1-92ac-63379b60e3f0 over"],
    ],
    [
      "codex",
      "0.166.0-subagent.exec-1.jsonl",
      ["agent 01a1de9d-74f0-7bd1-92ac-63379b60e3f0", "agent 01a1de9d-74f0-7bd1-92ac-63379b60e3f0 over"],
    ],
    ["hermes", "sessions-export.jsonl", ["agent c10", "agent c10 over"]],
  ];
  test.each(rows)("%s %s", (agent, file, expected) => {
    const facts: Fact[] = [];
    readInChunks(agent, file, undefined, (observations) => facts.push(...observations));
    expect(news(facts).filter((one) => one.startsWith("agent"))).toEqual(expected);
    expect(news(facts).filter((one) => one.includes("without"))).toEqual([]);
  });

  test("calls of parallel tools are one reply", () => {
    const facts: Fact[] = [];
    readInChunks("claude-code", "2.1.325-parallel-tools.jsonl", undefined, (observations) =>
      facts.push(...observations),
    );
    const replies = facts.flatMap((fact) => (fact.type === "call.started" ? [fact.reply] : []));
    expect(replies.filter((reply) => reply === replies[0]).length).toBeGreaterThan(2);
    const written = news(facts).filter((one) => one === "written");
    expect(written.length).toBe(
      facts.filter((fact) => fact.type === "call.started" && fact.tool === "TodoWrite").length,
    );
  });
});
