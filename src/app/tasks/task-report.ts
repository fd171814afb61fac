import { objectAt } from "../../core/json.js";
import type { StandingTask } from "../../core/task/query.js";
import { standingWord } from "../../core/task/standing.js";
import type { Lease, Said, Task, TodoLink } from "../../core/task/task.js";
import type { Wait } from "../../core/task/wait-until.js";
import { isoTime } from "../../core/text/time-text.js";
import { fitDepth } from "../../core/value-limits.js";

export type TaskReport = Readonly<ReturnType<typeof reportTask>>;
export type LeaseReport = ReturnType<typeof reportLease>;

export interface WaitReport {
  readonly kind: Wait["kind"];
  readonly at?: string;
  readonly topic?: string;
  readonly correlation?: string;
  readonly timeout: string | null;
}

/** A task as every surface shows it: `--json`, the page, the library. Ids are texts, times ISO 8601. */
export function reportTask(list: string, { task, standing }: StandingTask) {
  const { number, lease, parent, retryAt, closedAt } = task;
  return {
    id: String(number),
    uuid: task.uuid,
    list,
    subject: task.subject,
    description: task.description,
    activeForm: task.activeForm ?? null,
    status: task.status,
    priority: task.priority,
    standing: standingWord({ task, standing }),
    ready: standing.isReady,
    stale: standing.isStale,
    // Open blockers only.
    blocked: standing.blockedBy.map(String),
    waiting: standing.waitsFor ? reportWait(standing.waitsFor) : null,
    parent: parent === undefined ? null : String(parent),
    labels: task.labels,
    // Older versions took any depth.
    metadata: objectAt(fitDepth(task.metadata)),
    blockedBy: task.blockedBy.map(String),
    blocks: task.blocks.map(String),
    notes: task.notes.map(reportSaid),
    evidence: task.evidence.map(reportSaid),
    attempts: task.attempts,
    failures: task.failures,
    maxAttempts: task.maxAttempts,
    retryAt: maybeTime(retryAt),
    assignee: task.assignee ?? null,
    lease: lease ? reportLease(lease) : null,
    cancel: task.cancelRequest ? reportCancel(task.cancelRequest) : null,
    reason: task.reason ?? null,
    payload: fitDepth(task.payload) ?? null,
    sessions: task.sessions,
    links: task.links.map(reportLink),
    source: task.source ?? null,
    createdBy: task.createdBy ?? null,
    closedBy: task.closedBy ?? null,
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    closedAt: maybeTime(closedAt),
  };
}

/** Of a task that is only named: the same names as in the whole one. */
export type TaskMention = Pick<TaskReport, "id" | "subject" | "status" | "standing">;

export function mentionTask(one: StandingTask): TaskMention {
  const { number, subject, status } = one.task;
  return { id: String(number), subject, status, standing: standingWord(one) };
}

/** Where the other end of a link is. */
export interface TodoReference {
  readonly session: string;
  readonly subAgent: string | null;
  readonly todo: number;
}

function reportLink({ session, agent, todo }: TodoLink): TodoReference {
  return { session, subAgent: agent ?? null, todo };
}

function reportLease({ owner, fence, until, session, progress }: Lease) {
  return { owner, fence, until: isoTime(until), session: session ?? null, progress: progress ?? null };
}

function reportCancel({ by, reason }: NonNullable<Task["cancelRequest"]>) {
  return { by: by ?? null, reason: reason ?? null };
}

function reportWait({ timeout, ...wait }: Wait): WaitReport {
  const over = { timeout: maybeTime(timeout) };
  return wait.kind === "timer" ? { ...wait, at: isoTime(wait.at), ...over } : { ...wait, ...over };
}

function reportSaid({ text, by, at }: Said) {
  return { text, by: by ?? null, at: isoTime(at) };
}

function maybeTime(at: number | undefined): string | null {
  return at === undefined ? null : isoTime(at);
}
