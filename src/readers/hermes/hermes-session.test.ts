import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { todosOf } from "../../core/todo/list.js";
import { fingerprint } from "../memory.js";
import { Transcript } from "../transcript.js";
import { isCompactedRow, isLiveRow, messageOfRow, recordOfRows } from "./database-rows.js";
import { hermesGateway } from "./gateway.js";
import { HermesSession } from "./hermes-session.js";
import { hermesSessions } from "./session-files.js";

const HEADER = "[Your active task list was preserved across context compression]";
const OLDEST = "[Your task list was preserved across context compression]";
const SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] so far";

const user = (content: unknown): JsonObject => ({ role: "user", content });
const says = (content: string): JsonObject => ({ role: "assistant", content });
const calls = (id: string, name: string, input: unknown = "{}"): JsonObject => ({
  role: "assistant",
  tool_calls: [{ id, function: { name, arguments: input } }],
});
const answers = (id: string, content: unknown): JsonObject => ({ role: "tool", tool_call_id: id, content });
const list = (...texts: readonly string[]) =>
  JSON.stringify({ todos: texts.map((content, at) => ({ id: at, content, status: "pending" })) });

function told(...messages: readonly JsonObject[]): readonly Fact[] {
  const session = new HermesSession("s1");
  for (const message of messages) session.read(message);
  return session.take();
}
const types = (...messages: readonly JsonObject[]) => told(...messages).map(({ type }) => type);

describe("what a message tells", () => {
  const rows: readonly (readonly [string, readonly JsonObject[], readonly Fact["type"][]])[] = [
    ["a person's words begin a turn", [user("Go")], ["turn.started", "title.given"]],
    ["the last answer ends it", [user(""), says("Done.")], ["turn.started", "words.said", "turn.ended"]],
    ["one without words, too", [user(""), says("")], ["turn.started", "turn.ended"]],
    ["a call is no last answer", [user(""), calls("c", "terminal")], ["turn.started", "call.started"]],
    ["an answer", [answers("c", "ok")], ["call.ended"]],
    ["the list after a compaction", [user(`${HEADER}\n- [ ] 1. A (pending)`)], ["context.compacted"]],
    ["its oldest header", [user(`${OLDEST}\n- [x] 1. A (completed)`)], ["context.compacted"]],
    ["a summary", [user(SUMMARY)], ["context.compacted"]],
    ["both are one compaction", [user(SUMMARY), user(HEADER)], ["context.compacted"]],
    ["twice are two", [user(SUMMARY), user(HEADER), user(SUMMARY)], ["context.compacted", "context.compacted"]],
    [
      "words with the list behind them",
      [user(`Go\n\n${HEADER}`)],
      ["context.compacted", "turn.started", "title.given"],
    ],
    ["words about the header", [user(`What is ${HEADER}?`)], ["turn.started", "title.given"]],
    ["the system tells nothing", [{ role: "system", content: "x" }, { role: 7 }, {}], []],
  ];
  test.each(rows)("%s", (_name, messages, expected) => expect(types(...messages)).toEqual(expected));

  test("a title is what the person said", () => {
    expect(told(user([{ type: "text", text: `Go  on\n\n${HEADER}` }])).at(-1)).toMatchObject({
      title: "Go on",
      by: "person",
    });
  });

  test.each([
    ["Shall I?", true],
    ["Done.", false],
  ])("%s waits: %s", (text, isAsking) => {
    expect(told(user("x"), says(text)).at(-1)).toMatchObject({ type: "turn.ended", isAsking });
  });

  test("calls: what for, and whether they are the work itself", () => {
    const [run] = told(calls("c", "terminal", '{"command":"npm  test"}'));
    expect(run).toMatchObject({ tool: "terminal", subject: "npm test", isWork: true, isAsking: false });
    expect(told(calls("c", "todo_list"))[0]).toMatchObject({ isWork: false });
    expect(told(calls("c", "tool_call", '{"name":"todo_list","arguments":{}}'))[0]).toMatchObject({ isWork: false });
    expect(told(calls("c", "clarify"))[0]).toMatchObject({ isAsking: true, isWork: false });
  });
});

describe("how a call ended", () => {
  const rows: readonly (readonly [unknown, string, string?])[] = [
    ["fine", "completed"],
    ["Error executing tool 'x': boom", "failed", "Error executing tool 'x': boom"],
    ['{"success": false, "error": "no"}', "failed", "no"],
    ['{"ok": false}', "failed", '{"ok": false}'],
    ['{"exit_code": 2, "output": ""}', "failed", "exit code 2"],
    ['{"returncode": -9}', "failed", "exit code -9"],
    ['{"exit_code": 0, "error": null}', "completed"],
    ['{"exit_code": "2"}', "completed"],
    ['{"error": "gone"}', "failed", "gone"],
    ['{"error": "part", "content": "rest"}', "completed"],
    ['{"error": ""}', "completed"],
    ['{"error": "half', "completed"],
    [{ success: false, error: "decoded" }, "failed", "decoded"],
    [null, "completed"],
  ];
  test.each(rows)("%j: %s", (content, status, problem) => {
    expect(told(answers("c", content))[0]).toMatchObject({
      type: "call.ended",
      status,
      ...(problem ? { problem } : {}),
    });
  });
});

const row = (id: number, fields: JsonObject): JsonObject => ({
  id,
  session_id: "s1",
  timestamp: 1788300000 + id,
  ...fields,
});
const rowCall = (id: string) => JSON.stringify([{ id, function: { name: "todo", arguments: "{}" } }]);

describe("rows of the database", () => {
  test("a row is a message", () => {
    expect(messageOfRow(row(1, { role: "user", content: '\0json:[{"type":"text","text":"Hi"}]' }))).toMatchObject({
      role: "user",
      content: [{ type: "text", text: "Hi" }],
      timestamp: 1788300001,
    });
    expect(messageOfRow(row(1, { role: "assistant", content: "json:[]", tool_calls: rowCall("c") }))).toMatchObject({
      content: "json:[]",
      tool_calls: [{ id: "c" }],
    });
    expect(messageOfRow(row(1, { role: "assistant", tool_calls: "{broken" }))).not.toHaveProperty("tool_calls");
  });

  test.each([
    [{}, true, false],
    [{ active: 1, compacted: 0 }, true, false],
    [{ active: 0, compacted: 1 }, false, true],
    [{ active: 0, compacted: 0 }, false, false],
    [{ active: 1n }, true, false],
  ])("%o", (fields, isLive, isCompacted) => {
    expect([isLiveRow(fields), isCompactedRow(fields)]).toEqual([isLive, isCompacted]);
  });

  const viewOf = (record: JsonObject) => {
    const transcript = new Transcript({ file: "state.db", format: hermesSessions });
    transcript.tell(record);
    return transcript.views.get("s1");
  };
  const session = { id: "s1", source: "cli", started_at: 1788300000, title: "T" };
  const wrote = (id: number, call: string, text: string, fields: JsonObject = {}) => [
    row(id, { role: "assistant", tool_calls: rowCall(call), ...fields }),
    row(id + 1, { role: "tool", tool_call_id: call, content: list(text), ...fields }),
  ];
  const PUT_AWAY = { active: 0, compacted: 1 };

  test("the list goes on across a compaction, what was counted then does not", () => {
    const messages = [
      ...wrote(1, "a", "Old", PUT_AWAY),
      ...wrote(3, "b", "New", PUT_AWAY),
      row(5, { role: "user", content: HEADER, ...PUT_AWAY }),
      // The head of the talk is kept, and is older than what was put away.
      ...wrote(6, "a", "Old", { active: 1 }),
      row(8, { role: "user", content: `Go on\n\n${HEADER}`, active: 1 }),
    ];
    const view = viewOf(recordOfRows({ session, messages }));
    expect(view).toMatchObject({ turns: 1, compactions: 2, calls: { total: 1 }, title: "T" });
    expect(view && todosOf(view.list)).toMatchObject([{ text: "New" }]);
  });

  test("an answer to a call of the same id is a copy only if it says the same", () => {
    const messages = [
      ...wrote(1, "call_0", "Old", PUT_AWAY),
      ...wrote(3, "call_1", "New", PUT_AWAY),
      ...wrote(5, "call_0", "Old", { active: 1 }),
      ...wrote(7, "call_0", "Newest", { active: 1 }),
    ];
    const listOf = (rows: readonly JsonObject[]) => {
      const view = viewOf(recordOfRows({ session, messages: rows }));
      return view && todosOf(view.list).map(({ text }) => text);
    };
    expect(listOf(messages.slice(0, -2))).toEqual(["New"]);
    expect(listOf(messages)).toEqual(["Newest"]);
    expect(listOf([...messages, ...wrote(9, "call_0", "Old")])).toEqual(["Old"]);
  });

  test("what a person took back does not", () => {
    const messages = [...wrote(1, "a", "Kept", { active: 1 }), ...wrote(3, "b", "Gone", { active: 0, compacted: 0 })];
    const view = viewOf(recordOfRows({ session, messages }));
    expect(view && todosOf(view.list)).toMatchObject([{ text: "Kept" }]);
  });

  test.each([
    ["compression", null],
    ["branched", null],
    ["completed", "s0"],
    [null, "s0"],
  ])("a parent that ended with %s", (end_reason, parent) => {
    const record = recordOfRows({
      session: { ...session, parent_session_id: "s0" },
      parent: { id: "s0", end_reason },
      messages: [],
      earlier: wrote(1, "a", "Before"),
    });
    expect(viewOf(record)).toMatchObject({ parent, list: { phases: [{ todos: [{ text: "Before" }] }] } });
  });

  test.each(["compression", "branched"])(
    "a child from before its parent ended with %s is a sub-agent",
    (end_reason) => {
      const parent = { id: "s0", end_reason, ended_at: 1788300010 };
      const childAt = (started_at: number) =>
        viewOf(recordOfRows({ session: { ...session, parent_session_id: "s0", started_at }, parent, messages: [] }));
      expect([childAt(1788300009)?.parent, childAt(1788300010)?.parent]).toEqual(["s0", null]);
    },
  );

  test("a session that was ended is not at work", () => {
    const messages = [row(1, { role: "user", content: "Go" })];
    expect(viewOf(recordOfRows({ session, messages }))?.phase).toBe("working");
    expect(viewOf(recordOfRows({ session: { ...session, ended_at: 1788309999 }, messages }))).toMatchObject({
      phase: "resting",
      at: 1788309999000,
    });
  });
});

describe("sessions of one file that go on with each other", () => {
  const said = (call: string, text: string) => [calls(call, "todo"), answers(call, list(text))];
  const session = (id: string, parent: string | null, at: number, messages: readonly JsonObject[]): JsonObject => ({
    id,
    source: "cli",
    parent_session_id: parent,
    started_at: 1788300000 + at,
    ended_at: 1788300000 + at + 9,
    end_reason: "compression",
    messages,
  });
  const records = [
    session("s1", null, 0, [...said("a", "First"), ...said("b", "Last")]),
    // Only what was copied from before.
    session("s2", "s1", 10, said("a", "First")),
    session("s3", "s2", 20, []),
    session("s4", "s3", 30, said("a", "Own")),
    session("agent", "s1", 5, []),
    session("round", "round", 50, []),
  ];
  const told = (order: readonly JsonObject[], isCut = false) => {
    let transcript = new Transcript({ file: "export.jsonl" });
    for (const record of order) {
      transcript.push(Buffer.from(`${JSON.stringify(record)}\n`));
      if (isCut) transcript = new Transcript({ file: "export.jsonl", saved: transcript.save() });
    }
    const views = [...transcript.views.values()].map(
      ({ id, parent, list: found }) => `${id} ${parent} ${todosOf(found).map(({ text }) => text)}`,
    );
    return views.sort();
  };
  const WANTED = ["agent s1 ", "round null ", "s1 null Last", "s2 null Last", "s3 null Last", "s4 null Own"];

  const ORDERS: readonly (readonly [string, readonly JsonObject[]])[] = [
    ["the first one first", records],
    ["the last one first, as they are exported", records.toReversed()],
    ["in any order", records.toSorted((a, b) => (fingerprint(String(a.id)) < fingerprint(String(b.id)) ? -1 : 1))],
  ];
  test.each(ORDERS)("%s", (_, order) => {
    expect(told(order)).toEqual(WANTED);
    expect(told(order, true)).toEqual(WANTED);
  });

  test("a circle ends", () => {
    const order = [session("a", "b", 0, []), session("b", "a", 0, [])].map(({ ended_at: _, ...rest }) => rest);
    expect(told(order)).toEqual(["a null ", "b null "]);
  });

  test("what is kept is bounded", () => {
    const transcript = new Transcript({ file: "export.jsonl" });
    for (let at = 0; at < 500; at += 1) transcript.tell(session(`s${at}`, `s${at - 1}`, 10 * at, []));
    expect(JSON.parse(transcript.save()?.reader ?? "")).toHaveLength(100);
  });
});

describe("which records are whose", () => {
  test.each([[[{ toString: 0 }]], [{ toString: 0 }], [["user"]], [null], [7]])(
    "a role that is no text tells nothing: %j",
    (role) => {
      expect(hermesGateway.open("a.jsonl").read({ role, content: "x", timestamp: 1 })).toEqual([]);
    },
  );

  test.each([
    [{ role: "session_meta" }, true],
    [{ role: "user", content: "x", timestamp: 1 }, true],
    [{ role: "user", content: "x" }, false],
    [{ role: "tool", tool_call_id: "c", content: "" }, true],
    [{ role: "assistant", tool_calls: [] }, true],
    [{ role: "assistant", content: "x", type: "message", timestamp: 1 }, false],
    [{ type: "message", message: { role: "user" } }, false],
  ])("a message: %j", (record, isOurs) => expect(hermesGateway.recognises(record)).toBe(isOurs));

  test.each([
    [{ id: "a", source: "cli", messages: [] }, true],
    [{ session_id: "a", session_start: "2026-04-15", messages: [] }, true],
    [{ id: "a", messages: [] }, false],
    [{ id: "../a", source: "cli", messages: [] }, false],
    [{ source: "cli", messages: [{ role: "user" }] }, false],
  ])("a session: %j", (record, isOurs) => expect(hermesSessions.recognises(record)).toBe(isOurs));

  test("a file with a name that is no id still has one", () => {
    const transcript = new Transcript({ file: "my chat.jsonl" });
    transcript.tell({ role: "session_meta", model: "m" });
    expect([...transcript.views.keys()][0]).toMatch(/^hermes-[a-z0-9.]+$/);
  });

  test("the first line may say its id", () => {
    const transcript = new Transcript({ file: "a.jsonl" });
    transcript.tell({ role: "session_meta", session_id: "b" });
    transcript.tell({ role: "user", content: "x" });
    expect([...transcript.views.keys()]).toEqual(["b"]);
  });
});
