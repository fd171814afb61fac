import type { JsonObject } from "../json.js";
import type { StandingTask } from "./query.js";
import { type StandingWord, standingWord } from "./standing-word.js";

/** What a drawing needs of a task. */
export interface GraphTask {
  readonly number: number;
  readonly subject: string;
  readonly standing: StandingWord;
  readonly isOpen: boolean;
  readonly parent?: number;
  readonly blockedBy: readonly number[];
  readonly metadata: JsonObject;
}

/**
 * Tasks by number, with edges only to tasks that are in it. Foreign agents can make circles: nothing here relies on
 * none.
 */
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
  return {
    number,
    subject,
    standing: standingWord(one),
    isOpen: status === "pending" || status === "in_progress",
    ...(parent === undefined ? undefined : { parent }),
    blockedBy,
    metadata,
  };
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

/** What hangs together with one task, whichever way the edges go. */
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

/** Appends to what a key stands for. */
export function addTo(lists: Map<number, number[]>, key: number, value: number): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}
