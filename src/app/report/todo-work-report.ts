import type { Verdict } from "../../core/grounding/verdict.js";
import { isoTime } from "../../core/text/time-text.js";
import {
  lengthOf,
  type Timeline,
  type TimelineCall,
  type TimelineTodo,
  type TimeSpan,
  workedSpans,
} from "../../core/timeline/timeline.js";
import type { TodoReport } from "../todo/todo-report.js";
import { type SessionReport, todosIn } from "../transcripts/session-report.js";
import type { SpanReport, TodoCounts, TodoWork, VerdictCounts } from "./work-report.js";

/** A todo, or a task of the client's, with what the facts say of it. */
type Judged = Pick<TodoReport, "text" | "status" | "verdict" | "facts"> & Partial<Pick<TodoReport, "evidence">>;

export interface Period {
  /** Milliseconds; 0: from the beginning. */
  readonly from: number;
  readonly now: number;
}

/** The todos of a session that were worked on in a period, or are open: in the order of their list. */
export function todoWork(report: SessionReport, timeline: Timeline, period: Period): readonly TodoWork[] {
  const judged = judgedIn(report);
  const known = new Set(timeline.todos.map(({ key }) => key));
  const untimed = [...judged].flatMap(([key, { text, status }]): readonly TimelineTodo[] => {
    const number = report.tasks.some(({ id }) => id === key) ? null : Number(key);
    return known.has(key) ? [] : [{ key, number, text, status, isCurrent: true, spans: [] }];
  });
  return [...timeline.todos, ...untimed].flatMap((todo) => {
    const spans = inPeriod(workedSpans(timeline, todo, period.now), period);
    const isOpen = todo.isCurrent && (todo.status === "pending" || todo.status === "in_progress");
    if (period.from > 0 && spans.length === 0 && !isOpen) return [];
    return [oneTodo(todo, { judged: judged.get(todo.key), spans, calls: timeline.calls, now: period.now })];
  });
}

/** By number, or by the id of the task: of the list that was finished last, and of the one there is now. */
function judgedIn({ list, finished, tasks }: SessionReport): ReadonlyMap<string, Judged> {
  const todos = [...(finished ? todosIn({ list: finished }) : []), ...todosIn({ list })];
  const byNumber = todos.map((todo) => [`${todo.number}`, todo] as const);
  if (byNumber.length > 0) return new Map(byNumber);
  return new Map(tasks.map(({ id, subject, ...task }) => [id, { ...task, text: subject }]));
}

export function inPeriod(spans: readonly TimeSpan[], { from, now }: Period): readonly TimeSpan[] {
  return spans.flatMap(({ at, end }) => ((end ?? now) <= from ? [] : [{ at: Math.max(at, from), end }]));
}

interface Around {
  readonly judged: Judged | undefined;
  readonly spans: readonly TimeSpan[];
  readonly calls: readonly TimelineCall[];
  readonly now: number;
}

function oneTodo(todo: TimelineTodo, { judged, spans, calls, now }: Around): TodoWork {
  const isDuring = (at: number) => spans.some((span) => span.at <= at && at < (span.end ?? Number.POSITIVE_INFINITY));
  const own = spans.length === 0 ? [] : calls.filter((call) => !call.isList && isDuring(call.at));
  const changes = own.filter(({ isChange }) => isChange);
  const sum = (field: "added" | "removed") => changes.reduce((lines, call) => lines + call[field], 0);
  return {
    number: todo.number,
    text: todo.text,
    status: judged?.status ?? todo.status,
    isCurrent: todo.isCurrent,
    verdict: judged?.verdict ?? null,
    reason: judged?.verdict ? reasonFor(judged.verdict, judged) : null,
    milliseconds: lengthOf(spans, now),
    spans: spans.map(spanReport),
    calls: own.length,
    failures: own.filter(({ status }) => status === "failed").length,
    added: sum("added"),
    removed: sum("removed"),
  };
}

export function spanReport({ at, end }: TimeSpan): SpanReport {
  return { at: isoTime(at), end: end === null ? null : isoTime(end) };
}

/** The rule of `milepost todo why`, in a few words. */
function reasonFor(verdict: Verdict, { facts, evidence = [] }: Judged): string {
  const check = facts?.check ?? null;
  const name = check && (check.command ?? check.kind);
  switch (verdict) {
    case "verified": {
      const person = evidence.findLast(({ by }) => by !== undefined);
      if (check?.result === "passed") return `${name} passed`;
      return person ? `${person.by} says: ${person.text}` : "a later check passed";
    }
    case "contradicted":
      return check?.result === "failed" ? `${name} failed` : "a later check failed";
    case "worked":
      return "no check tells how good it is";
    case "unbacked":
      return "nothing ran while it was in progress";
    case "waived":
      return "it cannot be checked here";
  }
}

export function countTodos(todos: readonly TodoWork[]): TodoCounts {
  const count = (...statuses: readonly string[]) => todos.filter(({ status }) => statuses.includes(status)).length;
  return { done: count("completed"), open: count("pending", "in_progress"), cancelled: count("cancelled") };
}

export function countVerdicts(todos: readonly TodoWork[]): VerdictCounts {
  const done = todos.filter(({ status }) => status === "completed");
  const count = (verdict: Verdict | null) => done.filter((todo) => todo.verdict === verdict).length;
  return {
    verified: count("verified"),
    worked: count("worked"),
    unbacked: count("unbacked"),
    contradicted: count("contradicted"),
    waived: count("waived"),
    none: count(null),
  };
}
