import { isSameJson } from "../../../core/json.js";
import type { Session } from "../../../core/session/session.js";
import type { StateReport } from "../../../core/session/session-state.js";
import { NOT_SHOWN } from "../../../core/session/state/shown.js";
import { STARTED } from "../../../core/session/state/why.js";
import { taskReports } from "../report/seen-task-report.js";
import { withPlan } from "../session-board.js";
import { type SessionReport, stateFields } from "../session-report.js";
import { tasksOf, tellsTurns } from "../stored-session.js";
import type { SessionStep } from "./session-steps.js";

type Step = Pick<SessionStep, "before" | "after" | "root" | "at">;

/** The session as a look shows it that was taken after the step, maybe also after later ones. */
interface Looked {
  readonly shown?: SessionReport | undefined;
  /** The plan that the session has after the step, where another one takes the place of the last. */
  readonly plan?: SessionReport["plan"] | undefined;
}

/**
 * The report after one event of its session. Only what the event changed is changed, and only where the next look would
 * show the same: a transcript may know better, or have told of it already.
 */
export function reportAfter(report: SessionReport, step: Step, looked: Looked = {}): SessionReport {
  const { before, after } = step;
  if (isSame(before, after)) return report;
  const next = {
    ...report,
    compactions: Math.max(report.compactions, after.compactions),
    tasks: tasksAfter(report, before, after),
    goal: goalAfter(report, before, after),
    plan: planAfter(report, step, looked),
  };
  return { ...next, ...stateAfter(report, next.plan, step, looked) };
}

function isSame(before: Session, after: Session): boolean {
  const { state, why, clientList, held, plan, compactions, process } = before;
  return isSameJson(
    [state, why, clientList, held, plan, compactions, process],
    [after.state, after.why, after.clientList, after.held, after.plan, after.compactions, after.process],
  );
}

/** What a look that was taken later shows, as it was when the session was like this. */
export function reportAt(shown: SessionReport, session: Session, step: Step): SessionReport {
  const { plan } = session;
  const isPlan = shown.plan !== null && shown.plan.id === plan?.plan;
  const own: SessionReport = {
    ...shown,
    compactions: session.compactions,
    tasks: tasksIn(shown, session),
    goal: session.clientList?.goal ?? null,
    plan: isPlan && plan && shown.plan ? { ...shown.plan, status: plan.status } : null,
  };
  const report = shown.transcript === null ? own : shown;
  const told = toldState(session, report.plan);
  const isTold = isStateTold(shown, { ...step, before: session, after: session }, told);
  return isTold ? { ...report, ...fieldsOf(report.plan, session, told, step) } : report;
}

type StateFields = ReturnType<typeof stateFields>;

function stateAfter(
  report: SessionReport,
  plan: SessionReport["plan"],
  step: Step,
  { shown }: Looked,
): Partial<StateFields> {
  const [was, now] = [toldState(step.before, report.plan), toldState(step.after, plan)];
  const isReplaced = step.before.process !== step.after.process && report.why.reason === "process-gone";
  if ((isSameJson(was, now) && !isReplaced) || !isStateTold(report, step, now)) return {};
  if (isUntold(report, step) && shown?.state === "waiting") {
    const { state, why, waitingFor } = shown;
    return { state, why, waitingFor };
  }
  return fieldsOf(plan, step.after, now, step);
}

function toldState({ state, why = STARTED }: Session, plan: SessionReport["plan"]): StateReport {
  return withPlan({ state, ...why, source: "hook" }, plan);
}

function fieldsOf(plan: SessionReport["plan"], { endedBy, wakesAt }: Session, status: StateReport, { at }: Step) {
  return stateFields({ shown: NOT_SHOWN }, { status, plan, endedBy, wakesAt, now: at });
}

/** False where a look goes by something else: see `toldOf` and `stateOf`. */
function isStateTold(report: SessionReport, { before, after, root }: Step, now: StateReport): boolean {
  const { id, parent, transcript, why } = report;
  if (transcript !== null && !tellsTurns({ session: after })) return false;
  const [, agent = ""] = id.split("/");
  if (parent !== null && !root?.agents.includes(agent)) return false;
  if (why.reason === "parent-ended") return false;
  // Only a client that takes its place is there.
  if (why.reason === "process-gone" && before.process === after.process) return false;
  if (why.reason === "process-gone") return true;
  // What was told of already is newer.
  return why.source === "hook" || why.since === null || Date.parse(why.since) <= now.since;
}

/** Hooks of older versions did not tell what is asked; a transcript may know. */
function isUntold({ transcript }: SessionReport, { before, after }: Step): boolean {
  const isNew = !isSameJson([before.state, before.why], [after.state, after.why]);
  return isNew && transcript !== null && after.state === "waiting" && after.why.text === undefined;
}

/** Something that the step changed is only known by looking. */
export function needsLook(report: SessionReport, step: Step): boolean {
  return isUntold(report, step) || newPlan(report, step) !== undefined;
}

/** The plan that takes the place of the one that was told of. */
export function newPlan({ plan }: SessionReport, { before, after }: Step): string | undefined {
  const [was, now] = [before.plan?.plan, after.plan?.plan];
  if (now === was || now === plan?.id) return undefined;
  return plan === null || plan.id === was ? now : undefined;
}

function planAfter(report: SessionReport, step: Step, { plan }: Looked): SessionReport["plan"] {
  const [was, now] = [step.before.plan, step.after.plan];
  if (now && newPlan(report, step) === now.plan) return plan ? { ...plan, status: now.status } : report.plan;
  const { plan: told } = report;
  if (!told || !now || told.id !== now.plan || was?.plan !== now.plan || told.status !== was.status) return told;
  return told.status === now.status ? told : { ...told, status: now.status };
}

function goalAfter({ goal, transcript }: SessionReport, before: Session, after: Session): SessionReport["goal"] {
  const [was, now] = [before.clientList?.goal ?? null, after.clientList?.goal ?? null];
  if (isSameJson(was, now) || !isSameJson(goal, was)) return goal;
  // The transcript may still have one.
  return now === null && transcript !== null ? goal : now;
}

/** A task that the report has otherwise than the session had it was told of by a transcript. */
function tasksAfter(report: SessionReport, before: Session, after: Session): SessionReport["tasks"] {
  const was = byId(tasksIn(report, before));
  const now = byId(tasksIn(report, after));
  const told = byId(report.tasks);
  let isChanged = false;
  for (const id of new Set([...was.keys(), ...now.keys()])) {
    const [old, task] = [was.get(id), now.get(id)];
    if (isSameTask(old, task) || !isSameTask(told.get(id), old)) continue;
    isChanged = true;
    if (task) told.set(id, task);
    else told.delete(id);
  }
  return isChanged ? [...told.values()] : report.tasks;
}

type Task = SessionReport["tasks"][number];

function byId(tasks: readonly Task[]): Map<string, Task> {
  return new Map(tasks.map((task) => [task.id, task]));
}

function isSameTask(a: Task | undefined, b: Task | undefined): boolean {
  return a?.subject === b?.subject && a?.status === b?.status;
}

/** Where there is a transcript, tasks of ours that the session holds are shown only if it has none of its own. */
function tasksIn({ id, transcript }: SessionReport, session: Session): SessionReport["tasks"] {
  const held = transcript === null ? session.held : [];
  return taskReports(tasksOf({ id, session: { ...session, held }, at: 0 }));
}

/** Ids of the tasks that became different. */
export function changedTasks(before: SessionReport, after: SessionReport): readonly string[] {
  const [was, now] = [byId(before.tasks), byId(after.tasks)];
  return [...new Set([...was.keys(), ...now.keys()])].filter((id) => !isSameTask(was.get(id), now.get(id)));
}

/** What a look shows of tasks, those aside that are told from the log: they are as they were told. */
export function withToldTasks(
  told: SessionReport | undefined,
  shown: SessionReport,
  isTold: (task: string) => boolean,
): SessionReport {
  const kept = (told?.tasks ?? []).filter(({ id }) => isTold(id));
  const others = shown.tasks.filter(({ id }) => !isTold(id));
  if (others.length === shown.tasks.length && kept.length === 0) return shown;
  return { ...shown, tasks: [...others, ...kept] };
}
