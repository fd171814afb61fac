import { fail, ok, type Result } from "../../src/core/result.js";
import type { Task } from "../../src/core/task/task.js";
import {
  checkTransition,
  type Flow,
  type FlowStep,
  flowOf,
  happened,
  isTerminal,
  recordedFlow,
  resumed,
} from "../../src/dialects/nexo/flow.js";
import { type FoundFlow, findFlow, moveTo, wakeUp, writeFlow } from "../../src/dialects/nexo/flow-board.js";
import { isDue, readCondition, toWait } from "../../src/dialects/nexo/flow-wait.js";
import type { Steps, TaskBoard } from "../../src/dialects/task-dialect.js";

type Done<T = Flow> = Result<T, string>;

/** Operators and engines may do what the tool's own session may not. */
function* onFlow<T>(board: TaskBoard, id: string, act: (found: FoundFlow) => Steps<Done<T>>): Steps<Done<T>> {
  const found = yield* findFlow(board, id);
  return found ? yield* act(found) : fail(`flow not found: ${id}`);
}

/** Ends any wait. Without a patch (undefined) the state stays as it is. */
export function resumeFlow(board: TaskBoard, id: string, patch?: unknown): Steps<Done> {
  return onFlow(board, id, function* ({ task, flow }): Steps<Done> {
    const may = checkTransition(flow, "running");
    if (!may.ok) return may;
    return yield* writeFlow(board, { task, flow: resumed(flow, patch, board.now) }, wakeUp(task, "manual"));
  });
}

/** Sticky: from now on it can only be cancelled. A flow that has ended takes note, and stays as it is. */
export function requestFlowCancel(board: TaskBoard, id: string): Steps<Done> {
  return onFlow(board, id, function* ({ task, flow }): Steps<Done> {
    const cancel_requested = flow.cancel_requested || !isTerminal(flow.status);
    const requested = happened(flow, "cancel_requested", { cancel_requested }, board.now);
    return yield* writeFlow(board, { task, flow: requested }, []);
  });
}

export function cancelFlow(board: TaskBoard, id: string): Steps<Done> {
  return onFlow(board, id, (found) => cancel(board, found));
}

function* cancel(board: TaskBoard, { task, flow }: FoundFlow): Steps<Done> {
  const may = checkTransition(flow, "cancelled");
  if (!may.ok) return may;
  const cancelled = happened(flow, "cancelled", { status: "cancelled" }, board.now);
  return yield* writeFlow(board, { task, flow: cancelled }, [moveTo(board, "cancelled")]);
}

/** Makes a flow wait for anything: what nobody can read, only `resumeFlow` ends. */
export function makeFlowWait(board: TaskBoard, id: string, condition: unknown): Steps<Done> {
  return onFlow(board, id, function* ({ task, flow }): Steps<Done> {
    const may = checkTransition(flow, "waiting");
    if (!may.ok) return may;
    const waiting = happened(flow, "waiting", { status: "waiting", wait: condition }, board.now);
    const wait = toWait(readCondition(condition));
    return yield* writeFlow(board, { task, flow: waiting }, [{ type: "wait", hold: { owner: board.owner }, wait }]);
  });
}

export interface FlowEvent {
  readonly topic: string;
  readonly correlationId: string;
  /** Kept at `resume_event` of the state; undefined: there is none. */
  readonly payload?: unknown;
}

/** Undefined when the flow is not there, or does not wait for that event: nothing has happened then. */
export function* tellFlow(board: TaskBoard, id: string, event: FlowEvent): Steps<Done<Flow | undefined>> {
  const found = yield* findFlow(board, id);
  if (found?.flow.status !== "waiting") return ok(undefined);
  const { task, flow } = found;
  const condition = readCondition(flow.wait);
  const isMeant =
    condition?.kind === "external_event" &&
    condition.topic === event.topic &&
    condition.correlationId === event.correlationId;
  if (!isMeant) return ok(undefined);
  const may = checkTransition(flow, "running");
  if (!may.ok) return may;
  const patch = event.payload === undefined ? undefined : { resume_event: event.payload };
  const running = resumed(flow, patch, board.now);
  return yield* writeFlow(board, { task, flow: running }, wakeUp(task, "event", event.payload));
}

export interface TickReport {
  readonly scanned: number;
  readonly resumed: number;
  readonly cancelled: number;
  readonly still_waiting: number;
  readonly errors: number;
}

type Outcome = Exclude<keyof TickReport, "scanned"> | undefined;

/** One look at all flows that wait: a timer that is due resumes its flow, a wish to cancel ends it. */
export function* tickFlows(board: TaskBoard, now: number): Steps<TickReport> {
  const waiting = (yield* board.list({ isOpen: true })).flatMap(({ task }) => waitingFlow(task));
  const outcomes: Outcome[] = [];
  for (const found of waiting) outcomes.push(yield* tick(board, found, now));
  const counted = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  return {
    scanned: waiting.length,
    resumed: counted("resumed"),
    cancelled: counted("cancelled"),
    still_waiting: counted("still_waiting"),
    errors: counted("errors"),
  };
}

/** Where somebody has ended the wait of the task, this look is the one that resumes the flow. */
function waitingFlow(task: Task): readonly FoundFlow[] {
  const recorded = recordedFlow(task);
  const flow = recorded?.status === "waiting" ? recorded : flowOf(task);
  return flow?.status === "waiting" ? [{ task, flow }] : [];
}

function* tick(board: TaskBoard, found: FoundFlow, now: number): Steps<Outcome> {
  const { task, flow } = found;
  if (flow.cancel_requested) return (yield* cancel(board, found)).ok ? "cancelled" : "errors";
  const condition = readCondition(flow.wait);
  const isOver = task.wait === undefined || (condition !== undefined && isDue(condition, now));
  if (!isOver) return condition && "still_waiting";
  const running = task.wait === undefined ? flowOf(task) : resumed(flow, undefined, board.now);
  const done = running && (yield* writeFlow(board, { task, flow: running }, wakeUp(task, "timer")));
  return done?.ok ? "resumed" : "errors";
}

export type StepSeen = Pick<FlowStep, "run_id" | "task" | "status"> & {
  readonly child?: string | undefined;
  readonly result?: unknown;
};

/** One step per run: what is seen again replaces what was known, but for the session that works on it. */
export function observeStep(board: TaskBoard, id: string, seen: StepSeen): Steps<Done<FlowStep>> {
  return onFlow(board, id, function* ({ task, flow }): Steps<Done<FlowStep>> {
    const { run_id, status } = seen;
    const before = flow.steps.find((one) => one.run_id === run_id);
    const child_session_key = seen.child ?? before?.child_session_key ?? null;
    const step: FlowStep = { run_id, task: seen.task, status, child_session_key, result: seen.result ?? null };
    const steps = before ? flow.steps.map((one) => (one === before ? step : one)) : [...flow.steps, step];
    // No revision: what others do does not change the flow itself.
    const noted = happened(flow, "step_observed", { steps }, flow.updated_at);
    const written = yield* writeFlow(board, { task, flow: { ...noted, revision: flow.revision } }, []);
    return written.ok ? ok(step) : written;
  });
}

/** What has happened to a flow, oldest first; nothing for one that is not there. */
export function* flowLog(board: TaskBoard, id: string): Steps<readonly string[]> {
  return (yield* findFlow(board, id))?.flow.log ?? [];
}

export function* flowSteps(board: TaskBoard, id: string): Steps<readonly FlowStep[]> {
  return (yield* findFlow(board, id))?.flow.steps ?? [];
}
