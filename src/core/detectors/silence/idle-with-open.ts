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

const LIMITS: Limits = { note: 30 };

export const idleWithOpen = detector({
  name: "idle-with-open",
  summary: "The turn is over, todos are open, and nobody goes on",
  limits: LIMITS,
  unit: "minutes",
  ends: "a turn that goes on, a list without open todos; a question to the person, a limit, a set alarm and work in the background are no idleness",
  ...STATELESS,
  silence: (state, quiet) => ({ state, found: findingsOf(quiet) }),
  fold: (state, { presence }) =>
    presence.turn !== "over" || presence.open === 0 ? { state, isOver: everything } : { state },
});

function findingsOf({ now, presence }: Quiet): readonly Finding[] {
  const { turn, open, isAwaited, background, endedAt, wakesAt } = presence;
  const since = Math.max(endedAt, wakesAt);
  if (turn !== "over" || open === 0 || isAwaited || background > 0 || endedAt === 0) return [];
  const minutes = Math.floor((now - since) / MINUTE);
  const level = levelOf(minutes, LIMITS);
  if (level === undefined) return [];
  const todos = open === 1 ? "1 todo is" : `${open} todos are`;
  const message = `The turn is over for ${lengthText(now - since)}, and ${todos} open. Go on with the list, ask the person, or drop what is no longer wanted.`;
  return [{ about: 1, level, count: minutes, at: since + (LIMITS[level] ?? 0) * MINUTE, message }];
}
