import { fields, flag, list, maybe, oneOf, type Shape, text } from "../../shape.js";
import { TODO_STATUSES, type TodoStatus } from "../../todo/list.js";
import type { Fact, SeenTask } from "../observation.js";

/** What a client's own task tools can say of a task; what is left out was not told. */
export interface ToldTask {
  readonly id: string;
  readonly subject?: string | undefined;
  readonly status?: TodoStatus | undefined;
  readonly activeForm?: string | undefined;
  readonly owner?: string | undefined;
  readonly blocks?: readonly string[] | undefined;
  readonly blockedBy?: readonly string[] | undefined;
}

/** What a client's own task tool answered: one call, one change. Edges are only added, never taken back. */
export type TaskChange =
  | {
      readonly type: "client-task.created";
      readonly id: string;
      readonly subject: string;
      readonly activeForm?: string;
    }
  | ({ readonly type: "client-task.updated" } & ToldTask)
  | { readonly type: "client-task.deleted"; readonly id: string }
  /** Somebody looked: these are there. `isAll`: and no others. */
  | { readonly type: "client-tasks.seen"; readonly tasks: readonly ToldTask[]; readonly isAll: boolean };

const TOLD = {
  id: text,
  subject: maybe(text),
  status: maybe(oneOf(TODO_STATUSES)),
  activeForm: maybe(text),
  owner: maybe(text),
  blocks: maybe(list(text)),
  blockedBy: maybe(list(text)),
};

export const TASK_CHANGES: Readonly<Record<TaskChange["type"], Shape>> = {
  "client-task.created": fields({ id: text, subject: text, activeForm: maybe(text) }),
  "client-task.updated": fields(TOLD),
  "client-task.deleted": fields({ id: text }),
  "client-tasks.seen": fields({ tasks: list(fields(TOLD)), isAll: flag }),
};

export const isSeenTask: Shape = fields({
  ...TOLD,
  subject: text,
  status: oneOf(TODO_STATUSES),
  blocks: list(text),
  blockedBy: list(text),
});

type Link = readonly [blocker: string, blocked: string];
type TaskFact = Extract<Fact, { type: "task.changed" | "task.deleted" }>;

/** Tasks by their ids, in the order they were made; changed in place by whoever owns it. */
export class TaskFold {
  readonly #tasks: Map<string, SeenTask>;
  readonly #most: number;

  constructor(tasks: readonly SeenTask[], most: number) {
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    this.#most = most;
  }

  get tasks(): readonly SeenTask[] {
    return [...this.#tasks.values()];
  }

  /** What became different by it. */
  apply(change: TaskChange): readonly TaskFact[] {
    switch (change.type) {
      case "client-task.created":
        return this.#create(change);
      case "client-task.updated":
        return this.#update(change);
      case "client-task.deleted":
        return this.#delete(change.id);
      case "client-tasks.seen":
        return this.#see(change.tasks, change.isAll);
    }
  }

  #create({ id, subject, activeForm }: ToldTask & { readonly subject: string }): readonly TaskFact[] {
    return this.#put({ ...newTask(id), subject, ...textsOf({ activeForm }) });
  }

  #update({ id, status, subject, activeForm, owner, blocks, blockedBy }: ToldTask): readonly TaskFact[] {
    const known = this.#tasks.get(id);
    // A sub-agent works on tasks that its parent made: here only what it did to them is known.
    if (!known && status == null) return [];
    const task = known ?? newTask(id);
    const changed = { ...task, ...textsOf({ subject, activeForm, owner }), status: status ?? task.status };
    const links = this.#links(changed, blocks ?? [], blockedBy ?? []);
    const isLinked =
      known !== undefined && links.length > 0 && FIELDS.every((field) => known[field] === changed[field]);
    // That it was only put among others is told with those.
    const told = isLinked ? [] : this.#put(changed);
    return [...told, ...links.flatMap(([blocker, blocked]) => this.#link(blocker, blocked))];
  }

  /** An unknown end is reported as done by the client, and not kept. */
  #links({ id }: SeenTask, blocks: readonly string[], blockedBy: readonly string[]): readonly Link[] {
    const links = [...blocks.map((other): Link => [id, other]), ...blockedBy.map((other): Link => [other, id])];
    return links.filter((ends) => ends.every((end) => end === id || this.#tasks.has(end)));
  }

  /** An edge is kept on both sides. */
  #link(blocker: string, blocked: string): readonly TaskFact[] {
    const before = this.#tasks.get(blocker);
    if (!before) return [];
    const first = this.#put({ ...before, blocks: withId(before.blocks, blocked) });
    const after = this.#tasks.get(blocked);
    return after ? [...first, ...this.#put({ ...after, blockedBy: withId(after.blockedBy, blocker) })] : first;
  }

  #delete(id: string): readonly TaskFact[] {
    this.#tasks.delete(id);
    const facts: TaskFact[] = [{ type: "task.deleted", id }];
    for (const task of this.#tasks.values()) {
      if (!task.blocks.includes(id) && !task.blockedBy.includes(id)) continue;
      const without = (ids: readonly string[]) => ids.filter((one) => one !== id);
      facts.push(...this.#put({ ...task, blocks: without(task.blocks), blockedBy: without(task.blockedBy) }));
    }
    return facts;
  }

  /** Others may work on the same tasks. */
  #see(told: readonly ToldTask[], isAll: boolean): readonly TaskFact[] {
    const ids = new Set(told.map(({ id }) => id));
    const gone = isAll ? [...this.#tasks.keys()].filter((id) => !ids.has(id)) : [];
    return [...gone.flatMap((id) => this.#delete(id)), ...told.flatMap((task) => this.#seeOne(task))];
  }

  /** Clients hide blockers that are completed: of a known task the edges stay. */
  #seeOne({ id, subject, status, activeForm, owner, blocks, blockedBy }: ToldTask): readonly TaskFact[] {
    const known = this.#tasks.get(id);
    const task = known ?? { ...newTask(id), blocks: blocks ?? [], blockedBy: blockedBy ?? [] };
    const seen = { ...task, ...textsOf({ subject, activeForm, owner }), status: status ?? task.status };
    if (seen.subject === "" || (!known && status == null)) return [];
    const isSame = known && FIELDS.every((field) => known[field] === seen[field]);
    return isSame ? [] : this.#put(seen);
  }

  #put(task: SeenTask): readonly TaskFact[] {
    if (this.#tasks.size >= this.#most && !this.#tasks.has(task.id)) return [];
    this.#tasks.set(task.id, task);
    return [{ type: "task.changed", task }];
  }
}

const FIELDS = ["subject", "status", "activeForm", "owner"] as const;

function newTask(id: string): SeenTask {
  return { id, subject: "", status: "pending", blocks: [], blockedBy: [] };
}

function textsOf(texts: Pick<ToldTask, "subject" | "activeForm" | "owner">): Partial<SeenTask> {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value != null));
}

function withId(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id];
}
