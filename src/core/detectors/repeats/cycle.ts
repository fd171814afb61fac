import {
  detector,
  everything,
  type Finding,
  type Limits,
  levelOf,
  nameText,
  type Scene,
  STATELESS,
} from "../detector.js";
import { type Cycle, LONGEST, SHORTEST } from "../round-cycle.js";

const LIMITS: Limits = { note: 3, warn: 5 };
/** A change is progress, unless another one takes it back: there and back, again and again. */
const OF_CHANGES: Limits = { note: 4, warn: 6 };

export const cycle = detector({
  name: "cycle",
  summary: `${SHORTEST} to ${LONGEST} rounds of calls in turn, with the same answers (${OF_CHANGES.note} laps where changes of files go there and back)`,
  limits: LIMITS,
  unit: "laps",
  ends: "a round that is not the next one of the cycle, a todo that is closed, a person's word",
  ...STATELESS,
  isOfCalls: true,
  fold: (_, scene) => {
    if (scene.progress === "anew") return { state: undefined, isOver: everything };
    if (scene.step.type !== "round" || scene.calls.every(({ sort }) => OUTSIDE.includes(sort)))
      return { state: undefined };
    const finding = scene.cycle && findingOf(scene.cycle, scene);
    return {
      state: undefined,
      found: finding ? [finding] : [],
      isOver: (about) => about !== finding?.about,
    };
  },
});

/** Calls that are no part of a round's mark. */
const OUTSIDE: readonly string[] = ["poll", "no-tool", "passed-over"];

function findingOf({ period, laps, changes, mark }: Cycle, { calls }: Scene): Finding | undefined {
  const level = changes === 1 ? undefined : levelOf(laps, changes > 0 ? OF_CHANGES : LIMITS);
  if (level === undefined) return undefined;
  const tool = nameText(calls[0]?.call.tool ?? "");
  const message = `The same ${period} rounds of calls have come ${laps} times in turn with the same answers, the last one with ${tool}. Leave this circle: do something that was not tried, or say what is in the way.`;
  return { about: mark, level, count: laps, message };
}
