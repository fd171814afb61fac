import { randomUUID } from "node:crypto";
import { isObject, type JsonObject } from "../../src/core/json.js";
import type { Answer } from "../../src/dialects/dialect.js";
import type { Flow, FlowStep } from "../../src/dialects/nexo/flow.js";
import { nexoTaskflow } from "../../src/dialects/nexo/taskflow.js";
import type { Steps, TaskBoard } from "../../src/dialects/task-dialect.js";
import { type OpenBoard, openBoard } from "./board.js";
import { type Check, mismatches, pairs, type Row, sortKeys } from "./case.js";
import {
  cancelFlow,
  flowLog,
  flowSteps,
  makeFlowWait,
  observeStep,
  requestFlowCancel,
  resumeFlow,
  type StepSeen,
  tellFlow,
  tickFlows,
} from "./nexo-taskflow-host.js";

/** A call is the tool's arguments, or what the host does; texts that start with `$` stand for what only a run can know. */
export const nexoTaskflowCheck: Check = async ({ calls, expect }) => {
  const board = openBoard(nexoTaskflow);
  const names = new Map<string, string>([["$MISSING", randomUUID()]]);
  const rows: Row[] = [];
  for (const { call, expected } of pairs(calls, expect)) {
    const asked = isObject(call) ? (filledIn(call, names) as JsonObject) : undefined;
    const actual = asked && (await ask(board, asked));
    if (asked && isObject(asked.tool)) learnFlow(actual?.response, names);
    rows.push({ expected, actual: asTold(filledIn(expected, names), actual, expected) });
  }
  return mismatches(rows);
};

interface Told {
  readonly ok: boolean;
  readonly response?: unknown;
  readonly error?: unknown;
}

/** What is the same but for a time, or a name of this run, is told in the words of the expectation. */
function asTold(filled: unknown, actual: unknown, expected: unknown): unknown {
  if (typeof filled === "string") return isSameText(filled, actual) ? expected : actual;
  if (Array.isArray(filled) && Array.isArray(actual) && Array.isArray(expected))
    return actual.map((item, at) => asTold(filled[at], item, expected[at]));
  if (!isObject(filled) || !isObject(actual) || !isObject(expected)) return actual;
  return Object.fromEntries(
    Object.entries(actual).map(([key, value]) => [key, asTold(filled[key], value, expected[key])]),
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(?:\d{3}){1,3})?(?:Z|\+00:00)$/;

function isSameText(filled: string, actual: unknown): boolean {
  return filled === "$TS" ? typeof actual === "string" && TIME.test(actual) : filled === actual;
}

function filledIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value
      .replace(/\$(?:F\d+|MISSING)/g, (name) => names.get(name) ?? name)
      .replace(/\$NOW(-?\d+)s/g, (_, seconds) => new Date(Date.now() + Number(seconds) * 1000).toISOString());
  if (Array.isArray(value)) return value.map((item) => filledIn(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filledIn(inner, names)]));
}

function learnFlow(response: unknown, names: Map<string, string>): void {
  const flow = isObject(response) ? response.flow : undefined;
  const id = isObject(flow) ? flow.id : undefined;
  // One of them is $MISSING.
  if (typeof id === "string" && ![...names.values()].includes(id)) names.set(`$F${names.size}`, id);
}

async function ask(board: OpenBoard, call: JsonObject): Promise<Told> {
  if (call.host !== undefined) return board.host((steps) => hostCall(steps, call));
  const session = call.session === null ? "" : String(call.session ?? "A");
  const answer = await board.call({ tool: "taskflow", session, arguments: JSON.stringify(call.tool) });
  const { isError, data } = answer;
  if (!isTextOf(answer)) return { ok: false, error: answer };
  return isError ? { ok: false, error: isObject(data) ? data.error : undefined } : { ok: true, response: data };
}

/** What the model reads follows from the rest: compact JSON, or the error behind one word. */
function isTextOf({ text, isError, data }: Answer): boolean {
  if (isError) return isObject(data) && text === `error: ${data.error}`;
  const read: unknown = JSON.parse(text);
  const isCompact = text.length === JSON.stringify(read).length;
  return isCompact && JSON.stringify(sortKeys(read)) === JSON.stringify(sortKeys(data));
}

function* hostCall(board: TaskBoard, call: JsonObject): Steps<Told> {
  const id = String(call.flow);
  switch (call.host) {
    case "resume":
      return told(yield* resumeFlow(board, id, call.patch), hostView);
    case "request_cancel":
      return told(yield* requestFlowCancel(board, id), hostView);
    case "cancel":
      return told(yield* cancelFlow(board, id), hostView);
    case "set_waiting":
      return told(yield* makeFlowWait(board, id, call.wait ?? null), hostView);
    case "external": {
      const { payload } = call;
      const event = { topic: String(call.topic), correlationId: String(call.correlation_id), payload };
      return told(yield* tellFlow(board, id, event), hostView);
    }
    case "tick":
      return { ok: true, response: yield* tickFlows(board, board.now + Number(call.offset_s ?? 0) * 1000) };
    case "observe":
      // The file says what was seen; the fields it leaves out were not.
      return told(yield* observeStep(board, id, call as unknown as StepSeen), stepView);
    case "events":
      return { ok: true, response: yield* flowLog(board, id) };
    case "steps":
      return { ok: true, response: (yield* flowSteps(board, id)).map(({ run_id, status }) => `${run_id}:${status}`) };
    default:
      throw new Error(`unknown host call ${JSON.stringify(call.host)}`);
  }
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

function told<T>(outcome: Outcome<T>, view: (value: T) => unknown): Told {
  return outcome.ok ? { ok: true, response: view(outcome.value) } : { ok: false, error: outcome.error };
}

function hostView(flow: Flow | undefined): unknown {
  if (!flow) return null;
  const { cancel_requested, current_step, revision, state, status, wait } = flow;
  return { cancel_requested, current_step, revision, state, status, wait };
}

function stepView(step: FlowStep): unknown {
  // Every step that is told from outside is one.
  return { ...step, runtime: "mirrored" };
}
