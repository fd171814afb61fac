import { type JsonObject, own } from "../../core/json.js";
import type { TaskError } from "../../core/task/command.js";
import type { Task, TaskStatus } from "../../core/task/task.js";
import { promptText } from "../../core/text/prompt-text.js";
import type { Answer } from "../dialect.js";
import type { Steps, TaskBoard } from "../task-dialect.js";
import { toolUseError } from "./client-checks.js";
import type { ClaudeStatus } from "./todo-input.js";

/** A failed task can be tried again. A cancelled one is not shown: the client only knows `deleted`. */
const STATUSES: Readonly<Record<TaskStatus, ClaudeStatus | undefined>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  failed: "pending",
  cancelled: undefined,
};

/** Undefined for a task that is not shown. */
export function statusOf({ status }: Task): ClaudeStatus | undefined {
  return STATUSES[status];
}

/** The client's own tasks can be read, but are in no list. */
export function isInternal({ metadata }: Task): boolean {
  return Boolean(own(metadata, "_internal"));
}

/** An id is a number as the client wrote it itself; `#1` and `01` are none. */
export function* findTask(board: TaskBoard, id: string): Steps<Task | undefined> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined;
  const found = yield* board.find(Number(id));
  return found && statusOf(found.task) !== undefined ? found.task : undefined;
}

export function refused(text: string): Answer {
  return { text, isError: true };
}

/** For example a lease of somebody else, which counts here too. */
export function boardRefusal({ message }: TaskError): Answer {
  return refused(toolUseError(`Error: ${promptText(message, 500)}`));
}

/** The client's schemas never see `__proto__`. */
export function withoutProto(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== "__proto__"));
}
