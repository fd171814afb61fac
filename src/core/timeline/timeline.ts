import type { CallKind, CheckKind, CheckResult } from "../call/call-facts.js";
import type { AlertLevel } from "../detectors/alert.js";
import type { TodoStatus } from "../todo/list.js";

// What happened in one session, in the order of time: for the live view and for reports. All times are milliseconds; 0
// where no record had one. Made by TimelineFold, from a transcript or from the log.

/** `lost`: it began, the agent went on, and nobody told how it ended. */
export type TimelineStatus = "running" | "completed" | "failed" | "cancelled" | "lost";

export interface TimelineCall {
  /** The client's own id; one that was made up where the client gave none. */
  readonly call: string;
  /** The sub-agent that called; null for the session itself. */
  readonly agent: string | null;
  readonly tool: string;
  /** What it is about, in one line. */
  readonly subject: string | null;
  readonly at: number;
  readonly end: number | null;
  readonly status: TimelineStatus;
  readonly kind: CallKind;
  /** Of a tool that keeps a list, a plan or tasks: not the work itself. */
  readonly isList: boolean;
  /** It has changed files. */
  readonly isChange: boolean;
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly check: CheckKind | null;
  readonly result: CheckResult | null;
}

export interface TimeSpan {
  readonly at: number;
  /** Null: it still goes on. */
  readonly end: number | null;
}

/** A todo, or a task of the client's where the session has no list. */
export interface TimelineTodo {
  /** Its number as text, or the client's id of the task. */
  readonly key: string;
  readonly number: number | null;
  readonly text: string;
  readonly status: TodoStatus;
  /** False: it is no longer in the list. */
  readonly isCurrent: boolean;
  /** When it was worked on: the rule that verdicts use, too. */
  readonly spans: readonly TimeSpan[];
}

export interface TimelineAlert {
  readonly at: number;
  readonly detector: string;
  readonly level: AlertLevel;
  readonly message: string;
}

export interface Timeline {
  readonly calls: readonly TimelineCall[];
  readonly todos: readonly TimelineTodo[];
  readonly turns: readonly TimeSpan[];
  readonly compactions: readonly number[];
  readonly alerts: readonly TimelineAlert[];
  /** Calls from before those that are kept. */
  readonly leftOut: number;
}

export const EMPTY_TIMELINE: Timeline = {
  calls: [],
  todos: [],
  turns: [],
  compactions: [],
  alerts: [],
  leftOut: 0,
};

/** The last calls that did work, the newest first. */
export function recentCalls({ calls }: Timeline, most: number): readonly TimelineCall[] {
  const recent: TimelineCall[] = [];
  for (let at = calls.length - 1; at >= 0 && recent.length < most; at -= 1) {
    const call = calls[at];
    if (call && !call.isList) recent.push(call);
  }
  return recent;
}

export interface FileChange {
  readonly path: string;
  /** Lines of calls that changed this file alone: a call that changes several tells only their sum. */
  readonly added: number;
  readonly removed: number;
}

export interface ChangeSum {
  readonly files: readonly FileChange[];
  readonly added: number;
  readonly removed: number;
}

/** What was changed since the last turn began, by the session and its sub-agents. */
export function changeOfTurn({ calls, turns }: Timeline): ChangeSum {
  const since = turns.at(-1)?.at ?? 0;
  return changeIn(calls.filter(({ at }) => at >= since));
}

const NO_LINES = { added: 0, removed: 0 };

export function changeIn(calls: readonly TimelineCall[]): ChangeSum {
  const files = new Map<string, FileChange>();
  let [added, removed] = [0, 0];
  for (const call of calls) {
    if (!call.isChange) continue;
    added += call.added;
    removed += call.removed;
    const lines = call.files.length === 1 ? call : NO_LINES;
    for (const path of call.files) {
      const known = files.get(path) ?? NO_LINES;
      files.set(path, { path, added: known.added + lines.added, removed: known.removed + lines.removed });
    }
  }
  return { files: [...files.values()], added, removed };
}

/** When a todo was worked on, without the time between turns: who waits for a person does not work. */
export function workedSpans({ turns }: Pick<Timeline, "turns">, todo: TimelineTodo, now: number): readonly TimeSpan[] {
  if (turns.length === 0) return todo.spans;
  return todo.spans.flatMap(({ at, end }) =>
    turns.flatMap((turn): readonly TimeSpan[] => {
      const from = Math.max(at, turn.at);
      const isOpen = end === null && turn.end === null;
      const to = Math.min(end ?? now, turn.end ?? now);
      return to > from ? [{ at: from, end: isOpen ? null : to }] : [];
    }),
  );
}

export function lengthOf(spans: readonly TimeSpan[], now: number): number {
  return spans.reduce((sum, { at, end }) => sum + Math.max(0, (end ?? now) - at), 0);
}

/** When the last thing of it happened; 0 where nothing has a time. */
function lastMoment({ calls, todos, turns, compactions }: Timeline): number {
  let last = compactions.at(-1) ?? 0;
  const see = ({ at, end }: TimeSpan) => {
    last = Math.max(last, at, end ?? 0);
  };
  for (const call of calls) see(call);
  for (const turn of turns) see(turn);
  for (const { spans } of todos) for (const span of spans) see(span);
  return last;
}

/** Of a session that does not go on: nothing of it lasts longer than what was last heard of it. */
export function settledTimeline(timeline: Timeline): Timeline {
  const until = lastMoment(timeline);
  const closed = ({ at, end }: TimeSpan): TimeSpan => ({ at, end: end ?? Math.max(at, until) });
  const todos = timeline.todos.map((todo) => ({ ...todo, spans: todo.spans.map(closed) }));
  return { ...timeline, todos, turns: timeline.turns.map(closed) };
}
