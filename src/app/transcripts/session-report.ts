import type { Goal, SeenPlan, SeenTask, Tokens } from "../../core/session/observation.js";
import { type SessionView, type Verdict, verdictOf } from "../../core/session/session-facts.js";
import type { SessionState, StateReport } from "../../core/session/session-state.js";
import { askedText, firstLine } from "../../core/session/state/asked-text.js";
import { type Asked, isAsked, type Reason, type Source } from "../../core/session/state/reason.js";
import type { Todo, TodoList, TodoStatus } from "../../core/todo/list.js";
import type { Problems } from "../../readers/transcript.js";

export interface TodoReport {
  readonly text: string;
  readonly status: TodoStatus;
  readonly activeForm: string | null;
  readonly notes: readonly string[];
  readonly verdict: Verdict | null;
}

interface ListReport {
  readonly explanation?: string;
  readonly phases: readonly { readonly name: string; readonly todos: readonly TodoReport[] }[];
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
  readonly waitingFor: { readonly kind: Asked; readonly text: string | null } | null;
  /** The usage limit is reached; `resetsAt` null where it is not told. */
  readonly limited: { readonly resetsAt: string | null } | null;
  /** Its turn is over, and it goes on by itself. */
  readonly sleeping: { readonly until: string } | null;
  readonly list: ListReport;
  readonly plan: SeenPlan | null;
  /** What the agent was told to reach, above its list. */
  readonly goal: Goal | null;
  readonly tasks: readonly SeenTask[];
  readonly calls: { readonly total: number; readonly failed: number };
  readonly turns: number;
  readonly compactions: number;
  readonly tokens: Tokens;
  readonly cost: number | null;
  readonly alerts: readonly object[];
  readonly folder: string | null;
  readonly branch: string | null;
  readonly version: string | null;
  readonly model: string | null;
  /** ISO times; null where nothing has one. */
  readonly startedAt: string | null;
  readonly updatedAt: string | null;
  /** The command that goes on with it; null for a sub-agent. */
  readonly resume: string | null;
  readonly transcript: string | null;
  readonly badLines: Problems;
  /** Bytes of a last line that is not whole yet. */
  readonly unfinishedBytes: number;
}

interface Beside {
  readonly status: StateReport;
  readonly endedBy?: string | undefined;
  readonly wakesAt?: number | undefined;
  readonly now: number;
  readonly updatedAt: number;
  readonly transcript: string | null;
  readonly problems: Problems;
  readonly unfinished: number;
}

export function reportOf(view: SessionView, beside: Beside): SessionReport {
  const { transcript, problems: badLines, unfinished: unfinishedBytes } = beside;
  const { id, agent, parent, title, plan, calls, turns, compactions, tokens, cost } = view;
  return {
    id,
    agent,
    parent,
    title,
    ...stateFields(view, beside),
    list: listReport(view, view.list),
    plan,
    goal: view.goal ?? null,
    tasks: view.tasks.flatMap(({ at: _, isDeleted, ...task }) => (isDeleted || task.subject === "" ? [] : [task])),
    calls,
    turns,
    compactions,
    tokens,
    cost,
    alerts: [],
    folder: view.folder || null,
    branch: view.branch || null,
    version: view.version || null,
    model: view.model || null,
    startedAt: isoTime(view.startedAt),
    updatedAt: isoTime(beside.updatedAt),
    resume: resumeCommand(view),
    transcript,
    badLines,
    unfinishedBytes,
  };
}

type StateFields = Pick<SessionReport, "state" | "why" | "waitingFor" | "limited" | "sleeping">;

function stateFields(view: SessionView, { status, endedBy, wakesAt, now }: Beside): StateFields {
  const { state, reason, source, since, text } = status;
  const resetsAt = view.shown.reason === reason ? view.shown.resetsAt : undefined;
  const isLimited = reason === "usage-limit" && (resetsAt === undefined || resetsAt > now);
  const title = reason === "plan" && view.plan ? askedText(firstLine(view.plan.text)) : undefined;
  const until = state === "idle" && wakesAt !== undefined ? isoTime(wakesAt) : null;
  return {
    state,
    why: { reason, source, since: isoTime(since), word: (reason === "session-ended" && endedBy) || null },
    waitingFor: state === "waiting" && isAsked(reason) ? { kind: reason, text: text ?? title ?? null } : null,
    limited: isLimited ? { resetsAt: isoTime(resetsAt ?? 0) } : null,
    sleeping: until === null ? null : { until },
  };
}

function listReport(view: SessionView, { explanation, phases }: TodoList): ListReport {
  const todoReport = (todo: Todo): TodoReport => ({
    text: todo.text,
    status: todo.status,
    activeForm: todo.activeForm ?? null,
    notes: todo.notes,
    verdict: verdictOf(view, todo),
  });
  const shown = phases.map(({ name, todos }) => ({ name, todos: todos.map(todoReport) }));
  return explanation === undefined ? { phases: shown } : { explanation, phases: shown };
}

function isoTime(milliseconds: number): string | null {
  const time = new Date(milliseconds);
  return milliseconds > 0 && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}

const RESUME: Readonly<Record<string, string>> = {
  "claude-code": "claude --resume",
  codex: "codex resume",
  "oh-my-pi": "omp --resume",
  pi: "pi --session",
  hermes: "hermes --resume",
};

/** Agents whose transcripts are read. */
export const RESUMED_AGENTS: readonly string[] = Object.keys(RESUME);

/** Ids are checked where they are read, so this is safe to paste. */
export function resumeCommand({ id, agent, parent }: Pick<SessionView, "id" | "agent" | "parent">): string | null {
  const command = Object.hasOwn(RESUME, agent) ? RESUME[agent] : undefined;
  return command === undefined || parent !== null || id.includes("/") ? null : `${command} ${id}`;
}

export function todosIn({ list }: SessionReport): readonly TodoReport[] {
  return list.phases.flatMap(({ todos }) => todos);
}

/** The one list that is shown of it: its todos, else its tasks. */
export function shownItems(session: SessionReport): readonly Pick<TodoReport, "text" | "status" | "activeForm">[] {
  const todos = todosIn(session);
  if (todos.length > 0) return todos;
  return session.tasks.map(({ subject, status, activeForm = null }) => ({ text: subject, status, activeForm }));
}
