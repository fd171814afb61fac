import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import { recognise } from "../transcript-formats.js";
import { qwenSession } from "./qwen-session.js";

type Line = Record<string, unknown>;

const line = (type: string, more: Line): Line => ({ uuid: "u", sessionId: "s1", type, ...more });
const said = (role: string, ...parts: readonly Line[]) => ({ message: { role, parts } });
const typed = (text: string, more: Line = {}) =>
  line("user", { provenance: "real_user", ...said("user", { text }), ...more });
const reply = (...parts: readonly Line[]) => line("assistant", said("model", ...parts));
const calling = (name: string, args: Line, id = "c1") => reply({ functionCall: { id, name, args } });
const answered = (result: Line, response: Line = { output: "ok" }) =>
  line("tool_result", {
    ...said("user", { functionResponse: { id: "c1", name: "x", response } }),
    toolCallResult: result,
  });
const system = (subtype: string, systemPayload: Line) => line("system", { subtype, systemPayload });

function read(...lines: readonly Line[]): readonly Observation[] {
  const reader = qwenSession.open("s1.jsonl");
  return lines.flatMap((one) => reader.read(one as JsonObject)).filter(({ type }) => type !== "session.seen");
}
const typesIn = (...lines: readonly Line[]) => read(...lines).map(({ type }) => type);
const find = <Type extends Observation["type"]>(all: readonly Observation[], type: Type) =>
  all.filter((one): one is Extract<Observation, { type: Type }> => one.type === type);

describe("a turn", () => {
  test.each<[string, Line, readonly string[]]>([
    ["begins with what a person types", typed("Go"), ["turn.started", "title.given"]],
    ["not with what is typed while it runs", typed("And", { subtype: "mid_turn_user_message" }), []],
    ["not with a notice", typed("<task>", { subtype: "notification", provenance: "system" }), []],
    ["not with a schedule", typed("Look", { subtype: "cron", provenance: "system" }), []],
    ["not with the agent's own goal", typed("Go on", { subtype: "goal_runtime", provenance: "goal_runtime" }), []],
    ["ends with an answer", reply({ text: "Done." }), ["words.said", "turn.ended"]],
    ["not with a call", calling("read_file", {}), ["call.started"]],
    ["not with what a reply has used", reply(), []],
  ])("%s", (_name, one, types) => {
    expect(typesIn(one)).toEqual(types);
  });

  test("is called by what the person sees of it, without what hooks have added", () => {
    const [title] = find(read(typed("Go\nMilepost: open", { systemPayload: { displayText: "Go" } })), "title.given");
    expect(title).toMatchObject({ title: "Go", by: "person" });
  });

  test("ends with a question, thoughts left out", () => {
    const [ended] = find(read(reply({ text: "Hm.", thought: true }, { text: "Which one?" })), "turn.ended");
    expect(ended).toMatchObject({ isAsking: true });
  });
});

describe("how a call ends", () => {
  const end = (result: Line, response?: Line) =>
    find(read(calling("run_shell_command", { command: "npm test" }), answered(result, response)), "call.ended")[0];

  test.each<[string, Line, Line | undefined, object]>([
    ["well", { status: "success" }, undefined, { status: "completed" }],
    ["badly", { status: "error" }, { error: "No." }, { status: "failed", problem: "No." }],
    ["badly, in files without results", {}, { error: "No." }, { status: "failed", problem: "No." }],
    ["cancelled", { status: "cancelled" }, { error: "Stop" }, { status: "cancelled" }],
    [
      "with an exit code",
      { status: "success" },
      { output: "Command: npm test\nOutput: x\nExit Code: 3\nSignal: (none)\nProcess Group PGID: 1" },
      { status: "completed", facts: { exit: 3 } },
    ],
  ])("%s", (_name, result, response, expected) => {
    expect(end(result, response)).toMatchObject(expected);
  });

  test("one that a person stops ends the turn", () => {
    expect(read(calling("glob", {}), answered({ status: "cancelled" })).at(-1)).toMatchObject({
      ...{ type: "turn.ended", because: "interrupted" },
    });
  });
});

test("a call through the bridge is the call that it makes", () => {
  const all = read(calling("tool_call", { name: "mcp__milepost__todo", arguments: { add: ["Read"] } }), answered({}));
  expect(find(all, "call.started")).toMatchObject([{ tool: "todo", server: "milepost", isWork: false }]);
  expect(find(all, "list.changed")).toHaveLength(1);
});

describe("the list", () => {
  const wrote = (...todos: readonly Line[]) => [
    calling("todo_write", { todos }),
    answered({ status: "success", resultDisplay: { type: "todo_list", todos } }),
  ];
  const item = (id: string, more: Line = {}) => ({ id, content: `Do ${id}`, status: "pending", ...more });

  test("is what the answer shows, with what a todo waits for", () => {
    const [, second] =
      find(read(...wrote(item("1"), item("2", { blockedBy: ["1"] }))), "list.changed")[0]?.list.phases[0]?.todos ?? [];
    expect(second).toMatchObject({ text: "Do 2", key: "2", notes: ['blocked by: ["1"]'] });
  });

  test("stays when all is done, and is told to be finished", () => {
    const done = item("1", { status: "completed" });
    const types = typesIn(...wrote(item("1")), ...wrote(done), ...wrote(done)).filter((type) =>
      type.startsWith("list."),
    );
    const [change, same] = [["list.written", "list.changed"], ["list.written"]];
    expect(types).toEqual([...(change ?? []), "list.written", "list.finished", "list.changed", ...(same ?? [])]);
  });

  test("a refused write changes nothing", () => {
    const refused = [calling("todo_write", { todos: [item("")] }), answered({ status: "error" }, { error: "Each" })];
    expect(typesIn(...refused).filter((type) => type.startsWith("list."))).toEqual([]);
  });
});

describe("a turn that ends without an answer", () => {
  const event = (more: Line) => ({ "event.name": "qwen-code.api_error", prompt_id: "s1########2", ...more });
  const error = (more: Line) => system("ui_telemetry", { uiEvent: event({ status_code: 400, ...more }) });

  test.each<[string, Line, readonly object[]]>([
    ["a request is refused for good", error({}), [{ because: "failed" }]],
    ["one is asked again", error({ status_code: 429 }), []],
    ["the service is broken for a moment", error({ status_code: 503 }), []],
    ["nobody knows why", error({ status_code: undefined }), []],
    ["one of a sub-agent is", error({ subagent_id: "a1" }), []],
    ["one beside the session is", error({ prompt_id: "title" }), []],
    ["an answer came", error({ "event.name": "qwen-code.api_response" }), []],
    ["its daemon tells of an error", system("turn_result", { state: "error" }), [{ because: "failed" }]],
    [
      "its daemon tells that it was stopped",
      system("turn_result", { state: "cancelled" }),
      [{ because: "interrupted" }],
    ],
    ["its daemon tells of its end", system("turn_result", { state: "completed" }), []],
  ])("%s", (_name, one, ends) => {
    expect(find(read(typed("Go"), one), "turn.ended")).toMatchObject(ends);
  });
});

test("compactions count, those that failed do not", () => {
  const cut = (info: Line) => system("chat_compression", { info });
  expect(typesIn(cut({ compressionStatus: 1 }), cut({ compressionStatus: 2 }), cut({}))).toEqual(
    Array(2).fill("context.compacted"),
  );
});

test("a sub-agent's file is a session of its own below the one that it is of", () => {
  const reader = qwenSession.open("agent-a1.jsonl");
  const [seen] = reader.read({ ...reply({ text: "Done." }), agentId: "a1", isSidechain: true });
  expect(seen).toMatchObject({ type: "session.seen", agent: "qwen", session: "s1/a1", parent: "s1" });
});

test.each<[string, Line, string | undefined]>([
  ["a record of ours", typed("Go"), "qwen"],
  ["bookkeeping", system("ui_telemetry", {}), "qwen"],
  ["a reply that says nothing", { ...line("assistant", {}), provenance: "assistant_output" }, "qwen"],
  ["bookkeeping of another version", { ...line("system", {}), provenance: "system", subtype: "started" }, "qwen"],
  ["a type that nobody knows yet", line("attachment", said("user", { text: "x" })), "qwen"],
  ["one without an id", { ...typed("Go"), uuid: undefined }, undefined],
  ["what it prints", { type: "system", session_id: "s1", qwen_code_version: "0.24.4" }, undefined],
  ["a line of Claude Code", line("user", { message: { role: "user", content: "Go" } }), "claude-code"],
])("%s is told apart", (_name, record, agent) => {
  expect(recognise(record)?.agent).toBe(agent);
});
