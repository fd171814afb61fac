import { isId } from "../id.js";
import { count, fields, flag, oneOf, text } from "../shape.js";
import { numberOf } from "./number-mark.js";
import type { Step } from "./step.js";

/** A sub-agent that has begun and not ended, and when it was last heard of. */
type Child = readonly [agent: string, heardAt: number];

/** Whether somebody is at work, and for what it is reasonable to wait. Times are milliseconds, 0: unknown. */
export interface Presence {
  readonly turn: "none" | "on" | "over";
  /** When the agent or somebody it listens to was last heard of. */
  readonly heardAt: number;
  readonly endedAt: number;
  readonly wakesAt: number;
  /** A person has to answer, or a limit has to end: nobody can blame the agent. */
  readonly isAwaited: boolean;
  readonly background: number;
  readonly open: number;
  readonly active: number;
  readonly children: readonly Child[];
}

export const NO_PRESENCE: Presence = {
  turn: "none",
  heardAt: 0,
  endedAt: 0,
  wakesAt: 0,
  isAwaited: false,
  background: 0,
  open: 0,
  active: 0,
  children: [],
};

/** More than run at once: those that have been quiet for longest are forgotten. */
const MOST_CHILDREN = 16;
const NAME_MAX = 24;

/** A short name for an id: itself, as long as it is one. */
export function shortName(id: string): string {
  return isId(id) && id.length <= NAME_MAX ? id : `#${numberOf(id).toString(36)}`;
}

/** Steps that are no sign of life of this session. */
const NOT_HEARD: readonly Step["type"][] = ["tick", "muted", "same-file", "list-changed"];

export function isHeard({ type }: Step): boolean {
  return !NOT_HEARD.includes(type);
}

export function evolvePresence(presence: Presence, step: Step): Presence {
  if (!isHeard(step)) return withList(presence, step);
  const heardAt = timeOf(step);
  // Most steps are rounds of an agent that was at work already.
  if (step.type === "round" && presence.turn === "on" && !presence.isAwaited) return heardAgain(presence, heardAt);
  return { ...presence, ...changesOf(presence, step), heardAt };
}

/** Field by field: a spread costs more than all that is done with it. */
function heardAgain(before: Presence, heardAt: number): Presence {
  const { turn, endedAt, wakesAt, isAwaited, background, open, active, children } = before;
  return { turn, heardAt, endedAt, wakesAt, isAwaited, background, open, active, children };
}

export function timeOf({ at }: Step): number {
  return Number.isSafeInteger(at) && at > 0 ? at : 0;
}

function withList(presence: Presence, step: Step): Presence {
  return step.type === "list-changed" ? { ...presence, open: step.open, active: step.active } : presence;
}

const AT_WORK: Partial<Presence> = { turn: "on", isAwaited: false, background: 0, wakesAt: 0 };

function changesOf(presence: Presence, step: Step): Partial<Presence> {
  switch (step.type) {
    case "list-written":
      return { ...AT_WORK, open: step.open, active: step.active };
    case "round":
    case "prompt":
    case "woken":
    case "said":
    case "answered":
    case "goal-fired":
      return AT_WORK;
    case "awaited":
      return { isAwaited: true };
    case "turn-ended":
      return afterTurn(presence, step);
    case "agent-started":
    case "agent-heard":
      return { children: withChild(presence, step.agent, timeOf(step)) };
    case "agent-ended":
      return { children: withoutChild(presence, step.agent) };
    case "session-ended":
      return NO_PRESENCE;
    default:
      return {};
  }
}

/** Cut short by these, a turn goes on when a person or the clock says so. */
const NOT_ITS_OWN: readonly unknown[] = ["interrupted", "usage-limit"];

function afterTurn({ children }: Presence, step: Extract<Step, { type: "turn-ended" }>): Partial<Presence> {
  const background = step.background ?? 0;
  return {
    turn: "over",
    endedAt: timeOf(step),
    wakesAt: step.wakesAt ?? 0,
    isAwaited: step.isAsking === true || NOT_ITS_OWN.includes(step.because),
    background,
    // Sub-agents whose end nobody told of, where nothing goes on.
    children: background > 0 ? children : [],
  };
}

function withChild(presence: Presence, agent: string, at: number): readonly Child[] {
  return [...withoutChild(presence, agent), [shortName(agent), at] as const].slice(-MOST_CHILDREN);
}

function withoutChild({ children }: Presence, agent: string): readonly Child[] {
  const name = shortName(agent);
  return children.some(([known]) => known === name) ? children.filter(([known]) => known !== name) : children;
}

const isChild = (value: unknown) => Array.isArray(value) && value.length === 2 && text(value[0]) && count(value[1]);

export const isPresence = fields({
  turn: oneOf(["none", "on", "over"]),
  heardAt: count,
  endedAt: count,
  wakesAt: count,
  isAwaited: flag,
  background: count,
  open: count,
  active: count,
  children: (value) => Array.isArray(value) && value.length <= MOST_CHILDREN && value.every(isChild),
});
