import type { PortableTask } from "../portable-task.js";

/** A task at the place it gets in the file. */
export interface Branch {
  readonly task: PortableTask;
  readonly number: number;
  readonly tag: string;
  /** Of a subtask: the id of the task it hangs from. */
  readonly top: string | undefined;
  readonly subtasks: Branch[];
}

export interface Nest {
  /** Under the ids that follow from their places. */
  readonly tasks: readonly PortableTask[];
  readonly tags: ReadonlyMap<string, readonly Branch[]>;
}

interface Name {
  readonly id: string;
  readonly number: number;
  readonly tag: string;
  readonly top: string | undefined;
}

/** One level of subtasks is all there is: who hangs deeper, hangs from the task at the top. */
export function nestTasks(tasks: readonly PortableTask[], tagOf: (task: PortableTask) => string): Nest {
  const names = namesOf(tasks, tagOf);
  const idOf = (id: string) => names.get(id)?.id ?? id;
  const tags = new Map<string, Branch[]>([["master", []]]);
  const tops = new Map<string, Branch>();
  const leaves: Branch[] = [];
  const renamed = tasks.map((task) => {
    const name = names.get(task.id);
    const parent = task.parent === undefined ? undefined : idOf(task.parent);
    const moved = { ...task, id: idOf(task.id), parent, blockedBy: task.blockedBy.map(idOf) };
    const branch = { task: moved, number: name?.number ?? 0, tag: name?.tag ?? "master", top: name?.top, subtasks: [] };
    if (branch.top !== undefined) leaves.push(branch);
    else {
      tops.set(moved.id, branch);
      const list = tags.get(branch.tag);
      if (list) list.push(branch);
      else tags.set(branch.tag, [branch]);
    }
    return moved;
  });
  for (const leaf of leaves) tops.get(leaf.top ?? "")?.subtasks.push(leaf);
  return { tasks: renamed, tags };
}

function namesOf(tasks: readonly PortableTask[], tagOf: (task: PortableTask) => string): ReadonlyMap<string, Name> {
  const topOf = topsOf(tasks);
  const names = new Map<string, Name>();
  const isTop = ({ id }: PortableTask) => topOf.get(id) === id;
  giveNumbers(tasks.filter(isTop), names, (task) => {
    const tag = tagOf(task);
    return { tag, top: undefined, before: beforeIn(tag) };
  });
  giveNumbers(
    tasks.filter((task) => !isTop(task)),
    names,
    ({ id }) => {
      const { id: top = "", tag = "master" } = names.get(topOf.get(id) ?? "") ?? {};
      return { tag, top, before: `${top}.` };
    },
  );
  return names;
}

function beforeIn(tag: string): string {
  return tag === "master" ? "" : `${tag}:`;
}

/** The task at the top of each one's parents. In a circle of parents everybody is its own. */
function topsOf(tasks: readonly PortableTask[]): ReadonlyMap<string, string> {
  const parents = new Map(tasks.map(({ id, parent }) => [id, parent]));
  const tops = new Map<string, string>();
  for (const { id: start } of tasks) {
    const way = new Set<string>();
    let at = start;
    for (let next = parents.get(at); !tops.has(at) && next !== undefined && !way.has(at); next = parents.get(at)) {
      way.add(at);
      at = next;
    }
    const isCircle = way.has(at) && !tops.has(at);
    for (const id of [...way, at]) if (!tops.has(id)) tops.set(id, isCircle ? id : (tops.get(at) ?? at));
  }
  return tops;
}

interface Spot {
  readonly tag: string;
  readonly top: string | undefined;
  readonly before: string;
}

/** Numbers that fit are kept; the others come after the highest of their list. */
function giveNumbers(tasks: readonly PortableTask[], names: Map<string, Name>, spotOf: (task: PortableTask) => Spot) {
  const highest = new Map<string, number>();
  const taken = new Set<string>();
  const give = (task: PortableTask, { tag, top, before }: Spot, number: number) => {
    names.set(task.id, { id: `${before}${number}`, number, tag, top });
    taken.add(`${before}${number}`);
    highest.set(before, Math.max(highest.get(before) ?? 0, number));
  };
  const rest = tasks.filter((task) => {
    const spot = spotOf(task);
    const local = task.id.startsWith(spot.before) ? task.id.slice(spot.before.length) : "";
    const fits = /^[1-9]\d{0,8}$/.test(local) && !taken.has(task.id);
    if (fits) give(task, spot, Number(local));
    return !fits;
  });
  for (const task of rest) {
    const spot = spotOf(task);
    give(task, spot, (highest.get(spot.before) ?? 0) + 1);
  }
}

/** An edge into another tag has no place there. */
export function dependenciesToJson({ task, tag, top }: Branch): readonly (number | string)[] {
  const before = beforeIn(tag);
  return task.blockedBy.flatMap((id) => {
    if (top !== undefined && id.startsWith(`${top}.`)) return Number(id.slice(top.length + 1));
    const local = id.startsWith(before) ? id.slice(before.length) : "";
    if (!/^\d+(?:\.\d+)?$/.test(local)) return [];
    return top === undefined && !local.includes(".") ? Number(local) : local;
  });
}
