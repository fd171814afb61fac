import { describe, expect, test } from "vitest";
import { newView, verdictOf } from "../session/session-facts.js";
import { evolveHistory, NO_SESSION_HISTORY } from "../session/session-history.js";
import { todoWork } from "../session/work-times.js";
import { callsOf, evolveCalls, isCallHistory, lastEnd, NO_CALL_HISTORY } from "./call-history.js";

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

  test("the end of a call that has no id ends nobody else's", () => {
    expect(fold(started(1, "c1"), ended(2)).open).toHaveLength(1);
  });
});

test("other events are a sign of life, and nothing else", () => {
  expect(fold({ type: "call.blessed", at: 9, data: { call: "x" } })).toEqual({ ...NO_CALL_HISTORY, at: 9 });
});

describe("its size is bounded", () => {
  const mad = Array.from({ length: 20_000 }, (_, at) =>
    at % 3 === 0
      ? started(at, `call-${at}-${"x".repeat(150)}`)
      : ended(at, {
          tool: "T".repeat(5000),
          status: at % 2 ? "failed" : "completed",
          agent: at % 5 ? `a${at}` : undefined,
        }),
  );

  test("whatever is told", () => {
    const history = fold(...mad);
    expect(JSON.stringify(history).length).toBeLessThan(40_000);
    expect(isCallHistory(JSON.parse(JSON.stringify(history)))).toBe(true);
    const own = mad.filter(({ type, data }) => type === "call.ended" && !("agent" in data && data.agent)).length;
    expect(history.own.completed + history.own.failed).toBe(own);
  });

  test.each([
    ["nothing", undefined],
    ["more open calls than are kept", { ...NO_CALL_HISTORY, open: Array(51).fill({ call: "", tool: "", at: 1 }) }],
    ["runs that are none", { ...NO_CALL_HISTORY, own: { ...NO_CALL_HISTORY.own, runs: [[1, 2, 3, 4, 5]] } }],
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
  const work = todoWork(evolveHistory(NO_SESSION_HISTORY, own).work, fold(...calls).own.runs);
  for (let number = 2; number <= 100; number += 1) {
    const todo = { number, text: "x", status: "completed", notes: [], evidence: [] } as const;
    const expected = number % 4 === 0 ? "nothing-ran" : number % 5 === 0 ? "last-failed" : "ran";
    expect([number, verdictOf({ ...newView("s"), work }, todo)]).toEqual([number, expected]);
  }
});
