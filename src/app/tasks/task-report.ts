import type { StandingTask } from "../../core/task/query.js";
import { type StandingWord, standingWord } from "../../core/task/standing.js";
import type { Lease, Said, Task } from "../../core/task/task.js";
import type { Wait } from "../../core/task/wait-until.js";

/** A task as every surface shows it: `--json`, the page, the library. Ids are texts, times ISO 8601. */
export interface TaskReport {
  readonly id: string;
  readonly uuid: string;
  readonly list: string;
  readonly subject: string;
  readonly description: string;
  readonly activeForm: string | null;
  readonly status: Task["status"];
  readonly priority: Task["priority"];
  /** In one word: the status, or what stands in the way of an open one. */
  readonly standing: StandingWord;
  readonly ready: boolean;
  readonly stale: boolean;
  /** Blockers that are still open. */
  readonly blocked: readonly string[];
  readonly waiting: WaitReport | null;
  readonly parent: string | null;
  readonly labels: readonly string[];
  readonly metadata: Task["metadata"];
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
  readonly notes: readonly SaidReport[];
  readonly evidence: readonly SaidReport[];
  readonly attempts: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly retryAt: string | null;
  readonly assignee: string | null;
  readonly lease: LeaseReport | null;
  readonly cancel: CancelReport | null;
  readonly reason: string | null;
  readonly payload: unknown;
  readonly sessions: readonly string[];
  readonly links: Task["links"];
  readonly source: object | null;
  readonly createdBy: string | null;
  readonly closedBy: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
}

export interface LeaseReport {
  readonly owner: string;
  readonly fence: number;
  readonly until: string;
  readonly session: string | null;
  readonly progress: string | null;
}

/** Somebody wants the holder to stop. */
export interface CancelReport {
  readonly by: string | null;
  readonly reason: string | null;
}

interface SaidReport {
  readonly text: string;
  readonly by: string | null;
  readonly at: string;
}

export interface WaitReport {
  readonly kind: Wait["kind"];
  readonly at?: string;
  readonly topic?: string;
  readonly correlation?: string;
  readonly timeout: string | null;
}

export function reportTask(list: string, { task, standing }: StandingTask): TaskReport {
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
    blocked: standing.blockedBy.map(String),
    waiting: standing.waitsFor ? reportWait(standing.waitsFor) : null,
    parent: parent === undefined ? null : String(parent),
    labels: task.labels,
    metadata: task.metadata,
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
    payload: task.payload ?? null,
    sessions: task.sessions,
    links: task.links,
    source: task.source ?? null,
    createdBy: task.createdBy ?? null,
    closedBy: task.closedBy ?? null,
    createdAt: timeText(task.createdAt),
    updatedAt: timeText(task.updatedAt),
    closedAt: maybeTime(closedAt),
  };
}

function reportLease({ owner, fence, until, session, progress }: Lease): LeaseReport {
  return { owner, fence, until: timeText(until), session: session ?? null, progress: progress ?? null };
}

function reportCancel({ by, reason }: NonNullable<Task["cancelRequest"]>): CancelReport {
  return { by: by ?? null, reason: reason ?? null };
}

function reportWait({ timeout, ...wait }: Wait): WaitReport {
  const over = { timeout: maybeTime(timeout) };
  return wait.kind === "timer" ? { ...wait, at: timeText(wait.at), ...over } : { ...wait, ...over };
}

function reportSaid({ text, by, at }: Said): SaidReport {
  return { text, by: by ?? null, at: timeText(at) };
}

function maybeTime(at: number | undefined): string | null {
  return at === undefined ? null : timeText(at);
}

/** What foreign stores hold may be beyond any calendar. */
export function timeText(at: number): string {
  return new Date(Math.min(at, LAST_TIME)).toISOString();
}

const LAST_TIME = 8.64e15;
