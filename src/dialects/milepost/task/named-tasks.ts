import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import type { TaskCommand } from "../../../core/task/command.js";
import { isLive } from "../../../core/task/standing.js";
import type { Task } from "../../../core/task/task.js";
import type { Steps, TaskBoard } from "../../task-dialect.js";
import { numbered, waitText } from "./task-answer.js";
import type { TaskName } from "./task-names.js";

/** Also tasks with an expired lease, until somebody else claims them. */
export function* heldTasks(board: TaskBoard): Steps<readonly Task[]> {
  const found = yield* board.list({ owner: board.owner, status: ["in_progress"] });
  return found.flatMap(({ task }) => (task.lease?.owner === board.owner ? [task] : []));
}

export function noSuchTask(number: number): Failure {
  return { code: "no-task", message: `There is no task #${number}. {"list":"open"} shows what there is.` };
}

/** Without a name: the only task that the caller holds. */
export function* resolveOne(board: TaskBoard, name: TaskName | undefined): Steps<Result<number>> {
  if (typeof name === "number") return ok(name);
  const held = yield* heldTasks(board);
  const [first] = held;
  if (first && held.length === 1) return ok(first.number);
  const what = first ? `You hold ${numbered(held.map(({ number }) => number))}` : "You hold no task";
  return fail({ code: "no-target", message: `${what}; say the number of the task that is meant.` });
}

/** A refusal names the next call of this tool. */
export function* runOn(board: TaskBoard, name: TaskName, command: TaskCommand): Steps<Result<Task>> {
  const number = yield* resolveOne(board, name);
  if (!number.ok) return number;
  if (!(yield* board.find(number.value))) return fail(noSuchTask(number.value));
  const done = yield* board.run(number.value, command);
  return done.ok ? done : fail(yield* explain(board, number.value, done.error));
}

function* explain(board: TaskBoard, number: number, error: Failure): Steps<Failure> {
  const { code, message } = error;
  const hint = yield* hintFor(board, number, code);
  if (hint === undefined) return error;
  return { code, message: code === "task-waiting" ? hint : `${message} ${hint}` };
}

function ownClaim({ fence }: Pick<Task, "fence">): string {
  return `If that claim is yours, add "fence":${fence}.`;
}

function* hintFor(board: TaskBoard, number: number, code: string): Steps<string | undefined> {
  const found = yield* board.find(number);
  if (!found) return undefined;
  const { task, standing } = found;
  switch (code) {
    case "task-closed":
      return `{"reopen":${number}} does that.`;
    case "stale-fence":
      return task.lease?.owner === board.owner ? ownClaim(task) : undefined;
    case "fence-needed":
      return ownClaim(task);
    case "task-held":
      return isLive(task.lease, board.now) ? undefined : `Its lease is over: {"claim":${number}} takes it.`;
    case "task-not-held":
      return `{"claim":${number}} does that.`;
    case "task-waiting":
      return standing.waitsFor
        ? `Task #${number} waits ${waitText(standing.waitsFor, board.now)}. Take another one: {"claim":-1}.`
        : `Task #${number} has waited long enough: {"claim":${number}} takes it.`;
    default:
      return undefined;
  }
}
