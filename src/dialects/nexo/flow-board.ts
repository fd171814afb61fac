import { fail, ok, type Result } from "../../core/result.js";
import type { TaskCommand } from "../../core/task/command.js";
import { LEASE } from "../../core/task/lease.js";
import type { Task, TaskStatus } from "../../core/task/task.js";
import { promptText } from "../../core/text/prompt-text.js";
import type { Steps, TaskBoard } from "../task-dialect.js";
import { type Flow, flowOf, recordOf } from "./flow.js";

export interface FoundFlow {
  readonly task: Task;
  readonly flow: Flow;
}

/** `id` as `readUuid` gives it. Undefined for a task that is no flow. */
export function* findFlow(board: TaskBoard, id: string): Steps<FoundFlow | undefined> {
  const found = yield* board.find(id);
  const flow = found && flowOf(found.task, board.now);
  return found && flow && { task: found.task, flow };
}

/** The commands on its task first: they may be refused. */
export function* writeFlow(
  board: TaskBoard,
  { task: { number }, flow }: FoundFlow,
  commands: readonly TaskCommand[],
): Steps<Result<Flow, string>> {
  const hold = { owner: board.owner };
  const change: TaskCommand = { type: "change", hold, details: { metadata: recordOf(flow) } };
  for (const command of [...commands, change]) {
    const done = yield* board.run(number, command);
    if (!done.ok) return fail(promptText(done.error.message, 500));
  }
  return ok(flow);
}

export function moveTo(board: TaskBoard, to: TaskStatus): TaskCommand {
  const { owner, session } = board;
  return { type: "move", hold: { owner }, to, ttl: LEASE.session, session };
}

/** Ends the task's wait, if it has one. */
export function wakeUp({ wait }: Task, by: "timer" | "event" | "manual", payload?: unknown): readonly TaskCommand[] {
  return wait ? [{ type: "wake", by, payload }] : [];
}
