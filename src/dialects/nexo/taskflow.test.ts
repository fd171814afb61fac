import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OpenBoard, openBoard } from "../../../test/conform/board.js";
import {
  flowLog,
  flowSteps,
  makeFlowWait,
  observeStep,
  requestFlowCancel,
  resumeFlow,
  tellFlow,
  tickFlows,
} from "../../../test/conform/nexo-taskflow-host.js";
import { sized } from "../../../test/sizes.js";
import type { TaskCommand } from "../../core/task/command.js";
import type { Answer } from "../dialect.js";
import type { TaskBoard } from "../task-dialect.js";
import { nexoTaskflow } from "./taskflow.js";

const NOW = Date.UTC(2026, 4, 1, 10);
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
  readonly state: unknown;
  readonly wait: unknown;
}

/** One board with a clock that stands still, and what is asked of it. */
class Flows {
  now = NOW;
  readonly board: OpenBoard = openBoard(nexoTaskflow, () => this.now);

  call(input: unknown, session = "s"): Promise<Answer> {
    return this.board.call({ tool: "taskflow", session, input });
  }

  async flow(input: unknown): Promise<Shown> {
    const { data } = await this.call(input);
    return (data as { flow: Shown }).flow;
  }

  async start(change: object = {}): Promise<string> {
    return (await this.flow({ action: "start", controller_id: "c", goal: "g", ...change })).id;
  }

  /** Task 1, as everybody else sees it. */
  async task() {
    return (await this.board.host((board) => board.find(1)))?.task;
  }

  run(command: TaskCommand) {
    return this.board.host((board) => board.run(1, command));
  }
}

const manual = { kind: "manual" };
const event = { kind: "external_event", topic: "t", correlation_id: "c" };
const timer = (at: string) => ({ kind: "timer", at });
const later = (ms: number) => new Date(NOW + ms).toISOString();

test("the text is compact JSON with its keys in order", async () => {
  const flows = new Flows();
  const { text } = await flows.call({
    action: "start",
    controller_id: "c",
    goal: "g",
    state: { "10": 1, "9": 2, b: { z: 1, a: "é" } },
  });
  const id = (await flows.task())?.uuid;
  expect(text).toBe(
    `{"flow":{"cancel_requested":false,"controller_id":"c","created_at":"2026-05-01T10:00:00+00:00","current_step":"init","goal":"g","id":"${id}","revision":1,"state":{"10":1,"9":2,"b":{"a":"é","z":1}},"status":"running","updated_at":"2026-05-01T10:00:00+00:00","wait":null},"ok":true}`,
  );
});

describe("the first thing that is wrong is told", () => {
  const cases: readonly { name: string; input: (id: string) => unknown; error: (id: string) => string }[] = [
    { name: "no object", input: () => [], error: () => unknownAction("") },
    { name: "text that is no JSON", input: () => "start", error: () => unknownAction("") },
    { name: "an action that is no text", input: () => ({ action: 1 }), error: () => unknownAction("") },
    { name: "another case", input: () => ({ action: "Start" }), error: () => unknownAction("Start") },
    {
      name: "what every object has",
      input: () => ({ action: " constructor " }),
      error: () => unknownAction("constructor"),
    },
    {
      name: "controller before goal",
      input: () => ({ action: "start" }),
      error: () => "missing or invalid `controller_id`",
    },
    {
      name: "a blank controller",
      input: () => ({ action: "start", controller_id: "\u0085 " }),
      error: () => "`controller_id` cannot be empty",
    },
    {
      name: "a goal that is null",
      input: () => ({ action: "start", controller_id: "c", goal: null }),
      error: () => "missing or invalid `goal`",
    },
    { name: "no flow", input: () => ({ action: "wait" }), error: () => "missing or invalid `flow_id`" },
    {
      name: "no UUID",
      input: () => ({ action: "fail", flow_id: " abc " }),
      error: () => "`flow_id` is not a valid UUID: invalid length: expected length 32 for simple format, found 3",
    },
    {
      name: "no condition",
      input: (flow_id) => ({ action: "wait", flow_id }),
      error: () => "missing `wait_condition`",
    },
    ...[
      1,
      "manual",
      {},
      { kind: "Manual" },
      { kind: "timer" },
      { kind: "timer", at: 1 },
      ["manual", 1],
      ["timer"],
      { ...event, topic: 1 },
    ].map((wait_condition) => ({
      name: `a condition of ${JSON.stringify(wait_condition)}`,
      input: (flow_id: string) => ({ action: "wait", flow_id, wait_condition }),
      error: () => "invalid wait_condition shape; expected {kind:'timer'|'external_event'|'manual', ...}",
    })),
    {
      name: "now is not the future",
      input: (flow_id) => ({ action: "wait", flow_id, wait_condition: timer(later(0)) }),
      error: () => "timer.at must be in the future",
    },
    {
      name: "a nanosecond too far",
      input: (flow_id) => ({ action: "wait", flow_id, wait_condition: timer("2026-05-31T10:00:00.000001Z") }),
      error: () => "timer.at exceeds max horizon (30 days)",
    },
    {
      name: "topic before correlation",
      input: (flow_id) => ({
        action: "wait",
        flow_id,
        wait_condition: { kind: "external_event", topic: " ", correlation_id: "" },
      }),
      error: () => "external_event.topic cannot be empty",
    },
    {
      name: "a blank correlation",
      input: (flow_id) => ({ action: "wait", flow_id, wait_condition: { ...event, correlation_id: "\u3000" } }),
      error: () => "external_event.correlation_id cannot be empty",
    },
  ];
  test.each(cases)("$name", async ({ input, error }) => {
    const flows = new Flows();
    const id = await flows.start();
    const told = error(id);
    expect(await flows.call(input(id))).toEqual({ text: `error: ${told}`, isError: true, data: { error: told } });
    expect(await flows.flow({ action: "status", flow_id: id })).toMatchObject({ revision: 1, status: "running" });
  });

  function unknownAction(name: string): string {
    return `unknown action \`${name}\`; expected start|status|advance|wait|finish|fail|cancel|list_mine`;
  }

  test("a call without a session", () => {
    // It is told before anything else is asked, so the board needs nothing but its session.
    const board = { session: "" } as TaskBoard;
    const { value } = nexoTaskflow.answer({ tool: "taskflow", input: { value: { action: "x" } } }, board).next();
    expect(value).toMatchObject({
      text: "error: taskflow tool requires a session context; call was made without session_id",
    });
  });

  test("another tool", async () => {
    const answer = await openBoard(nexoTaskflow).call({ tool: "TodoWrite", input: {} });
    expect(answer).toMatchObject({ text: "unknown tool: TodoWrite", isError: true });
  });

  test.each(["status", "advance", "wait", "finish", "fail", "cancel"])(
    "%s: of another session, and of nobody",
    async (action) => {
      const flows = new Flows();
      const id = await flows.start();
      expect((await flows.call({ action, flow_id: id }, "other")).text).toBe(
        `error: flow ${id} belongs to a different session; refusing cross-session access`,
      );
      const nobody = randomUUID();
      expect(await flows.call({ action, flow_id: nobody.toUpperCase() })).toMatchObject({
        text: `{"error":"not_found","flow_id":"${nobody}","ok":false}`,
        isError: false,
      });
    },
  );

  test.each([
    ["advance", {}, "flow $ is already terminal (Finished)"],
    ["wait", { wait_condition: manual }, "flow $ is already terminal (Finished)"],
    ["wait", { wait_condition: timer(later(-1)) }, "timer.at must be in the future"],
    ["fail", {}, "missing or invalid `reason`"],
    ["cancel", {}, "flow $ is already terminal (Finished)"],
  ])("%s of a flow that has ended, with %j", async (action, more, error) => {
    const flows = new Flows();
    const id = await flows.start();
    await flows.call({ action: "finish", flow_id: id });
    expect((await flows.call({ action, flow_id: id, ...more })).text).toBe(`error: ${error.replace("$", id)}`);
  });

  test("a task that is no flow is nobody's", async () => {
    const flows = new Flows();
    await flows.board.host((board) => board.add({ subject: "x", assignee: "agent:nexo:session:s" }));
    const id = (await flows.task())?.uuid;
    expect((await flows.call({ action: "status", flow_id: id })).data).toMatchObject({ error: "not_found" });
    expect((await flows.call({ action: "list_mine" })).text).toBe('{"count":0,"flows":[],"ok":true}');
  });
});

describe("what a condition becomes", () => {
  const after30 = later(30 * DAY);
  test.each([
    [timer(after30), { kind: "timer", at: "2026-05-31T10:00:00Z" }, { kind: "timer", at: NOW + 30 * DAY }],
    [
      timer("2026-05-01 12:00:00.0005 +0159"),
      { kind: "timer", at: "2026-05-01T10:01:00.000500Z" },
      { kind: "timer", at: NOW + 60_001 },
    ],
    [["timer", later(SECOND)], { kind: "timer", at: "2026-05-01T10:00:01Z" }, { kind: "timer", at: NOW + SECOND }],
    [
      { ...event, topic: " t ", more: 1 },
      { ...event, topic: " t " },
      { kind: "event", topic: " t ", correlation: "c" },
    ],
    [["external_event", "t", "c"], event, { kind: "event", topic: "t", correlation: "c" }],
    [{ kind: "manual", at: 1 }, manual, manual],
    [["manual"], manual, manual],
  ])("%j", async (wait_condition, shown, wait) => {
    const flows = new Flows();
    const flow_id = await flows.start();
    expect(await flows.flow({ action: "wait", flow_id, wait_condition })).toMatchObject({
      status: "waiting",
      wait: shown,
    });
    expect(await flows.task()).toMatchObject({ status: "pending", wait });
  });
});

describe("the task is what the flow is", () => {
  test("from its start to its end", async () => {
    const flows = new Flows();
    const flow_id = await flows.start({ goal: " Ship it " });
    expect(await flows.task()).toMatchObject({
      subject: "Ship it",
      status: "in_progress",
      assignee: "agent:nexo:session:s",
      lease: { owner: "s", isSoft: true },
    });
    await flows.call({ action: "wait", flow_id, wait_condition: manual });
    expect(await flows.task()).not.toHaveProperty("lease");
    await flows.board.host((board) => resumeFlow(board, flow_id));
    expect(await flows.task()).toMatchObject({ status: "pending" });
    expect(await flows.task()).not.toHaveProperty("wait");
    await flows.call({ action: "advance", flow_id });
    expect(await flows.task()).toMatchObject({ status: "in_progress", lease: { owner: "s" } });
    await flows.call({ action: "finish", flow_id, final_state: null });
    expect(await flows.task()).toMatchObject({ status: "completed" });
    expect(await flows.flow({ action: "status", flow_id })).toMatchObject({
      state: null,
      status: "finished",
      revision: 5,
    });
  });

  test("a failure is final, and says why", async () => {
    const flows = new Flows();
    const flow_id = await flows.start();
    const { state } = await flows.flow({ action: "fail", flow_id, reason: " no way " });
    expect(state).toEqual({ failure: { at: "2026-05-01T10:00:00+00:00", reason: "no way" } });
    expect(await flows.task()).toMatchObject({ status: "failed", reason: "no way" });
  });

  test("what waits can fail or be cancelled, and shows what it waited for", async () => {
    for (const action of ["fail", "cancel"]) {
      const flows = new Flows();
      const flow_id = await flows.start();
      await flows.call({ action: "wait", flow_id, wait_condition: event });
      expect(await flows.flow({ action, flow_id, reason: "r" })).toMatchObject({ wait: event, revision: 3 });
      expect((await flows.task())?.closedAt).toBe(NOW);
    }
  });

  test("a signal from outside resumes the flow, and brings what it brought", async () => {
    const flows = new Flows();
    const flow_id = await flows.start();
    await flows.call({ action: "wait", flow_id, wait_condition: event });
    await flows.board.host((board) => board.signal({ topic: "t", correlation: "c" }, [1]));
    const resumed = { status: "running", revision: 3, wait: null, state: { resume_event: [1] } };
    expect(await flows.flow({ action: "status", flow_id })).toMatchObject(resumed);
    expect(await flows.flow({ action: "status", flow_id })).toMatchObject(resumed);
    expect(await flows.flow({ action: "wait", flow_id, wait_condition: manual })).toMatchObject({ revision: 4 });
    expect(await flows.board.host((board) => flowLog(board, flow_id))).toEqual([
      "created",
      "started",
      "waiting",
      "resumed",
      "waiting",
    ]);
  });

  test("the clock alone resumes it too, without anybody who looks", async () => {
    const flows = new Flows();
    const flow_id = await flows.start();
    await flows.call({ action: "wait", flow_id, wait_condition: timer(later(SECOND)) });
    flows.now = NOW + 3 * SECOND;
    expect(await flows.flow({ action: "status", flow_id })).toMatchObject({ status: "waiting" });
    flows.now = NOW + 10 * SECOND;
    expect(await flows.flow({ action: "advance", flow_id })).toMatchObject({ status: "running", revision: 4 });
    expect(await flows.task()).toMatchObject({ status: "in_progress" });
    expect(await flows.task()).not.toHaveProperty("wait");
  });

  test("who holds the task with a lease is asked first", async () => {
    const flows = new Flows();
    const flow_id = await flows.start();
    await flows.call({ action: "wait", flow_id, wait_condition: manual });
    await flows.run({ type: "wake", by: "manual" });
    await flows.run({ type: "claim", owner: "<worker>", ttl: 60_000 });
    for (const action of ["advance", "finish", "cancel", "fail"]) {
      const { text, isError } = await flows.call({ action, flow_id, reason: "r" });
      expect(text).toMatch(/^error: Fence 1 of s is stale for task #1: ‹worker> holds it now/);
      expect(isError).toBe(true);
    }
    expect(await flows.task()).toMatchObject({ status: "in_progress", lease: { owner: "<worker>" } });
  });

  test("somebody wants it stopped: from then on it can only be cancelled", async () => {
    const flows = new Flows();
    const flow_id = await flows.start();
    await flows.board.host((board) => requestFlowCancel(board, flow_id));
    expect((await flows.call({ action: "advance", flow_id })).text).toContain("has cancel_requested");
    expect(await flows.flow({ action: "cancel", flow_id })).toMatchObject({
      status: "cancelled",
      cancel_requested: true,
    });
  });
});

describe("the host", () => {
  test("nothing is done to a flow that is not there", async () => {
    const { board } = new Flows();
    const id = randomUUID();
    const error = `flow not found: ${id}`;
    expect(await board.host((steps) => resumeFlow(steps, id))).toEqual({ ok: false, error });
    expect(await board.host((steps) => requestFlowCancel(steps, id))).toEqual({ ok: false, error });
    expect(await board.host((steps) => makeFlowWait(steps, id, manual))).toEqual({ ok: false, error });
    expect(await board.host((steps) => observeStep(steps, id, { run_id: "r", task: "t", status: "running" }))).toEqual({
      ok: false,
      error,
    });
    expect(await board.host((steps) => flowSteps(steps, id))).toEqual([]);
  });

  test("what does not wait cannot be resumed, and an event for a flow that is to be cancelled is refused", async () => {
    const flows = new Flows();
    const id = await flows.start();
    expect(await flows.board.host((board) => resumeFlow(board, id))).toEqual({
      ok: false,
      error: "illegal transition from Running to Running",
    });
    await flows.call({ action: "wait", flow_id: id, wait_condition: event });
    await flows.board.host((board) => requestFlowCancel(board, id));
    const told = await flows.board.host((board) => tellFlow(board, id, { topic: "t", correlationId: "c" }));
    expect(told).toEqual({ ok: false, error: `flow ${id} has cancel_requested; only Cancelled transition allowed` });
  });

  test("a look counts a flow that was woken from outside, once", async () => {
    const flows = new Flows();
    const id = await flows.start();
    await flows.call({ action: "wait", flow_id: id, wait_condition: event });
    await flows.run({ type: "wake", by: "event", payload: 7 });
    const look = () => flows.board.host((board) => tickFlows(board, NOW));
    expect(await look()).toEqual({ scanned: 1, resumed: 1, cancelled: 0, still_waiting: 0, errors: 0 });
    expect(await look()).toEqual({ scanned: 0, resumed: 0, cancelled: 0, still_waiting: 0, errors: 0 });
    expect(await flows.flow({ action: "status", flow_id: id })).toMatchObject({
      revision: 3,
      state: { resume_event: 7 },
    });
  });

  test("a timer that was over before it began is found by the next look", async () => {
    const flows = new Flows();
    const id = await flows.start();
    await flows.board.host((board) => makeFlowWait(board, id, timer(later(-60 * SECOND))));
    expect(await flows.flow({ action: "status", flow_id: id })).toMatchObject({ status: "waiting" });
    expect(await flows.board.host((board) => tickFlows(board, NOW))).toMatchObject({ scanned: 1, resumed: 1 });
  });

  test("steps stand in the order in which they were first seen", async () => {
    const flows = new Flows();
    const id = await flows.start();
    for (const run_id of ["b", "a", "b"])
      await flows.board.host((board) => observeStep(board, id, { run_id, task: "t", status: "running", result: null }));
    expect((await flows.board.host((board) => flowSteps(board, id))).map(({ run_id }) => run_id)).toEqual(["b", "a"]);
    expect(await flows.flow({ action: "status", flow_id: id })).toMatchObject({ revision: 1 });
  });
});

describe("any input", () => {
  const value = fc.oneof(fc.constantFrom("g", " ", manual, event, timer(later(SECOND))), fc.jsonValue({ maxDepth: 2 }));
  const keys = [
    "controller_id",
    "goal",
    "current_step",
    "state",
    "patch",
    "wait_condition",
    "final_state",
    "reason",
    "__proto__",
  ];
  const actions = ["start", "status", "advance", "wait", "finish", "fail", "cancel", "list_mine", "x"];
  const calls = fc.array(
    fc.oneof(fc.tuple(fc.constantFrom(...actions), fc.dictionary(fc.constantFrom(...keys), value)), fc.anything()),
    { maxLength: 8 },
  );

  test("gets an answer, and a flow goes up by one revision or stays", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (given) => {
        const flows = new Flows();
        const flow_id = await flows.start();
        for (const one of given) {
          const before = await flows.flow({ action: "status", flow_id });
          const input =
            Array.isArray(one) && typeof one[0] === "string" ? { ...Object(one[1]), action: one[0], flow_id } : one;
          const { text, isError } = await flows.call(input);
          expect(text.startsWith("error: ")).toBe(isError);
          const { revision } = await flows.flow({ action: "status", flow_id });
          expect([before.revision, before.revision + (isError ? 0 : 1)]).toContain(revision);
        }
      }),
      { numRuns: sized(100, 1500) },
    );
  });

  test("a goal comes back trimmed, and otherwise as it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (goal) => {
        const flows = new Flows();
        await flows.start({ goal: ` x${goal}x\u3000` });
        expect((await flows.task())?.subject).toBe(`x${goal}x`);
      }),
    );
  });

  test("a state of any depth gets an answer", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const answer = await openBoard(nexoTaskflow).call({
      tool: "taskflow",
      arguments: `{"action":"start","state":${deep}}`,
    });
    expect(answer).toMatchObject({ text: "error: recursion limit exceeded", isError: true });
  });
});
