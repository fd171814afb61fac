import { lengthText } from "../../text/time-text.js";
import {
  detector,
  everything,
  type Finding,
  type Limits,
  levelOf,
  MINUTE,
  nameText,
  type Quiet,
  STATELESS,
} from "../detector.js";
import { numberOf } from "../number-mark.js";

/** Longer than clients let a command run, so that a build of a sub-agent is no silence. */
const LIMITS: Limits = { note: 15, warn: 30 };

export const silentChild = detector({
  name: "silent-child",
  summary: "A sub-agent that has begun and is not heard of",
  limits: LIMITS,
  unit: "minutes",
  ends: "anything that is heard of the sub-agent, its end, a turn that ends with nothing in the background",
  ...STATELESS,
  silence: (state, quiet) => ({ state, found: findingsOf(quiet) }),
  fold: (state, { step, presence }) => {
    if (presence.children.length === 0) return { state, isOver: everything };
    const alive = new Set(presence.children.map(([agent]) => numberOf(agent)));
    const heard =
      step.type === "agent-heard" || step.type === "agent-started" ? presence.children.at(-1)?.[0] : undefined;
    const mark = heard === undefined ? 0 : numberOf(heard);
    return { state, isOver: (about) => about === mark || !alive.has(about) };
  },
});

function findingsOf({ now, presence }: Quiet): readonly Finding[] {
  // A sub-agent may be what the person is waited for.
  if (presence.isAwaited) return [];
  return presence.children.flatMap(([agent, heardAt]) => (heardAt === 0 ? [] : silentFindings(agent, heardAt, now)));
}

/** Also for whoever knows by other means that a sub-agent is at work. `agent`: a short name. */
export function silentFindings(agent: string, heardAt: number, now: number): readonly Finding[] {
  const minutes = Math.floor((now - heardAt) / MINUTE);
  const level = levelOf(minutes, LIMITS);
  if (level === undefined) return [];
  const message = `Sub-agent ${nameText(agent)} has said nothing for ${lengthText(now - heardAt)}. Look at what it does, or go on without it.`;
  return [{ about: numberOf(agent), level, count: minutes, at: heardAt + (LIMITS[level] ?? 0) * MINUTE, message }];
}
