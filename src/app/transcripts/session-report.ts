import { judgeList, judgeTodos } from "../../core/grounding/judged.js";
import type { SessionWork } from "../../core/grounding/seen-work.js";
import type { Goal, SeenContext, Tokens } from "../../core/session/observation.js";
import type { PullRequest } from "../../core/session/pull-request.js";
import type { SessionView } from "../../core/session/session-facts.js";
import type { SessionState, StateReport } from "../../core/session/session-state.js";
import { askedText } from "../../core/session/state/asked-text.js";
import { type Asked, isAsked, type Reason, type Source } from "../../core/session/state/reason.js";
import { LAST_TIME, isoTime as timeText } from "../../core/text/time-text.js";
import { isOpen } from "../../core/todo/list.js";
import type { Problems } from "../../readers/transcript.js";
import type { PlanReport } from "../plans/plan-report.js";
import { projectOf } from "../session/session-mention.js";
import { reportList, type TodoListReport, type TodoReport } from "../todo/todo-report.js";
import { type AlertReport, alertsIn, reportAlert } from "./report/alert-report.js";
import type { ChildNotice } from "./report/child-notice.js";
import { type CallReport, currentCall } from "./report/current-call.js";
import { oncePerState } from "./report/once-per-state.js";
import { resumeCommand } from "./report/resume-command.js";
import { type SeenTaskReport, taskReports } from "./report/seen-task-report.js";

export interface FinishedReport extends TodoListReport {
  /** An ISO time; null where no record had one. */
  readonly at: string | null;
}

/** A sub-agent in the report of its session. `now`: what it is on; null where nobody told. */
export interface ChildReport extends Pick<SessionReport, "id" | "title" | "state"> {
  readonly done: number;
  readonly total: number;
  readonly now: string | null;
  /** The last that there is to tell of it: what it is on, that it is silent, that it is done. */
  readonly notice: ChildNotice | null;
}

/** A todo, or a task of the client's, that may be done: the sub-agents that it was given to have ended. */
export interface OfferReport {
  readonly todo: number;
  readonly text: string;
  readonly agent: string;
  readonly kind: "todo" | "task";
}

/** What `--json` prints of a session. Scripts rely on the names; more may be added, none goes. */
export interface SessionReport {
  readonly id: string;
  readonly agent: string;
  readonly parent: string | null;
  readonly title: string;
  readonly state: SessionState;
  /** `since`: an ISO time, or null. `word`: the client's own, for one that has ended. */
  readonly why: {
    readonly reason: Reason;
    readonly source: Source;
    readonly since: string | null;
    readonly word: string | null;
  };
  /** `choices`: labels of the answers that a question offers. */
  readonly waitingFor: {
    readonly kind: Asked;
    readonly text: string | null;
    readonly choices: readonly string[];
  } | null;
  /** The usage limit is reached; `resetsAt` null where it is not told. */
  readonly limited: { readonly resetsAt: string | null } | null;
  /** Its turn is over, and it goes on by itself. */
  readonly sleeping: { readonly until: string } | null;
  readonly list: TodoListReport;
  /** The last list that came to its end, and when; it stays until another one does. */
  readonly finished: FinishedReport | null;
  /** The one that it proposed last. */
  readonly plan: PlanReport | null;
  /** What the agent was told to reach, above its list. */
  readonly goal: Goal | null;
  readonly tasks: readonly SeenTaskReport[];
  readonly calls: { readonly total: number; readonly failed: number };
  readonly call: CallReport | null;
  readonly turns: number;
  readonly compactions: number;
  readonly tokens: Tokens;
  readonly context: SeenContext | null;
  readonly cost: number | null;
  /** The one that its transcript names last. */
  readonly pullRequest: PullRequest | null;
  /** What its agent's last write to the list was answered, where it was refused. */
  readonly refusal: string | null;
  /** What detectors have found, the oldest first. */
  readonly alerts: readonly AlertReport[];
  /** Its sub-agents, rolled up. */
  readonly children: readonly ChildReport[];
  readonly offers: readonly OfferReport[];
  /** The last part of the folder. */
  readonly project: string | null;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly version: string | null;
  readonly model: string | null;
  /** ISO times; null where nothing has one. */
  readonly startedAt: string | null;
  readonly updatedAt: string | null;
  /** When its agent was last heard of: what a person does to its list does not count. */
  readonly activeAt: string | null;
  /** The command that goes on with it; null for a sub-agent. */
  readonly resume: string | null;
  readonly transcript: string | null;
  readonly badLines: Problems;
  /** Bytes of a last line that is not whole yet. */
  readonly unfinishedBytes: number;
}

interface Beside {
  readonly status: StateReport;
  readonly plan?: PlanReport | null;
  readonly offers?: readonly OfferReport[] | undefined;
  readonly endedBy?: string | undefined;
  readonly wakesAt?: number | undefined;
  readonly now: number;
  readonly updatedAt: number;
  /** When anything was last heard of it: where its records are older than its file, the file's time. */
  readonly heardAt?: number;
  readonly transcript: string | null;
  readonly problems: Problems;
  readonly unfinished: number;
}

/** A session, and the sub-agents below it. */
type Family = readonly SessionReport[];

/** Reports stand below their session. */
function familiesOf(reports: readonly SessionReport[]): readonly Family[] {
  const families: SessionReport[][] = [];
  for (const report of reports) {
    if (report.parent === null || families.length === 0) families.push([report]);
    else families.at(-1)?.push(report);
  }
  return families;
}

const isWaiting = (family: Family) => family.some(({ state }) => state === "waiting");

/** Who needs the person comes first; all else stays in its order. */
function byNeed(families: readonly Family[]): readonly Family[] {
  return [...families.filter(isWaiting), ...families.filter((family) => !isWaiting(family))];
}

export function waitingFirst(reports: readonly SessionReport[]): readonly SessionReport[] {
  return byNeed(familiesOf(reports)).flat();
}

/** So many sessions, in their order. One that waits for the person is quiet, and must not give way to newer ones. */
export function fewOf(reports: readonly SessionReport[], limit: number): readonly SessionReport[] {
  const families = familiesOf(reports);
  // A sub-agent whose session nobody knows takes nobody's place.
  const isPlaced = ([first]: Family) => first?.parent === null;
  const kept = new Set(byNeed(families).filter(isPlaced).slice(0, limit));
  return families.filter((family) => kept.has(family) || !isPlaced(family)).flat();
}

/** Has a row in the table of sessions: sub-agents only while something is going on in them. */
export function isOnTable({ parent, state }: Pick<SessionReport, "parent" | "state">): boolean {
  return parent === null || state === "running" || state === "waiting";
}

export function reportOf(view: SessionView, beside: Beside): SessionReport {
  const { transcript, problems: badLines, unfinished: unfinishedBytes } = beside;
  const { id, agent, parent, title, calls, turns, compactions, tokens, context, cost, pullRequest } = view;
  return {
    id,
    agent,
    parent,
    title,
    ...stateFields(view, beside),
    list: listReport(view.list, view.work),
    finished: view.finished ? finishedReport(view.finished, view.work) : null,
    plan: beside.plan ?? null,
    goal: view.goal ?? null,
    tasks: tasksReport(view.tasks, view.work),
    calls,
    call: currentCall(view.open, beside.status),
    turns,
    compactions,
    tokens,
    context,
    cost,
    pullRequest,
    refusal: view.refusal ?? null,
    alerts: alertsIn(view, beside).map(reportAlert),
    children: [],
    offers: beside.offers ?? [],
    project: projectOf(view.folder),
    folder: view.folder || null,
    branch: view.branch || null,
    version: view.version || null,
    model: view.model || null,
    startedAt: isoTime(view.startedAt),
    updatedAt: isoTime(beside.updatedAt),
    activeAt: isoTime(view.at),
    resume: resumeCommand(view),
    transcript,
    badLines,
    unfinishedBytes,
  };
}

const listReport = oncePerState((list: SessionView["list"], work: SessionWork) =>
  reportList(list, list.phases.length === 0 ? undefined : judgeList(list, work)),
);
const finishedReport = oncePerState((finished: NonNullable<SessionView["finished"]>, work: SessionWork) =>
  reportFinished({ finished, work }),
);
const tasksReport = oncePerState(taskReports);

type StateFields = Pick<SessionReport, "state" | "why" | "waitingFor" | "limited" | "sleeping">;

export function stateFields(
  view: Pick<SessionView, "shown">,
  { status, plan, endedBy, wakesAt, now }: Pick<Beside, "status" | "plan" | "endedBy" | "wakesAt" | "now">,
): StateFields {
  const { state, reason, source, since, text, choices = [] } = status;
  const resetsAt = view.shown.reason === reason ? view.shown.resetsAt : undefined;
  const isLimited = reason === "usage-limit" && (resetsAt === undefined || resetsAt > now);
  const title = reason === "plan" && plan ? askedText(plan.title) : undefined;
  const until = state === "idle" && wakesAt !== undefined ? isoTime(wakesAt) : null;
  return {
    state,
    why: { reason, source, since: isoTime(since), word: (reason === "session-ended" && endedBy) || null },
    waitingFor: state === "waiting" && isAsked(reason) ? { kind: reason, text: text ?? title ?? null, choices } : null,
    limited: isLimited ? { resetsAt: isoTime(resetsAt ?? 0) } : null,
    sleeping: until === null ? null : { until },
  };
}

/** `work`: what ran, where that is known. */
export function reportFinished({ finished, work }: Finished): FinishedReport | null {
  if (!finished) return null;
  return { at: isoTime(finished.at), ...reportList(finished.list, work && judgeTodos(finished.spans, work)) };
}

interface Finished {
  readonly finished?: SessionView["finished"] | undefined;
  readonly work?: SessionWork | undefined;
}

/** Null where nothing has a time: files may say anything. */
function isoTime(milliseconds: number): string | null {
  return milliseconds > 0 && milliseconds <= LAST_TIME ? timeText(milliseconds) : null;
}

export function todosIn({ list }: Pick<SessionReport, "list">): readonly TodoReport[] {
  return list.phases.flatMap(({ todos }) => todos);
}

/** The one list that is shown of it: its todos, else its tasks. */
export function shownItems(session: SessionReport): readonly ShownItem[] {
  const todos = todosIn(session);
  if (todos.length > 0) return todos;
  return session.tasks.map(({ subject: text, status, activeForm, verdict }) => ({ text, status, activeForm, verdict }));
}

type ShownItem = Pick<TodoReport, "text" | "status" | "activeForm" | "verdict">;

/** Finished work that is shown because nothing is open. `at`: milliseconds, 0 where it is not known. */
interface ShownFinish {
  readonly at: number;
  readonly list: TodoListReport;
  readonly todos: readonly TodoReport[];
}

/** What was last finished, where neither a todo nor a task of the session is open. */
export function shownFinish(session: SessionReport): ShownFinish | undefined {
  const { finished: list } = session;
  if (!list || (todosIn(session).length === 0 && session.tasks.length > 0)) return undefined;
  const todos = todosIn({ list });
  const numbers = new Set(todos.map(({ number }) => number));
  // Of the list itself there may be something left; else it is another one, on which everything was cancelled.
  if (todosIn(session).some((todo) => isOpen(todo) || !numbers.has(todo.number))) return undefined;
  return { at: list.at === null ? 0 : Date.parse(list.at), list, todos };
}
