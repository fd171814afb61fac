import { lengthText } from "../../text/time-text.js";
import {
  detector,
  everything,
  type Finding,
  type Limits,
  levelOf,
  MINUTE,
  type Quiet,
  STATELESS,
} from "../detector.js";
import { isHeard } from "../presence.js";

const LIMITS: Limits = { note: 10, warn: 30 };
/** A build may take its time. */
const CALLING: Limits = { note: 30, warn: 60 };

export const stalledTodo = detector({
  name: "stalled-todo",
  summary: `A todo in progress and nothing happens (with a call running: ${CALLING.note} and ${CALLING.warn} minutes)`,
  limits: LIMITS,
  unit: "minutes",
  ends: "anything that is heard of the session; a person who is waited for, a limit, sleep and work in the background are no stall",
  ...STATELESS,
  silence: (state, quiet) => ({ state, found: findingsOf(quiet) }),
  fold: (state, { step, presence }) => {
    const isOver = isHeard(step) || presence.active === 0 || presence.turn !== "on";
    return isOver ? { state, isOver: everything } : { state };
  },
});

function findingsOf(quiet: Quiet): readonly Finding[] {
  const { turn, active, isAwaited, background, children, heardAt } = quiet.presence;
  const isAtWork = turn === "on" && active > 0 && !isAwaited && background === 0 && children.length === 0;
  if (!isAtWork || heardAt === 0 || quiet.now <= heardAt) return [];
  const { since, limits, until } = silenceOf(quiet, heardAt);
  const minutes = Math.floor((until - since) / MINUTE);
  const level = levelOf(minutes, limits);
  if (level === undefined) return [];
  const message = `A todo is in progress, and nothing has happened for ${lengthText(until - since)}. Go on with it, or say what it waits for.`;
  return [{ about: 1, level, count: minutes, at: since + (limits[level] ?? 0) * MINUTE, message }];
}

interface Silence {
  readonly since: number;
  readonly until: number;
  readonly limits: Limits;
}

/** Until a call began it was silence of the one kind, from there on of the other. */
function silenceOf({ step, now }: Quiet, heardAt: number): Silence {
  const began = callingSince(step, now, heardAt);
  if (began === undefined) return { since: heardAt, until: now, limits: LIMITS };
  const isLate = began - heardAt >= (LIMITS.note ?? 0) * MINUTE;
  return isLate
    ? { since: heardAt, until: began, limits: LIMITS }
    : { since: Math.max(began, heardAt), until: now, limits: CALLING };
}

/** A round tells how long its calls took; where it does not, they may have taken all the time. */
function callingSince(step: Quiet["step"], now: number, heardAt: number): number | undefined {
  if (step.type === "tick") return step.calling;
  if (step.type !== "round") return undefined;
  const times = step.calls.map(({ milliseconds }) => milliseconds ?? now - heardAt);
  return now - Math.max(0, ...times);
}
