import { isAtLeast } from "../counted-call.js";
import { detector, everything, type Finding, type Limits, levelOf, nameText } from "../detector.js";
import { numberOf } from "../number-mark.js";
import { counted, isTallies, type Tallies, tallyOf, without } from "../tallies.js";

const LIMITS: Limits = { note: 3, warn: 5 };

export const unknownTool = detector<Tallies>({
  name: "unknown-tool",
  summary: "A tool that is not there, whatever its arguments",
  limits: LIMITS,
  unit: "calls",
  ends: "a call of that tool that is answered, a change of a file, a todo that is closed, a person's word",
  start: [],
  isState: isTallies,
  isOfCalls: true,
  fold: (state, { calls, progress }) => {
    if (state.length === 0 && !calls.some(({ sort }) => sort === "no-tool")) return { state };
    let tallies = isAtLeast(progress, "change") ? [] : state;
    const gone: number[] = [];
    const missing = new Map<number, string>();
    for (const { call, sort } of calls) {
      if (sort === "no-tool") missing.set(numberOf(call.tool), call.tool);
      else if (tallies.length > 0 && sort !== "passed-over") gone.push(numberOf(call.tool));
    }
    for (const mark of gone) tallies = without(tallies, mark);
    for (const mark of missing.keys()) tallies = counted(tallies, mark);
    const found = [...missing].flatMap(([mark, tool]) => findingOf(mark, tool, tallyOf(tallies, mark)));
    const isOver = isAtLeast(progress, "change") ? everything : (about: number) => gone.includes(about);
    return { state: tallies, found, isOver };
  },
});

function findingOf(about: number, tool: string, count: number): readonly Finding[] {
  const level = levelOf(count, LIMITS);
  if (level === undefined) return [];
  const message = `There is no tool ${nameText(tool)}: it was called ${count} times. Use a tool that is offered, or go on without it.`;
  return [{ about, level, count, message }];
}
