import { CHECK_RESULTS, type CheckResult } from "../../core/call/call-facts.js";
import { sumTokens, type Tokens } from "../../core/session/observation.js";
import { isoTime } from "../../core/text/time-text.js";
import { changeIn, lengthOf, settledTimeline, type Timeline, type TimelineCall } from "../../core/timeline/timeline.js";
import type { AlertReport } from "../transcripts/report/alert-report.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { countTodos, countVerdicts, inPeriod, type Period, spanReport, todoWork } from "./todo-work-report.js";
import type { CallReport, SessionWorkReport, WorkSum } from "./work-report.js";

/** More names than anybody reads. */
const MOST_FILES = 50;

export interface SessionPeriod extends Period {
  /** So many calls are listed; all are counted. */
  readonly mostCalls: number;
}

/** One session in a period. `below`: its sub-agents, whose calls are on its timeline already. */
export function sessionWork(
  report: SessionReport,
  below: readonly SessionReport[],
  told: Timeline,
  period: SessionPeriod,
): SessionWorkReport {
  const timeline = GOES_ON.includes(report.state) ? told : settledTimeline(told);
  const { from } = period;
  const isIn = (at: number) => at >= from;
  const calls = timeline.calls.filter(({ at, isList }) => isIn(at) && !isList);
  const todos = todoWork(report, timeline, period);
  const turns = inPeriod(timeline.turns, period);
  const alerts = alertsIn(report, timeline).filter(({ at }) => at === null || isIn(Date.parse(at)));
  const change = changeIn(calls);
  const files = change.files.toSorted((a, b) => b.added + b.removed - a.added - a.removed);
  const compactions = timeline.compactions.filter(isIn);
  const { id, agent, title, project, branch, model, state, startedAt, updatedAt } = report;
  const sum: WorkSum = {
    todos: countTodos(todos),
    verdicts: countVerdicts(todos),
    calls: { total: calls.length + timeline.leftOut, failed: calls.filter(({ status }) => status === "failed").length },
    checks: countChecks(calls),
    turns: turns.length,
    compactions: compactions.length,
    alerts: alerts.length,
    working: lengthOf(turns, period.now),
    files: files.length,
    added: change.added,
    removed: change.removed,
  };
  return {
    ...{ id, agent, title, project, branch, model, state, startedAt, updatedAt },
    subAgents: below.length,
    sum,
    tokens: [report, ...below].map(({ tokens }) => tokens).reduce((a: Tokens, b: Tokens) => sumTokens(a, b)),
    cost: sumCost([report, ...below]),
    todos,
    alerts,
    turns: turns.map(spanReport),
    compactions: compactions.map(isoTime),
    calls: calls.slice(-period.mostCalls).map(callReport),
    callsLeftOut: Math.max(0, calls.length - period.mostCalls) + timeline.leftOut,
    files: files.slice(0, MOST_FILES),
    filesLeftOut: Math.max(0, files.length - MOST_FILES),
  };
}

const GOES_ON: readonly SessionReport["state"][] = ["running", "waiting"];

function sumCost(reports: readonly SessionReport[]): number | null {
  const known = reports.flatMap(({ cost }) => cost ?? []);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** What the report knows is whole; of the others only the timeline knows that they were there. */
function alertsIn({ alerts }: SessionReport, timeline: Timeline): readonly AlertReport[] {
  const known = new Set(alerts.map(({ detector, at }) => `${detector} ${at}`));
  const past = timeline.alerts.flatMap(({ at, detector, level, message }): readonly AlertReport[] => {
    const time = at > 0 ? isoTime(at) : null;
    if (known.has(`${detector} ${time}`)) return [];
    return [{ detector, level, count: 1, at: time, message, isOver: true }];
  });
  return [...past, ...alerts].sort((a, b) => (a.at ?? "").localeCompare(b.at ?? ""));
}

function countChecks(calls: readonly TimelineCall[]): WorkSum["checks"] {
  const checks = calls.filter(({ check, end }) => check !== null && end !== null);
  const count = (wanted: CheckResult) => checks.filter(({ result }) => (result ?? "unknown") === wanted).length;
  const [passed, failed, unknown] = CHECK_RESULTS.map(count);
  return { passed: passed ?? 0, failed: failed ?? 0, unknown: unknown ?? 0 };
}

function callReport(call: TimelineCall): CallReport {
  const { agent, tool, subject, at, end, status, kind, check, result } = call;
  const time = at > 0 ? isoTime(at) : null;
  return { agent, tool, subject, at: time, milliseconds: end === null ? null : end - at, status, kind, check, result };
}

const EMPTY_SUM: WorkSum = {
  todos: { done: 0, open: 0, cancelled: 0 },
  verdicts: { verified: 0, worked: 0, unbacked: 0, contradicted: 0, waived: 0, none: 0 },
  calls: { total: 0, failed: 0 },
  checks: { passed: 0, failed: 0, unknown: 0 },
  turns: 0,
  compactions: 0,
  alerts: 0,
  working: 0,
  files: 0,
  added: 0,
  removed: 0,
};

export function sumUp(sums: readonly WorkSum[]): WorkSum {
  return sums.reduce((a, b) => addCounts(a, b), EMPTY_SUM);
}

/** Counts by counts, also those inside. */
function addCounts<Counts extends object>(a: Counts, b: Counts): Counts {
  const sum = Object.entries(a).map(([name, one]) => {
    const other = b[name as keyof Counts];
    return [name, typeof one === "number" ? one + Number(other) : addCounts(one as object, other as object)];
  });
  return Object.fromEntries(sum) as Counts;
}
