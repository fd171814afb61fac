import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import { evolveView, newView } from "../../core/session/session-facts.js";
import { todosOf } from "../../core/todo/list.js";
import type { Format } from "../reader.js";
import { codexAppServer } from "./app-server.js";
import { codexExec } from "./exec.js";

function read(format: Format, records: readonly JsonObject[]) {
  const reader = format.open("x.jsonl");
  const told = records.flatMap((record) => reader.read(record));
  const view = (id: string) => told.filter(({ session }) => session === id).reduce(evolveView, newView(id));
  return { told, view, sessions: [...new Set(told.map(({ session }) => session))] };
}

describe("codex exec", () => {
  const started = (id: unknown = "t1") => ({ type: "thread.started", thread_id: id });
  const item = (step: string, type: string, fields: JsonObject = {}) => ({
    type: `item.${step}`,
    item: { id: "item_1", type, ...fields },
  });
  const list = (...items: [string, boolean][]) => ({ items: items.map(([text, completed]) => ({ text, completed })) });

  test("what is open is pending; the end of the turn says nothing new", () => {
    const over = list(["a", true]);
    const { view, told } = read(codexExec, [
      started(),
      item("started", "todo_list", list(["a", true], ["b", false])),
      item("completed", "todo_list", list(["a", true], ["b", false])),
    ]);
    expect(todosOf(view("t1").list).map(({ status }) => status)).toEqual(["completed", "pending"]);
    expect(told.filter(({ type }) => type === "list.changed")).toHaveLength(1);
    const done = read(codexExec, [started(), item("started", "todo_list", over), item("completed", "todo_list", over)]);
    expect(done.view("t1").list.nextNumber).toBe(2);
  });

  test("runs one after the other in one file keep their calls apart", () => {
    const command = item("completed", "command_execution", { command: "ls", exit_code: 1, status: "failed" });
    const run = [
      started(),
      { type: "turn.started" },
      command,
      { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 2 } },
    ];
    const { told, view } = read(codexExec, [...run, ...run]);
    expect(told.flatMap((one) => (one.type === "call.started" ? [one.call] : []))).toEqual(["1/item_1", "2/item_1"]);
    expect(view("t1")).toMatchObject({ turns: 2, calls: { total: 2, failed: 2 }, tokens: { total: 7 } });
  });

  test("a call that is told step by step is one call", () => {
    const steps = ["started", "updated", "completed", "completed"].map((step) =>
      item(step, "web_search", { query: "q" }),
    );
    expect(read(codexExec, [started(), ...steps]).view("t1").calls).toEqual({ total: 1, failed: 0 });
  });

  test("sub-agents are known by their parent", () => {
    const spawn = item("completed", "collab_tool_call", { tool: "spawn_agent", receiver_thread_ids: ["t2", "t1"] });
    expect(read(codexExec, [started(), spawn]).view("t2")).toMatchObject({
      agent: "codex",
      parent: "t1",
      phase: "new",
    });
  });

  test("a turn that failed rests, one that asks is asking", () => {
    const asks = item("completed", "agent_message", { text: "Shall I?" });
    expect(read(codexExec, [started(), asks, { type: "turn.completed" }]).view("t1").phase).toBe("asking");
    expect(read(codexExec, [started(), asks, { type: "turn.failed" }]).view("t1").phase).toBe("resting");
  });

  test("records that are nobody's tell nothing", () => {
    expect(read(codexExec, [{ type: "turn.started" }, started("a b"), { type: "turn.started" }]).told).toEqual([]);
  });
});

describe("the app-server", () => {
  const note = (method: string, params: JsonObject = {}) => ({ method, params: { threadId: "t1", ...params } });
  const item = (step: string, type: string, fields: JsonObject = {}) =>
    note(`item/${step}`, { item: { id: "i1", type, ...fields } });

  test("several threads in one log, with their parents", () => {
    const { view, sessions } = read(codexAppServer, [
      { id: 1, result: { userAgent: "x" } },
      { id: 2, result: { thread: { id: "t1", cwd: "/a", cliVersion: "1", gitInfo: { branch: "main" } }, model: "m" } },
      { method: "thread/started", params: { thread: { id: "t2", parentThreadId: "t1", cwd: "/b" } } },
      note("turn/started"),
      note("turn/started", { threadId: "t2" }),
      note("turn/completed", { turn: { status: "completed" } }),
    ]);
    expect(sessions).toEqual(["t1", "t2"]);
    expect(view("t1")).toMatchObject({ folder: "/a", branch: "main", version: "1", model: "m", phase: "resting" });
    expect(view("t2")).toMatchObject({ agent: "codex", parent: "t1", folder: "/b", phase: "working" });
  });

  test("what the client asks for tells nothing by itself", () => {
    const records = [
      { method: "thread/start", id: 1, params: { cwd: "/a" } },
      { method: "thread/read", id: 2, params: { threadId: "t1" } },
      { id: 2, result: { thread: { id: "t1", cwd: "/a" } } },
      { method: "initialized" },
    ];
    expect(read(codexAppServer, records).told).toEqual([]);
  });

  test("a question waits for its answer", () => {
    const asked = { ...note("item/tool/requestUserInput", { itemId: "q", questions: [] }), id: 7 };
    expect(read(codexAppServer, [note("turn/started"), asked]).view("t1").phase).toBe("asking");
    const answered = note("serverRequest/resolved", { requestId: 7 });
    expect(read(codexAppServer, [note("turn/started"), asked, answered]).view("t1").phase).toBe("working");
  });

  test.each([
    ["an item", [item("started", "contextCompaction"), item("completed", "contextCompaction")]],
    ["an event", [note("thread/compacted")]],
    ["both", [item("completed", "contextCompaction"), note("thread/compacted")]],
  ])("a compaction by %s counts once, and is no turn", (_, signs) => {
    const { view } = read(codexAppServer, [note("turn/started"), ...signs, note("turn/completed")]);
    expect(view("t1")).toMatchObject({ compactions: 1, turns: 0 });
  });

  test("a plan is taken in a turn that is not of Plan Mode, whoever says which", () => {
    const mode = (name: string) => ({ ...note("turn/start", { collaborationMode: { mode: name } }), id: 1 });
    const says = item("completed", "userMessage", { content: [{ type: "text", text: "Implement the plan." }] });
    const plan = [
      mode("plan"),
      note("turn/started"),
      item("completed", "plan", { text: "# A" }),
      note("turn/completed"),
    ];
    expect(read(codexAppServer, [...plan, mode("plan"), says]).view("t1").plan?.status).toBe("proposed");
    expect(read(codexAppServer, [...plan, mode("default"), says]).view("t1").plan?.status).toBe("approved");
  });

  const turn = (id: string, ...records: JsonObject[]) => [
    note("turn/started", { turn: { id } }),
    ...records,
    note("turn/completed", { turn: { id, status: "completed" } }),
  ];
  const writes = (turnId: string, ...pieces: string[]) =>
    pieces.map((delta) => note("item/plan/delta", { turnId, itemId: `${turnId}-plan`, delta }));
  const proposes = (turnId: string, text: string) =>
    note("item/completed", { turnId, item: { type: "plan", id: `${turnId}-plan`, text } });
  const plansIn = (records: readonly JsonObject[]) => {
    const { told } = read(codexAppServer, records);
    return told.flatMap((one) => (one.type === "plan.changed" ? [one.plan] : []));
  };

  test("a plan is a draft, line by line, until its item is complete", () => {
    const records = turn("u1", ...writes("u1", "# Ren", "ame\n", "- a", "\n- b"), proposes("u1", "# Rename\n- a\n- b"));
    expect(plansIn(records)).toEqual([
      { key: "u1", text: "# Rename\n", status: "draft" },
      { key: "u1", text: "# Rename\n- a\n", status: "draft" },
      { key: "u1", text: "# Rename\n- a\n- b", status: "proposed" },
    ]);
  });

  test.each([
    ["the turn ends", []],
    ["the item is empty", [proposes("u2", "")]],
  ])("a draft is dropped when %s, and the plan before it holds", (_, records) => {
    const first = turn("u1", proposes("u1", "A"));
    const proposed = { key: "u1", text: "A", status: "proposed" };
    const plans = plansIn([...first, ...turn("u2", ...writes("u2", "B\n"), ...records)]);
    expect(plans).toEqual([proposed, { key: "u2", text: "B\n", status: "draft" }, proposed]);
    const { view } = read(codexAppServer, [...first, ...turn("u2", ...writes("u2", "B\n"), ...records)]);
    expect(view("t1").plans).toEqual([{ ...proposed, at: 0 }]);
  });

  test.each([
    ["completed", { phase: "asking", shown: { reason: "plan", text: "Rename" } }],
    ["interrupted", { phase: "resting", shown: { reason: "interrupted" } }],
  ])("a turn that is %s after it proposed a plan", (status, expected) => {
    const over = note("turn/completed", { turn: { id: "u1", status } });
    const records = [note("turn/started", { turn: { id: "u1" } }), proposes("u1", "# Rename\n- a"), over];
    expect(read(codexAppServer, records).view("t1")).toMatchObject(expected);
    expect(read(codexAppServer, [...records, ...turn("u2")]).view("t1").phase).toBe("resting");
  });

  test("a plan is written anew in the same turn, or in the next one", () => {
    const again = [...writes("u1", "B\n"), proposes("u1", "B")];
    const next = turn("u2", ...writes("u2", "C\n"), proposes("u2", "C"));
    const { view } = read(codexAppServer, [...turn("u1", proposes("u1", "A"), ...again), ...next]);
    expect(view("t1").plans.map(({ key, text, status }) => `${key} ${text} ${status}`)).toEqual([
      "u1 B proposed",
      "u2 C proposed",
    ]);
  });

  test("a draft goes on after a pause of the reader", () => {
    const before = codexAppServer.open("x.jsonl");
    const [started = {}, ...rest] = turn("u1", ...writes("u1", "# A\n", "- b\n"), proposes("u1", "# A\n- b\n"));
    before.read(started);
    before.read(rest[0] ?? {});
    const after = codexAppServer.open("x.jsonl", { saved: JSON.parse(JSON.stringify(before.save())) });
    const told = rest.slice(1).flatMap((record) => after.read(record));
    expect(told.flatMap((one) => (one.type === "plan.changed" ? [one.plan] : []))).toEqual([
      { key: "u1", text: "# A\n- b\n", status: "draft" },
      { key: "u1", text: "# A\n- b\n", status: "proposed" },
    ]);
  });

  test("calls, names and what was interrupted", () => {
    const { view } = read(codexAppServer, [
      note("turn/started"),
      item("started", "commandExecution", { command: "ls" }),
      item("completed", "commandExecution", { command: "ls", status: "failed", exitCode: 2 }),
      item("started", "mcpToolCall", { id: "i2", server: "s", tool: "t" }),
      note("thread/name/updated", { threadName: "Named" }),
      item("completed", "agentMessage", { id: "i3", text: "Shall I?" }),
      note("turn/completed", { turn: { status: "interrupted" } }),
    ]);
    expect(view("t1")).toMatchObject({ calls: { total: 2, failed: 1 }, title: "Named", phase: "resting", open: [] });
  });

  test("only so many threads are kept", () => {
    const reader = codexAppServer.open("x.jsonl");
    for (let at = 0; at < 500; at += 1) reader.read(note("turn/started", { threadId: `t${at}` }));
    expect(JSON.stringify(reader.save()).length).toBeLessThan(50_000);
  });
});
