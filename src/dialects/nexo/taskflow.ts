import { isDeeperThan, isObject, type JsonObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { FREE_POLICY } from "../../core/task/policy.js";
import { promptText } from "../../core/text/prompt-text.js";
import { type Answer, inputValue, LIST_TOOL, type ToolCall } from "../dialect.js";
import type { Steps, TaskBoard, TaskDialect } from "../task-dialect.js";
import { alphabeticalJson, rustTrim } from "../wording/rust-text.js";
import { readUuid } from "../wording/rust-uuid.js";
import { checkTransition, type Flow, failed, flowJson, flowOf, happened, merged, recordOf } from "./flow.js";
import { type FoundFlow, findFlow, moveTo, wakeUp, writeFlow } from "./flow-board.js";
import { checkCondition, conditionJson, readCondition, toWait } from "./flow-wait.js";
import { handlerError, refusal } from "./nexo.js";

const TOOL = "taskflow";
const ACTIONS = ["start", "status", "advance", "wait", "finish", "fail", "cancel", "list_mine"] as const;
type Action = (typeof ACTIONS)[number];

/** nexo-rs: flows that survive a restart. A flow is a task; only its own session may touch it. */
export const nexoTaskflow: TaskDialect = {
  name: "nexo-taskflow",
  summary: "nexo-rs taskflow: flows of one step at a time, with a state, that can wait for a time or an event",
  tools: [
    {
      name: TOOL,
      title: "Drive a flow",
      description:
        "Work in steps that outlives this process. start makes a flow and runs it; status and list_mine show; advance changes its state or step; wait pauses it; finish, fail and cancel end it.",
      inputSchema: {
        type: "object",
        properties: {
          action: { type: "string", enum: ACTIONS },
          flow_id: { type: "string", description: "UUID of the flow; all but start and list_mine need it" },
          controller_id: { type: "string", description: "start: who drives it, such as kate/inbox" },
          goal: { type: "string", description: "start: what it is for" },
          current_step: { type: "string", description: "start, advance: the name of the step it is at" },
          state: { type: "object", description: "start: its first state" },
          patch: { type: "object", description: "advance: keys of the state to set" },
          wait_condition: {
            type: "object",
            description:
              "wait: {kind:'timer', at: RFC 3339 time} or {kind:'external_event', topic, correlation_id} or {kind:'manual'}",
          },
          final_state: { type: "object", description: "finish: keys of the state to set" },
          reason: { type: "string", description: "fail: why" },
        },
        required: ["action"],
      },
      annotations: LIST_TOOL,
    },
  ],
  policy: FREE_POLICY,
  // One list for all sessions: a flow of another session is refused, not unknown.
  scope: "project",
  needsSession: true,
  answer,
};

/** The original's parser limit. */
const DEEPEST = 127;

type Answered = Result<JsonObject, string>;

function* answer({ tool, input }: ToolCall, board: TaskBoard): Steps<Answer> {
  if (tool !== TOOL) return refusal(`unknown tool: ${tool}`);
  const value = inputValue(input);
  if (isDeeperThan(value, DEEPEST)) return handlerError("recursion limit exceeded");
  const answered = yield* act(isObject(value) ? value : {}, board);
  if (!answered.ok) return handlerError(answered.error);
  return { text: alphabeticalJson(answered.value), isError: false, data: answered.value };
}

function* act(input: JsonObject, board: TaskBoard): Steps<Answered> {
  const given = own(input, "action");
  const name = typeof given === "string" ? rustTrim(given) : "";
  if (board.session === "") return fail("taskflow tool requires a session context; call was made without session_id");
  const action = ACTIONS.find((known) => known === name);
  if (action === undefined) return fail(`unknown action \`${name}\`; expected ${ACTIONS.join("|")}`);
  if (action === "start") return yield* start(input, board);
  if (action === "list_mine") return yield* listMine(board);
  const id = requiredUuid(input, "flow_id");
  if (!id.ok) return id;
  const found = yield* findFlow(board, id.value);
  if (!found) return ok({ error: "not_found", flow_id: id.value, ok: false });
  if (found.flow.owner !== ownerKey(board))
    return fail(`flow ${found.flow.id} belongs to a different session; refusing cross-session access`);
  if (action === "status") return ok(flowJson(found.flow));
  const done = yield* DEEDS[action](input, found, board);
  return done.ok ? ok(flowJson(done.value)) : done;
}

function ownerKey({ session }: TaskBoard): string {
  return `agent:nexo:session:${session}`;
}

function* start(input: JsonObject, board: TaskBoard): Steps<Answered> {
  const controller = requiredText(input, "controller_id");
  if (!controller.ok) return controller;
  const goal = requiredText(input, "goal");
  if (!goal.ok) return goal;
  const flow: Flow = {
    id: "",
    goal: goal.value,
    owner: ownerKey(board),
    created_at: board.now,
    controller_id: controller.value,
    current_step: optionalText(input, "current_step") ?? "init",
    state: valueAt(input, "state", {}),
    wait: null,
    status: "running",
    cancel_requested: false,
    revision: 1,
    updated_at: board.now,
    log: ["created", "started"],
    steps: [],
  };
  const added = yield* board.add({ subject: flow.goal, assignee: ownerKey(board), metadata: recordOf(flow) });
  if (!added.ok) return fail(promptText(added.error.message, 500));
  const moved = yield* board.run(added.value.number, moveTo(board, "in_progress"));
  if (!moved.ok) return fail(promptText(moved.error.message, 500));
  return ok(flowJson({ ...flow, id: added.value.uuid }));
}

function* listMine(board: TaskBoard): Steps<Answered> {
  const owner = ownerKey(board);
  const mine = (yield* board.list({ owner })).flatMap(({ task }) => flowOf(task, board.now) ?? []);
  const flows = mine.filter((flow) => flow.owner === owner).toReversed();
  return ok({ count: flows.length, flows: flows.map(flowJson), ok: true });
}

type Done = Result<Flow, string>;
type Deed = (input: JsonObject, found: FoundFlow, board: TaskBoard) => Steps<Done>;

const DEEDS: Readonly<Record<Exclude<Action, "start" | "status" | "list_mine">, Deed>> = {
  *advance(input, { task, flow }, board): Steps<Done> {
    const may = checkTransition(flow);
    if (!may.ok) return may;
    const current_step = optionalText(input, "current_step") ?? flow.current_step;
    const state = merged(flow.state, valueAt(input, "patch", {}));
    const advanced = happened(flow, "state_updated", { state, current_step }, board.now);
    // Going on with a woken flow claims its task again.
    const taken = flow.status === "running" ? [...wakeUp(task, "timer"), moveTo(board, "in_progress")] : [];
    return yield* writeFlow(board, { task, flow: advanced }, taken);
  },

  *wait(input, { task, flow }, board): Steps<Done> {
    if (!Object.hasOwn(input, "wait_condition")) return fail("missing `wait_condition`");
    const condition = readCondition(own(input, "wait_condition"));
    if (!condition) return fail("invalid wait_condition shape; expected {kind:'timer'|'external_event'|'manual', ...}");
    const checked = checkCondition(condition, board.now);
    if (!checked.ok) return checked;
    const may = checkTransition(flow, "waiting");
    if (!may.ok) return may;
    const waiting = happened(flow, "waiting", { status: "waiting", wait: conditionJson(condition) }, board.now);
    const hold = { owner: board.owner };
    return yield* writeFlow(board, { task, flow: waiting }, [{ type: "wait", hold, wait: toWait(condition) }]);
  },

  *finish(input, { task, flow }, board): Steps<Done> {
    const may = checkTransition(flow, "finished");
    if (!may.ok) return may;
    const state = Object.hasOwn(input, "final_state") ? merged(flow.state, own(input, "final_state")) : flow.state;
    const finished = happened(flow, "finished", { status: "finished", state }, board.now);
    return yield* writeFlow(board, { task, flow: finished }, [moveTo(board, "completed")]);
  },

  *fail(input, { task, flow }, board): Steps<Done> {
    const reason = requiredText(input, "reason");
    if (!reason.ok) return reason;
    const may = checkTransition(flow, "failed");
    if (!may.ok) return may;
    const end = { type: "fail", hold: { owner: board.owner }, reason: reason.value, isFinal: true } as const;
    return yield* writeFlow(board, { task, flow: failed(flow, reason.value, board.now) }, [end]);
  },

  *cancel(_, { task, flow }, board): Steps<Done> {
    const may = checkTransition(flow, "cancelled");
    if (!may.ok) return may;
    const cancelled = happened(flow, "cancelled", { status: "cancelled" }, board.now);
    return yield* writeFlow(board, { task, flow: cancelled }, [moveTo(board, "cancelled")]);
  },
};

/** Absent is not null: null is a value. */
function valueAt(input: JsonObject, key: string, otherwise: unknown): unknown {
  return Object.hasOwn(input, key) ? input[key] : otherwise;
}

function requiredText(input: JsonObject, key: string): Result<string, string> {
  const value = own(input, key);
  if (typeof value !== "string") return fail(`missing or invalid \`${key}\``);
  const trimmed = rustTrim(value);
  return trimmed === "" ? fail(`\`${key}\` cannot be empty`) : ok(trimmed);
}

function optionalText(input: JsonObject, key: string): string | undefined {
  const text = requiredText(input, key);
  return text.ok ? text.value : undefined;
}

function requiredUuid(input: JsonObject, key: string): Result<string, string> {
  const text = requiredText(input, key);
  if (!text.ok) return text;
  const uuid = readUuid(text.value);
  return uuid.ok ? uuid : fail(`\`${key}\` is not a valid UUID: ${uuid.error}`);
}
