import type { RoundCall } from "../../call/call-facts.js";
import { count, fields, flag } from "../../shape.js";
import type { TodoEvent } from "../../todo/events.js";
import { isOpen } from "../../todo/list.js";
import type { TaskChange } from "../client/client-tasks.js";
import type { Session } from "../session.js";

/** What the events of a session tell about checks: whether work was called done that nothing was run on. */
export interface CheckCounts {
  /** Changes of code since a check last ran, however it ended, and since one last passed. Prose is not counted. */
  readonly edits: number;
  readonly unproven: number;
  /** Todos that the agent completed since a check last ran; and those with code that no check had passed on. */
  readonly closed: number;
  readonly claimed: number;
  /** The agent has completed a todo since the person last said something. */
  readonly hasDone: boolean;
  /** When it did so last, code was changed that no check had run on. */
  readonly isUnchecked: boolean;
  /** It did so in the reply that is not over yet: what else was called in that reply is told behind it. */
  readonly isJustDone: boolean;
  /** Todos on the list, open or not: a list that has none is over, and what follows is the next one. */
  readonly todos: number;
  /** The model was told, once for a list; and nothing was changed since. */
  readonly isTold: boolean;
  readonly isRemarked: boolean;
  /** Somebody said that this list cannot be checked here. */
  readonly isWaived: boolean;
  /** A check has run in this session, and one has passed: whoever waits for a sub-agent asks that. */
  readonly hasRun: boolean;
  readonly hasPassed: boolean;
  /** How often the agent was kept from stopping, or a task from being completed, in a row. */
  readonly refusals: number;
  /** It was let go all the same: nothing shows that what is called done works. */
  readonly isMissed: boolean;
}

export const NO_CHECK_COUNTS: CheckCounts = {
  edits: 0,
  unproven: 0,
  closed: 0,
  claimed: 0,
  hasDone: false,
  isUnchecked: false,
  isJustDone: false,
  todos: 0,
  isTold: false,
  isRemarked: false,
  isWaived: false,
  hasRun: false,
  hasPassed: false,
  refusals: 0,
  isMissed: false,
};

export const isCheckCounts = fields({
  edits: count,
  unproven: count,
  closed: count,
  claimed: count,
  hasDone: flag,
  isUnchecked: flag,
  isJustDone: flag,
  todos: count,
  isTold: flag,
  isRemarked: flag,
  isWaived: flag,
  hasRun: flag,
  hasPassed: flag,
  refusals: count,
  isMissed: flag,
});

/** So many todos in a row are no longer small steps of one change. */
const MANY = 4;
/** In a row; then the agent is let go. */
export const MOST_REFUSALS = 2;

/** A remark is due: code was changed, todos were closed on it, and no check has run. Not while sub-agents work. */
export function isCheckDue(session: Session): boolean {
  const { isTold, isRemarked, isWaived, isUnchecked, closed } = session.checks;
  if (isTold || isRemarked || isWaived || !isUnchecked || session.agents.length > 0) return false;
  return closed >= MANY || hasEnded(session);
}

/** Something is called done, and no check has passed since its code was last changed. */
export function isUnproven(session: Session): boolean {
  const { unproven, claimed, isWaived } = session.checks;
  return unproven > 0 && !isWaived && (claimed > 0 || hasEnded(session));
}

/** In this turn the agent has completed a todo, and nothing is open any more. */
export function hasEnded({ checks, counts, clientList }: Session): boolean {
  return checks.hasDone && counts.open === 0 && !clientList?.tasks.some(isOpen);
}

/** What one reply has called, in order: a check counts for what was changed before it. */
export function checksAfterRound(checks: CheckCounts, round: readonly RoundCall[], usedList: boolean): CheckCounts {
  const next = round.reduce(checksAfterCall, checks);
  if (!next.isJustDone) return next;
  // The todo was completed beside these calls, and reported before them.
  const isUnchecked = usedList ? next.edits > 0 : next.isUnchecked;
  const claimed = usedList && next.unproven > 0 ? Math.max(1, next.claimed) : next.claimed;
  return { ...next, isUnchecked, claimed, isJustDone: false };
}

function checksAfterCall(checks: CheckCounts, call: RoundCall): CheckCounts {
  if (isCheckRun(call)) {
    const isPassed = call.result === "passed";
    const known = { ...checks, hasRun: true, hasPassed: checks.hasPassed || isPassed };
    return isPassed ? proven(known) : { ...known, ...CHECKED };
  }
  if (!isCodeChange(call)) return checks;
  return { ...checks, edits: checks.edits + 1, unproven: checks.unproven + 1, isRemarked: false };
}

const CHECKED = { edits: 0, closed: 0, isUnchecked: false } as const;

/** All that was changed so far is checked, or need not be. */
function proven(checks: CheckCounts): CheckCounts {
  return { ...checks, ...CHECKED, unproven: 0, claimed: 0, refusals: 0, isMissed: false };
}

/** One that could not begin has checked nothing. */
function isCheckRun({ check, status, trouble }: RoundCall): boolean {
  return check !== undefined && status !== "cancelled" && trouble === undefined;
}

function isCodeChange({ kind, isChange, status, isProse, isUnchanged }: RoundCall): boolean {
  return (kind === "edit" || isChange === true) && status === "completed" && !isProse && !isUnchanged;
}

/** What a sub-agent has done, as its end tells it. */
export type AgentWork = Pick<CheckCounts, "edits" | "unproven" | "hasRun" | "hasPassed">;

export const isAgentWork = fields({ edits: count, unproven: count, hasRun: flag, hasPassed: flag });

/** Undefined for one that has changed and checked nothing. */
export function agentWork({ edits, unproven, hasRun, hasPassed }: CheckCounts): AgentWork | undefined {
  return unproven > 0 || hasRun ? { edits, unproven, hasRun, hasPassed } : undefined;
}

/** Its check counts for everything that was changed before. */
export function withAgentWork(session: Session, work: AgentWork | undefined): Session {
  const { checks } = session;
  if (!work) return session;
  const known = work.hasPassed ? proven(checks) : work.hasRun ? { ...checks, ...CHECKED } : checks;
  const isRemarked = known.isRemarked && work.edits === 0;
  const [edits, unproven] = [known.edits + work.edits, known.unproven + work.unproven];
  return { ...session, checks: { ...known, edits, unproven, isRemarked } };
}

/** The agent has changed its list. */
export function checksByAgent({ checks }: Session, event?: TodoEvent | TaskChange): CheckCounts {
  const next = checksByOther({ checks }, event);
  if (event?.type === "todo.moved") {
    if (event.to === "completed") return completed(next);
    return event.from === "completed" ? reopened(next) : next;
  }
  // One that comes onto the list as completed may be an old one in new words; but it can be what ends a list.
  return event?.type === "todo.added" && event.status === "completed" ? touched(next) : next;
}

/** Somebody else has: that is no claim of the agent's. */
export function checksByOther({ checks }: Pick<Session, "checks">, event?: TodoEvent | TaskChange): CheckCounts {
  switch (event?.type) {
    case "todo.added":
      return { ...(checks.todos === 0 ? begun(checks) : checks), todos: checks.todos + 1 };
    case "todo.removed":
      return { ...checks, todos: Math.max(0, checks.todos - 1) };
    case "list.cleared":
      return { ...checks, todos: 0 };
    default:
      return checks;
  }
}

/** The same for tasks that the client keeps. `session`: as it was before. */
export function checksByTask({ checks, clientList }: Session, change: TaskChange): CheckCounts {
  const tasks = clientList?.tasks ?? [];
  if (change.type === "client-task.created") return tasks.some(isOpen) ? checks : begun(checks);
  if (change.type !== "client-task.updated" || change.status === undefined) return checks;
  const before = tasks.find(({ id }) => id === change.id)?.status;
  if (change.status === "completed") return before === "completed" ? checks : completed(checks);
  return before === "completed" ? reopened(checks) : checks;
}

/** Another list: what was said of the last one is over. Changes that nothing was run on are not. */
function begun(checks: CheckCounts): CheckCounts {
  return { ...checks, closed: 0, isTold: false, isWaived: false };
}

function completed(checks: CheckCounts): CheckCounts {
  const claimed = checks.claimed + (checks.unproven > 0 ? 1 : 0);
  return { ...touched(checks), closed: checks.closed + 1, claimed };
}

function touched(checks: CheckCounts): CheckCounts {
  return { ...checks, hasDone: true, isUnchecked: checks.edits > 0, isJustDone: true };
}

function reopened(checks: CheckCounts): CheckCounts {
  return { ...checks, closed: Math.max(0, checks.closed - 1), claimed: Math.max(0, checks.claimed - 1) };
}

/** The person has spoken: what comes is another turn. */
export function checksInTurn(checks: CheckCounts): CheckCounts {
  return { ...checks, hasDone: false, isUnchecked: false, isJustDone: false, refusals: 0 };
}

/** It holds for what was done so far; without a number also for what the rest of the list will bring. */
export function checksAfterWaiver(checks: CheckCounts, isForList: boolean): CheckCounts {
  return { ...proven(checks), isWaived: checks.isWaived || isForList };
}

export function checksAfterRemark(checks: CheckCounts): CheckCounts {
  return { ...checks, isTold: true, isRemarked: true, isUnchecked: false, closed: 0 };
}

export function checksAfterRefusal(checks: CheckCounts): CheckCounts {
  return { ...checks, isTold: true, isRemarked: true, refusals: checks.refusals + 1 };
}

/** Nothing more is asked for what was done so far. */
export function withMiss(session: Session): Session {
  return { ...session, checks: { ...session.checks, claimed: 0, hasDone: false, isMissed: true } };
}
