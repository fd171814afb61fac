import { randomUUID } from "node:crypto";
import { fail, ok, type Result } from "../../src/core/result.js";
import type { NewTask, TaskCommand, TaskError } from "../../src/core/task/command.js";
import { decide } from "../../src/core/task/decide.js";
import type { TaskEvent } from "../../src/core/task/events.js";
import { evolve } from "../../src/core/task/evolve.js";
import { checkNew } from "../../src/core/task/limits.js";
import type { TaskPolicy } from "../../src/core/task/policy.js";
import { matches, type StandingTask, type TaskQuery } from "../../src/core/task/query.js";
import { standingOf } from "../../src/core/task/standing.js";
import { DEFAULT_PRIORITY, exists, isOpen, NO_TASK, type Task } from "../../src/core/task/task.js";
import { isMeant, type Signal } from "../../src/core/task/wait.js";
import type { Steps, TaskBoard } from "../../src/dialects/task-dialect.js";

/** The tasks of one list, in memory: what a store would keep. */
export class MemoryTasks {
  /** Never changed in place, so a copy of it is a way back. */
  tasks: ReadonlyMap<number, Task> = new Map();
  last = 0;
}

interface Caller {
  readonly now: number;
  readonly owner: string;
  readonly session: string;
  readonly policy: TaskPolicy;
}

/** A board without a store. Nothing here waits, so a step yields once and goes on. */
export class MemoryBoard implements TaskBoard {
  readonly now: number;
  readonly owner: string;
  readonly session: string;
  readonly #policy: TaskPolicy;
  readonly #kept: MemoryTasks;

  constructor(kept: MemoryTasks, { now, owner, session, policy }: Caller) {
    this.#kept = kept;
    this.now = now;
    this.owner = owner;
    this.session = session;
    this.#policy = policy;
  }

  find(name: number | string): Steps<StandingTask | undefined> {
    return step(() => {
      const number = typeof name === "number" ? name : Number(/^#?(\d+)$/.exec(name)?.[1]);
      const task = [...this.#kept.tasks.values()].find((one) => one.number === number || one.uuid === name);
      return exists(task) ? this.#standing(task) : undefined;
    });
  }

  list(query: TaskQuery): Steps<readonly StandingTask[]> {
    return step(() => this.#matching(query));
  }

  count(query: TaskQuery): Steps<number> {
    return step(() => this.#matching(query).length);
  }

  add(task: NewTask): Steps<Result<Task, TaskError>> {
    return step(() => {
      const refused = checkNew(this.#policy.limits, task);
      if (refused) return fail(refused);
      this.#kept.last += 1;
      const { blockedBy: _, blocks: __, ...details } = task;
      const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
      const number = this.#kept.last;
      const event = { type: "task.added", number, uuid: randomUUID(), description: "", priority: DEFAULT_PRIORITY };
      return ok(this.#put(evolve(NO_TASK, { ...event, ...given } as TaskEvent, { at: this.now, by: this.owner })));
    });
  }

  run(number: number, command: TaskCommand): Steps<Result<Task, TaskError>> {
    return step(() => this.#run(number, command));
  }

  claimBest(): Steps<Result<Task | undefined, TaskError>> {
    return step(() => ok(undefined));
  }

  block(number: number, blockers: readonly number[]): Steps<Result<Task, TaskError>> {
    return step(() => {
      this.#apply(number, [{ type: "blockers.added", tasks: blockers }]);
      for (const blocker of blockers) this.#apply(blocker, [{ type: "dependents.added", tasks: [number] }]);
      return ok(this.#task(number));
    });
  }

  unblock(number: number, blockers: readonly number[]): Steps<Result<Task, TaskError>> {
    return step(() => {
      this.#apply(number, [{ type: "blockers.removed", tasks: blockers }]);
      for (const blocker of blockers) this.#apply(blocker, [{ type: "dependents.removed", tasks: [number] }]);
      return ok(this.#task(number));
    });
  }

  remove(number: number): Steps<Result<undefined, TaskError>> {
    return step(() => {
      for (const { blockedBy, blocks, number: other } of this.#kept.tasks.values()) {
        if (blockedBy.includes(number)) this.#apply(other, [{ type: "blockers.removed", tasks: [number] }]);
        if (blocks.includes(number)) this.#apply(other, [{ type: "dependents.removed", tasks: [number] }]);
      }
      this.#apply(number, [{ type: "task.deleted" }]);
      return ok(undefined);
    });
  }

  signal(signal: Signal, payload?: unknown): Steps<readonly Task[]> {
    return step(() =>
      [...this.#kept.tasks.values()].flatMap(({ number, wait }) => {
        const woken =
          wait && isMeant(wait, signal) ? this.#run(number, { type: "wake", by: "event", payload }) : undefined;
        return woken?.ok ? [woken.value] : [];
      }),
    );
  }

  #run(number: number, command: TaskCommand): Result<Task, TaskError> {
    const task = this.#task(number);
    const { now } = this;
    const decided = decide(task, command, { now, openBlockers: this.#openBlockers(task), policy: this.#policy });
    return decided.ok ? ok(this.#apply(number, decided.value)) : decided;
  }

  #apply(number: number, events: readonly TaskEvent[]): Task {
    const stamp = { at: this.now, by: this.owner };
    return this.#put(events.reduce((task, event) => evolve(task, event, stamp), this.#task(number)));
  }

  #put(task: Task): Task {
    // As a store would give it back.
    this.#kept.tasks = new Map([...this.#kept.tasks, [task.number, JSON.parse(JSON.stringify(task))]]);
    return this.#task(task.number);
  }

  #task(number: number): Task {
    const task = this.#kept.tasks.get(number);
    if (!task) throw new Error(`no task ${number}`);
    return task;
  }

  #matching(query: TaskQuery): readonly StandingTask[] {
    const there = [...this.#kept.tasks.values()].filter(exists).map((task) => this.#standing(task));
    return there.filter((one) => matches(one, query));
  }

  #standing(task: Task): StandingTask {
    return { task, standing: standingOf(task, this.#openBlockers(task), this.now) };
  }

  #openBlockers({ blockedBy }: Task): readonly number[] {
    return blockedBy.filter((number) => isOpen(this.#kept.tasks.get(number) ?? NO_TASK));
  }
}

function* step<T>(run: () => T): Steps<T> {
  yield;
  return run();
}
