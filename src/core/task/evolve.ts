import { defined, type JsonObject } from "../json.js";
import type { EventOf, TaskDetails, TaskEvent } from "./events.js";
import { DEFAULT_ATTEMPTS, NO_TASK, type Said, type Task, type TodoLink } from "./task.js";

/** When, and by whom. */
export interface Stamp {
  readonly at: number;
  readonly by?: string | undefined;
}

type Change<Type extends TaskEvent["type"]> = (task: Task, event: EventOf<Type>, stamp: Stamp) => Task;

const CHANGES: { readonly [Type in TaskEvent["type"]]: Change<Type> } = {
  "task.added": (_, event, stamp) => added(event, stamp),
  "task.changed": detailed,
  "task.moved": moved,
  "task.claimed": claimed,
  "task.renewed": renewed,
  "task.released": (task) => ({ ...unheld(task), status: "pending" }),
  "task.completed": completed,
  "task.failed": failed,
  "task.cancelled": (task, { reason }, stamp) => closed({ ...task, ...defined({ reason }) }, "cancelled", stamp),
  "task.reopened": reopened,
  "task.deleted": (task) => ({ ...unheld(task), isDeleted: true, blockedBy: [], blocks: [] }),
  "cancel.requested": (task, { reason }, { by }) => ({ ...task, cancelRequest: defined({ by, reason }) }),
  "task.noted": (task, { text }, stamp) => ({ ...task, notes: [...task.notes, said(text, stamp)] }),
  "wait.begun": (task, { wait }) => ({ ...withoutPayload(unheld(task)), status: "pending", wait }),
  "wait.ended": (task, { payload }) => ({ ...withoutWait(task), ...defined({ payload }) }),
  "blockers.added": (task, { tasks }) => ({ ...task, blockedBy: union(task.blockedBy, tasks) }),
  "blockers.removed": (task, { tasks }) => ({ ...task, blockedBy: without(task.blockedBy, tasks) }),
  "dependents.added": (task, { tasks }) => ({ ...task, blocks: union(task.blocks, tasks) }),
  "dependents.removed": (task, { tasks }) => ({ ...task, blocks: without(task.blocks, tasks) }),
  "todo.linked": linked,
  "todo.unlinked": (task, link) => ({ ...task, links: unlinked(task, link) }),
};

export function evolve(task: Task, event: TaskEvent, stamp: Stamp): Task {
  const change = CHANGES[event.type] as Change<TaskEvent["type"]>;
  return { ...change(task, event, stamp), updatedAt: stamp.at };
}

function added(given: EventOf<"task.added">, { at, by }: Stamp): Task {
  const { type: _, status = "pending", past = {}, ...event } = withoutNulls(given);
  const { labels = [], metadata = {}, maxAttempts = DEFAULT_ATTEMPTS } = event;
  const { notes = [], evidence = [], reason, createdAt = at, closedAt = at } = withoutNulls(past);
  const isClosed = status !== "pending" && status !== "in_progress";
  return {
    ...NO_TASK,
    ...event,
    labels,
    metadata,
    maxAttempts,
    status,
    notes,
    evidence,
    createdAt,
    ...defined({ createdBy: by, closedAt: isClosed ? closedAt : undefined, reason }),
  };
}

/** A file may say null where we leave a field out. */
function withoutNulls<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields;
}

function detailed(task: Task, { type: _, ...details }: EventOf<"task.changed">): Task {
  const { metadata, ...others } = details;
  const kept: Record<string, unknown> = { ...task };
  // A file may take away what a task always has.
  for (const [name, value] of Object.entries(others satisfies TaskDetails))
    if (value === null && Object.hasOwn(NO_TASK, name)) kept[name] = NO_TASK[name as keyof Task];
    else if (value === null) delete kept[name];
    else if (value !== undefined) kept[name] = value;
  return {
    ...(kept as unknown as Task),
    metadata: metadata ? patchedMetadata(task.metadata, metadata) : task.metadata,
  };
}

/** Key by key; null takes a key away. Built from entries, so that `__proto__` is a key like any other. */
export function patchedMetadata(before: JsonObject, patch: JsonObject): JsonObject {
  const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(patch, key));
  return Object.fromEntries([...kept, ...Object.entries(patch).filter(([, value]) => value !== null)]);
}

function moved(task: Task, { to }: EventOf<"task.moved">, stamp: Stamp): Task {
  if (to === "completed" || to === "cancelled" || to === "failed") return closed(task, to, stamp);
  const open = task.closedAt === undefined ? task : reopened(task);
  return to === "pending" ? { ...unheld(open), status: to } : { ...withoutWait(open), status: to };
}

function claimed(task: Task, { type: _, session, ...lease }: EventOf<"task.claimed">, { at }: Stamp): Task {
  return {
    ...withoutRetry(withoutWait(unheld(task))),
    status: "in_progress",
    attempts: task.attempts + 1,
    fence: lease.fence,
    lease: defined({ ...lease, since: at, session }),
    sessions: session === undefined ? task.sessions : union(task.sessions, [session]),
  };
}

function renewed(task: Task, { until, progress }: EventOf<"task.renewed">, { at }: Stamp): Task {
  if (!task.lease) return task;
  return { ...task, lease: { ...task.lease, until, since: at, ...defined({ progress }) } };
}

function completed(task: Task, { evidence }: EventOf<"task.completed">, stamp: Stamp): Task {
  // A cancel request came too late.
  const { cancelRequest: _, ...done } = task;
  const shown = evidence === undefined ? done : { ...done, evidence: [...task.evidence, said(evidence, stamp)] };
  return closed(shown, "completed", stamp);
}

function failed(task: Task, { reason, retryAt }: EventOf<"task.failed">, stamp: Stamp): Task {
  const counted = { ...task, reason, failures: task.failures + 1 };
  if (retryAt === undefined) return closed(counted, "failed", stamp);
  return { ...unheld(counted), status: "pending", retryAt };
}

function closed(task: Task, status: Task["status"], { at, by }: Stamp): Task {
  const done = withoutWait(withoutRetry(unheld(task)));
  return { ...done, status, closedAt: at, ...defined({ closedBy: by }) };
}

function reopened(task: Task): Task {
  const { closedAt: _, closedBy: __, reason: ___, cancelRequest: ____, ...open } = withoutRetry(task);
  return { ...open, status: "pending", failures: 0 };
}

const MOST_PAST = 20;

function unheld(task: Task): Task {
  const { lease, ...free } = task;
  if (!lease) return task;
  const { owner, fence } = lease;
  return { ...free, pastLeases: [{ owner, fence }, ...task.pastLeases].slice(0, MOST_PAST) };
}

function withoutWait({ wait: _, ...task }: Task): Task {
  return task;
}

function withoutPayload({ payload: _, ...task }: Task): Task {
  return task;
}

function withoutRetry({ retryAt: _, ...task }: Task): Task {
  return task;
}

function linked(task: Task, { type: _, ...link }: EventOf<"todo.linked">): Task {
  return { ...task, links: [...unlinked(task, link), link], sessions: union(task.sessions, [link.session]) };
}

function unlinked({ links }: Task, { session, agent, todo }: TodoLink): readonly TodoLink[] {
  return links.filter((link) => link.session !== session || link.agent !== agent || link.todo !== todo);
}

function said(text: string, { at, by }: Stamp): Said {
  return defined({ text, by, at });
}

function union<T>(before: readonly T[], more: readonly T[]): readonly T[] {
  const [one, ...others] = more;
  // Edges mostly come one by one, to lists that may be long.
  if (one !== undefined && others.length === 0) return before.includes(one) ? before : [...before, one];
  return [...new Set([...before, ...more])];
}

function without<T>(before: readonly T[], less: readonly T[]): readonly T[] {
  return before.filter((item) => !less.includes(item));
}
