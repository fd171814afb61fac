import type { Plan } from "../../core/plan/plan.js";
import type { NamedSession } from "../../core/session/match-session.js";
import { openTogether } from "../../core/session/seen-calls.js";
import { newView, type SessionView } from "../../core/session/session-facts.js";
import { ENDED_AFTER, type StateReport } from "../../core/session/session-state.js";
import type { Reason } from "../../core/session/state/reason.js";
import type { PlanReport } from "../plans/plan-report.js";
import { claudeProcesses } from "./agents/claude-live.js";
import type { Attachment } from "./attachment.js";
import { type Circumstances, isNamed, joinSessions, type Known, knownState, wakeOf } from "./known-session.js";
import { withTitle } from "./prompt-title.js";
import { BoardMemory } from "./report/board-memory.js";
import { offersOf, withChildren } from "./report/child-reports.js";
import { fewOf, reportOf, type SessionReport } from "./session-report.js";
import type { StoredSessions } from "./stored-session.js";

export interface BoardOptions {
  /** So many sessions, the newest first; sub-agents come with theirs. */
  readonly limit: number;
  readonly now: number;
  readonly isWanted?: (report: SessionReport, subAgents: readonly SessionReport[]) => boolean;
  /** Only that one, and its sub-agents. */
  readonly asked?: NamedSession | undefined;
}

/** Every session on this machine and in the store, each one once. */
export async function boardOf(
  attachment: Attachment,
  store: StoredSessions,
  { limit, now, isWanted, asked }: BoardOptions,
): Promise<readonly SessionReport[]> {
  const seen = attachment.sessions(isWanted ? undefined : { most: limit, since: now - ENDED_AFTER });
  const known = joinSessions(seen, await store.all());
  const memory = memoryOf(attachment);
  memory.startLook();
  const around = { processes: claudeProcesses(seen, memory.processes), isThere: memory.processes.isThere, now };
  const looked = new Map<string, SessionReport>();
  const look = async (one: Known) => {
    const above = looked.get(one.parent ?? "");
    const report = await knownReport({ store, memory }, one, above ? { ...around, parent: stateIn(above) } : around);
    looked.set(one.id, report);
    return report;
  };
  const { roots, below } = familiesOf(known);
  const reports: SessionReport[] = [];
  let shown = 0;
  for (const root of roots) {
    if (shown >= limit && !mayWait(root, now)) continue;
    const [first, ...others] = askedIn([root, ...descendants(below, root.id)], asked);
    if (!first) continue;
    const report = await look(first);
    if (isWarmUp(report) && !asked) continue;
    const subAgents: SessionReport[] = [];
    for (const child of others) subAgents.push(await look(child));
    if (isWanted?.(report, subAgents) === false) continue;
    if (report.parent === null) shown += 1;
    reports.push(report, ...subAgents.filter((agent) => !isWarmUp(agent)));
  }
  memory.reports.keepOnly(new Set(known.map(({ id }) => id)));
  return fewOf(withChildren(reports, now), limit);
}

/** Whoever looks once has none from before. */
const memories = new WeakMap<Attachment, BoardMemory>();

function memoryOf(attachment: Attachment): BoardMemory {
  const memory = memories.get(attachment) ?? new BoardMemory();
  memories.set(attachment, memory);
  return memory;
}

/**
 * Whoever waits is quiet, and others are newer. By its transcript a session ends after a day of silence; hooks tell for
 * as long as its client is there.
 */
function mayWait({ at, stored }: Known, now: number): boolean {
  return at >= now - ENDED_AFTER || stored?.session.state === "waiting";
}

/** Of a session and its sub-agents, whoever is above comes first. */
function askedIn(family: readonly Known[], asked: NamedSession | undefined): readonly Known[] {
  if (asked === undefined) return family;
  const ids = new Set<string>();
  for (const one of family) if (isNamed(one, asked) || ids.has(one.parent ?? "")) ids.add(one.id);
  return family.filter(({ id }) => ids.has(id));
}

function stateIn({ state, why }: SessionReport): StateReport {
  return { state, ...why, since: why.since === null ? 0 : Date.parse(why.since) };
}

interface Families {
  readonly roots: readonly Known[];
  readonly below: Map<string, Known[]>;
}

/** Who stands below whom. Files may say anything: whoever has no known root above is one. */
function familiesOf(known: readonly Known[]): Families {
  const parents = new Map(known.map(({ id, parent }) => [id, parent]));
  const hasRoot = ({ parent }: Known) => {
    let id = parent;
    for (let depth = 0; id !== null && parents.has(id) && depth < DEEPEST; depth += 1) {
      const next: string | null = parents.get(id) ?? null;
      if (next === null || !parents.has(next)) return true;
      id = next;
    }
    return false;
  };
  const roots: Known[] = [];
  const below = new Map<string, Known[]>();
  for (const one of known) {
    const siblings = below.get(one.parent ?? "");
    if (!hasRoot(one)) roots.push(one);
    else if (siblings) siblings.push(one);
    else below.set(one.parent ?? "", [one]);
  }
  return { roots, below };
}

const DEEPEST = 20;

/** Some versions of Claude Code start agents that do nothing, so that later ones start faster. */
function isWarmUp({ title, calls, turns }: SessionReport): boolean {
  return title === "Warmup" && calls.total === 0 && turns <= 1;
}

/** Sub-agents, and theirs. Each once, whatever the files say of who is whose. */
function descendants(below: Map<string, readonly Known[]>, id: string): readonly Known[] {
  const children = below.get(id) ?? [];
  below.delete(id);
  return children.flatMap((child) => [child, ...descendants(below, child.id)]);
}

interface Looking {
  readonly store: StoredSessions;
  readonly memory: BoardMemory;
}

async function knownReport(looking: Looking, known: Known, around: Circumstances): Promise<SessionReport> {
  const { store, memory } = looking;
  const { id, parent, seen, stored, at } = known;
  const told = stored && (await store.view(stored));
  const plan = stored && (await store.plan(stored));
  const tasks = seen && memory.tasksOf(seen);
  const titled = seen && withTitle(seen.view, seen, memory.nameOf);
  const own = titled ?? told ?? newView(id);
  const status = knownState(known, own, around);
  const wakesAt = wakeOf(known, own, around.now);
  const { state, reason, source, since, text, choices } = status;
  const inputs = [
    ...[store, parent, at, seen?.view, own.title, tasks, seen?.path, seen?.problems, seen?.unfinished],
    ...[told, plan, stored?.session, wakesAt, state, reason, source, since, text, choices],
  ];
  return memory.reports.reportOf(id, { inputs, now: around.now }, async () => {
    const view = titled && told ? combine(titled, told) : own;
    const whole = { ...view, ...(tasks && { tasks }), id, parent };
    const shown = store.shown(whole);
    const current = await planOf(whole, plan);
    return reportOf(shown, {
      status: withPlan(status, stored && current),
      plan: current,
      offers: stored && offersOf(shown, stored.session),
      endedBy: stored?.session.endedBy,
      wakesAt,
      now: around.now,
      updatedAt: at,
      transcript: seen?.path ?? null,
      problems: seen?.problems ?? { lines: 0, first: [] },
      unfinished: seen?.unfinished ?? 0,
    });
  });
}

/** Ids and hashes of plans take a module that few sessions need. */
export async function planOf(view: SessionView, stored?: Plan): Promise<PlanReport | null> {
  if (view.plan === null && stored === undefined) return null;
  const [{ currentPlan }, { reportPlan }] = await Promise.all([
    import("../plans/current-plan.js"),
    import("../plans/plan-report.js"),
  ]);
  const plan = currentPlan(view, stored);
  return plan ? reportPlan(plan) : null;
}

/** Its turn is over, and a person has not decided yet: hooks tell the one, our store the other. */
export function withPlan(state: StateReport, plan: PlanReport | null | undefined): StateReport {
  if (state.state !== "idle" || !SETTLED.includes(state.reason) || plan?.status !== "proposed") return state;
  return { ...state, state: "waiting", reason: "plan", text: plan.title };
}

const SETTLED: readonly Reason[] = ["turn-ended", "started"];

/** Who reports to us is believed about the list; a transcript knows the rest, also from before it did. */
function combine(seen: SessionView, told: SessionView): SessionView {
  const isListTold = told.list.revision > 0;
  return {
    ...seen,
    agent: told.agent || seen.agent,
    folder: told.folder || seen.folder,
    list: isListTold ? told.list : seen.list,
    work: { ...(isListTold ? told.work : seen.work), tasks: (seen.tasks.length > 0 ? seen : told).work.tasks },
    finished: isListTold ? (told.finished ?? seen.finished) : (seen.finished ?? told.finished),
    // Its agent's own tasks, else ours that it holds: ids of both would be mixed up.
    tasks: seen.tasks.length > 0 ? seen.tasks : told.tasks,
    goal: told.goal ?? seen.goal,
    open: openTogether(seen.open, told.open),
    // Hooks do not tell in which words a client has refused.
    refusal: isListTold && told.refusal !== "" ? told.refusal : (seen.refusal ?? told.refusal),
    at: Math.max(seen.at, told.at),
    // Hooks tell more than a transcript, such as who waits for a person.
    watched: told.turns > 0 ? told.watched : seen.watched,
    turns: Math.max(seen.turns, told.turns),
    compactions: Math.max(seen.compactions, told.compactions),
  };
}
