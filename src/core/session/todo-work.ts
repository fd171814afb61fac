import { endOf, type WorkRun } from "../call/work-runs.js";
import type { Work } from "./session-facts.js";
import { spansOf, type WorkTimes } from "./work-times.js";

/** What ran while each todo was worked on: calls and lists are kept in streams of their own, and share only the clock. */
export function todoWork(times: WorkTimes, runs: readonly WorkRun[]): readonly Work[] {
  const work = new Map<number, Work>();
  for (const [todo, from, to] of spansOf(times)) {
    const during = runs.filter((run) => run[0] < to && endOf(run) >= from);
    const last = lastBefore(during, to);
    if (!last) continue;
    const calls = during.reduce((sum, [, , more]) => sum + more, work.get(todo)?.calls ?? 0);
    work.set(todo, { todo, calls, isLastFailed: last[3] === 1 });
  }
  return [...work.values()];
}

/** The one that went on for longest before `to`; of several that the clock cannot tell apart, the one that was told last. */
function lastBefore(runs: readonly WorkRun[], to: number): WorkRun | undefined {
  let last: WorkRun | undefined;
  for (const run of runs) if (!last || Math.min(endOf(run), to) >= Math.min(endOf(last), to)) last = run;
  return last;
}
