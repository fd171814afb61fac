import { describe, expect, test } from "vitest";
import { judgeTodos } from "../grounding/judged.js";
import { NO_SEEN_WORK } from "../grounding/seen-work.js";
import { NO_FACTS } from "../grounding/todo-facts.js";
import { evolveHistory, NO_SESSION_HISTORY } from "../session/session-history.js";
import type { Todo } from "../todo/list.js";
import {
  type CallHistory,
  callsOf,
  evolveCalls,
  isCallHistory,
  lastEnd,
  NO_CALL_HISTORY,
  workOf,
} from "./call-history.js";

type Logged = Parameters<typeof evolveCalls>[1][number];
const ended = (at: number, data: object = {}) => ({ type: "call.ended", at, data: { tool: "Bash", ...data } });
const started = (at: number, call: unknown) => ({ type: "call.started", at, data: { tool: "todo", call } });
const fold = (...events: Logged[]) => evolveCalls(NO_CALL_HISTORY, events);

describe("calls are counted by how they ended", () => {
  const cases: { name: string; data: object; own: object }[] = [
    { name: "completed", data: { status: "completed" }, own: { completed: 1 } },
    { name: "failed", data: { status: "failed" }, own: { failed: 1 } },
    { name: "cancelled", data: { status: "cancelled" }, own: { cancelled: 1 } },
    { name: "a newer version's word is no failure", data: { status: "paused" }, own: { completed: 1 } },
    { name: "nothing but that it ended", data: { tool: 7, call: {} }, own: { completed: 1 } },
    { name: "null is no sub-agent", data: { agent: null }, own: { completed: 1 } },
    { name: "a sub-agent's are not the session's", data: { agent: "a1" }, own: { completed: 0 } },
    { name: "nobody's", data: { agent: 7 }, own: { completed: 0 } },
    { name: "a caller that no session can have", data: { agent: "x".repeat(1000) }, own: { completed: 0 } },
  ];
  test.each(cases)("$name", ({ data, own }) => {
    const history = fold(ended(5, data));
    expect(history.own).toMatchObject(own);
    expect(history.at).toBe(5);
  });

  test("each sub-agent for itself", () => {
    const history = fold(ended(1), ended(2, { agent: "a", status: "failed" }), ended(3, { agent: "b" }), ended(4));
    expect(callsOf(history, undefined)).toMatchObject({ completed: 2, failed: 0, startedAt: 1, endedAt: 4 });
    expect(callsOf(history, "a")).toMatchObject({ completed: 0, failed: 1 });
    expect(callsOf(history, "c")).toMatchObject({ completed: 0, failed: 0, runs: [] });
    expect(history.last).toEqual({ tool: "Bash", outcome: "completed", at: 4 });
    expect(lastEnd(fold(ended(1), ended(9, { agent: "a" })))).toBe(9);
  });

  test("the last call is the last by the clock, whoever is told of late", () => {
    expect(fold(ended(8, { tool: "Edit", agent: "a" }), ended(3)).last).toMatchObject({ tool: "Edit", agent: "a" });
  });
});

describe("open calls", () => {
  test("one that ends is no longer open, and one without a name cannot be", () => {
    const history = fold(
      started(1, "c1"),
      started(2, "c2"),
      started(3, 7),
      started(4, undefined),
      ended(5, { call: "c1" }),
    );
    expect(history.open).toEqual([{ call: "c2", tool: "todo", at: 2 }]);
  });

  const about = (data: object) =>
    fold({ type: "call.started", at: 1, data: { tool: "Bash", call: "c", ...data } }).open;
  test.each([
    ["what it is about, and whose it is", { subject: "npm test", agent: "a1" }, { subject: "npm test", agent: "a1" }],
    ["no words", { subject: "" }, {}],
    ["a subject that is none", { subject: { toString: 0 } }, {}],
    ["a long one", { subject: "x".repeat(5000) }, { subject: "x".repeat(200) }],
    ["null is nobody", { agent: null, subject: null }, {}],
  ])("%s", (_, data, then) => expect(about(data)).toEqual([{ call: "c", tool: "Bash", at: 1, ...then }]));

  test("what is said later of a call counts", () => {
    const updated = { type: "call.updated", at: 2, data: { call: "c1", tool: "x", subject: "half", progress: 0.5 } };
    expect(fold(started(1, "c1"), updated).open).toMatchObject([{ subject: "half", progress: 0.5, at: 1 }]);
  });

  test("the end of a call that has no id ends nobody else's", () => {
    expect(fold(started(1, "c1"), ended(2)).open).toHaveLength(1);
  });
});

test("other events are a sign of life, and nothing else", () => {
  expect(fold({ type: "call.blessed", at: 9, data: { call: "x" } })).toEqual({ ...NO_CALL_HISTORY, at: 9 });
});

describe("its size is bounded", () => {
  const bad = '\u0000"\\\ud800';
  /** Every string as long as it can be, every number as large; mostly sub-agents. */
  const mad = Array.from({ length: 3000 }, (_, at) =>
    at % 3 === 0
      ? started(1.7e12 + at * 1e8, at % 2 ? `call-${at}-${"x".repeat(150)}` : `call-${at}-${bad.repeat(40)}`)
      : ended(1.7e12 + at * 1e8, {
          tool: (at % 2 ? "T" : bad).repeat(5000),
          call: `call-${at}-${"y".repeat(50)}`,
          status: at % 2 ? "failed" : "completed",
          agent: at % 5 ? `a${at % 300}${"z".repeat(120)}` : undefined,
          milliseconds: at % 7 ? 9e8 : 9e15,
          subject: (at % 2 ? "npm test " : bad).repeat(500),
          facts: {
            kind: "edit",
            files: Array.from({ length: 30 }, (_file, file) => `${at * file}/${(at % 4 ? "f" : bad).repeat(300)}`),
            added: 9e15,
            removed: 9e15,
            check: "screenshot",
            result: at % 3 === 1 ? "passed" : "unknown",
          },
        }),
  );

  test("whatever is told", () => {
    const history = fold(...mad);
    expect(JSON.stringify(history).length).toBeLessThan(40_000);
    expect(isCallHistory(JSON.parse(JSON.stringify(history)))).toBe(true);
    const own = mad.filter(({ type, data }) => type === "call.ended" && !("agent" in data && data.agent)).length;
    expect(history.own.completed + history.own.failed).toBe(own);
  });

  test("what is joined keeps sums, the last edit and the last check", () => {
    const edit = (at: number) => ended(at, { facts: { kind: "edit", added: 2, removed: 1, files: [`f${at % 30}`] } });
    const check = (at: number, result: string) =>
      ended(at, { facts: { kind: "execute", check: "tests", result }, subject: "npm test" });
    const many = Array.from({ length: 2000 }, (_, at) => (at % 10 === 9 ? check(at + 1, "failed") : edit(at + 1)));
    const history = fold(
      ...many,
      check(3000, "passed"),
      edit(3001),
      ...Array.from({ length: 500 }, (_, at) => ended(4000 + at)),
    );
    const spans = [[1, 0, 10_000]] as const;
    const todo = { number: 1, text: "x", status: "completed", notes: [], evidence: [] } as const;
    const facts = judgeTodos(spans, { ...NO_SEEN_WORK, runs: workOf(history, undefined), files: history.files })?.(
      todo,
    ).facts;
    expect(facts).toMatchObject({ calls: 2502, added: 2 * 1801, removed: 1801, editedAt: 3001 });
    expect(facts?.check).toEqual({ kind: "tests", result: "passed", at: 3000, title: "npm test" });
    expect(facts?.files.length).toBe(8);
  });

  test.each([
    ["nothing", undefined],
    ["more open calls than are kept", { ...NO_CALL_HISTORY, open: Array(151).fill({ call: "", tool: "", at: 1 }) }],
    ["runs that are none", { ...NO_CALL_HISTORY, own: { ...NO_CALL_HISTORY.own, runs: [[1, 2, 3, 4, 2]] } }],
    [
      "more runs than are kept",
      { ...NO_CALL_HISTORY, own: { ...NO_CALL_HISTORY.own, runs: Array(999).fill([1, 0, 1, 0, 0]) } },
    ],
    ["a count below nothing", { ...NO_CALL_HISTORY, own: { ...NO_CALL_HISTORY.own, failed: -1 } }],
  ])("no state of ours: %s", (_, state) => {
    expect(isCallHistory(state)).toBe(false);
  });
});

test("a list of a hundred todos is told apart after ten thousand calls", () => {
  const revision = 1;
  const own: Logged[] = [{ type: "phase.opened", at: 0, data: { name: "", revision } }];
  const calls: Logged[] = [];
  for (let number = 1; number <= 100; number += 1)
    own.push({
      type: "todo.added",
      at: 0,
      data: { number, phase: 0, text: "x", status: "pending", revision },
    });
  for (let number = 1; number <= 100; number += 1) {
    const at = number * 1_000_000;
    own.push({ type: "todo.moved", at, data: { number, from: "pending", to: "completed", revision } });
    calls.push(ended(at, { tool: "TodoWrite" }));
    // It is the next one's turn: every fourth does nothing, of every fifth the last call fails.
    const next = number + 1;
    for (let call = 1; call <= 100 && next % 4 !== 0; call += 1)
      calls.push(
        ended(at + call * 3000, {
          status: call % 9 === 0 || (call === 100 && next % 5 === 0) ? "failed" : "completed",
        }),
      );
  }
  const { spans } = evolveHistory(NO_SESSION_HISTORY, own).work;
  const judge = judgeTodos(spans, { ...NO_SEEN_WORK, runs: fold(...calls).own.runs });
  const judged = (todo: Todo) => judge?.(todo) ?? { facts: NO_FACTS, judgement: null };
  for (let number = 2; number <= 100; number += 1) {
    const { facts, judgement } = judged({ number, text: "x", status: "completed", notes: [], evidence: [] });
    expect([number, judgement?.verdict]).toEqual([number, number % 4 === 0 ? "unbacked" : "worked"]);
    expect([number, facts.failures > 11]).toEqual([number, number % 4 !== 0 && number % 5 === 0]);
  }
});

test("what an older version has kept goes on", () => {
  const runs = Array.from({ length: 128 }, (_, at) => [1000 + at, 0, 1, at % 2, 0]);
  const counts = { completed: 128, failed: 0, cancelled: 0, startedAt: 1000, endedAt: 1127, isCut: false };
  const old = {
    at: 1127,
    open: [],
    own: { ...counts, runs },
    agents: [{ ...counts, agent: "a", runs: runs.slice(0, 8) }],
  };
  expect(isCallHistory(old)).toBe(true);
  const history = evolveCalls(old as unknown as CallHistory, [ended(2000)]);
  expect(history.own.runs.reduce((sum, [, , calls]) => sum + calls, 0)).toBe(129);
  expect(callsOf(history, "a")).toMatchObject({ completed: 128, runs: { length: 8 } });
  expect(isCallHistory(JSON.parse(JSON.stringify(history)))).toBe(true);
});

describe("a call is placed by when it started", () => {
  test.each<[string, Logged[], number]>([
    ["by how long it took", [ended(900, { milliseconds: 300 })], 600],
    ["by its start", [started(500, "c"), ended(900, { call: "c", milliseconds: 300 })], 500],
    ["by its end, where nothing else is told", [ended(900)], 900],
    ["never before the clock began", [ended(900, { milliseconds: 1e12 })], 0],
  ])("%s", (_, events, from) => {
    expect(fold(...events).own.runs[0]?.[0]).toBe(from);
  });
});
