import { type JsonObject, own } from "../../core/json.js";
import type { TaskError } from "../../core/task/command.js";
import type { Task, TaskStatus } from "../../core/task/task.js";
import { promptText } from "../../core/text/prompt-text.js";
import type { Answer } from "../dialect.js";
import type { Steps, TaskBoard } from "../task-dialect.js";
import { toolUseError } from "./client-checks.js";
import type { ClaudeStatus } from "./todo-input.js";

/** What failed may be tried again. What was cancelled is gone: the client has no word for it but `deleted`. */
const STATUSES: Readonly<Record<TaskStatus, ClaudeStatus | undefined>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  failed: "pending",
  cancelled: undefined,
};

/** Undefined for a task that the client is not shown. */
export function statusOf({ status }: Task): ClaudeStatus | undefined {
  return STATUSES[status];
}

/** The client keeps tasks of its own beside the model's: they can be asked for, but are in no list. */
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

/** A claim that was made with a lease counts here too: then nothing is written. */
export function boardRefusal({ message }: TaskError): Answer {
  return refused(toolUseError(`Error: ${promptText(message, 500)}`));
}

/** The client's schemas never see `__proto__`. */
export function withoutProto(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== "__proto__"));
}
