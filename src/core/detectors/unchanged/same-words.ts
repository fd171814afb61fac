import { count, fields, flag } from "../../shape.js";
import { detector, everything, type Judged, type Limits, levelOf } from "../detector.js";
import { numberOf } from "../number-mark.js";

const LIMITS: Limits = { note: 3, warn: 5 };

/** The last words, and how often in a row. `isOpen`: said, and the end of the turn may tell of them again. */
interface Words {
  readonly words: number;
  readonly times: number;
  readonly isOpen: boolean;
}

const NO_WORDS: Words = { words: 0, times: 0, isOpen: false };

export const sameWords = detector<Words>({
  name: "same-words",
  summary: "The model says the same again and calls no tool",
  limits: LIMITS,
  unit: "times",
  ends: "other words, any call, a person's word",
  start: NO_WORDS,
  isState: fields({ words: count, times: count, isOpen: flag }),
  fold: (state, { step, progress }) => {
    if (progress === "anew" && step.type !== "woken") return { state: NO_WORDS, isOver: everything };
    if (step.type === "said") return heard(state, step.words, true);
    if (step.type === "turn-ended" && step.words) return heard(state, step.words, false);
    return step.type === "round" ? { state: NO_WORDS, isOver: everything } : { state };
  },
});

function heard(state: Words, said: string, isOpen: boolean): Judged<Words> {
  if (said === "") return { state };
  const words = numberOf(said);
  if (words !== state.words) return { state: { words, times: 1, isOpen }, isOver: everything };
  // The end of a turn tells again what was said last.
  if (state.isOpen && !isOpen) return { state: { ...state, isOpen } };
  const times = state.times + 1;
  const level = levelOf(times, LIMITS);
  const after = { words, times, isOpen };
  if (level === undefined) return { state: after };
  const message = `The same words came ${times} times without a call in between. Do the next thing with a tool, or say once what is in the way and stop.`;
  return { state: after, found: [{ about: words, level, count: times, message }] };
}
