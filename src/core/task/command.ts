import type { JsonObject } from "../json.js";
import type { Failure } from "../result.js";
import type { TaskDetails } from "./events.js";
import type { TaskPast, TaskPriority, TaskSource, TaskStatus, TodoLink } from "./task.js";
import type { Wait, Waker } from "./wait-until.js";

export interface TaskError extends Failure {
  readonly code:
    | "no-task"
    | "task-closed"
    | "task-held"
    | "task-not-held"
    | "stale-fence"
    | "fence-needed"
    | "task-blocked"
    | "task-waiting"
    | "task-backing-off"
    | "not-waiting"
    | "cancel-pending"
    | "self-edge"
    | "unknown-edge"
    | "cyclic-edge"
    | "bad-parent"
    | "empty-text"
    | "text-too-long"
    | "too-deep"
    | "too-many";
  /** The open blockers, or the cycle. */
  readonly tasks?: readonly number[];
}

/** Who writes, and the fence of its claim if known. */
export interface Hold {
  readonly owner: string;
  readonly fence?: number | undefined;
  /** A person typed it just now: without a fence, the owner's newest claim is meant. Scripts may be late. */
  readonly isTyped?: boolean | undefined;
}

export interface NewTask {
  readonly subject: string;
  readonly description?: string | undefined;
  readonly activeForm?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly priority?: TaskPriority | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly parent?: number | undefined;
  readonly blockedBy?: readonly number[] | undefined;
  readonly blocks?: readonly number[] | undefined;
  readonly assignee?: string | undefined;
  readonly maxAttempts?: number | undefined;
  readonly source?: TaskSource | undefined;
  /** History of an imported task. */
  readonly past?: TaskPast | undefined;
}

export type TaskCommand =
  /** `ttl` in milliseconds. */
  | { readonly type: "claim"; readonly owner: string; readonly ttl: number; readonly session?: string | undefined }
  | {
      readonly type: "renew";
      readonly hold: Hold;
      readonly ttl?: number | undefined;
      readonly progress?: string | undefined;
    }
  | { readonly type: "release"; readonly hold: Hold; readonly reason?: string | undefined }
  | { readonly type: "complete"; readonly hold: Hold; readonly evidence?: string | undefined }
  /** `isFinal`: not retried. */
  | { readonly type: "fail"; readonly hold: Hold; readonly reason: string; readonly isFinal?: boolean | undefined }
  /** Another holder is asked to stop; with `isForced` the task is cancelled at once. */
  | {
      readonly type: "cancel";
      readonly hold: Hold;
      readonly reason?: string | undefined;
      readonly isForced?: boolean | undefined;
    }
  | { readonly type: "reopen" }
  | { readonly type: "change"; readonly hold: Hold; readonly details: TaskDetails }
  /** For dialects that set statuses. `in_progress` with a `ttl` takes a soft lease. */
  | {
      readonly type: "move";
      readonly hold: Hold;
      readonly to: TaskStatus;
      readonly ttl?: number | undefined;
      readonly session?: string | undefined;
    }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "wait"; readonly hold: Hold; readonly wait: Wait }
  | { readonly type: "wake"; readonly by: Waker; readonly payload?: unknown }
  | { readonly type: "link"; readonly link: TodoLink }
  | { readonly type: "unlink"; readonly link: TodoLink };
