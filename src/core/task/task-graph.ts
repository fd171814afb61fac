import { defined } from "../json.js";
import type { StandingTask } from "./query.js";
import { type StandingWord, standingWord } from "./standing.js";
import type { Task } from "./task.js";

export interface GraphTask extends Pick<Task, "number" | "subject" | "status" | "parent" | "blockedBy" | "metadata"> {
  readonly standing: StandingWord;
  readonly isOpen: boolean;
}

/** Tasks by number, with edges between them only. There may be cycles: dialects with free edges can make them. */
export interface TaskGraph {
  readonly tasks: ReadonlyMap<number, GraphTask>;
  readonly edges: readonly GraphEdge[];
}

export interface GraphEdge {
  readonly type: "blocks" | "contains";
  /** The blocker, or the parent. */
  readonly from: number;
  readonly to: number;
}

export function toGraphTask(one: StandingTask): GraphTask {
  const { number, subject, status, parent, blockedBy, metadata } = one.task;
  const isOpen = status === "pending" || status === "in_progress";
  return defined({ number, subject, status, standing: standingWord(one), isOpen, parent, blockedBy, metadata });
}

export function graphOf(all: Iterable<GraphTask>): TaskGraph {
  const tasks = new Map([...all].sort((a, b) => a.number - b.number).map((task) => [task.number, task]));
  const edges: GraphEdge[] = [];
  for (const { number: to, parent, blockedBy } of tasks.values()) {
    if (parent !== undefined && tasks.has(parent)) edges.push({ type: "contains", from: parent, to });
    for (const from of [...new Set(blockedBy)].sort((a, b) => a - b))
      if (tasks.has(from)) edges.push({ type: "blocks", from, to });
  }
  return { tasks, edges };
}

/** The tasks connected to one task, in either direction. */
export function connectedTo({ tasks, edges }: TaskGraph, number: number): TaskGraph {
  const beside = new Map<number, number[]>();
  for (const { from, to } of edges) {
    addTo(beside, from, to);
    addTo(beside, to, from);
  }
  const found = new Set([number]);
  for (const at of found) for (const next of beside.get(at) ?? []) found.add(next);
  return graphOf([...tasks.values()].filter((task) => found.has(task.number)));
}

/** Appends to the list of a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}
