import { endOf, type WorkRun } from "../call/work-runs.js";
import type { Work } from "./session-facts.js";
import { spansOf, type WorkTimes } from "./work-times.js";

/** What ran while each todo was worked on: calls and lists are kept in streams of their own, and share only the clock. */
export function todoWork(times: WorkTimes, runs: readonly WorkRun[]): readonly Work[] {
  const work = new Map<number, Work>();
  for (const [todo, from, to] of spansOf(times)) {
    const during = runs.filter((run) => run[0] < to && endOf(run) >= from);
    // The one that went on for longest before `to`; of several that the clock cannot tell apart, the one told last.
    const last = during.toSorted((a, b) => Math.min(endOf(a), to) - Math.min(endOf(b), to)).at(-1);
    if (!last) continue;
    const calls = during.reduce((sum, [, , more]) => sum + more, work.get(todo)?.calls ?? 0);
    work.set(todo, { todo, calls, isLastFailed: last[3] === 1 });
  }
  return [...work.values()];
}
