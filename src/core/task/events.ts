import { isObject, type JsonObject } from "../json.js";
import { count, fields, flag, list, maybe, oneOf, type Shape, text } from "../shape.js";
import {
  isPast,
  TASK_PRIORITIES,
  TASK_STATUSES,
  type TaskPast,
  type TaskPriority,
  type TaskSource,
  type TaskStatus,
  type TodoLink,
} from "./task.js";
import { isWait, WAKERS, type Wait, type Waker } from "./wait-until.js";

/** What is changed; absent = as it was, null = taken away. In `metadata` null takes a key away. */
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

/** One fact about one task, in that task's own stream. An edge is told on both sides, in one commit. */
export type TaskEvent =
  | ({ readonly type: "task.added" } & Added)
  | ({ readonly type: "task.changed" } & TaskDetails)
  /** By a dialect that sets statuses freely. */
  | { readonly type: "task.moved"; readonly from: TaskStatus; readonly to: TaskStatus }
  | ({ readonly type: "task.claimed" } & Claimed)
  | { readonly type: "task.renewed"; readonly fence: number; readonly until: number; readonly progress?: string }
  | { readonly type: "task.released"; readonly fence: number; readonly reason?: string }
  | { readonly type: "task.completed"; readonly fence?: number; readonly evidence?: string }
  /** With `retryAt` it is tried again; without, that was it. */
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

interface Added {
  readonly number: number;
  readonly uuid: string;
  readonly subject: string;
  readonly description: string;
  readonly activeForm?: string;
  readonly status?: TaskStatus;
  readonly priority: TaskPriority;
  readonly labels?: readonly string[];
  readonly metadata?: JsonObject;
  readonly parent?: number;
  readonly assignee?: string;
  readonly maxAttempts?: number;
  readonly source?: TaskSource;
  readonly past?: TaskPast;
}

interface Claimed {
  readonly owner: string;
  readonly fence: number;
  readonly until: number;
  readonly ttl: number;
  readonly session?: string;
  readonly isSoft?: boolean;
}

const numbers = fields({ tasks: list(count) });
const link = fields({ session: text, agent: maybe(text), todo: count });

const details = {
  activeForm: maybe(text),
  labels: maybe(list(text)),
  metadata: maybe(isObject),
  parent: maybe(count),
  assignee: maybe(text),
  maxAttempts: maybe(count),
};

/** What each event needs before a fold may see it. A compile error here means: a new event has no check yet. */
const SHAPES: Readonly<Record<TaskEvent["type"], Shape>> = {
  "task.added": fields({
    number: count,
    uuid: text,
    subject: text,
    description: text,
    status: maybe(oneOf(TASK_STATUSES)),
    priority: oneOf(TASK_PRIORITIES),
    source: maybe(fields({ format: text, id: text })),
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
  "task.claimed": fields({
    owner: text,
    fence: count,
    until: count,
    ttl: count,
    session: maybe(text),
    isSoft: maybe(flag),
  }),
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
  "todo.linked": link,
  "todo.unlinked": link,
};

/** Undefined for what a newer version wrote, and for what no fold could read. */
export function readTaskEvent(type: string, data: object): TaskEvent | undefined {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as TaskEvent["type"]] : undefined;
  return shape?.(data) ? ({ ...data, type } as TaskEvent) : undefined;
}
