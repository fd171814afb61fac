import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import { evolveView, newView, type SessionView } from "../../core/session/session-facts.js";
import { todosOf } from "../../core/todo/list.js";
import { codexRollout } from "./rollout.js";

type Line = { readonly type: string; readonly payload: JsonObject };

const line = (type: string, payload: JsonObject): Line => ({ type, payload });
const meta = (fields: JsonObject = {}) => line("session_meta", { id: "t1", cwd: "/home/dev/app", ...fields });
const event = (type: string, fields: JsonObject = {}) => line("event_msg", { type, ...fields });
const item = (type: string, fields: JsonObject = {}) => event("item_completed", { item: { type, ...fields } });
const response = (type: string, fields: JsonObject = {}) => line("response_item", { type, ...fields });
const started = (mode = "default") => event("task_started", { collaboration_mode_kind: mode });
const ended = (last: string | null = null) => event("task_complete", { last_agent_message: last });
const user = (message: string) => event("user_message", { message });
const toModel = (text: string, role = "user") => response("message", { role, content: [{ type: "input_text", text }] });
const call = (id: string, name: string, input: unknown = {}) =>
  response("function_call", { call_id: id, name, arguments: JSON.stringify(input) });
const script = (id: string, input: string) => response("custom_tool_call", { call_id: id, name: "exec", input });
const output = (id: string, text: unknown) => response("function_call_output", { call_id: id, output: text });
const compacted = () => line("compacted", { message: "" });

let calls = 0;
/** A list that was written well: `a` is pending, `a!` in progress, `a.` completed. */
function wrote(...steps: string[]): Line[] {
  calls += 1;
  const status = (step: string) => (step.endsWith("!") ? "in_progress" : step.endsWith(".") ? "completed" : "pending");
  const plan = steps.map((step) => ({ step: step.replace(/[!.]$/, ""), status: status(step) }));
  return [call(`w${calls}`, "update_plan", { plan }), output(`w${calls}`, "Plan updated")];
}
/** A turn in which a person says something. */
const turn = (words: string, ...lines: Line[]) => [started(), user(words), ...lines, ended("Done.")];

function observe(lines: readonly Line[], file = "x.jsonl"): Observation[] {
  const reader = codexRollout.open(file);
  return lines.flatMap((one) => reader.read({ timestamp: "2026-01-02T03:04:05.000Z", ...one }));
}

function view(lines: readonly Line[], file?: string): SessionView {
  return observe([meta(), ...lines], file).reduce(evolveView, newView("t1"));
}

const texts = ({ list }: SessionView) => todosOf(list).map(({ text, status }) => `${text}:${status}`);

describe("whose it is", () => {
  test("the first line counts, and a fork is no child", () => {
    const seen = observe([meta({ forked_from_id: "t0" }), meta({ id: "t0", cwd: "/else" }), started()]);
    expect(new Set(seen.map(({ session }) => session))).toEqual(new Set(["t1"]));
    expect(seen.reduce(evolveView, newView("t1"))).toMatchObject({ parent: null, folder: "/home/dev/app", turns: 1 });
  });

  test.each([[{ parent_thread_id: "t0" }], [{ source: { subagent: { thread_spawn: { parent_thread_id: "t0" } } } }]])(
    "a sub-agent has a parent: %j",
    (fields) => {
      expect(observe([meta(fields)])).toMatchObject([{ type: "session.seen", agent: "codex", parent: "t0" }]);
    },
  );

  const id = "01a1de9d-5790-73b1-91f9-a0b9ae312826";
  test.each([
    [`rollout-2026-11-15T09-50-24-${id}.jsonl`, [id]],
    [`rollout-2026-11-15T09-50-24-${id}_01a1de9d-0000-73b1-91f9-a0b9ae312826.jsonl`, [id]],
    ["notes.jsonl", []],
  ])("without its first line the name of the file says it: %s", (file, expected) => {
    expect([...new Set(observe([started(), ended()], file).map(({ session }) => session))]).toEqual(expected);
  });

  test("what is no id names nobody", () => {
    expect(observe([meta({ id: "t 1" }), meta({ id: "x".repeat(201) }), meta({ id: 7 }), started()])).toEqual([]);
  });
});

describe("the list", () => {
  test("the last one wins, with its explanation", () => {
    const explained = { plan: [{ step: "b", status: "in_progress" }], explanation: "why" };
    const seen = view([...wrote("a"), call("c", "update_plan", explained), output("c", "Plan updated")]);
    expect([texts(seen), seen.list.explanation]).toEqual([["b:in_progress"], "why"]);
  });

  test("a refused one changes nothing and failed", () => {
    const seen = view([
      ...wrote("a"),
      call("c", "update_plan", { plan: [] }),
      output("c", "unsupported call: update_plan"),
    ]);
    expect([texts(seen), seen.calls]).toEqual([["a:pending"], { total: 2, failed: 1 }]);
  });

  test("arguments that are no JSON change nothing", () => {
    const broken = response("function_call", { call_id: "c", name: "update_plan", arguments: '{"plan":[' });
    expect(texts(view([...wrote("a"), broken, output("c", "Plan updated")]))).toEqual(["a:pending"]);
  });

  test("a server's tool of the same name is not the client's", () => {
    const foreign = response("function_call", {
      call_id: "c",
      name: "update_plan",
      namespace: "mcp__milepost",
      arguments: '{"plan":[]}',
    });
    const seen = view([...wrote("a"), foreign, output("c", "Wall time: 1\nOutput:\n{}")]);
    expect([texts(seen), seen.calls.failed]).toEqual([["a:pending"], 0]);
  });

  test("one that is all done is over", () => {
    expect(texts(view([...wrote("a!"), ...wrote("a.")]))).toEqual([]);
  });

  const updates = `await tools.update_plan({ plan: [{ step: "b", status: "in_progress" }] });`;
  test.each([
    ["completed", [{ text: "Script completed\nWall time 0.0 seconds\nOutput:\n" }], ["b:in_progress"]],
    ["still runs", "Script running with cell ID 3\n", ["b:in_progress"]],
    ["failed", "Script failed\n", ["a:pending"]],
  ])("in code mode it is read from a script that %s", (_, answer, expected) => {
    const answered = response("custom_tool_call_output", { call_id: "s", output: answer });
    expect(texts(view([...wrote("a"), script("s", updates), answered]))).toEqual(expected);
  });
});

describe("going back", () => {
  const three = [...turn("1", ...wrote("a")), ...turn("2", ...wrote("a.", "b")), ...turn("3", ...wrote("c"))];
  const back = (turns: unknown) => event("thread_rolled_back", { num_turns: turns });

  test.each<[unknown, string[]]>([
    [1, ["a:completed", "b:pending"]],
    [2, ["a:pending"]],
    [3, []],
    [99, []],
    [0, ["c:pending"]],
    ["x", ["c:pending"]],
  ])("%j turns", (turns, expected) => {
    expect(texts(view([...three, back(turns)]))).toEqual(expected);
  });

  test("twice, and on from there", () => {
    expect(texts(view([...three, back(1), back(1)]))).toEqual(["a:pending"]);
    expect(texts(view([...three, back(2), ...turn("4", ...wrote("d")), back(1)]))).toEqual(["a:pending"]);
  });

  test("what was done stays done, and turns that nobody began do not count", () => {
    const seen = view([...three, started(), compacted(), ended(), back(1)]);
    expect(texts(seen)).toEqual(["a:completed", "b:pending"]);
    expect(seen).toMatchObject({ turns: 3, calls: { total: 3 }, compactions: 1 });
  });

  test("the plan goes back too", () => {
    const plan = (text: string) => [started("plan"), user("Plan."), item("Plan", { text }), ended()];
    expect(view([...plan("one"), ...plan("two"), back(1)]).plan).toMatchObject({
      key: "turn-1",
      text: "one",
      status: "proposed",
    });
    expect(view([...plan("one"), back(1)]).plan).toBeNull();
  });

  test("further than is kept ends at the oldest that is known, and what is kept stays small", () => {
    const reader = codexRollout.open("x.jsonl");
    const text = "x".repeat(90_000);
    const lines = Array.from({ length: 200 }, (_, at) => [
      started("plan"),
      user("Plan."),
      item("Plan", { text: text + at }),
      ended(),
    ]);
    for (const one of [meta(), ...lines.flat()]) reader.read({ timestamp: "", ...one });
    expect(JSON.stringify(reader.save()).length).toBeLessThan(1_500_000);
    const told = reader.read({ timestamp: "", ...event("thread_rolled_back", { num_turns: 150 }) });
    expect(told).toMatchObject([{ type: "plan.changed", plan: { status: "proposed" } }]);
  });
});

describe("turns", () => {
  test.each([
    ["both spellings", [started(), ended(), event("turn_started"), event("turn_complete")], 2],
    [
      "a compaction that a person asked for is none",
      [...turn("a"), started(), compacted(), item("ContextCompaction"), ended()],
      1,
    ],
    ["one that was compacted before it began", [started(), compacted(), user("a"), ended()], 1],
    ["one that was compacted in the middle", [started(), ...wrote("a"), compacted(), ended()], 1],
    [
      "one that a hook began",
      [started(), item("HookPrompt"), item("AgentMessage", { content: [{ text: "Hi" }] }), ended()],
      1,
    ],
  ])("%s", (_, lines, turns) => {
    expect(view(lines)).toMatchObject({ turns, phase: "resting" });
  });

  test.each<[string, Line[], SessionView["phase"]]>([
    ["an answer", turn("a"), "resting"],
    ["a question", [started(), user("a"), ended("**Shall I?**")], "asking"],
    [
      "a question heard before",
      [started(), user("a"), event("agent_message", { message: "Shall I?" }), ended()],
      "asking",
    ],
    [
      "a question, and then an error",
      [started(), event("agent_message", { message: "Shall I?" }), event("task_complete", { error: {} })],
      "resting",
    ],
    [
      "a question that was cut off",
      [started(), event("agent_message", { message: "Shall I?" }), event("turn_aborted")],
      "resting",
    ],
    [
      "a question, and then a compaction",
      [started(), user("a"), ended("Shall I?"), started(), compacted(), ended()],
      "asking",
    ],
    ["not over", [started(), user("a")], "working"],
    ["an open question to a person", [started(), call("q", "request_user_input")], "asking"],
    ["an answered one", [started(), call("q", "request_user_input"), output("q", "{}")], "working"],
  ])("after %s", (_, lines, phase) => {
    expect(view(lines).phase).toBe(phase);
  });
});

describe("compactions", () => {
  const event1 = event("context_compacted");
  const item1 = item("ContextCompaction", { id: "x" });
  test.each([
    ["a line", [compacted()], 1],
    ["a line and its event", [compacted(), event1], 1],
    ["a line and its item", [compacted(), item1], 1],
    ["all three", [item1, compacted(), event1], 1],
    ["only an event", [event1], 1],
    ["two in a turn", [compacted(), item1, ...wrote("a"), compacted(), item1], 2],
    ["two, the first without its event", [compacted(), compacted(), event1], 2],
    ["two in two turns, each with another sign", [compacted(), ended(), started(), event1], 2],
  ])("%s", (_, lines, compactions) => {
    expect(view([started(), ...lines]).compactions).toBe(compactions);
  });
});

describe("calls", () => {
  test.each<[string, Line[], { total: number; failed: number }]>([
    [
      "an item only tells how it ended",
      [call("a", "exec_command"), item("CommandExecution", { id: "a", exit_code: 1 }), output("a", "x")],
      { total: 1, failed: 1 },
    ],
    [
      "an item after the end is no news",
      [call("a", "exec_command"), output("a", "x"), item("CommandExecution", { id: "a", exit_code: 1 })],
      { total: 1, failed: 0 },
    ],
    [
      "a script's command is one of its own",
      [
        script("s", "tools.exec_command({})"),
        item("CommandExecution", { id: "b", exit_code: 1 }),
        output("s", "Script completed"),
      ],
      { total: 2, failed: 1 },
    ],
    [
      "an old event",
      [call("a", "shell"), event("exec_command_end", { call_id: "a", exit_code: 1 }), output("a", "x")],
      { total: 1, failed: 1 },
    ],
    [
      "an old server's answer",
      [call("a", "mcp__s__t"), event("mcp_tool_call_end", { call_id: "a", result: { Err: "no" } }), output("a", "x")],
      { total: 1, failed: 1 },
    ],
    [
      "a search, told twice",
      [item("WebSearch", { id: "ws", query: "q" }), response("web_search_call", { id: "ws", status: "completed" })],
      { total: 1, failed: 0 },
    ],
    ["a search that failed", [response("web_search_call", { id: "ws", status: "failed" })], { total: 1, failed: 1 }],
    [
      "an id that comes again",
      [call("a", "shell"), output("a", "x"), call("a", "shell"), output("a", "x")],
      { total: 2, failed: 0 },
    ],
    ["no id", [response("function_call", { name: "shell" }), call("a b", "shell")], { total: 0, failed: 0 }],
    [
      "a person's own command",
      [item("CommandExecution", { id: "u", source: "user_shell", exit_code: 1 })],
      { total: 0, failed: 0 },
    ],
    ["an answer to nothing", [output("z", "unsupported call: z")], { total: 0, failed: 0 }],
  ])("%s", (_, lines, expected) => {
    expect(view([started(), ...lines]).calls).toEqual(expected);
  });

  test("what is open is cancelled when the turn is cut off", () => {
    const told = observe([meta(), started(), call("a", "shell"), event("turn_aborted")]);
    expect(told.filter(({ type }) => type === "call.ended")).toMatchObject([{ call: "a", status: "cancelled" }]);
  });

  test.each<[Line, object]>([
    [call("a", "exec_command", { cmd: "ls -1" }), { tool: "exec_command", subject: "ls -1", isWork: true }],
    [call("a", "shell", { command: ["bash", "-lc", "ls"] }), { tool: "shell", subject: "ls" }],
    [call("a", "mcp__tiny__put", { path: "x" }), { tool: "put", server: "tiny", subject: "x" }],
    [call("a", "update_plan", { plan: [] }), { tool: "update_plan", isWork: false }],
    [call("a", "request_user_input"), { isWork: false, isAsking: true }],
    [
      response("local_shell_call", { call_id: "a", action: { command: ["ls", "-1"] } }),
      { tool: "local_shell", subject: "ls -1" },
    ],
    [response("web_search_call", { id: "a", action: { query: "how" } }), { tool: "web_search", subject: "how" }],
    [
      response("custom_tool_call", {
        call_id: "a",
        name: "apply_patch",
        input: "*** Begin Patch\n*** Update File: src/a.ts\n",
      }),
      { tool: "apply_patch", subject: "src/a.ts", isWork: true },
    ],
    [script("a", `await tools.exec_command({ cmd: "ls" })`), { tool: "exec", isWork: false }],
    [script("a", "text(1 + 1)"), { tool: "exec", subject: "text(1 + 1)", isWork: true }],
  ])("%j", (one, expected) => {
    expect(observe([meta(), one])[1]).toMatchObject({ type: "call.started", call: "a", ...expected });
  });
});

describe("plans", () => {
  const proposed = [started("plan"), user("Plan it."), item("Plan", { text: "# A" }), ended()];
  test.each<[string, Line[], string | undefined]>([
    ["proposed", proposed, "proposed"],
    ["taken", [...proposed, ...turn("Implement the plan.")], "approved"],
    ["talked about", [...proposed, ...turn("Implement the plan, please.")], "proposed"],
    ["not taken in Plan Mode", [...proposed, started("plan"), user("Implement the plan."), ended()], "proposed"],
    [
      "in a message only",
      [started("plan"), toModel("<proposed_plan>\n# A\n</proposed_plan>", "assistant"), ended()],
      "proposed",
    ],
    [
      "tags outside Plan Mode",
      [started(), toModel("<proposed_plan>\n# A\n</proposed_plan>", "assistant"), ended()],
      undefined,
    ],
  ])("%s", (_, lines, status) => {
    expect(view(lines).plan?.status).toBe(status);
  });

  test("the item says it better than the message", () => {
    const message = toModel("<proposed_plan>\n# B\n</proposed_plan>", "assistant");
    expect(view([started("plan"), item("Plan", { text: "# A" }), message]).plan?.text).toBe("# A");
    expect(view([started("plan"), message, item("Plan", { text: "# A" })]).plan?.text).toBe("# A");
  });

  test("the id of its turn names it, whichever line tells of it", () => {
    const message = toModel("<proposed_plan>\n# B\n</proposed_plan>", "assistant");
    const begun = event("task_started", { collaboration_mode_kind: "plan", turn_id: "u1" });
    const told = event("item_completed", { turn_id: "u1", item: { type: "Plan", id: "u1-plan", text: "# A" } });
    expect(view([begun, message]).plan).toEqual({ key: "u1", text: "# B\n", status: "proposed" });
    expect(view([begun, message, told]).plans).toMatchObject([{ key: "u1", text: "# A", status: "proposed" }]);
    expect(view([started("plan"), told]).plan?.key).toBe("u1");
  });
});

describe("titles", () => {
  test.each<[string, Line[], string]>([
    ["the first words", [...turn("Fix\n it."), ...turn("More.")], "Fix it."],
    ["as an item", [started(), item("UserMessage", { content: [{ type: "text", text: "Fix it." }] })], "Fix it."],
    [
      "below what an editor adds",
      turn("# Context from my IDE setup:\n\n## My request for Codex:\nFix it.\n"),
      "Fix it.",
    ],
    [
      "the client's name for it",
      [...turn("Fix it."), event("thread_name_updated", { thread_name: "Fixes" }), ...turn("More.")],
      "Fixes",
    ],
    [
      "from what went to the model, if nothing else says it",
      [toModel("# AGENTS.md x"), started(), toModel("Fix it."), toModel("Hi.", "assistant")],
      "Fix it.",
    ],
    ["not from what the client put in", [started(), toModel("<environment_context>"), toModel("<x>"), ended()], ""],
    ["after a picture", [...turn(""), ...turn("Fix it.")], "Fix it."],
  ])("%s", (_, lines, title) => {
    expect(view(lines).title).toBe(title);
  });
});

test("tokens are the last total, or what records add up to", () => {
  const usage = {
    input_tokens: 10,
    cached_input_tokens: 4,
    cache_write_input_tokens: 1,
    output_tokens: 3,
    reasoning_output_tokens: 2,
    total_tokens: 13,
  };
  const record = line("token_usage_record", { usage });
  const tokens = { input: 20, cacheRead: 8, cacheWrite: 2, output: 6, reasoning: 4, total: 26 };
  expect(view([record, record]).tokens).toEqual(tokens);
  const total = event("token_count", { info: { total_token_usage: { ...usage, input_tokens: 99 } } });
  expect(view([record, total, record, event("token_count", { info: null })]).tokens.input).toBe(99);
});

test("what is kept stays small however many calls are never answered", () => {
  const reader = codexRollout.open("x.jsonl");
  reader.read({ timestamp: "", ...meta() });
  for (let at = 0; at < 2000; at += 1)
    reader.read({ timestamp: "", ...call(`${at}`.padStart(200, "c"), "t".repeat(5000)) });
  expect(JSON.stringify(reader.save()).length).toBeLessThan(200_000);
});

describe("the goal", () => {
  const answer = (status: string, threadId = "t1") =>
    JSON.stringify({ goal: { threadId, objective: "Ship it", status, tokensUsed: 1 }, remainingTokens: null });
  const printed = (...lines: string[]) =>
    response("custom_tool_call_output", {
      call_id: "x",
      output: ["Script completed", ...lines].map((text) => ({ type: "input_text", text })),
    });
  const cases: { name: string; lines: Line[]; goal: object | null }[] = [
    { name: "none was set", lines: [call("a", "get_goal"), output("a", '{"goal":null}')], goal: null },
    ...["active", "paused", "blocked", "usageLimited", "budgetLimited", "complete"].map((status) => ({
      name: status,
      lines: [call("a", "update_goal", { status }), output("a", answer(status))],
      goal: { text: "Ship it", status },
    })),
    {
      name: "a call that was refused changes nothing",
      lines: [
        call("a", "create_goal", { objective: "Ship it" }),
        output("a", answer("active")),
        call("b", "create_goal", { objective: "Other" }),
        output("b", "cannot create a new goal because this thread has an unfinished goal"),
      ],
      goal: { text: "Ship it", status: "active" },
    },
    {
      name: "in code mode: the last one that the script printed",
      lines: [script("x", "text(await tools.create_goal({}))"), printed(answer("active"), answer("complete"))],
      goal: { text: "Ship it", status: "complete" },
    },
    {
      name: "in code mode: not what a script printed of somebody else's",
      lines: [script("x", "text(await tools.exec_command({}))"), printed(answer("active", "t2"))],
      goal: null,
    },
  ];
  test.each(cases)("$name", ({ lines, goal }) => {
    expect(view(turn("go", ...lines)).goal).toEqual(goal);
  });
});

describe("calls of our own todo", () => {
  const own = (id: string, input: unknown, namespace = "mcp__milepost") =>
    response("function_call", { call_id: id, name: "todo", namespace, arguments: JSON.stringify(input) });
  const told = (id: string, input: unknown, more: JsonObject = {}) =>
    item("McpToolCall", { id, server: "milepost", tool: "todo", arguments: input, status: "completed", ...more });
  const asked = (id: string, input: unknown) => [own(id, input), told(id, input), output(id, "0/1")];

  test.each<[string, Line[], string[]]>([
    [
      "are made again, in order",
      [...asked("c1", { add: ["a", "b"] }), ...asked("c2", { done: 1 })],
      ["a:completed", "b:in_progress"],
    ],
    [
      "once, however often they are told",
      [...asked("c1", { add: ["a"] }), ...asked("c2", { note: "n" }), told("c2", { note: "n" })],
      ["a:in_progress"],
    ],
    ["also without an item", [own("c1", { add: ["a"] }), output("c1", "Added 1.")], ["a:in_progress"]],
    ["also those of a script, which only an item tells", [told("s1", { add: ["a"] })], ["a:in_progress"]],
    ["not a refused one", [own("c1", { add: ["a"] }), told("c1", {}, { status: "failed" }), output("c1", "no")], []],
    ["not one that nobody answered", [own("c1", { add: ["a"] })], []],
    ["not those of another server", [own("c1", { add: ["a"] }, "mcp__other"), output("c1", "Added 1.")], []],
    ["not what is no input", [own("c1", "x"), output("c1", "Added 1."), told("s1", "x")], []],
  ])("%s", (_, lines, expected) => {
    const seen = view(turn("go", ...lines));
    expect(texts(seen)).toEqual(expected);
    expect(todosOf(seen.list)[0]?.notes ?? []).toHaveLength(lines.length > 6 ? 1 : 0);
  });

  test("a list that they finish is the finished one, and stays on the list until the next todo", () => {
    const lines = [...asked("c1", { add: ["a"] }), ...asked("c2", { done: 1 })];
    const seen = view(turn("go", ...lines, ...asked("c3", { note: "#1 late" })));
    expect(texts(seen)).toEqual(["a:completed"]);
    expect(seen.finished && todosOf(seen.finished.list)).toMatchObject([{ text: "a", status: "completed", notes: [] }]);
    const next = view(turn("go", ...lines, ...asked("c4", { add: ["b"] })));
    expect([texts(next), next.finished && todosOf(next.finished.list).map(({ text }) => text)]).toEqual([
      ["b:in_progress"],
      ["a"],
    ]);
  });
});

describe("the context, as the client tells it", () => {
  const last = (total: unknown) => ({ input_tokens: total, output_tokens: 0, total_tokens: total });
  const told = (info: unknown) => event("token_count", { info });
  const count = (total: unknown, window: unknown = 258_400) =>
    told({ total_token_usage: last(9000), last_token_usage: last(total), model_context_window: window });
  const rows: readonly (readonly [string, Line[], object | null])[] = [
    ["nothing told", [], null],
    ["of the last request, not of all", [count(120)], { used: 120, window: 258_400 }],
    ["the newest counts", [count(120), count(90)], { used: 90, window: 258_400 }],
    ["no window", [count(120, null)], { used: 120, window: null }],
    ["a window that is none", [count(120, "big")], { used: 120, window: null }],
    ["a window beyond all numbers", [count(120, 1e308)], { used: 120, window: null }],
    ["without a last request what was known stays", [count(120), told({ total_token_usage: last(5) })], { used: 120 }],
    ["no info", [count(120), told(null)], { used: 120 }],
    ["a count that is none", [count("many")], null],
  ];
  test.each(rows)("%s", (_, lines, then) => {
    const { context } = view(turn("go", ...lines));
    if (then === null) expect(context).toBe(null);
    else expect(context).toMatchObject(then);
  });
});

test("a question has the answers that it offers", () => {
  const questions = [{ question: "Which?", options: [{ label: "Keep" }, { label: "Drop" }] }];
  const { shown } = view([started(), user("go"), call("q", "request_user_input", { questions })]);
  expect(shown).toMatchObject({ reason: "question", text: "Which?", choices: ["Keep", "Drop"] });
});

test("the pull request that gh has opened", () => {
  const url = "https://github.com/acme/shop/pull/5";
  const lines = [call("c", "exec_command", { cmd: "gh pr create --fill" }), output("c", `Output:\n${url}\n`)];
  expect(view(turn("go", ...lines)).pullRequest).toEqual({ number: 5, url, repository: "acme/shop" });
});
