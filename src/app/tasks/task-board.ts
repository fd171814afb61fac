import { uuidV7 } from "../../core/id.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { NewTask, TaskCommand, TaskError } from "../../core/task/command.js";
import { decide } from "../../core/task/decide.js";
import { checkNew } from "../../core/task/limits.js";
import type { TaskPolicy } from "../../core/task/policy.js";
import { matches, type StandingTask, type TaskQuery } from "../../core/task/query.js";
import { standingOf } from "../../core/task/standing.js";
import { exists, NO_TASK, type Task, type TaskSource } from "../../core/task/task.js";
import { isMeant, type Signal, wakerAt } from "../../core/task/wait-until.js";
import type { TaskBoard } from "../../dialects/task-dialect.js";
import type { Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import {
  awaitTurn,
  dueWaits,
  numberBySource,
  numberByUuid,
  readyNumbers,
  subtasksOf,
  takeFirst,
  waitersOf,
} from "../../store/tasks/task-index.js";
import { addEdges, checkBlockers, checkParent, removeEdges } from "./board-edges.js";
import { livesUntil } from "./leases/sign-of-life.js";
import { countTasks, findTasks } from "./task-pages.js";
import { columnText, sourceName } from "./task-views.js";
import { addedEvent, WorkingTasks } from "./working-tasks.js";

export interface BoardOptions {
  readonly list: string;
  readonly policy: TaskPolicy;
  /** Whose leases these are. */
  readonly owner: string;
  readonly session: string;
}

/** The actor of changes that only the clock caused. */
export const TICKER = "milepost";

const MOST_WOKEN = 50;
const MOST_CANDIDATES = 32;
/** A round fails only when another writer claimed the candidate, so the writers as a whole make progress. */
const MOST_ROUNDS = 1000;

/** The tasks of one list, inside one write transaction. */
export class Board implements TaskBoard {
  readonly owner: string;
  readonly session: string;
  readonly now: number;
  readonly #policy: TaskPolicy;
  readonly #list: string;
  readonly #transaction: Transaction;
  readonly #tasks: WorkingTasks;

  constructor(transaction: Transaction, { list, policy, owner, session }: BoardOptions) {
    this.owner = owner;
    this.session = session;
    this.now = transaction.now;
    this.#policy = policy;
    this.#list = list;
    this.#transaction = transaction;
    this.#tasks = new WorkingTasks(transaction, list, owner);
  }

  get changed(): WorkingTasks["changed"] {
    return this.#tasks.changed;
  }

  writes(): readonly Write[] {
    return this.#tasks.writes();
  }

  *find(name: number | string): Script<StandingTask | undefined> {
    const number = typeof name === "number" ? name : yield* this.#numberOf(name);
    const task = number === undefined || !isNumber(number) ? undefined : yield* this.#tasks.get(number);
    return exists(task) ? yield* this.#standing(task) : undefined;
  }

  *#numberOf(name: string): Script<number | undefined> {
    const [, number] = /^#?(\d{1,15})$/.exec(name.trim()) ?? [];
    if (number !== undefined) return Number(number);
    const uuid = name.toLowerCase();
    return this.#tasks.named(uuid) ?? (yield* numberByUuid(this.#transaction, this.#list, uuid));
  }

  /** The task imported from this source before, or the one with this UUID. */
  *findImported(source: TaskSource, uuid: string | undefined): Script<Task | undefined> {
    const name = sourceName(source);
    const number =
      this.#tasks.named(name) ??
      (uuid === undefined ? undefined : yield* numberByUuid(this.#transaction, this.#list, uuid)) ??
      (yield* numberBySource(this.#transaction, this.#list, name));
    const task = number === undefined ? undefined : yield* this.#tasks.get(number);
    return exists(task) ? task : undefined;
  }

  *#standing(task: Task): Script<StandingTask> {
    return { task, standing: standingOf(task, yield* this.#tasks.open(task.blockedBy), this.now) };
  }

  *list(query: TaskQuery): Script<readonly StandingTask[]> {
    const found = yield* findTasks(this.#transaction, this.#list, query);
    const { changed } = this.#tasks;
    if (changed.length === 0) return found;
    // Changes made earlier in this write are not in the tables yet.
    const numbers = new Set(changed.map(({ after }) => after.number));
    const own: StandingTask[] = [];
    for (const { after } of changed) if (exists(after)) own.push(yield* this.#standing(after));
    const { limit = Number.POSITIVE_INFINITY, after = 0 } = query;
    const seen = own.filter((one) => one.task.number > after && matches(one, query));
    return [...found.filter(({ task }) => !numbers.has(task.number)), ...seen]
      .sort((a, b) => a.task.number - b.task.number)
      .slice(0, limit);
  }

  *count(query: TaskQuery): Script<number> {
    const { limit: _, after: __, ...all } = query;
    if (this.#tasks.changed.length > 0) return (yield* this.list(all)).length;
    return yield* countTasks(this.#transaction, this.#list, query);
  }

  *add(task: NewTask): Script<Result<Task, TaskError>> {
    const refused = checkNew(this.#policy.limits, task) ?? (yield* checkParent(this.#tasks, 0, task.parent));
    if (refused) return fail(refused);
    const number = yield* this.#tasks.nextNumber();
    // Checked before the task is added: a refused task must leave nothing behind, even if the write goes on.
    const blockers = yield* checkBlockers(this.#tasks, { ...NO_TASK, number }, task.blockedBy ?? [], this.#policy);
    if (!blockers.ok) return blockers;
    yield* this.#tasks.apply(number, [addedEvent(number, uuidV7(this.now), task)]);
    yield* addEdges(this.#tasks, number, blockers.value);
    for (const other of task.blocks ?? []) {
      const blocks = yield* this.block(other, [number]);
      if (!blocks.ok && this.#policy.edges === "acyclic") return blocks;
    }
    return ok(yield* this.#tasks.get(number));
  }

  *run(number: number, command: TaskCommand): Script<Result<Task, TaskError>> {
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    if (command.type === "change" && command.details.parent != null) {
      const refused = yield* checkParent(this.#tasks, number, command.details.parent);
      if (refused) return fail(refused);
    }
    if (command.type === "claim") yield* this.#keepAlive(task);
    const openBlockers = BLOCKABLE.includes(command.type) ? yield* this.#tasks.open(task.blockedBy) : [];
    const current = yield* this.#tasks.get(number);
    const decided = decide(current, command, { now: this.now, openBlockers, policy: this.#policy });
    return decided.ok ? ok(yield* this.#tasks.apply(number, decided.value)) : decided;
  }

  /** Renews an expired lease when its session was seen at work since. */
  *#keepAlive({ number, lease }: Task): Script<boolean> {
    if (!lease || lease.until > this.now) return false;
    const until = yield* livesUntil(this.#transaction, lease);
    if (until <= this.now) return false;
    yield* this.#tasks.apply(number, [{ type: "task.renewed", fence: lease.fence, until }], TICKER);
    return true;
  }

  *claimBest(ttl: number): Script<Result<Task | undefined, TaskError>> {
    yield* this.wakeDue(MOST_WOKEN);
    const passed = new Set<number>();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const number = yield* this.#candidate(passed);
      if (number === undefined) return ok(undefined);
      const claimed = yield* this.run(number, { type: "claim", owner: this.owner, ttl, session: sessionOf(this) });
      if (claimed.ok) return claimed;
      if (claimed.error.code === "cancel-pending") yield* this.#giveUp(number);
      // Another writer claimed it first, or its lease holder is alive: try the next candidate.
      passed.add(number);
    }
    return ok(undefined);
  }

  /** The holder was asked to stop and its lease has expired: the task counts as cancelled. */
  *#giveUp(number: number): Script<void> {
    const { cancelRequest = {} } = yield* this.#tasks.get(number);
    const { reason } = cancelRequest;
    yield* this.#tasks.apply(
      number,
      [{ type: "task.cancelled", ...(reason === undefined ? undefined : { reason }) }],
      TICKER,
    );
  }

  /** Lock order: the list before any task, or two writers deadlock. */
  *lockEdges(): Script<void> {
    yield* this.#tasks.lockNumbers();
  }

  *#candidate(passed: ReadonlySet<number>): Script<number | undefined> {
    const limit = MOST_CANDIDATES + passed.size;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const numbers = yield* readyNumbers(this.#transaction, this.#list, limit, this.owner);
      const others = numbers.filter((number) => !passed.has(number));
      const [first] = others;
      if (first === undefined) return undefined;
      const taken = yield* takeFirst(this.#transaction, this.#list, others);
      if (taken !== undefined) return taken;
      // Other writers have locked every candidate. Wait for the first one, then look again.
      yield* awaitTurn(this.#transaction, this.#list, first);
    }
    return undefined;
  }

  *block(number: number, blockers: readonly number[]): Script<Result<Task, TaskError>> {
    // Lock order: the list before any task, or two writers deadlock.
    if (blockers.length > 0) yield* this.#tasks.lockNumbers();
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    if (blockers.length === 0) return ok(task);
    const checked = yield* checkBlockers(this.#tasks, task, blockers, this.#policy);
    if (!checked.ok) return checked;
    yield* addEdges(this.#tasks, number, checked.value);
    return ok(yield* this.#tasks.get(number));
  }

  *unblock(number: number, blockers: readonly number[]): Script<Result<Task, TaskError>> {
    yield* this.#tasks.lockNumbers();
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    yield* removeEdges(
      this.#tasks,
      number,
      task.blockedBy.filter((blocker) => blockers.includes(blocker)),
    );
    return ok(yield* this.#tasks.get(number));
  }

  *remove(number: number): Script<Result<undefined, TaskError>> {
    yield* this.#tasks.lockNumbers();
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    yield* removeEdges(this.#tasks, number, task.blockedBy);
    for (const other of task.blocks) yield* removeEdges(this.#tasks, other, [number]);
    // Subtasks move up to the removed task's parent.
    for (const { number: below } of yield* subtasksOf(this.#transaction, this.#list, number))
      yield* this.#tasks.apply(below, [{ type: "task.changed", parent: task.parent ?? null }]);
    yield* this.#tasks.apply(number, [{ type: "task.deleted" }]);
    return ok(undefined);
  }

  *signal(signal: Signal, payload?: unknown): Script<readonly Task[]> {
    const woken: Task[] = [];
    for (let after = 0; ; ) {
      const numbers = yield* waitersOf(this.#transaction, this.#list, columnText(signal.topic), {
        after,
        limit: MOST_WOKEN,
      });
      for (const number of numbers) {
        const { wait } = yield* this.#tasks.get(number);
        if (!wait || !isMeant(wait, signal)) continue;
        const run = yield* this.run(number, { type: "wake", by: "event", payload });
        if (run.ok) woken.push(run.value);
      }
      const last = numbers.at(-1);
      if (last === undefined) return woken;
      after = last;
    }
  }

  /** Ends the waits whose time has passed. Each wait ends once, whoever calls this. */
  *wakeDue(limit: number): Script<readonly Task[]> {
    const woken: Task[] = [];
    for (const { number } of yield* dueWaits(this.#transaction, limit, this.#list)) {
      const { wait } = yield* this.#tasks.get(number);
      const by = wait && wakerAt(wait, this.now);
      if (by) woken.push(yield* this.#tasks.apply(number, [{ type: "wait.ended", by }], TICKER));
    }
    return woken;
  }
}

/** Commands that an open blocker refuses. */
const BLOCKABLE: readonly TaskCommand["type"][] = ["claim", "complete"];

/** A claim outside a session: there is no session to watch for signs of life. */
function sessionOf({ session }: Board): string | undefined {
  return session === "" ? undefined : session;
}

function isNumber(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0;
}

export function noTask(list: string, number: number | string): TaskError {
  const name = typeof number === "number" ? `#${number}` : JSON.stringify(number);
  const message = `There is no task ${name} in the list ${list}. All tasks: milepost task list --list ${list}`;
  return { code: "no-task", message };
}
