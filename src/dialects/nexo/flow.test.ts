import { describe, expect, test } from "vitest";
import type { TaskEvent } from "../../core/task/events.js";
import { evolve } from "../../core/task/evolve.js";
import { NO_TASK, type Task } from "../../core/task/task.js";
import { checkTransition, type Flow, type FlowRecord, type FlowStatus, flowOf, merged } from "./flow.js";

const AT = Date.UTC(2026, 4, 1, 10);
const MINUTE = 60_000;

const record = (change: Partial<FlowRecord> = {}): FlowRecord => ({
  controller_id: "c",
  current_step: "init",
  state: { a: 1 },
  wait: null,
  status: "running",
  cancel_requested: false,
  revision: 1,
  updated_at: AT,
  log: ["created", "started"],
  steps: [],
  ...change,
});
const waiting = record({ status: "waiting", wait: { kind: "manual" }, revision: 2 });

/** A task that holds the record, and what has happened to it since, a minute later. */
const task = (taskflow: unknown, ...events: readonly TaskEvent[]): Task => {
  const added: TaskEvent = {
    type: "task.added",
    number: 1,
    uuid: "u",
    subject: "g",
    description: "",
    priority: "medium",
    metadata: { taskflow },
    assignee: "me",
  };
  const start = evolve(NO_TASK, added, { at: AT });
  return events.reduce((before, event) => evolve(before, event, { at: AT + MINUTE }), start);
};
const waits = (wait: Extract<TaskEvent, { type: "wait.begun" }>["wait"]): TaskEvent => ({ type: "wait.begun", wait });
const manual = waits({ kind: "manual" });
const woken: TaskEvent = { type: "wait.ended", by: "manual" };

describe("a flow is what its task has become", () => {
  const cases: readonly { name: string; task: Task; now?: number; flow: Partial<Flow> | undefined }[] = [
    {
      name: "nothing has happened",
      task: task(record()),
      flow: { status: "running", revision: 1, id: "u", goal: "g", owner: "me" },
    },
    { name: "still waiting", task: task(waiting, manual), flow: { status: "waiting", revision: 2 } },
    {
      name: "woken",
      task: task(waiting, manual, woken),
      flow: {
        status: "running",
        revision: 3,
        wait: null,
        state: { a: 1 },
        updated_at: AT + MINUTE,
        log: ["created", "started", "resumed"],
      },
    },
    {
      name: "woken by an event that brought something",
      task: task(waiting, manual, { type: "wait.ended", by: "event", payload: { x: 1 } }),
      flow: { status: "running", state: { a: 1, resume_event: { x: 1 } } },
    },
    {
      name: "woken by an event that brought null",
      task: task(waiting, manual, { type: "wait.ended", by: "event", payload: null }),
      flow: { state: { a: 1, resume_event: null } },
    },
    {
      name: "claimed while it waited",
      task: task(waiting, manual, { type: "task.claimed", owner: "o", fence: 1, until: 0, ttl: 0 }),
      flow: { status: "running", revision: 3 },
    },
    {
      name: "completed",
      task: task(record(), { type: "task.completed" }),
      flow: { status: "finished", revision: 2, updated_at: AT + MINUTE, log: ["created", "started", "finished"] },
    },
    {
      name: "completed while it waited: the wait stays to be seen",
      task: task(waiting, manual, { type: "task.completed" }),
      flow: { status: "finished", wait: { kind: "manual" }, revision: 3 },
    },
    {
      name: "cancelled",
      task: task(record(), { type: "task.cancelled" }),
      flow: { status: "cancelled", revision: 2, cancel_requested: false },
    },
    {
      name: "cancelled after it was asked for: two things have happened",
      task: task(record(), { type: "cancel.requested" }, { type: "task.cancelled" }),
      flow: {
        status: "cancelled",
        revision: 3,
        cancel_requested: true,
        log: ["created", "started", "cancel_requested", "cancelled"],
      },
    },
    {
      name: "failed for good",
      task: task(record(), { type: "task.failed", reason: "r" }),
      flow: { status: "failed", state: { a: 1, failure: { reason: "r", at: "2026-05-01T10:01:00+00:00" } } },
    },
    {
      name: "failed, and tried again later",
      task: task(record(), { type: "task.failed", reason: "r", retryAt: 1 }),
      flow: { status: "running", revision: 1 },
    },
    {
      name: "asked to stop",
      task: task(record(), { type: "cancel.requested" }),
      flow: { status: "running", revision: 2, cancel_requested: true },
    },
    {
      name: "asked to stop, and known already",
      task: task(record({ cancel_requested: true }), { type: "cancel.requested" }),
      flow: { revision: 1, cancel_requested: true },
    },
    {
      name: "opened again",
      task: task(
        record({ status: "finished", cancel_requested: true }),
        { type: "task.completed" },
        { type: "task.reopened" },
      ),
      flow: { status: "running", revision: 2, cancel_requested: false },
    },
    {
      name: "made to wait by somebody else",
      task: task(record(), waits({ kind: "event", topic: "t", correlation: "c" })),
      flow: { status: "waiting", revision: 2, wait: { kind: "external_event", topic: "t", correlation_id: "c" } },
    },
    {
      name: "made to wait for a time by somebody else",
      task: task(record(), waits({ kind: "timer", at: AT })),
      flow: { status: "waiting", wait: { kind: "timer", at: "2026-05-01T10:00:00Z" } },
    },
    {
      name: "a timer that is due is not noticed at once",
      task: task(waiting, waits({ kind: "timer", at: AT + MINUTE })),
      now: AT + MINUTE + 4999,
      flow: { status: "waiting", revision: 2 },
    },
    {
      name: "but before long",
      task: task(waiting, waits({ kind: "timer", at: AT + MINUTE })),
      now: AT + MINUTE + 5000,
      flow: { status: "running", revision: 3, wait: null, updated_at: AT + MINUTE },
    },
    { name: "a task that is no flow", task: task(undefined), flow: undefined },
    { name: "what somebody else has put there", task: task({ ...record(), revision: "x" }), flow: undefined },
    { name: "a status that no flow has", task: task({ ...record(), status: "asleep" }), flow: undefined },
  ];
  test.each(cases)("$name", ({ task: given, now, flow }) => {
    const actual = flowOf(given, now);
    if (flow === undefined) expect(actual).toBeUndefined();
    else expect(actual).toMatchObject(flow);
  });

  test("only the newest of a long log is kept", () => {
    const log = Array.from({ length: 200 }, (_, at) => `e${at}`);
    const flow = flowOf(task(record({ log }), { type: "task.completed" }));
    expect([flow?.log.length, flow?.log.at(0), flow?.log.at(-1)]).toEqual([200, "e1", "finished"]);
  });
});

describe("transitions", () => {
  const legal: Readonly<Record<FlowStatus, readonly FlowStatus[]>> = {
    running: ["waiting", "finished", "failed", "cancelled"],
    waiting: ["running", "failed", "cancelled"],
    finished: [],
    failed: [],
    cancelled: [],
  };
  const statuses = Object.keys(legal) as FlowStatus[];
  const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to, isLegal: legal[from].includes(to) })));
  const flow = (change: Partial<Flow>): Flow => ({
    ...record(),
    id: "u",
    goal: "g",
    owner: "me",
    created_at: AT,
    ...change,
  });

  test.each(pairs)("$from to $to: $isLegal", ({ from, to, isLegal }) => {
    expect(checkTransition(flow({ status: from }), to).ok).toBe(isLegal);
  });

  test.each([
    [flow({ status: "waiting" }), "finished", "illegal transition from Waiting to Finished"],
    [flow({ status: "running" }), "running", "illegal transition from Running to Running"],
    [flow({ status: "failed", cancel_requested: true }), "cancelled", "flow u is already terminal (Failed)"],
    [
      flow({ status: "waiting", cancel_requested: true }),
      "finished",
      "flow u has cancel_requested; only Cancelled transition allowed",
    ],
  ] as const)("the first reason is told: %#", (given, to, error) => {
    expect(checkTransition(given, to)).toEqual({ ok: false, error });
  });
});

test.each([
  [
    { a: 1, o: { x: 1 } },
    { b: 2, o: { y: 2 } },
    { a: 1, b: 2, o: { y: 2 } },
  ],
  [{ a: 1 }, { a: null }, { a: null }],
  [{ a: 1 }, null, null],
  [{ a: 1 }, [1], [1]],
  [null, { a: 1 }, { a: 1 }],
  [[1], { a: 1 }, { a: 1 }],
  ["x", {}, {}],
])("%j with %j is %j", (state, patch, result) => {
  expect(merged(state, patch)).toEqual(result);
});
