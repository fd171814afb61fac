import { count, text } from "../../shape.js";
import { detector, everything, type Finding, type Limits, MINUTE } from "../detector.js";
import { numberOf } from "../number-mark.js";
import { isHeard, shortName, timeOf } from "../presence.js";

/** Clocks of two machines differ, and who renews may be a little late. */
const LIMITS: Limits = { warn: 1 };
const GRACE = (LIMITS.warn ?? 0) * MINUTE;
const MOST_LEASES = 16;

/** `ttl`: 0 where nothing renews it but its holder's own call. */
type Lease = readonly [task: string, until: number, ttl?: number];

export const leaseNotRenewed = detector<readonly Lease[]>({
  name: "lease-not-renewed",
  summary: "A task is held, its lease has run out, and nobody has renewed it",
  limits: LIMITS,
  unit: "minutes",
  ends: "a lease that is renewed, or a task that is left",
  start: [],
  isState: (value) => Array.isArray(value) && value.length <= MOST_LEASES && value.every(isLease),
  silence: (state, { now }) => ({ state, found: state.flatMap((lease) => findingOf(lease, now)) }),
  fold: (state, { step }) => {
    if (step.type === "session-ended") return { state: [], isOver: everything };
    if (step.type !== "leased" && step.type !== "lease-left") {
      const at = isHeard(step) ? timeOf(step) : 0;
      return { state: at > 0 && state.some((lease) => isRenewed(lease, at)) ? renewed(state, at) : state };
    }
    const task = shortName(step.task);
    const others = state.filter(([known]) => known !== task);
    const held = step.type === "leased" ? [...others, [task, step.until, step.ttl ?? 0] as const] : others;
    return { state: held.slice(-MOST_LEASES), isOver: (about) => about === numberOf(task) };
  },
});

/** Whoever is heard of before it has run out keeps it. */
function isRenewed([, until, ttl = 0]: Lease, at: number): boolean {
  return ttl > 0 && at < until + GRACE;
}

function renewed(state: readonly Lease[], at: number): readonly Lease[] {
  return state.map((lease): Lease => {
    const [task, until, ttl = 0] = lease;
    return isRenewed(lease, at) ? [task, Math.max(until, at + ttl), ttl] : lease;
  });
}

function findingOf([task, until]: Lease, now: number): readonly Finding[] {
  if (until === 0 || now < until + GRACE) return [];
  const count = Math.floor((now - until) / MINUTE);
  const message = `The lease of task ${task} has run out: somebody else may take it. Renew it before you write to it, or leave it.`;
  return [{ about: numberOf(task), level: "warn", count, at: until + GRACE, message }];
}

function isLease(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  return text(value[0]) && value.slice(1).every(count);
}
