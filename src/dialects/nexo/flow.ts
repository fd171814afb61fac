import { isObject, type JsonObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { count, fields, flag, list, maybe, oneOf, text } from "../../core/shape.js";
import type { Task } from "../../core/task/task.js";
import { dueAt, wakerAt } from "../../core/task/wait-until.js";
import { timeText } from "../wording/rust-time.js";
import { fromWait } from "./flow-wait.js";

const FLOW_STATUSES = ["running", "waiting", "cancelled", "finished", "failed"] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

const STEP_STATUSES = ["pending", "running", "succeeded", "failed", "cancelled"] as const;

/** Work that somebody else does for the flow. */
export interface FlowStep {
  readonly run_id: string;
  readonly task: string;
  readonly status: (typeof STEP_STATUSES)[number];
  readonly child_session_key: string | null;
  readonly result: unknown;
}

/** What a flow has beyond a task; kept in the task's metadata. */
export interface FlowRecord {
  readonly controller_id: string;
  readonly current_step: string;
  readonly state: unknown;
  /** null, or the condition as given. */
  readonly wait: unknown;
  readonly status: FlowStatus;
  readonly cancel_requested: boolean;
  readonly revision: number;
  readonly updated_at: number;
  /** Newest last. */
  readonly log: readonly string[];
  readonly steps: readonly FlowStep[];
}

export interface Flow extends FlowRecord {
  readonly id: string;
  readonly goal: string;
  readonly owner: string | undefined;
  readonly created_at: number;
}

const FLOW_KEY = "taskflow";

const isRecord = fields({
  controller_id: text,
  current_step: text,
  status: oneOf(FLOW_STATUSES),
  cancel_requested: flag,
  revision: count,
  updated_at: count,
  log: list(text),
  steps: list(fields({ run_id: text, task: text, status: oneOf(STEP_STATUSES), child_session_key: maybe(text) })),
});

const NOTHING = { state: null, wait: null };

/** Milliseconds. nexo-rs checks waits this often, so a wait that is over lasts until the next check. */
const TICK = 5000;

/** Undefined for a task that is no flow. Changes to the task count for the flow. Without `now` no wait times out. */
export function flowOf(task: Task, now?: number): Flow | undefined {
  const flow = recordedFlow(task);
  return flow && withTaskStatus(flow, task, now);
}

/** As last written, and with a cancel request that others have made since. */
export function recordedFlow(task: Task): Flow | undefined {
  const record = own(task.metadata, FLOW_KEY);
  if (!isRecord(record)) return undefined;
  const { uuid: id, subject: goal, assignee: owner, createdAt: created_at } = task;
  return withCancelRequest({ ...NOTHING, ...(record as FlowRecord), id, goal, owner, created_at }, task);
}

function withCancelRequest(flow: Flow, { cancelRequest, updatedAt }: Task): Flow {
  if (!cancelRequest || flow.cancel_requested || isTerminal(flow.status)) return flow;
  return happened(flow, "cancel_requested", { cancel_requested: true }, updatedAt);
}

const CLOSED: Readonly<Partial<Record<Task["status"], FlowStatus>>> = {
  completed: "finished",
  failed: "failed",
  cancelled: "cancelled",
};

function withTaskStatus(flow: Flow, task: Task, now: number | undefined): Flow {
  const { updatedAt, wait } = task;
  const closed = CLOSED[task.status];
  if (closed === flow.status) return flow;
  if (closed === "failed") return failed(flow, task.reason ?? "", task.closedAt ?? updatedAt);
  if (closed !== undefined) return happened(flow, closed, { status: closed }, task.closedAt ?? updatedAt);
  // The task was reopened: an earlier cancel request is void.
  if (isTerminal(flow.status)) return resumed({ ...flow, cancel_requested: false }, undefined, updatedAt);
  if (flow.status === "running" && wait)
    return isOver(flow, task, now)
      ? flow
      : happened(flow, "waiting", { status: "waiting", wait: fromWait(wait) }, updatedAt);
  if (flow.status !== "waiting" || (wait && !isOver(flow, task, now))) return flow;
  const patch = wait || task.payload === undefined ? undefined : { resume_event: task.payload };
  return resumed(flow, patch, wait ? (dueAt(wait) ?? updatedAt) : updatedAt);
}

function isOver({ updated_at }: Flow, { wait }: Task, now: number | undefined): boolean {
  if (!wait || now === undefined || wakerAt(wait, now) === undefined) return false;
  return now - Math.max(updated_at, dueAt(wait) ?? now) >= TICK;
}

export function isTerminal(status: FlowStatus): boolean {
  return status !== "running" && status !== "waiting";
}

/** The whole record is written with each entry. */
const LONGEST_LOG = 200;

/** Each change is a revision. */
export function happened(flow: Flow, kind: string, change: Partial<FlowRecord>, at: number): Flow {
  const log = [...flow.log, kind].slice(-LONGEST_LOG);
  return { ...flow, ...change, revision: flow.revision + 1, log, updated_at: at };
}

export function resumed(flow: Flow, patch: unknown, at: number): Flow {
  const state = patch === undefined ? flow.state : merged(flow.state, patch);
  return happened(flow, "resumed", { status: "running", wait: null, state }, at);
}

export function failed(flow: Flow, reason: string, at: number): Flow {
  const failure = { reason, at: timeText({ at, rest: 0 }, "+00:00") };
  return happened(flow, "failed", { status: "failed", state: merged(flow.state, { failure }) }, at);
}

/** Merges top-level keys of two objects; otherwise the patch replaces the state. */
export function merged(state: unknown, patch: unknown): unknown {
  return isObject(state) && isObject(patch) ? { ...state, ...patch } : patch;
}

/** Refusals are in the original's words. Without `next` only the flow's state changes. */
export function checkTransition({ id, status, cancel_requested }: Flow, next?: FlowStatus): Result<undefined, string> {
  if (isTerminal(status)) return fail(`flow ${id} is already terminal (${variant(status)})`);
  if (cancel_requested && next !== "cancelled")
    return fail(`flow ${id} has cancel_requested; only Cancelled transition allowed`);
  if (next === undefined || next === "cancelled" || next === "failed") return ok(undefined);
  const isLegal = status === "running" ? next !== "running" : next === "running";
  return isLegal ? ok(undefined) : fail(`illegal transition from ${variant(status)} to ${variant(next)}`);
}

function variant(status: FlowStatus): string {
  return `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
}

/** Metadata of the flow's task. */
export function recordOf(flow: Flow): JsonObject {
  const { id: _, goal: __, owner: ___, created_at: ____, ...record } = flow;
  return { [FLOW_KEY]: record };
}

/** A flow as the tool shows it. */
export function flowJson(flow: Flow): JsonObject {
  const { id, controller_id, goal, current_step, status, cancel_requested, state, wait, revision } = flow;
  const [created_at, updated_at] = [flow.created_at, flow.updated_at].map((at) => timeText({ at, rest: 0 }, "+00:00"));
  return {
    flow: {
      cancel_requested,
      controller_id,
      created_at,
      current_step,
      goal,
      id,
      revision,
      state,
      status,
      updated_at,
      wait,
    },
    ok: true,
  };
}
