import { count } from "../../shape.js";
import { isAtLeast, isReading, type SeenCall } from "../counted-call.js";
import {
  detector,
  everything,
  type Finding,
  type Judged,
  type Limits,
  levelOf,
  nameText,
  type Scene,
} from "../detector.js";

/** Calls from before that are made again. Reading again what was forgotten is no loop, and neither is a check. */
const LIMITS: Limits = { note: 5, warn: 8 };
/** The same call right after the compaction. */
const IDENTICAL: Limits = { warn: 3 };
/** Rounds after a compaction in which the same call is its fault. */
const RIGHT_AFTER = 6;

export function isRightAfterCompaction({ memory, muted }: Scene): boolean {
  const { sinceCompaction } = memory;
  return sinceCompaction > 0 && sinceCompaction <= RIGHT_AFTER + 1 && !muted.includes("after-compaction");
}

/** The state: how many calls were made again since the last compaction. */
export const afterCompaction = detector<number>({
  name: "after-compaction",
  summary: `After a compaction, work that was done before is done again with the same answers; or the same call with the same answer ${IDENTICAL.warn} times within ${RIGHT_AFTER} rounds (warn)`,
  limits: LIMITS,
  unit: "calls",
  ends: "a call that was not made before and is more than reading, a change of a file, a todo that is closed, a person's word",
  start: 0,
  isState: count,
  isOfCalls: true,
  fold: (state, scene) => {
    if (scene.step.type === "compacted") return { state: 0 };
    if (state === 0 && scene.memory.sinceCompaction === 0 && scene.progress === "none") return { state };
    const isOver = isAtLeast(scene.progress, "act");
    const judged = scene.step.type === "round" ? judgeRound(isOver ? 0 : state, scene) : { state: isOver ? 0 : state };
    return isOver ? { ...judged, isOver: everything } : judged;
  },
});

function judgeRound(state: number, scene: Scene): Judged<number> {
  const redone = scene.calls.filter(isRedoneWork);
  const after = state + redone.length;
  const identical = isRightAfterCompaction(scene) ? scene.calls.flatMap(identicalOf) : [];
  return { state: after, found: [...identical, ...redoneOf(redone, after)] };
}

function isRedoneWork({ call, sort, isRedone }: SeenCall): boolean {
  return isRedone && sort === "repeat" && !isReading(call) && call.check === undefined;
}

function redoneOf(redone: readonly SeenCall[], calls: number): readonly Finding[] {
  const level = redone.length > 0 ? levelOf(calls, LIMITS) : undefined;
  if (level === undefined) return [];
  const message = `Since the context was compacted, ${calls} calls from before it were made again with the same answers. That work is done: look at the list, and go on with what is open.`;
  return [{ about: 1, level, count: calls, message }];
}

function identicalOf({ call, sort, near, mark, isError, outcome }: SeenCall): readonly Finding[] {
  const level = sort === "repeat" && !isError && outcome !== 0 ? levelOf(near, IDENTICAL) : undefined;
  if (level === undefined) return [];
  const message = `Right after the context was compacted, ${nameText(call.tool)} was called ${near} times with the same arguments and the same answer. Look at the list, and go on with what is open.`;
  return [{ about: mark, level, count: near, message }];
}
