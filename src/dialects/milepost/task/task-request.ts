import { isObject, type JsonObject } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskDetails } from "../../../core/task/events.js";
import type { ToolInput } from "../../dialect.js";
import { checkJsonSize } from "../../json-limits.js";
import { type Complain, isBlank, readSentence } from "../spelling.js";
import { unwrap } from "../todo-request.js";
import { type AddedTask, readAdded, readDetails } from "./added-tasks.js";
import { type Reading, readReading } from "./read-request.js";
import { readFence, readOne, readTaskNumbers, type TaskName } from "./task-names.js";
import { readWait, type WaitSpan } from "./wait-request.js";

/** A call, whatever spelling the model chose. */
export interface TaskRequest {
  readonly add: readonly AddedTask[];
  readonly edit: { readonly task: TaskName; readonly details: TaskDetails } | undefined;
  readonly reopen: readonly TaskName[];
  readonly unblock: Edges | undefined;
  readonly block: Edges | undefined;
  readonly note: { readonly task: TaskName | undefined; readonly text: string } | undefined;
  readonly progress: { readonly task: TaskName | undefined; readonly text: string } | undefined;
  readonly done: readonly TaskName[];
  readonly evidence: string | undefined;
  readonly fail: readonly TaskName[];
  readonly release: readonly TaskName[];
  readonly cancel: readonly TaskName[];
  readonly reason: string | undefined;
  readonly wait: { readonly task: TaskName | undefined; readonly span: WaitSpan } | undefined;
  readonly claim: readonly TaskName[] | "best";
  readonly fence: number | undefined;
  readonly reading: Reading | undefined;
}

interface Edges {
  readonly task: TaskName;
  readonly blockers: readonly TaskName[];
}

/** Reads a call, or says in one sentence how to repair it. */
export function readTaskRequest(input: ToolInput): Result<TaskRequest, string> {
  const fields = readFields(input);
  if (!fields.ok) return fields;
  const complaints: string[] = [];
  const request = readAll(fields.value, (repair) => complaints.push(repair));
  const first = complaints[0] ?? contradiction(fields.value, request);
  return first === undefined ? ok(request) : fail(first);
}

const OFFERED = "add description priority after claim done evidence fail release cancel task note wait list".split(" ");
/** Understood as well; answers name those that are needed. */
const OTHERS = "subject parent labels reason reopen block unblock by for timeout progress show from fence".split(" ");

function readFields(input: ToolInput): Result<JsonObject, string> {
  const value = unwrap("value" in input ? input.value : input.text);
  if (!isObject(value)) return fail('The arguments must be one JSON object, such as {"claim":-1}.');
  const size = checkJsonSize(value);
  if (!size.ok) return size;
  const unknown = Object.keys(value).find((key) => !OFFERED.includes(key) && !OTHERS.includes(key));
  if (unknown !== undefined) return fail(noSuchField(unknown));
  return ok(Object.fromEntries(Object.entries(value).filter(([key, field]) => isGiven(key, field))));
}

/** Models fill in 0 for absent fields, but priority 0 is the most urgent one. */
function isGiven(key: string, field: unknown): boolean {
  return !isBlank(field) || (key === "priority" && field === 0);
}

const HINTS: readonly { readonly keys: readonly string[]; readonly hint: string }[] = [
  {
    keys: ["tasks", "todos", "plan", "items", "title", "content", "text", "create"],
    hint: '{"add":["first task","second task"]} adds tasks.',
  },
  {
    keys: ["id", "taskId", "task_id", "number", "status", "state", "complete", "completed", "update"],
    hint: '{"claim":3} takes a task, {"done":3} finishes it, {"list":"#3"} shows it.',
  },
  { keys: ["owner", "assignee", "next", "start"], hint: '{"claim":-1} takes the best ready task for you.' },
  { keys: ["blockedBy", "blocks", "addBlockedBy", "depends"], hint: '{"task":5,"after":[3]} lets 5 come after 3.' },
  { keys: ["search", "query", "filter", "get", "read"], hint: '{"list":"words"} searches.' },
];

function noSuchField(key: string): string {
  const hint =
    HINTS.find(({ keys }) => keys.includes(key))?.hint ?? 'For example {"add":["first task"]} or {"done":1}.';
  return `There is no field ${JSON.stringify(key.slice(0, 40))}, only ${OFFERED.join(", ")}. ${hint}`;
}

function readAll(fields: JsonObject, complain: Complain): TaskRequest {
  const numbers = (field: string) => readTaskNumbers(field, fields[field], complain);
  const task = readOne("task", fields.task, complain);
  const add = readAdded(fields, complain);
  const isGivenUp = ["fail", "release", "cancel"].some((field) => field in fields);
  const text = readSentence("note", fields.note, complain);
  // With "fail", "release" or "cancel" a note is the reason.
  const isReason = isGivenUp && fields.reason === undefined && task === undefined;
  return {
    add,
    edit: readEdit(fields, task, complain),
    reopen: numbers("reopen"),
    ...readEdges(fields, task, complain),
    note: text === undefined || isReason ? undefined : { task: task ?? onlyNamed(fields, complain), text },
    progress: readProgress(fields, task, complain),
    done: numbers("done"),
    evidence: readSentence("evidence", fields.evidence, complain),
    fail: numbers("fail"),
    release: numbers("release"),
    cancel: numbers("cancel"),
    reason: readSentence("reason", fields.reason, complain) ?? (isReason ? text : undefined),
    wait: readWaiting(fields, task, complain),
    claim: readClaim(fields.claim, complain),
    fence: readFence(fields.fence, complain),
    reading: readReading(fields, task, complain),
  };
}

/** A note without "task" belongs to the one task that is done or claimed. */
function onlyNamed(fields: JsonObject, complain: Complain): TaskName | undefined {
  const claim = readClaim(fields.claim, complain);
  const named = [...readTaskNumbers("done", fields.done, complain), ...(claim === "best" ? [] : claim)];
  return named.length === 1 ? named[0] : undefined;
}

function readProgress(fields: JsonObject, task: TaskName | undefined, complain: Complain): TaskRequest["progress"] {
  const text = readSentence("progress", fields.progress, complain);
  return text === undefined ? undefined : { task, text };
}

/** With `add` the details are those of the new tasks. */
function readEdit(fields: JsonObject, task: TaskName | undefined, complain: Complain): TaskRequest["edit"] {
  if ("add" in fields) return undefined;
  const details = readDetails(fields, complain);
  if (Object.keys(details).length === 0) return undefined;
  if (task === undefined)
    complain(`"${Object.keys(details)[0]}" goes with "add", or with "task" as in {"task":3,"priority":"high"}.`);
  return task === undefined ? undefined : { task, details };
}

const BLOCK_EXAMPLE = 'as in {"task":5,"after":[3]}: 5 comes after 3.';

function readEdges(
  fields: JsonObject,
  task: TaskName | undefined,
  complain: Complain,
): Pick<TaskRequest, "block" | "unblock"> {
  const blockers = readTaskNumbers("after", fields.after ?? fields.by, complain);
  const blocked = readOne("block", fields.block, complain);
  const unblocked = readOne("unblock", fields.unblock, complain);
  const target = blocked ?? ("add" in fields || unblocked !== undefined ? undefined : task);
  if (blockers.length === 0 && (blocked ?? unblocked) !== undefined)
    complain(`Say which tasks, as in {"${blocked === undefined ? "unblock" : "block"}":5,"by":[3]}.`);
  if (blocked !== undefined && unblocked !== undefined) complain('"block" and "unblock" take one call each.');
  if (blockers.length > 0 && !("add" in fields) && (target ?? unblocked) === undefined)
    complain(`Say which task comes after them, ${BLOCK_EXAMPLE}`);
  return {
    block: target === undefined || blockers.length === 0 ? undefined : { task: target, blockers },
    unblock: unblocked === undefined ? undefined : { task: unblocked, blockers },
  };
}

/** {"task":3,"wait":"30m"}, or {"wait":3,"for":"30m"}; without a task, the one that is held. */
function readWaiting(fields: JsonObject, task: TaskName | undefined, complain: Complain): TaskRequest["wait"] {
  const { wait, for: until, timeout } = fields;
  if (wait === undefined) {
    if (until !== undefined || timeout !== undefined)
      complain('"for" and "timeout" go with "wait", as in {"task":3,"wait":"30m"}.');
    return undefined;
  }
  const named = until === undefined ? task : readOne("wait", wait, complain);
  const span = readWait(until ?? wait, timeout, complain);
  return span && { task: named, span };
}

function readClaim(value: unknown, complain: Complain): TaskRequest["claim"] {
  if (value === true || value === -1) return "best";
  if (typeof value === "string" && ["-1", "true", "best", "next", "any", "ready"].includes(value.trim().toLowerCase()))
    return "best";
  return readTaskNumbers("claim", value, complain);
}

function contradiction(fields: JsonObject, request: TaskRequest): string | undefined {
  const { evidence, done, reason, fail: failed, release, cancel, fence, wait, edit, note, progress } = request;
  if (evidence !== undefined && done.length === 0)
    return '"evidence" goes with "done", as in {"done":3,"evidence":"npm test passes"}.';
  if (failed.length > 0 && reason === undefined) return 'Say why, as in {"fail":3,"reason":"the API is down"}.';
  if (reason !== undefined && failed.length + release.length + cancel.length === 0)
    return '"reason" goes with "fail", "release" or "cancel".';
  if (fence !== undefined) {
    const single = [wait, edit, note, progress].filter(Boolean).length;
    const written = done.length + failed.length + release.length + cancel.length + single;
    if (written !== 1) return '"fence" goes with one change of one task, as in {"done":3,"fence":2}.';
  }
  const both = request.claim === "best" ? [] : request.claim.filter((name) => done.includes(name));
  if (both.length > 0)
    return `#${both[0]} cannot be claimed and be done in one call: {"claim":${both[0]}} first, then work, then {"done":${both[0]}}.`;
  if ("from" in fields && request.reading === undefined) return '"from" goes with "list", or with "show".';
  return undefined;
}
