import type { CallKind, CheckKind, CheckResult } from "../../core/call/call-facts.js";
import type { Verdict } from "../../core/grounding/verdict.js";
import type { Tokens } from "../../core/session/observation.js";
import type { SessionState } from "../../core/session/session-state.js";
import type { TaskStatus } from "../../core/task/task.js";
import type { FileChange, TimelineStatus } from "../../core/timeline/timeline.js";
import type { TodoStatus } from "../../core/todo/list.js";
import type { AlertReport } from "../transcripts/report/alert-report.js";

// What `milepost report --json` prints. The text and the page draw this value and count nothing themselves. Times are
// ISO times. Scripts rely on the names; more may be added, none goes.

/** How many todos that are called completed have which verdict; `none`: nobody knows what ran. */
export type VerdictCounts = Readonly<Record<Verdict | "none", number>>;

export interface TodoCounts {
  readonly done: number;
  readonly open: number;
  readonly cancelled: number;
}

/** From its first moment to its last. `end` null: it still goes on. */
export interface SpanReport {
  readonly at: string;
  readonly end: string | null;
}

export interface TodoWork {
  /** Null for a task of the client's. */
  readonly number: number | null;
  readonly text: string;
  readonly status: TodoStatus;
  /** False: it has left the list since. */
  readonly isCurrent: boolean;
  readonly verdict: Verdict | null;
  /** Why, in a few words; null where there is no verdict. */
  readonly reason: string | null;
  /** While it was worked on, without the time between turns. */
  readonly milliseconds: number;
  readonly spans: readonly SpanReport[];
  readonly calls: number;
  readonly failures: number;
  readonly added: number;
  readonly removed: number;
}

export interface CallReport {
  /** The sub-agent that called; null for the session itself. */
  readonly agent: string | null;
  readonly tool: string;
  readonly subject: string | null;
  readonly at: string | null;
  readonly milliseconds: number | null;
  readonly status: TimelineStatus;
  readonly kind: CallKind;
  readonly check: CheckKind | null;
  readonly result: CheckResult | null;
}

/** What was done, summed up: of a session, and of all of them. */
export interface WorkSum {
  readonly todos: TodoCounts;
  readonly verdicts: VerdictCounts;
  readonly calls: { readonly total: number; readonly failed: number };
  readonly checks: Readonly<Record<CheckResult, number>>;
  readonly turns: number;
  readonly compactions: number;
  readonly alerts: number;
  /** Milliseconds in turns. */
  readonly working: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export interface SessionWorkReport {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly project: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly state: SessionState;
  readonly startedAt: string | null;
  readonly updatedAt: string | null;
  readonly subAgents: number;
  readonly sum: WorkSum;
  /** Of the whole session, its sub-agents included: transcripts tell totals only. */
  readonly tokens: Tokens;
  readonly cost: number | null;
  readonly todos: readonly TodoWork[];
  readonly alerts: readonly AlertReport[];
  readonly turns: readonly SpanReport[];
  readonly compactions: readonly string[];
  /** The newest calls that did work, the oldest of them first, and how many there were before them. */
  readonly calls: readonly CallReport[];
  readonly callsLeftOut: number;
  /** Changed files, the ones with most lines first, and how many more there are. */
  readonly files: readonly FileChange[];
  readonly filesLeftOut: number;
}

export interface AgentWork {
  readonly agent: string;
  readonly sessions: number;
  readonly tokens: Tokens;
  readonly cost: number | null;
}

export interface ClosedTask {
  readonly list: string;
  /** Its number in its list. */
  readonly id: number;
  readonly subject: string;
  readonly status: TaskStatus;
  readonly closedAt: string;
  readonly closedBy: string | null;
}

export interface WorkReport {
  /** `from` null: all of one session. */
  readonly from: string | null;
  readonly to: string;
  /** The session that was asked for. */
  readonly session: string | null;
  readonly sum: WorkSum;
  readonly agents: readonly AgentWork[];
  /** How often each detector has found something. */
  readonly detectors: readonly { readonly detector: string; readonly count: number }[];
  readonly sessions: readonly SessionWorkReport[];
  readonly sessionsLeftOut: number;
  /** Closed in that time, the newest first. */
  readonly tasks: readonly ClosedTask[];
}
