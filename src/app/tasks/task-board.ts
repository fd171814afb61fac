import { uuidV7 } from "../../core/id.js";
import { defined } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { NewTask, TaskCommand, TaskError } from "../../core/task/command.js";
import { decide } from "../../core/task/decide.js";
import { checkNew } from "../../core/task/limits.js";
import type { TaskPolicy } from "../../core/task/policy.js";
import { matches, type StandingTask, type TaskQuery } from "../../core/task/query.js";
import { standingOf } from "../../core/task/standing.js";
import { exists, NO_TASK, type Task, type TaskSource } from "../../core/task/task.js";
import type { Signal } from "../../core/task/wait-until.js";
import type { TaskBoard } from "../../dialects/task-dialect.js";
import type { EventStore, Idempotency, Transaction } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { numberBySource, numberByUuid } from "../../store/tasks/task-index.js";
import { Candidates, MOST_ROUNDS } from "./board-claims.js";
import { addEdges, checkBetween, checkBlockers, checkParent, removeEdges } from "./board-edges.js";
import { type SomeWoken, TICKER, wakeDue, wakeSome } from "./board-waits.js";
import { heldWrites } from "./leases/lease-notes.js";
import { livesUntil } from "./leases/sign-of-life.js";
import { type TodoOffers, todoOffers } from "./links/todo-links.js";
import { countTasks, findTasks } from "./task-pages.js";
import { removeTask, tellOfRemoved } from "./task-removal.js";
import { sourceName } from "./task-views.js";
import { addedEvent, WorkingTasks } from "./working-tasks.js";

export interface BoardOptions {
  readonly list: string;
  readonly policy: TaskPolicy;
  /** Whose leases these are. */
  readonly owner: string;
  /** Empty outside a session. */
  readonly session: string;
  readonly idempotency?: Idempotency | undefined;
}

/** One write transaction on a list of tasks. A refused write changes nothing. */
export function onBoard<T>(
  store: EventStore,
  { idempotency, ...options }: BoardOptions,
  work: (board: Board) => Script<Result<T>>,
): Promise<Result<T>> {
  return store.commit(function* (transaction) {
    // Lock order: the session before any task, as hooks do, or the two deadlock.
    if (options.session !== "") yield* transaction.version(sessionStream(options.session));
    const board = new Board(transaction, options);
    const done = yield* work(board);
    return done.ok ? ok({ writes: (yield* board.outcome()).writes, answer: done.value }) : done;
  }, defined({ idempotency }));
}

const MOST_WOKEN = 50;

/** The tasks of one list, inside one write transaction. */
export class Board implements TaskBoard {
  readonly owner: string;
  readonly session: string;
  readonly now: number;
  readonly #policy: TaskPolicy;
  readonly #list: string;
  readonly #transaction: Transaction;
  readonly #tasks: WorkingTasks;
  #isUnfinished = false;

  constructor(transaction: Transaction, { list, policy, owner, session }: BoardOptions) {
    this.owner = owner;
    this.session = session;
    this.now = transaction.now;
    this.#policy = policy;
    this.#list = list;
    this.#transaction = transaction;
    this.#tasks = new WorkingTasks(transaction, list, owner);
  }

  /** The changed tasks, and what sessions are told of them; `answered` hears of its own todos with the answer. */
  *outcome(answered?: string): Script<TodoOffers> {
    const { changed } = this.#tasks;
    const writer = { list: this.#list, owner: this.owner, session: this.session };
    const held = yield* heldWrites(this.#transaction, changed, writer);
    const offers = yield* todoOffers(this.#transaction, changed, answered);
    return { ...offers, writes: [...this.#tasks.writes(), ...held, ...offers.writes] };
  }

  *find(name: number | string): Script<StandingTask | undefined> {
    const number = typeof name === "number" ? name : yield* this.#numberOf(name);
    const isNumber = number !== undefined && Number.isSafeInteger(number) && number > 0;
    const task = isNumber ? yield* this.#tasks.get(number) : undefined;
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
    yield* this.lockEdges();
    const refused = checkNew(this.#policy.limits, task) ?? (yield* checkParent(this.#tasks, 0, task.parent));
    if (refused) return fail(refused);
    const number = yield* this.#tasks.nextNumber();
    // Checked before the task is added: a refused task must leave nothing behind, even if the write goes on.
    const { blockedBy = [], blocks = [] } = task;
    const isAcyclic = this.#policy.edges === "acyclic";
    const blockers = yield* checkBlockers(this.#tasks, { ...NO_TASK, number }, blockedBy, { policy: this.#policy });
    if (!blockers.ok) return blockers;
    const circle = isAcyclic ? yield* checkBetween(this.#tasks, number, blockers.value, blocks) : undefined;
    if (circle) return fail(circle);
    yield* this.#tasks.apply(number, [addedEvent(number, uuidV7(this.now), task)]);
    yield* addEdges(this.#tasks, number, blockers.value);
    for (const other of blocks) {
      const tied = yield* this.#tie(other, [number], true);
      if (!tied.ok && isAcyclic) return tied;
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
    const isBlockable = command.type === "claim" || command.type === "complete";
    const openBlockers = isBlockable ? yield* this.#tasks.open(task.blockedBy) : [];
    const current = yield* this.#tasks.get(number);
    const decided = decide(current, command, { now: this.now, openBlockers, policy: this.#policy });
    return decided.ok ? ok(yield* this.#tasks.apply(number, decided.value)) : decided;
  }

  /** Renews an expired lease when its session was seen at work since. */
  *#keepAlive({ number, lease }: Task): Script<void> {
    if (!lease || lease.until > this.now) return;
    const until = yield* livesUntil(this.#transaction, lease);
    if (until > this.now)
      yield* this.#tasks.apply(number, [{ type: "task.renewed", fence: lease.fence, until }], TICKER);
  }

  *claimBest(ttl: number): Script<Result<Task | undefined, TaskError>> {
    yield* this.wakeDue(MOST_WOKEN);
    const candidates = new Candidates(this.#tasks, this.owner);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const number = yield* candidates.next();
      if (number === undefined) return ok(undefined);
      const claimed = yield* this.run(number, {
        type: "claim",
        owner: this.owner,
        ttl,
        session: this.session || undefined,
      });
      if (claimed.ok) return claimed;
      // Another writer claimed it first, or its lease holder is alive: try the next candidate.
      if (claimed.error.code === "cancel-pending") yield* this.#giveUp(number);
    }
    return ok(undefined);
  }

  /** The holder was asked to stop and its lease has expired: the task counts as cancelled. */
  *#giveUp(number: number): Script<void> {
    const { cancelRequest } = yield* this.#tasks.get(number);
    yield* this.#tasks.apply(number, [defined({ type: "task.cancelled", reason: cancelRequest?.reason })], TICKER);
  }

  /** Lock order: the list before any task, or two writers deadlock. */
  *lockEdges(): Script<void> {
    yield* this.#tasks.lockNumbers();
  }

  *block(number: number, blockers: readonly number[]): Script<Result<Task, TaskError>> {
    if (blockers.length > 0) yield* this.lockEdges();
    return yield* this.#tie(number, blockers, false);
  }

  *#tie(number: number, blockers: readonly number[], isAcyclic: boolean): Script<Result<Task, TaskError>> {
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    if (blockers.length === 0) return ok(task);
    const checked = yield* checkBlockers(this.#tasks, task, blockers, { policy: this.#policy, isAcyclic });
    if (!checked.ok) return checked;
    yield* addEdges(this.#tasks, number, checked.value);
    return ok(yield* this.#tasks.get(number));
  }

  *unblock(number: number, blockers: readonly number[]): Script<Result<Task, TaskError>> {
    yield* this.#tasks.lockNumbers();
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    const removed = task.blockedBy.filter((blocker) => blockers.includes(blocker));
    yield* removeEdges(this.#tasks, number, removed);
    return ok(yield* this.#tasks.get(number));
  }

  *remove(number: number): Script<Result<undefined, TaskError>> {
    yield* this.#tasks.lockNumbers();
    const task = yield* this.#tasks.get(number);
    if (!exists(task)) return fail(noTask(this.#list, number));
    if (yield* removeTask(this.#tasks, task)) this.#isUnfinished = true;
    return ok(undefined);
  }

  /** Tasks that depend on a removed one, or are below it, have not been told yet: see `finishRemovals`. */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  *tellOfRemoved(): Script<number> {
    return yield* tellOfRemoved(this.#tasks);
  }

  *signal(signal: Signal, payload?: unknown): Script<readonly Task[]> {
    const woken: Task[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const some: SomeWoken = yield* this.signalSome(signal, payload, after);
      woken.push(...some.tasks);
      after = some.next;
    }
    return woken;
  }

  signalSome(signal: Signal, payload: unknown, after: number): Script<SomeWoken> {
    const wake = (number: number) => this.run(number, { type: "wake", by: "event", payload });
    return wakeSome(this.#tasks, signal, after, wake);
  }

  *wakeDue(limit: number): Script<readonly Task[]> {
    return yield* wakeDue(this.#tasks, limit);
  }
}

export function noTask(list: string, number: number | string): TaskError {
  const name = typeof number === "number" ? `#${number}` : JSON.stringify(number);
  const message = `There is no task ${name} in the list ${list}. All tasks: milepost task list --list ${list}`;
  return { code: "no-task", message };
}
