import { isObject, type JsonObject } from "../json.js";
import { count, fields, list, maybe, oneOf, type Shape, text } from "../shape.js";
import type { Lease, Task, TaskPast, TaskPriority, TaskStatus, TodoLink } from "./task.js";
import { CLAIM, isLink, isPast, isSource, TASK_PRIORITIES, TASK_STATUSES } from "./task.js";
import { isWait, WAKERS, type Wait, type Waker } from "./wait-until.js";

/** Absent: unchanged. null: removed, also for keys of `metadata`. */
export interface TaskDetails {
  readonly subject?: string;
  readonly description?: string;
  readonly activeForm?: string | null;
  readonly priority?: TaskPriority;
  readonly labels?: readonly string[];
  readonly metadata?: JsonObject;
  readonly parent?: number | null;
  readonly assignee?: string | null;
  readonly maxAttempts?: number;
}

/** Each is in the stream of its task. An edge is recorded in both tasks, in one commit. */
export type TaskEvent =
  | ({ readonly type: "task.added" } & Added)
  | ({ readonly type: "task.changed" } & TaskDetails)
  /** By a dialect that sets statuses. */
  | { readonly type: "task.moved"; readonly from: TaskStatus; readonly to: TaskStatus }
  | ({ readonly type: "task.claimed" } & Omit<Lease, "since" | "progress">)
  | { readonly type: "task.renewed"; readonly fence: number; readonly until: number; readonly progress?: string }
  | { readonly type: "task.released"; readonly fence: number; readonly reason?: string }
  | { readonly type: "task.completed"; readonly fence?: number; readonly evidence?: string }
  /** Without `retryAt` it is not retried. */
  | { readonly type: "task.failed"; readonly fence?: number; readonly reason: string; readonly retryAt?: number }
  | { readonly type: "task.cancelled"; readonly reason?: string }
  | { readonly type: "task.reopened" }
  | { readonly type: "task.deleted" }
  | { readonly type: "cancel.requested"; readonly reason?: string }
  | { readonly type: "task.noted"; readonly text: string }
  | { readonly type: "wait.begun"; readonly wait: Wait }
  | { readonly type: "wait.ended"; readonly by: Waker; readonly payload?: unknown }
  | { readonly type: "blockers.added"; readonly tasks: readonly number[] }
  | { readonly type: "blockers.removed"; readonly tasks: readonly number[] }
  | { readonly type: "dependents.added"; readonly tasks: readonly number[] }
  | { readonly type: "dependents.removed"; readonly tasks: readonly number[] }
  | ({ readonly type: "todo.linked" } & TodoLink)
  | ({ readonly type: "todo.unlinked" } & TodoLink);

export type EventOf<Type extends TaskEvent["type"]> = Extract<TaskEvent, { readonly type: Type }>;

type Added = Pick<Task, "number" | "uuid" | "subject" | "description" | "activeForm" | "priority"> &
  Pick<Task, "parent" | "assignee" | "source"> &
  Partial<Pick<Task, "status" | "labels" | "metadata" | "maxAttempts">> & { readonly past?: TaskPast };

const numbers = fields({ tasks: list(count) });

const details = {
  activeForm: maybe(text),
  labels: maybe(list(text)),
  metadata: maybe(isObject),
  parent: maybe(count),
  assignee: maybe(text),
  maxAttempts: maybe(count),
};

/** What each event needs before a fold may see it. */
const SHAPES: Readonly<Record<TaskEvent["type"], Shape>> = {
  "task.added": fields({
    number: count,
    uuid: text,
    subject: text,
    description: text,
    status: maybe(oneOf(TASK_STATUSES)),
    priority: oneOf(TASK_PRIORITIES),
    source: maybe(isSource),
    past: maybe(isPast),
    ...details,
  }),
  "task.changed": fields({
    subject: maybe(text),
    description: maybe(text),
    priority: maybe(oneOf(TASK_PRIORITIES)),
    ...details,
  }),
  "task.moved": fields({ from: oneOf(TASK_STATUSES), to: oneOf(TASK_STATUSES) }),
  "task.claimed": fields(CLAIM),
  "task.renewed": fields({ fence: count, until: count, progress: maybe(text) }),
  "task.released": fields({ fence: count, reason: maybe(text) }),
  "task.completed": fields({ fence: maybe(count), evidence: maybe(text) }),
  "task.failed": fields({ fence: maybe(count), reason: text, retryAt: maybe(count) }),
  "task.cancelled": fields({ reason: maybe(text) }),
  "task.reopened": fields({}),
  "task.deleted": fields({}),
  "cancel.requested": fields({ reason: maybe(text) }),
  "task.noted": fields({ text }),
  "wait.begun": fields({ wait: isWait }),
  "wait.ended": fields({ by: oneOf(WAKERS) }),
  "blockers.added": numbers,
  "blockers.removed": numbers,
  "dependents.added": numbers,
  "dependents.removed": numbers,
  "todo.linked": isLink,
  "todo.unlinked": isLink,
};

/** Undefined for an event of a newer version, and for a malformed one. */
export function readTaskEvent(type: string, data: object): TaskEvent | undefined {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as TaskEvent["type"]] : undefined;
  return shape?.(data) ? ({ ...data, type } as TaskEvent) : undefined;
}
