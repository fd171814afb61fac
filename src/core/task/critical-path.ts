import { scalarText } from "../json.js";
import { addTo, type GraphTask, type TaskGraph } from "./task-graph.js";

export interface CriticalPath {
  /** Each is blocked by the one before it. */
  readonly tasks: readonly GraphTask[];
  readonly weight: number;
}

interface Reached {
  readonly weight: number;
  readonly before?: number;
}

/** The heaviest chain of open tasks. A task weighs 1, or the number in its metadata under the key. */
export function criticalPath(graph: TaskGraph, weightKey?: string): CriticalPath {
  const open = new Map([...graph.tasks].filter(([, { isOpen }]) => isOpen));
  const after = new Map<number, number[]>();
  for (const { type, from, to } of graph.edges)
    if (type === "blocks" && open.has(from) && open.has(to)) addTo(after, from, to);
  const reached = new Map<number, Reached>();
  const done = new Set<number>();
  let [end, most]: [number | undefined, number] = [undefined, 0];
  for (const number of inOrder([...open.keys()], after)) {
    done.add(number);
    const known = reached.get(number) ?? { weight: 0 };
    const weight = known.weight + weightOf(open.get(number), weightKey);
    reached.set(number, { ...known, weight });
    if (weight > most) [end, most] = [number, weight];
    // Inside a cycle, one task comes before its blocker: it is not weighed again.
    for (const next of after.get(number) ?? [])
      if (!done.has(next) && weight > (reached.get(next)?.weight ?? 0)) reached.set(next, { weight, before: number });
  }
  return { tasks: chainTo(end, reached, open), weight: most };
}

/** Blockers before the tasks they block; a cycle starts at its lowest number. */
function inOrder(numbers: readonly number[], after: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const missing = new Map<number, number>();
  for (const next of after.values()) for (const one of next) missing.set(one, (missing.get(one) ?? 0) + 1);
  const order: number[] = [];
  const known = new Set<number>();
  const take = (number: number) => {
    if (known.has(number)) return;
    known.add(number);
    order.push(number);
  };
  for (const number of numbers) if (!missing.has(number)) take(number);
  let seen = 0;
  for (const number of [undefined, ...numbers]) {
    if (number !== undefined) take(number);
    for (; seen < order.length; seen += 1)
      for (const next of after.get(order[seen] ?? 0) ?? []) {
        const rest = (missing.get(next) ?? 0) - 1;
        missing.set(next, rest);
        if (rest === 0) take(next);
      }
  }
  return order;
}

function weightOf(task: GraphTask | undefined, key: string | undefined): number {
  const estimate = key !== undefined && task && Object.hasOwn(task.metadata, key) ? task.metadata[key] : 1;
  const weight = Number(scalarText(estimate) ?? Number.NaN);
  return Number.isFinite(weight) && weight > 0 ? weight : 1;
}

function chainTo(
  end: number | undefined,
  reached: ReadonlyMap<number, Reached>,
  tasks: ReadonlyMap<number, GraphTask>,
): readonly GraphTask[] {
  const chain: GraphTask[] = [];
  for (let at = end; at !== undefined; at = reached.get(at)?.before) {
    const task = tasks.get(at);
    if (task) chain.push(task);
  }
  return chain.reverse();
}
