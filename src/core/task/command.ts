import type { JsonObject } from "../json.js";
import type { Failure } from "../result.js";
import type { TaskDetails } from "./events.js";
import type { TaskPast, TaskPriority, TaskSource, TaskStatus, TodoLink } from "./task.js";
import type { Wait, Waker } from "./wait-until.js";

/** A refusal, with what a caller may want to say in words of its own. */
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
    | "too-many";
  /** The tasks it is about: open blockers, or the circle. */
  readonly tasks?: readonly number[];
}

/** Who writes, and the fence of its claim where it knows it. */
export interface Hold {
  readonly owner: string;
  readonly fence?: number | undefined;
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
  /** What a task that comes from elsewhere brings along. */
  readonly past?: TaskPast | undefined;
}

/** What is asked of one task. */
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
  /** `isFinal`: it is not tried again. */
  | { readonly type: "fail"; readonly hold: Hold; readonly reason: string; readonly isFinal?: boolean | undefined }
  /** Of a task that somebody else holds, the holder is asked to stop; with `isForced` it is taken away. */
  | {
      readonly type: "cancel";
      readonly hold: Hold;
      readonly reason?: string | undefined;
      readonly isForced?: boolean | undefined;
    }
  | { readonly type: "reopen" }
  | { readonly type: "change"; readonly hold: Hold; readonly details: TaskDetails }
  /** For whoever sets statuses. Into `in_progress` it takes a soft lease; without a `ttl` nobody holds it. */
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
