import type { FileTable } from "../grounding/file-table.js";
import {
  addCall,
  cheapest,
  isNamed,
  isWorkRun,
  joined,
  type WorkCall,
  type WorkRun,
  withoutName,
} from "../grounding/work-runs.js";
import { count } from "../shape.js";

/** What one sub-agent did; all of a session share one room, so that hundreds of agents cost no more than a few. */
export type AgentRun = readonly [agent: number, run: WorkRun];

const MOST_RUNS = 40;
const MOST_NAMED = 4;

/** In the order in which they began. */
export function addAgentCall(runs: AgentRun[], agent: number, work: WorkCall, table: FileTable): void {
  const made: WorkRun[] = [];
  addCall(made, work, 1, table);
  const [run] = made;
  if (!run) return;
  const before = runs.findLastIndex(([, [from]]) => from <= run[0]);
  runs.splice(before + 1, 0, [agent, run]);
  fitAgentRuns(runs);
}

export function fitAgentRuns(runs: AgentRun[]): void {
  while (runs.length > MOST_RUNS) joinTwo(runs);
  const named = [...runs.entries()].filter(([, [, run]]) => isNamed(run));
  for (const [at, [agent, run]] of named.slice(0, -MOST_NAMED)) runs[at] = [agent, withoutName(run)];
}

/** Of the agent that has most; where each has one, the two that lose least are joined across. */
function joinTwo(runs: AgentRun[]): void {
  const counts = new Map<number, number>();
  for (const [agent] of runs) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const [busiest, most] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  const own = runs.filter(([agent]) => most < 2 || agent === busiest);
  const at = cheapest(own.map(([, run]) => run));
  const [a, b] = [own[at - 1], own[at]];
  if (!a || !b) return;
  runs[runs.indexOf(a)] = [a[0], joined(a[1], b[1])];
  runs.splice(runs.indexOf(b), 1);
}

export function isAgentRuns(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MOST_RUNS) return false;
  return value.every((one) => Array.isArray(one) && one.length === 2 && count(one[0]) && isWorkRun(one[1]));
}
