import type { JsonObject } from "../json.js";
import type { TaskDetails, TaskEvent } from "./events.js";
import { DEFAULT_ATTEMPTS, NO_TASK, type Said, type Task } from "./task.js";

/** When, and by whom. */
export interface Stamp {
  readonly at: number;
  readonly by?: string | undefined;
}

export function evolve(task: Task, event: TaskEvent, stamp: Stamp): Task {
  return { ...change(task, event, stamp), updatedAt: stamp.at };
}

function change(task: Task, event: TaskEvent, { at, by }: Stamp): Task {
  switch (event.type) {
    case "task.added":
      return added(event, { at, by });
    case "task.changed":
      return detailed(task, event);
    case "task.moved":
      return moved(task, event.to, { at, by });
    case "task.claimed":
      return claimed(task, event, at);
    case "task.renewed":
      return renewed(task, event, at);
    case "task.released":
      return { ...unheld(task), status: "pending" };
    case "task.completed":
      return completed(task, event, { at, by });
    case "task.failed":
      return failed(task, event, { at, by });
    case "task.cancelled":
      return closed({ ...task, ...reasonOf(event) }, "cancelled", { at, by });
    case "task.reopened":
      return reopened(task);
    case "task.deleted":
      return { ...unheld(task), isDeleted: true, blockedBy: [], blocks: [] };
    case "cancel.requested":
      return { ...task, cancelRequest: { ...(by === undefined ? undefined : { by }), ...reasonOf(event) } };
    case "task.noted":
      return { ...task, notes: [...task.notes, said(event.text, { at, by })] };
    case "wait.begun":
      return { ...withoutPayload(unheld(task)), status: "pending", wait: event.wait };
    case "wait.ended":
      return { ...withoutWait(task), ...(event.payload === undefined ? undefined : { payload: event.payload }) };
    case "blockers.added":
    case "blockers.removed":
    case "dependents.added":
    case "dependents.removed":
    case "todo.linked":
    case "todo.unlinked":
      return tied(task, event);
  }
}

/** What ties a task to others, and to todos. */
function tied(task: Task, event: Event<Tie>): Task {
  switch (event.type) {
    case "blockers.added":
      return { ...task, blockedBy: union(task.blockedBy, event.tasks) };
    case "blockers.removed":
      return { ...task, blockedBy: without(task.blockedBy, event.tasks) };
    case "dependents.added":
      return { ...task, blocks: union(task.blocks, event.tasks) };
    case "dependents.removed":
      return { ...task, blocks: without(task.blocks, event.tasks) };
    case "todo.linked": {
      const { type: _, ...link } = event;
      return { ...task, links: [...unlinked(task, event), link], sessions: union(task.sessions, [link.session]) };
    }
    case "todo.unlinked":
      return { ...task, links: unlinked(task, event) };
  }
}

type Tie =
  | "blockers.added"
  | "blockers.removed"
  | "dependents.added"
  | "dependents.removed"
  | "todo.linked"
  | "todo.unlinked";

type Event<Type extends TaskEvent["type"]> = Extract<TaskEvent, { type: Type }>;

function added({ type: _, status = "pending", past = {}, ...event }: Event<"task.added">, { at, by }: Stamp): Task {
  const { labels = [], metadata = {}, maxAttempts = DEFAULT_ATTEMPTS } = event;
  const { notes = [], evidence = [], reason, createdAt = at, closedAt = at } = past;
  const isClosed = status !== "pending" && status !== "in_progress";
  return {
    ...NO_TASK,
    ...event,
    labels,
    metadata,
    maxAttempts,
    status,
    ...(by === undefined ? undefined : { createdBy: by }),
    notes,
    evidence,
    createdAt,
    ...(isClosed ? { closedAt } : undefined),
    ...reasonOf(reason === undefined ? {} : { reason }),
  };
}

function detailed(task: Task, { type: _, ...details }: Event<"task.changed">): Task {
  const { metadata, ...others } = details;
  const kept: Record<string, unknown> = { ...task };
  for (const [name, value] of Object.entries(others satisfies TaskDetails))
    if (value === null) delete kept[name];
    else if (value !== undefined) kept[name] = value;
  return { ...(kept as unknown as Task), metadata: metadata ? patched(task.metadata, metadata) : task.metadata };
}

/** Key by key; null takes a key away. Built from entries, so that `__proto__` is a key like any other. */
function patched(before: JsonObject, patch: JsonObject): JsonObject {
  const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(patch, key));
  return Object.fromEntries([...kept, ...Object.entries(patch).filter(([, value]) => value !== null)]);
}

function moved(task: Task, to: Task["status"], stamp: Stamp): Task {
  if (to === "completed" || to === "cancelled" || to === "failed") return closed(task, to, stamp);
  const open = task.closedAt === undefined ? task : reopened(task);
  return to === "pending" ? { ...unheld(open), status: to } : { ...withoutWait(open), status: to };
}

function claimed(task: Task, { type: _, session, ...lease }: Event<"task.claimed">, at: number): Task {
  const open = withoutWait(unheld(task));
  return {
    ...withoutRetry(open),
    status: "in_progress",
    attempts: task.attempts + 1,
    fence: lease.fence,
    lease: { ...lease, since: at, ...(session === undefined ? undefined : { session }) },
    sessions: session === undefined ? task.sessions : union(task.sessions, [session]),
  };
}

function renewed(task: Task, { until, progress }: Event<"task.renewed">, at: number): Task {
  if (!task.lease) return task;
  return {
    ...task,
    lease: { ...task.lease, until, since: at, ...(progress === undefined ? undefined : { progress }) },
  };
}

function completed(task: Task, { evidence }: Event<"task.completed">, stamp: Stamp): Task {
  // It came too late: the work is done.
  const { cancelRequest: _, ...done } = task;
  const shown = evidence === undefined ? done : { ...done, evidence: [...task.evidence, said(evidence, stamp)] };
  return closed(shown, "completed", stamp);
}

function reasonOf({ reason }: { readonly reason?: string }): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

function failed(task: Task, { reason, retryAt }: Event<"task.failed">, stamp: Stamp): Task {
  const counted = { ...task, reason, failures: task.failures + 1 };
  if (retryAt === undefined) return closed(counted, "failed", stamp);
  return { ...unheld(counted), status: "pending", retryAt };
}

function closed(task: Task, status: Task["status"], { at, by }: Stamp): Task {
  const done = withoutWait(withoutRetry(unheld(task)));
  return { ...done, status, closedAt: at, ...(by === undefined ? undefined : { closedBy: by }) };
}

function reopened(task: Task): Task {
  const { closedAt: _, closedBy: __, reason: ___, cancelRequest: ____, ...open } = withoutRetry(task);
  return { ...open, status: "pending", failures: 0 };
}

/** Enough to tell late comers by name. */
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

function unlinked({ links }: Task, { session, agent, todo }: Event<"todo.linked" | "todo.unlinked">) {
  return links.filter((link) => link.session !== session || link.agent !== agent || link.todo !== todo);
}

function said(text: string, { at, by }: Stamp): Said {
  return by === undefined ? { text, at } : { text, by, at };
}

function union<T>(before: readonly T[], more: readonly T[]): readonly T[] {
  return [...new Set([...before, ...more])];
}

function without<T>(before: readonly T[], less: readonly T[]): readonly T[] {
  return before.filter((item) => !less.includes(item));
}
