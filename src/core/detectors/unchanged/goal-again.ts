import { count, fields } from "../../shape.js";
import { detector, everything, type Judged, type Limits, levelOf, type Scene } from "../detector.js";
import { numberOf } from "../number-mark.js";

const LIMITS: Limits = { note: 3, warn: 5 };

/** The goal that fired last, and how often with no work in between. */
interface Fired {
  readonly goal: number;
  readonly times: number;
}

const NOT_FIRED: Fired = { goal: 0, times: 0 };

export const goalAgain = detector<Fired>({
  name: "goal-again",
  summary: "A goal sends the agent on, again and again, and no work is done in between",
  limits: LIMITS,
  unit: "times",
  ends: "a call that is no useless repeat, another goal, work in the background, a person's word",
  start: NOT_FIRED,
  isState: fields({ goal: count, times: count }),
  fold: (state, scene) => {
    const { step, progress, calls } = scene;
    const isWork = progress !== "none" || calls.some(({ sort }) => sort === "poll");
    const isWaiting = step.type === "turn-ended" && (step.background ?? 0) > 0;
    if (isWork || isWaiting) return { state: NOT_FIRED, isOver: everything };
    return step.type === "goal-fired" ? fired(state, step.goal, scene) : { state };
  },
});

function fired(state: Fired, text: string, { presence }: Scene): Judged<Fired> {
  // Sub-agents are at work for it.
  if (presence.children.length > 0) return { state: NOT_FIRED, isOver: everything };
  const goal = numberOf(text);
  const isSame = goal === state.goal;
  const times = isSame ? state.times + 1 : 1;
  const level = levelOf(times, LIMITS);
  const base = isSame ? { state: { goal, times } } : { state: { goal, times }, isOver: everything };
  if (level === undefined) return base;
  const message = `The goal has sent the agent on ${times} times, and no work was done in between. Do a next step towards it, or tell the person what keeps it from being reached.`;
  return { ...base, found: [{ about: goal, level, count: times, message }] };
}
