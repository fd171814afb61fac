import { defined, type JsonObject, own } from "../../core/json.js";
import { ok, type Result } from "../../core/result.js";
import type { TaskError } from "../../core/task/command.js";
import type { TaskDetails } from "../../core/task/events.js";
import { LEASE } from "../../core/task/lease.js";
import { checkEdges } from "../../core/task/limits.js";
import { FREE_POLICY } from "../../core/task/policy.js";
import type { Task } from "../../core/task/task.js";
import type { Answer } from "../dialect.js";
import type { Steps, TaskBoard } from "../task-dialect.js";
import { alphabeticalJson } from "../wording/rust-text.js";
import { boardRefusal, findTask, statusOf, withoutProto } from "./task-view.js";
import type { ClaudeStatus } from "./todo-input.js";

interface Update {
  readonly subject?: string;
  readonly description?: string;
  readonly activeForm?: string;
  readonly owner?: string;
  readonly metadata?: JsonObject;
  readonly status?: ClaudeStatus | "deleted";
  readonly addBlocks?: readonly string[];
  readonly addBlockedBy?: readonly string[];
}

/** New edges that one call makes. */
const MOST_IDS = 500;

/** `input` has been checked. Unchanged fields are not written, and not reported, except metadata. */
export function* updateTask(input: JsonObject, board: TaskBoard): Steps<Answer> {
  const taskId = String(input.taskId);
  const update = input as Update;
  if (update.addBlocks || update.addBlockedBy || update.status === "deleted") yield* board.lockEdges();
  const task = yield* findTask(board, taskId);
  if (!task) return notFound(taskId);
  if (update.status === "deleted") return yield* deleteTask(task, board);
  const details = detailsOf(update, task);
  const changed = yield* changeTask(task, details, board);
  if (!changed.ok) return boardRefusal(changed.error);
  const from = statusOf(task);
  const to = update.status === from ? undefined : update.status;
  const moved = to === undefined ? changed : yield* moveTask(task, to, board);
  if (!moved.ok) return boardRefusal(moved.error);
  const blocks = newIds(update.addBlocks, task.blocks);
  const blockedBy = newIds(update.addBlockedBy, task.blockedBy);
  // Before any of them is looked up: others wait for this call.
  const tooMany = checkEdges({ ...FREE_POLICY.limits, edges: MOST_IDS }, task.number, blocks.length + blockedBy.length);
  if (tooMany) return boardRefusal(tooMany);
  const linked = yield* linkTask(task, { blocks, blockedBy }, board);
  if (!linked.ok) return boardRefusal(linked.error);
  const { metadata: _, assignee, ...texts } = details;
  const updatedFields = [
    ...Object.keys(texts),
    ...(assignee === undefined ? [] : ["owner"]),
    ...(update.metadata === undefined ? [] : ["metadata"]),
    ...(to === undefined ? [] : ["status"]),
    ...(blocks.length > 0 ? ["blocks"] : []),
    ...(blockedBy.length > 0 ? ["blockedBy"] : []),
  ];
  return updated(taskId, updatedFields, to && { from, to });
}

function notFound(taskId: string): Answer {
  const error = "Task not found";
  return { text: error, isError: false, data: { success: false, taskId, updatedFields: [], error } };
}

function updated(taskId: string, updatedFields: readonly string[], statusChange: object | undefined): Answer {
  const text = `Updated task #${taskId} ${updatedFields.join(", ")}`;
  return { text, isError: false, data: defined({ success: true, taskId, updatedFields, statusChange }) };
}

/** Other changes of the same call are not made. */
function* deleteTask(task: Task, board: TaskBoard): Steps<Answer> {
  const removed = yield* board.remove(task.number);
  if (!removed.ok) return boardRefusal(removed.error);
  return updated(String(task.number), ["deleted"], { from: statusOf(task), to: "deleted" });
}

/** In the order in which changes are reported. */
function detailsOf({ subject, description, activeForm, owner, metadata }: Update, task: Task): TaskDetails {
  return {
    ...(isNew(subject, task.subject) ? { subject } : undefined),
    ...(isNew(description, task.description) ? { description } : undefined),
    ...(isNew(activeForm, task.activeForm) ? { activeForm } : undefined),
    ...(isNew(owner, task.assignee) ? { assignee: owner } : undefined),
    ...(metadata && changesRecord(metadata, task.metadata) ? { metadata: withoutProto(metadata) } : undefined),
  };
}

function isNew(value: string | undefined, before: string | undefined): value is string {
  return value !== undefined && value !== before;
}

function changesRecord(patch: JsonObject, before: JsonObject): boolean {
  return Object.entries(withoutProto(patch)).some(([key, value]) =>
    value === null ? Object.hasOwn(before, key) : alphabeticalJson(value) !== alphabeticalJson(own(before, key)),
  );
}

type Done = Result<unknown, TaskError>;

function* changeTask({ number }: Task, details: TaskDetails, board: TaskBoard): Steps<Done> {
  if (Object.keys(details).length === 0) return ok(undefined);
  return yield* board.run(number, { type: "change", hold: { owner: board.owner }, details });
}

function* moveTask({ number }: Task, to: ClaudeStatus | "deleted", board: TaskBoard): Steps<Done> {
  if (to === "deleted") return ok(undefined);
  const { owner, session } = board;
  return yield* board.run(number, { type: "move", hold: { owner }, to, ttl: LEASE.session, session });
}

function newIds(ids: readonly string[] | undefined, before: readonly number[]): readonly string[] {
  const known = new Set(before.map(String));
  return [...new Set(ids)].filter((id) => !known.has(id));
}

type Edges = Readonly<Record<"blocks" | "blockedBy", readonly string[]>>;

/** Unknown ids are reported like all others, and ignored. */
function* linkTask({ number }: Task, { blocks, blockedBy }: Edges, board: TaskBoard): Steps<Done> {
  for (const id of blocks) {
    const blocked = yield* findTask(board, id);
    const linked = blocked ? yield* board.block(blocked.number, [number]) : ok(undefined);
    if (!linked.ok) return linked;
  }
  const blockers: number[] = [];
  for (const id of blockedBy) {
    const blocker = yield* findTask(board, id);
    if (blocker) blockers.push(blocker.number);
  }
  return blockers.length === 0 ? ok(undefined) : yield* board.block(number, blockers);
}
