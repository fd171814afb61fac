import { count } from "../../shape.js";
import { lengthText } from "../../text/time-text.js";
import type { SeenCall } from "../counted-call.js";
import { detector, everything, type Finding, type Limits, levelOf, MINUTE, nameText } from "../detector.js";

const LIMITS: Limits = { warn: 10 };
/** Two looks with a long time between them are patience. */
const FEWEST = 3;
const MOST_POLLS = 4;

/** Something that is asked about, what it answered last, since when, and how often. */
type Poll = readonly [call: number, outcome: number, since: number, times: number];

export const polling = detector<readonly Poll[]>({
  name: "polling",
  summary: `Asking whether something is over, ${FEWEST} times at least, while nothing moves`,
  limits: LIMITS,
  unit: "minutes",
  ends: "another answer, any other work that tells something new, a person's word",
  start: [],
  isState: (value) => Array.isArray(value) && value.length <= MOST_POLLS && value.every(isPoll),
  isOfCalls: true,
  fold: (state, { calls, progress, now, step }) => {
    if (state.length === 0 && !calls.some(({ call }) => call.isPoll)) return { state };
    const before = progress === "none" ? state : [];
    const polls =
      step.at > 0 ? calls.filter(({ call, outcome, mark }) => call.isPoll && outcome !== 0 && mark !== 0) : [];
    const after = polls.reduce((known, seen) => withPoll(known, seen, now), before);
    const found = polls.flatMap((seen) => findingOf(after, seen, now));
    return progress === "none" ? { state: after, found } : { state: after, found, isOver: everything };
  },
});

function withPoll(polls: readonly Poll[], { mark, outcome }: SeenCall, now: number): readonly Poll[] {
  const known = polls.find(([call, answer]) => call === mark && answer === outcome);
  const [, , since = now, times = 0] = known ?? [];
  const others = polls.filter(([call]) => call !== mark);
  return [...others, [mark, outcome, since, times + 1] as const].slice(-MOST_POLLS);
}

function findingOf(polls: readonly Poll[], { mark, call }: SeenCall, now: number): readonly Finding[] {
  const [, , since = now, times = 0] = polls.find(([known]) => known === mark) ?? [];
  const minutes = Math.floor((now - since) / MINUTE);
  const level = times >= FEWEST ? levelOf(minutes, LIMITS) : undefined;
  if (level === undefined) return [];
  const message = `${nameText(call.tool)} was asked ${times} times in ${lengthText(now - since)} and nothing has moved. Find out whether what it waits for is still running, wait longer between two looks, or do something else meanwhile.`;
  return [{ about: mark, level, count: times, message }];
}

function isPoll(value: unknown): boolean {
  return Array.isArray(value) && value.length === 4 && value.every(count);
}
