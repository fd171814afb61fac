import { checkId } from "../../../core/id.js";
import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import type { Hold, TaskCommand } from "../../../core/task/command.js";
import { LEASE } from "../../../core/task/lease.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import type { Task } from "../../../core/task/task.js";
import { isoTime } from "../../../core/text/time-text.js";
import type { Script } from "../../../store/script.js";
import type { CommandContext } from "../../command-definition.js";
import { isKey } from "../../milepost.js";
import { personOf } from "../../session/person-name.js";
import { type Board, type BoardOptions, noTask, onBoard } from "../../tasks/task-board.js";
import { reportTask, type TaskReport } from "../../tasks/task-report.js";
import { numbersStream } from "../../tasks/task-views.js";
import { givenStore, nextStep, shellWord } from "../../terminal/next-step.js";
import { listOf, type Who } from "./task-flags.js";

/** Who writes, and to which list. `input` is what an idempotency key is bound to. */
export function placeOf(context: CommandContext, who: Who, input: unknown): Result<BoardOptions> {
  const list = listOf(context, who);
  if (!list.ok) return list;
  const session = who.session ?? (context.environment.CLAUDE_CODE_SESSION_ID || "");
  const refused = session === "" ? undefined : checkId("session", session);
  if (refused) return refused;
  const owner = personOf(who.as ?? (session || undefined));
  if (!owner.ok) return owner;
  const { key } = who;
  if (key !== undefined && !isKey(key))
    return fail({ code: "bad-key", message: "A key is 1 to 200 visible ASCII characters without spaces." });
  const stream = numbersStream(list.value);
  const idempotency = key === undefined ? undefined : { key, stream, input: [stream, owner.value, input] };
  return ok({ list: list.value, owner: owner.value, session, policy: OUR_POLICY, idempotency });
}

/** A session's activity renews its leases. A claim outside a session is not observed, so it starts longer. */
export function standardTtl({ session }: BoardOptions): number {
  return session === "" ? LEASE.bare : LEASE.session;
}

export interface OneTask {
  readonly task: TaskReport;
  /** The store's clock: that of this machine may differ. */
  readonly now: string;
}

/** One write to a list by the person the flags name. An idempotency key is bound to `verb` and input. */
export async function writeTasks<T>(
  context: CommandContext,
  verb: string,
  input: Who,
  work: (board: Board, place: BoardOptions) => Script<Result<T>>,
): Promise<Result<T>> {
  const place = placeOf(context, input, [verb, input]);
  if (!place.ok) return place;
  const { store } = await context.open("write");
  return onBoard(store, place.value, (board) => work(board, place.value));
}

interface Held {
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

export function withTask(
  context: CommandContext,
  verb: string,
  input: Named,
  work: (board: Board, held: Held) => Script<Result<unknown>>,
): Promise<Result<OneTask>> {
  return writeTasks(context, verb, input, function* (board, { list, owner }) {
    if (verb === "block" || verb === "unblock") yield* board.lockEdges();
    const found = yield* board.find(input.task);
    if (!found) return fail(noTask(list, input.task));
    const { task } = found;
    const done = yield* work(board, { list, task, hold: holdOf(context, owner, input), now: board.now });
    if (done.ok) return ok(yield* oneTask(board, list, task.number));
    const isOwn = FENCE_CODES.includes(done.error.code) && task.lease?.owner === owner;
    return isOwn ? fail(withFence(done.error, againWith(task.fence, context, verb, input))) : done;
  });
}

export function holdOf({ input }: CommandContext, owner: string, { fence }: Pick<Named, "fence">): Hold {
  return { owner, fence, isTyped: input.isTerminal };
}

const FENCE_CODES: readonly string[] = ["stale-fence", "fence-needed"];

/** Only whoever claimed it knows whether the newest claim is theirs: a late script must not go on by itself. */
function withFence({ code, message }: Failure, command: string): Failure {
  return { code, message: `${message} If that claim is yours: ${command}` };
}

/** The same command with another fence, as it can be run. */
function againWith(fence: number, context: CommandContext, verb: string, input: Named): string {
  const { task, fence: _, ...flags } = input;
  return nextStep(`task ${verb} ${shellWord(task)}`, { ...flags, fence, store: givenStore(context) });
}

export function* oneTask(board: Board, list: string, number: number): Script<OneTask> {
  return { task: yield* reportNow(board, list, number), now: isoTime(board.now) };
}

/** The task after the changes of this write. */
export function* reportNow(board: Board, list: string, number: number): Script<TaskReport> {
  const found = yield* board.find(number);
  if (!found) throw new Error(`Task ${number} was there a moment ago`);
  return reportTask(list, found);
}

/** Numbers are not looked up: adding the edge refuses those that do not exist. */
export function* numbersOf(board: Board, list: string, names: readonly string[]): Script<Result<readonly number[]>> {
  const numbers: number[] = [];
  for (const name of names) {
    const [, digits] = /^#?(\d{1,15})$/.exec(name) ?? [];
    const number = digits === undefined ? (yield* board.find(name))?.task.number : Number(digits);
    if (number === undefined) return fail(noTask(list, name));
    numbers.push(number);
  }
  return ok(numbers);
}

/** The number of the parent task; refused when no task has this name. */
export function* parentOf(board: Board, list: string, name: string): Script<Result<number>> {
  const found = yield* board.find(name);
  return found ? ok(found.task.number) : fail(noTask(list, name));
}
