import type { JsonObject } from "../core/json.js";
import type { TaskPriority, TaskStatus } from "../core/task/task.js";

/** A task on its way in or out. Parent and blockers are named by the id that the task has in its file. */
export interface PortableTask {
  /** Unique in its file. One that begins with `~` was made up: the file gives this task no name. */
  readonly id: string;
  readonly uuid?: string | undefined;
  readonly subject: string;
  readonly description: string;
  readonly activeForm?: string | undefined;
  readonly status: TaskStatus;
  readonly priority?: TaskPriority | undefined;
  readonly labels: readonly string[];
  /** What its format knows and we do not stands here under the format's name, for the way back. */
  readonly metadata: JsonObject;
  readonly assignee?: string | undefined;
  readonly parent?: string | undefined;
  readonly blockedBy: readonly string[];
  readonly notes: readonly PortableNote[];
  readonly evidence: readonly PortableNote[];
  /** Why it failed or was given up. */
  readonly reason?: string | undefined;
  readonly maxAttempts?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly closedAt?: number | undefined;
}

export interface PortableNote {
  readonly text: string;
  readonly by?: string | undefined;
  readonly at?: number | undefined;
}

/** A task about which nothing is known but this. */
export function travelling(task: Partial<PortableTask> & Pick<PortableTask, "id" | "subject">): PortableTask {
  return {
    description: "",
    status: "pending",
    labels: [],
    metadata: {},
    blockedBy: [],
    notes: [],
    evidence: [],
    ...task,
  };
}
