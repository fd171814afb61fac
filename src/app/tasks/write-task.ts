import { fail, ok, type Result } from "../../core/result.js";
import type { Hold, TaskCommand } from "../../core/task/command.js";
import type { Task } from "../../core/task/task.js";
import type { Script } from "../../store/script.js";
import type { CommandContext } from "../command.js";
import { type BoardWork, onBoard } from "./on-board.js";
import { type Board, noTask } from "./task-board.js";
import { placeOf, type Who } from "./task-place.js";
import { reportTask, type TaskReport, timeText } from "./task-report.js";

export interface OneTask {
  readonly task: TaskReport;
  /** The store's clock: leases and retries are told by it, because this machine's may be another one. */
  readonly now: string;
}

/** One write to a list by the person the flags name. An idempotency key is bound to `verb` and input. */
export async function writeTasks<T>(
  context: CommandContext,
  verb: string,
  input: Who,
  work: (board: Board, place: BoardWork) => Script<Result<T>>,
): Promise<Result<T>> {
  const place = placeOf(context, input, [verb, input]);
  if (!place.ok) return place;
  const { store } = await context.open("write");
  return onBoard(store, place.value, (board) => work(board, place.value));
}

export interface Held {
  readonly list: string;
  readonly task: Task;
  readonly hold: Hold;
  readonly now: number;
}

interface Named extends Who {
  readonly task: string;
  readonly fence?: number | undefined;
}

/** Runs one command on one task and reports the task afterwards. */
export function askTask(
  context: CommandContext,
  verb: string,
  input: Named,
  command: (held: Held) => TaskCommand,
): Promise<Result<OneTask>> {
  return withTask(context, verb, input, (board, held) => board.run(held.task.number, command(held)));
}

/** Verbs that change edges. */
const TYING: readonly string[] = ["block", "unblock"];

export function withTask(
  context: CommandContext,
  verb: string,
  input: Named,
  work: (board: Board, held: Held) => Script<Result<unknown>>,
): Promise<Result<OneTask>> {
  return writeTasks(context, verb, input, function* (board, { list, owner }) {
    if (TYING.includes(verb)) yield* board.lockEdges();
    const found = yield* board.find(input.task);
    if (!found) return fail(noTask(list, input.task));
    const done = yield* work(board, { list, task: found.task, hold: { owner, fence: input.fence }, now: board.now });
    return done.ok ? ok(yield* oneTask(board, list, found.task.number)) : done;
  });
}

/** What is answered where one task was written. */
export function* oneTask(board: Board, list: string, number: number): Script<OneTask> {
  return { task: yield* reportNow(board, list, number), now: timeText(board.now) };
}

/** The task after the changes of this write. */
export function* reportNow(board: Board, list: string, number: number): Script<TaskReport> {
  const found = yield* board.find(number);
  if (!found) throw new Error(`Task ${number} was there a moment ago`);
  return reportTask(list, found);
}

/** Task numbers, not looked up: adding the edge refuses those that do not exist. */
export function* numbersOf(board: Board, list: string, names: readonly string[]): Script<Result<readonly number[]>> {
  const numbers: number[] = [];
  for (const name of names) {
    const [, digits] = /^#?(\d{1,15})$/.exec(name) ?? [];
    const number = digits === undefined ? (yield* board.find(name))?.task.number : Number(digits);
    if (number === undefined) return fail({ ...noTask(list, name), code: "unknown-edge" });
    numbers.push(number);
  }
  return ok(numbers);
}

/** The number of the parent task; refused when no task has this name. */
export function* parentOf(board: Board, list: string, name: string): Script<Result<number>> {
  const found = yield* board.find(name);
  return found ? ok(found.task.number) : fail({ ...noTask(list, name), code: "bad-parent" });
}
