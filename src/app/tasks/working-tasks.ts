import { defined } from "../../core/json.js";
import type { NewTask } from "../../core/task/command.js";
import { type EventOf, readTaskEvent, type TaskEvent } from "../../core/task/events.js";
import { evolve } from "../../core/task/evolve.js";
import { DEFAULT_PRIORITY, isBlocking, type Task } from "../../core/task/task.js";
import type { NewEvent, Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { edgesFrom, openAmong } from "../../store/tasks/task-index.js";
import { NUMBERS, numbersGiven, numbersStream, sourceName, TASKS, taskStream, toNewTaskEvent } from "./task-views.js";

interface Working {
  readonly before: Task;
  readonly task: Task;
  readonly events: readonly NewEvent[];
}

/** The tasks of one write transaction. Later steps see the changes of earlier ones; all are committed together. */
export class WorkingTasks {
  readonly list: string;
  readonly transaction: Transaction;
  readonly #actor: string;
  readonly #tasks = new Map<number, Working>();
  /** Tasks added by this write, by UUID and by import source. */
  readonly #names = new Map<string, number>();
  /** Tasks whose `blocks` this write has changed: the table of edges does not know it yet. */
  readonly tied = new Set<number>();
  /** Those among them that `loadEdges` has not followed yet. */
  readonly #newlyTied = new Set<number>();
  /** What each task blocks by the table of edges, as far as it was asked for; complete for all ways on from there. */
  readonly #edges = new Map<number, readonly number[]>();
  #first: number | undefined;
  #last: number | undefined;

  constructor(transaction: Transaction, list: string, actor: string) {
    this.transaction = transaction;
    this.list = list;
    this.#actor = actor;
  }

  *get(number: number): Script<Task> {
    const known = this.#tasks.get(number);
    if (known) return known.task;
    const task = yield* this.transaction.view(TASKS, taskStream(this.list, number));
    this.#tasks.set(number, { before: task, task, events: [] });
    return task;
  }

  *apply(number: number, events: readonly TaskEvent[], actor = this.#actor): Script<Task> {
    const before = yield* this.get(number);
    const stamp = { at: this.transaction.now, by: actor };
    const task = events.reduce((state, event) => evolve(state, event, stamp), before);
    const known = this.#tasks.get(number);
    for (const name of [task.uuid, ...(task.source ? [sourceName(task.source)] : [])]) this.#names.set(name, number);
    const added = events.map((event) => readable(toNewTaskEvent(event, actor)));
    this.#tasks.set(number, { before: known?.before ?? before, task, events: withAdded(known?.events ?? [], added) });
    if (task.blocks !== before.blocks) {
      this.tied.add(number);
      this.#newlyTied.add(number);
    }
    return task;
  }

  /** Looks up a UUID or import source among this write's own tasks, which are not in the tables yet. */
  named(name: string): number | undefined {
    return this.#names.get(name);
  }

  /** Locks the list's numbers and edges until the end of this write. */
  *lockNumbers(): Script<void> {
    if (this.#last !== undefined) return;
    this.#last = (yield* this.transaction.view(NUMBERS, numbersStream(this.list))).last;
    this.#first = this.#last;
  }

  *nextNumber(): Script<number> {
    yield* this.lockNumbers();
    this.#last = (this.#last ?? 0) + 1;
    return this.#last;
  }

  /** Which of these tasks still block others. */
  *open(numbers: readonly number[]): Script<readonly number[]> {
    const others = numbers.filter((number) => !this.#tasks.has(number));
    const open = new Set(yield* openAmong(this.transaction, this.list, others));
    for (const number of numbers) {
      const known = this.#tasks.get(number);
      if (known && isBlocking(known.task)) open.add(number);
    }
    return numbers.filter((number) => open.has(number));
  }

  /** Makes `blockedTasks` right for every task on a way that begins at one of these. The list is locked by now. */
  *loadEdges(starts: readonly number[]): Script<void> {
    const tied = [...this.#newlyTied].flatMap((number) => this.known(number)?.blocks ?? []);
    this.#newlyTied.clear();
    const unknown = [...new Set([...starts, ...tied])].filter((number) => !this.#edges.has(number));
    if (unknown.length === 0) return;
    const found = yield* edgesFrom(this.transaction, this.list, unknown);
    for (const number of unknown) this.#edges.set(number, []);
    for (const [number, blocked] of found) this.#edges.set(number, blocked);
    // Tasks that block nothing are known too, now.
    for (const blocked of found.values())
      for (const number of blocked) if (!this.#edges.has(number)) this.#edges.set(number, []);
  }

  blockedTasks(number: number): readonly number[] {
    return (this.tied.has(number) ? this.known(number)?.blocks : this.#edges.get(number)) ?? [];
  }

  /** The changed tasks, before and after. */
  get changed(): readonly { readonly before: Task; readonly after: Task }[] {
    return [...this.#tasks.values()]
      .filter(({ events }) => events.length > 0)
      .map(({ before, task }) => ({ before, after: task }));
  }

  known(number: number): Task | undefined {
    return this.#tasks.get(number)?.task;
  }

  writes(): readonly Write[] {
    const isGiven = this.#last !== undefined && this.#last !== this.#first;
    const numbers = isGiven ? [{ stream: numbersStream(this.list), events: [numbersGiven(this.#last ?? 0)] }] : [];
    const changed = [...this.#tasks].filter(([, { events }]) => events.length > 0);
    return [...numbers, ...changed.map(([number, { events }]) => ({ stream: taskStream(this.list, number), events }))];
  }
}

/** An event that no fold can read would be acknowledged and then ignored: two writers could hold one task. */
function readable(event: NewEvent): NewEvent {
  if (readTaskEvent(event.type, event.data)) return event;
  throw new Error(`No fold can read this event: ${JSON.stringify(event)}`);
}

/** A task that blocks many others is told once a write, not once for each of them. */
function withAdded(events: readonly NewEvent[], added: readonly NewEvent[]): readonly NewEvent[] {
  const [last, first] = [events.at(-1), added[0]];
  const isSameKind = last?.type === first?.type && last?.actor === first?.actor;
  if (!last || !first || !isSameKind || !first.type.startsWith("dependents.")) return [...events, ...added];
  const tasksOf = ({ data }: NewEvent) => (data as EventOf<"dependents.added">).tasks;
  const merged = { ...first, data: { tasks: [...tasksOf(last), ...tasksOf(first)] } };
  return [...events.slice(0, -1), merged, ...added.slice(1)];
}

/** Edges have events of their own, one in each task's stream. */
export function addedEvent(number: number, uuid: string, task: NewTask): TaskEvent {
  const { blockedBy: _, blocks: __, description = "", priority = DEFAULT_PRIORITY, ...rest } = task;
  return { type: "task.added", number, uuid, ...defined(rest), description, priority };
}
