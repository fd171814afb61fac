import { describe, expect, test } from "vitest";
import type { Fact } from "../session/observation.js";
import { EMPTY_LIST, type TodoList } from "../todo/list.js";
import { changeOfTurn, lengthOf, recentCalls, type Timeline, workedSpans } from "./timeline.js";
import { MOST_CALLS, TimelineFold } from "./timeline-fold.js";

type Told = readonly [at: number, fact: Fact, agent?: string];

const began = (call: string, more: object = {}): Fact => {
  return { type: "call.started", call, tool: "Bash", isWork: true, isAsking: false, ...more };
};
const ended = (call: string, more: object = {}): Fact => ({ type: "call.ended", call, status: "completed", ...more });
const turn: Fact = { type: "turn.started" };
const over: Fact = { type: "turn.ended", isAsking: false };
const edits = (...files: string[]) => ({ facts: { kind: "edit", signature: "", files } });
const listed = (...statuses: TodoList["phases"][number]["todos"][number]["status"][]): Fact => {
  const todos = statuses.map((status, at) => ({ number: at + 1, text: `t${at + 1}`, status, notes: [], evidence: [] }));
  return { type: "list.changed", list: { ...EMPTY_LIST, revision: 1, phases: [{ name: "", todos }] } };
};

function seen(...told: readonly Told[]): Timeline {
  const fold = new TimelineFold();
  for (const [at, fact, agent = null] of told) fold.observe({ ...fact, session: "s", at }, agent);
  return fold.timeline();
}

describe("calls", () => {
  const cases: { name: string; told: readonly Told[]; calls: readonly object[] }[] = [
    {
      name: "one that runs",
      told: [[5, began("a", { subject: "npm test" })]],
      calls: [{ call: "a", subject: "npm test", at: 5, end: null, status: "running", agent: null }],
    },
    {
      name: "one that has ended",
      told: [
        [5, began("a")],
        [9, ended("a")],
      ],
      calls: [{ end: 9, status: "completed" }],
    },
    {
      name: "an end before its start counts as none",
      told: [
        [9, began("a")],
        [5, ended("a")],
      ],
      calls: [{ end: 9 }],
    },
    { name: "an end of what never began tells nothing", told: [[5, ended("a")]], calls: [] },
    {
      name: "a turn that ends leaves none running",
      told: [
        [5, began("a")],
        [9, over],
      ],
      calls: [{ status: "lost" }],
    },
    {
      name: "a late answer is still one",
      told: [
        [5, began("a")],
        [9, over],
        [12, ended("a", { status: "failed" })],
      ],
      calls: [{ status: "failed", end: 12 }],
    },
    {
      name: "a sub-agent goes on when the turn of its session ends",
      told: [
        [5, began("a"), "x1"],
        [9, over],
      ],
      calls: [{ agent: "x1", status: "running" }],
    },
    {
      name: "the same id in two agents is two calls",
      told: [
        [5, began("a")],
        [6, began("a"), "x1"],
        [7, ended("a"), "x1"],
      ],
      calls: [
        { agent: null, status: "running" },
        { agent: "x1", status: "completed" },
      ],
    },
    {
      name: "an id that is given again",
      told: [
        [5, began("1")],
        [6, ended("1")],
        [7, began("1")],
      ],
      calls: [{ at: 5, end: 6 }, { at: 7 }],
    },
    {
      name: "a record that was copied",
      told: [
        [5, began("a")],
        [6, ended("a")],
        [5, began("a")],
      ],
      calls: [{ at: 5, end: 6 }],
    },
    {
      name: "in the order of time",
      told: [
        [9, began("a"), "x1"],
        [5, began("b")],
      ],
      calls: [{ call: "b" }, { call: "a" }],
    },
    {
      name: "a tool of a server",
      told: [[1, began("a", { server: "db", tool: "query" })]],
      calls: [{ tool: "db/query" }],
    },
    { name: "a list tool is not the work", told: [[1, began("a", { isWork: false })]], calls: [{ isList: true }] },
    {
      name: "a check and its result",
      told: [
        [1, began("a", { facts: { kind: "execute", signature: "", check: "tests" } })],
        [2, ended("a", { facts: { result: "failed" } })],
      ],
      calls: [{ kind: "execute", check: "tests", result: "failed", isChange: false }],
    },
    {
      name: "a change, and one that changed nothing",
      told: [
        [1, began("a", edits("/w/a"))],
        [2, ended("a", { facts: { added: 3, removed: 1 } })],
        [3, began("b", edits("/w/a"))],
        [4, ended("b", { facts: { isUnchanged: true } })],
      ],
      calls: [{ isChange: true, files: ["/w/a"], added: 3, removed: 1 }, { isChange: false }],
    },
  ];
  test.each(cases)("$name", ({ told, calls }) => {
    const { calls: found } = seen(...told);
    expect(found).toHaveLength(calls.length);
    expect(found).toMatchObject(calls);
  });

  test("of too many the newest are kept, and the others are counted", () => {
    const fold = new TimelineFold();
    for (let at = 0; at < MOST_CALLS + 3; at += 1) fold.observe({ ...began(`c${at}`), session: "s", at }, null);
    const { calls, leftOut } = fold.timeline();
    expect([calls.length, calls[0]?.call, leftOut]).toEqual([MOST_CALLS, "c3", 3]);
  });
});

describe("turns, compactions and todos", () => {
  test("a turn that begins ends the one before; one that was none is gone", () => {
    expect(seen([1, turn], [5, turn], [9, over], [10, turn], [11, { type: "turn.undone" }]).turns).toEqual([
      { at: 1, end: 5 },
      { at: 5, end: 9 },
    ]);
    expect(seen([1, turn]).turns).toEqual([{ at: 1, end: null }]);
  });

  test("what a sub-agent compacts, begins and lists is its own", () => {
    const { turns, compactions, todos } = seen(
      [1, turn, "x"],
      [2, { type: "context.compacted" }, "x"],
      [3, listed("pending"), "x"],
    );
    expect([turns, compactions, todos]).toEqual([[], [], []]);
    expect(seen([7, { type: "context.compacted" }]).compactions).toEqual([7]);
  });

  test("bars: what was in progress, and the first open one where nobody says", () => {
    const { todos } = seen(
      [10, listed("in_progress", "pending")],
      [20, listed("completed", "in_progress")],
      [30, listed("completed", "completed")],
    );
    expect(todos.map(({ spans }) => spans)).toEqual([[{ at: 10, end: 20 }], [{ at: 20, end: 30 }]]);
    expect(seen([10, listed("pending", "pending")]).todos[0]?.spans).toEqual([{ at: 10, end: null }]);
  });

  test("work that is written down afterwards began with the session, and not in 1970", () => {
    expect(seen([10, turn], [20, listed("completed")]).todos[0]?.spans).toEqual([{ at: 10, end: 20 }]);
    expect(seen([20, listed("completed")]).todos[0]?.spans).toEqual([]);
  });

  test("a todo that has left the list is still there", () => {
    const { todos } = seen([10, listed("in_progress", "pending")], [20, listed("completed")]);
    expect(todos).toMatchObject([
      { number: 1, isCurrent: true },
      { number: 2, status: "pending", isCurrent: false },
    ]);
  });

  test("tasks of the client where there is no list", () => {
    const task = (status: "in_progress" | "completed"): Fact => {
      return { type: "task.changed", task: { id: "7", subject: "Look", status, blocks: [], blockedBy: [] } };
    };
    const bar = { key: "7", number: null, text: "Look", status: "completed", spans: [{ at: 1, end: 4 }] };
    expect(seen([1, task("in_progress")], [4, task("completed")]).todos).toMatchObject([bar]);
  });

  test("events of one write are one change of the list", () => {
    const fold = new TimelineFold();
    const event = (at: number, type: string, data: object) => fold.addSessionEvent({ type, at, data });
    event(10, "phase.opened", { name: "", revision: 1 });
    event(10, "todo.added", { number: 1, phase: 0, text: "a", status: "in_progress", revision: 1 });
    event(10, "todo.added", { number: 2, phase: 0, text: "b", status: "pending", revision: 1 });
    event(20, "todo.moved", { number: 1, from: "in_progress", to: "completed", revision: 2 });
    event(20, "todo.moved", { number: 2, from: "pending", to: "in_progress", revision: 2 });
    event(25, "compaction.ended", { trigger: "auto" });
    event(26, "alert.raised", { id: 1, detector: "cycle", level: "warn", count: 3, at: 24, message: "again" });
    event(30, "session.ended", { reason: "exit" });
    const { todos, compactions, alerts } = fold.timeline();
    expect(todos.map(({ spans }) => spans)).toEqual([[{ at: 10, end: 20 }], [{ at: 20, end: null }]]);
    expect([compactions, alerts]).toEqual([[25], [{ at: 24, detector: "cycle", level: "warn", message: "again" }]]);
  });
});

test("the last calls that did work, the newest first", () => {
  const timeline = seen([1, began("a")], [2, began("b")], [3, began("l", { isWork: false })], [4, began("c")]);
  expect(recentCalls(timeline, 2).map(({ call }) => call)).toEqual(["c", "b"]);
});

test("the change of the last turn: lines of a call with several files are in the sum alone", () => {
  const change = (at: number, call: string, files: string[], added: number): readonly Told[] => [
    [at, began(call, edits(...files))],
    [at + 1, ended(call, { facts: { added, removed: 1 } })],
  ];
  const timeline = seen(
    [1, turn],
    ...change(2, "a", ["/w/old"], 9),
    [10, turn],
    ...change(11, "b", ["/w/a"], 2),
    ...change(13, "c", ["/w/a", "/w/b"], 5),
    ...change(15, "d", ["/w/a"], 1),
  );
  expect(changeOfTurn(timeline)).toEqual({
    files: [
      { path: "/w/a", added: 3, removed: 2 },
      { path: "/w/b", added: 0, removed: 0 },
    ],
    added: 8,
    removed: 3,
  });
  expect(changeOfTurn(seen())).toEqual({ files: [], added: 0, removed: 0 });
});

test("who waits for a person does not work", () => {
  const timeline = seen(
    [0, turn],
    [10, listed("in_progress")],
    [20, over],
    [100, turn],
    [130, listed("completed")],
    [140, over],
  );
  const [todo] = timeline.todos;
  const spans = todo ? workedSpans(timeline, todo, 200) : [];
  expect(spans).toEqual([
    { at: 10, end: 20 },
    { at: 100, end: 130 },
  ]);
  expect(lengthOf(spans, 200)).toBe(40);
});
