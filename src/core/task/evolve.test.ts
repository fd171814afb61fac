import { describe, expect, test } from "vitest";
import { readTaskEvent, type TaskEvent } from "./events.js";
import { evolve } from "./evolve.js";
import { isTask, NO_TASK, type Task } from "./task.js";

const AT = 5000;

const added: TaskEvent = { type: "task.added", number: 7, uuid: "u", subject: "s", description: "d", priority: "low" };
const claimed = (owner: string, fence = 1): TaskEvent => ({
  type: "task.claimed",
  owner,
  fence,
  until: 9000,
  ttl: 100,
});
const closing: TaskEvent = { type: "task.completed", evidence: "e" };

const after = (...events: readonly TaskEvent[]): Task =>
  [added, ...events].reduce((task, event) => evolve(task, event, { at: AT, by: "x" }), NO_TASK);

interface Row {
  readonly name: string;
  readonly given: readonly TaskEvent[];
  readonly then: object;
  /** Fields that must not be there. */
  readonly gone?: readonly (keyof Task)[];
}

const ROWS: readonly Row[] = [
  {
    name: "a new task",
    given: [],
    then: { number: 7, status: "pending", createdAt: AT, createdBy: "x", maxAttempts: 3 },
  },
  { name: "one that comes closed", given: [{ ...added, status: "completed" } as TaskEvent], then: { closedAt: AT } },
  {
    name: "a claim counts, remembers who, and ends a wait and a pause",
    given: [{ type: "wait.begun", wait: { kind: "timer", at: 1 } }, { ...claimed("a"), session: "s" } as TaskEvent],
    then: {
      status: "in_progress",
      attempts: 1,
      fence: 1,
      sessions: ["s"],
      lease: { owner: "a", since: AT, until: 9000 },
    },
    gone: ["wait", "retryAt"],
  },
  {
    name: "a claim over another: who held it before is known, newest first",
    given: [claimed("a"), claimed("b", 2), claimed("c", 3)],
    then: {
      fence: 3,
      lease: { owner: "c", fence: 3 },
      pastLeases: [
        { owner: "b", fence: 2 },
        { owner: "a", fence: 1 },
      ],
    },
  },
  {
    name: "a renewal",
    given: [claimed("a"), { type: "task.renewed", fence: 1, until: 9500, progress: "half" }],
    then: { lease: { until: 9500, progress: "half", since: AT, ttl: 100 } },
  },
  {
    name: "a renewal of nothing",
    given: [{ type: "task.renewed", fence: 1, until: 9500 }],
    then: { fence: 0 },
    gone: ["lease"],
  },
  {
    name: "a release",
    given: [claimed("a"), { type: "task.released", fence: 1 }],
    then: { status: "pending", fence: 1 },
    gone: ["lease"],
  },
  {
    name: "done, with what shows it",
    given: [claimed("a"), closing],
    then: { status: "completed", closedAt: AT, closedBy: "x", evidence: [{ text: "e", by: "x", at: AT }], fence: 1 },
    gone: ["lease"],
  },
  {
    name: "failed, to be tried again",
    given: [claimed("a"), { type: "task.failed", reason: "r", retryAt: 8000 }],
    then: { status: "pending", failures: 1, retryAt: 8000, reason: "r" },
    gone: ["lease", "closedAt"],
  },
  {
    name: "failed for good",
    given: [{ type: "task.failed", reason: "r" }],
    then: { status: "failed", failures: 1, closedAt: AT },
    gone: ["retryAt"],
  },
  {
    name: "cancelled",
    given: [claimed("a"), { type: "task.cancelled", reason: "r" }],
    then: { status: "cancelled", reason: "r" },
    gone: ["lease"],
  },
  {
    name: "opened again it may fail as often as a new one",
    given: [{ type: "task.failed", reason: "r" }, { type: "task.reopened" }],
    then: { status: "pending", failures: 0 },
    gone: ["closedAt", "closedBy", "reason", "retryAt", "cancelRequest"],
  },
  {
    name: "a wait takes it out of the holder's hands",
    given: [claimed("a"), { type: "wait.begun", wait: { kind: "manual" } }],
    then: { status: "pending", wait: { kind: "manual" }, pastLeases: [{ owner: "a", fence: 1 }] },
    gone: ["lease"],
  },
  {
    name: "what ended a wait stays, until the next one",
    given: [
      { type: "wait.begun", wait: { kind: "manual" } },
      { type: "wait.ended", by: "event", payload: { a: 1 } },
    ],
    then: { payload: { a: 1 } },
    gone: ["wait"],
  },
  {
    name: "moved to pending it is nobody's",
    given: [claimed("a"), { type: "task.moved", from: "in_progress", to: "pending" }],
    then: { status: "pending" },
    gone: ["lease"],
  },
  {
    name: "moved out of an end it is open",
    given: [closing, { type: "task.moved", from: "completed", to: "in_progress" }],
    then: { status: "in_progress" },
    gone: ["closedAt"],
  },
  {
    name: "moved to an end it is closed",
    given: [claimed("a"), { type: "task.moved", from: "in_progress", to: "completed" }],
    then: { closedAt: AT },
    gone: ["lease"],
  },
  {
    name: "changed: null takes away, absence keeps",
    given: [
      { type: "task.changed", activeForm: "f", assignee: "a" },
      { type: "task.changed", activeForm: null, subject: "t" },
    ],
    then: { subject: "t", assignee: "a", description: "d" },
    gone: ["activeForm"],
  },
  {
    name: "metadata key by key",
    given: [
      { type: "task.changed", metadata: { a: 1, b: 2 } },
      { type: "task.changed", metadata: { a: null, c: { d: null } } },
    ],
    then: { metadata: { b: 2, c: { d: null } } },
  },
  {
    name: "edges are kept once, in order",
    given: [
      { type: "blockers.added", tasks: [3, 1] },
      { type: "blockers.added", tasks: [1, 2] },
      { type: "blockers.removed", tasks: [3] },
      { type: "dependents.added", tasks: [9] },
    ],
    then: { blockedBy: [1, 2], blocks: [9] },
  },
  {
    name: "deleted it holds nothing and is tied to nothing",
    given: [{ type: "blockers.added", tasks: [3] }, claimed("a"), { type: "task.deleted" }],
    then: { isDeleted: true, blockedBy: [], blocks: [] },
    gone: ["lease"],
  },
  {
    name: "a link, once per todo",
    given: [1, 1, 2].map((todo) => ({ type: "todo.linked", session: "s", todo }) as TaskEvent),
    then: {
      links: [
        { session: "s", todo: 1 },
        { session: "s", todo: 2 },
      ],
      sessions: ["s"],
    },
  },
  {
    name: "a link taken away",
    given: [
      { type: "todo.linked", session: "s", todo: 1 },
      { type: "todo.unlinked", session: "s", todo: 1 },
    ],
    then: { links: [] },
  },
];

test.each(ROWS)("$name", ({ given, then, gone = [] }) => {
  const task = after(...given);
  expect(task).toMatchObject(then);
  for (const field of gone) expect(task).not.toHaveProperty(field);
  expect(isTask(task)).toBe(true);
});

test("who held it is remembered for the last twenty", () => {
  const claims = Array.from({ length: 30 }, (_, index) => claimed(`a${index + 1}`, index + 1));
  const { pastLeases, attempts } = after(...claims);
  expect([pastLeases.length, pastLeases[0], attempts]).toEqual([20, { owner: "a29", fence: 29 }, 30]);
});

test("metadata with the name of a prototype is data", () => {
  const metadata = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');
  const task = after({ type: "task.changed", metadata });
  expect(Object.keys(task.metadata)).toEqual(["__proto__", "constructor"]);
  expect(({} as { x?: number }).x).toBeUndefined();
});

describe("what is no event of ours is passed over", () => {
  test.each<readonly [string, object]>([
    ["task.blessed", {}],
    ["toString", {}],
    ["task.claimed", { owner: "a", fence: 1, until: 0.5, ttl: 1 }],
    ["task.claimed", { owner: "a", fence: -1, until: 1, ttl: 1 }],
    ["task.moved", { from: "pending", to: "paused" }],
    ["wait.begun", { wait: { kind: "moon" } }],
    ["blockers.added", { tasks: ["1"] }],
    ["task.noted", {}],
  ])("%s %j", (type, data) => {
    expect(readTaskEvent(type, data)).toBeUndefined();
  });
});

test("null in a file is a field that is not there, and no field that a task needs goes", () => {
  const data = { number: 1, uuid: "u", subject: "s", description: "", priority: "medium", past: { notes: null } };
  const nulls = { labels: null, metadata: null, assignee: null, status: null, maxAttempts: null, parent: null };
  const event = readTaskEvent("task.added", { ...data, ...nulls });
  const changed = readTaskEvent("task.changed", { subject: null, labels: null, priority: null, activeForm: null });
  if (!event || !changed) throw new Error("Both are events.");
  const task = evolve(evolve(NO_TASK, event, { at: 1 }), changed, { at: 2 });
  expect(isTask(task)).toBe(true);
  expect(Object.values(task)).not.toContain(null);
});
