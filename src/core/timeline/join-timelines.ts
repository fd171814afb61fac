import type { Timeline, TimelineAlert, TimelineCall, TimeSpan } from "./timeline.js";
import { MOST_CALLS } from "./timeline-fold.js";

/** Hooks and records of one moment are apart by less than this. */
const SAME_MS = 5000;

/**
 * One session as the store and its transcripts tell it: each call once, by its id. The store's word counts; a
 * transcript fills what nobody told it, also from before and after hooks were there.
 */
export function joinTimelines(told: Timeline, seen: readonly Timeline[]): Timeline {
  if (seen.length === 0) return told;
  const calls = joinCalls(told.calls, seen);
  const left = Math.max(0, calls.length - MOST_CALLS);
  const timesOf = (one: Timeline): readonly Moment[] => one.compactions.map((at) => ({ at }));
  return {
    calls: left === 0 ? calls : calls.slice(left),
    todos: told.todos.length > 0 ? told.todos : (seen.find(({ todos }) => todos.length > 0)?.todos ?? []),
    turns: seen.reduce<readonly TimeSpan[]>((turns, one) => outside(turns, one.turns), told.turns),
    compactions: seen.reduce((known, one) => outside(known, timesOf(one)), timesOf(told)).map(({ at }) => at),
    alerts: joinAlerts([told, ...seen].flatMap(({ alerts }) => alerts)),
    leftOut: left + Math.max(...[told, ...seen].map(({ leftOut }) => leftOut)),
  };
}

interface Moment {
  readonly at: number;
}

function joinCalls(told: readonly TimelineCall[], seen: readonly Timeline[]): readonly TimelineCall[] {
  // Most sessions are told in one way: their calls are in order already.
  const [only, ...others] = seen;
  if (told.length === 0 && only && others.length === 0) return only.calls;
  const byKey = new Map(told.map((call) => [keyOf(call), call]));
  for (const { calls } of seen)
    for (const call of calls) {
      const key = keyOf(call);
      const known = byKey.get(key);
      byKey.set(key, known ? filled(known, call) : call);
    }
  return [...byKey.values()].sort((a, b) => a.at - b.at);
}

function keyOf({ agent, call }: TimelineCall): string {
  return `${agent ?? ""} ${call}`;
}

function filled(known: TimelineCall, other: TimelineCall): TimelineCall {
  const isEndTold = known.end !== null || other.end === null;
  const { status, end } = isEndTold ? known : other;
  const lines = known.added + known.removed > 0 ? known : other;
  return {
    ...known,
    subject: known.subject ?? other.subject,
    // Where only its end was told, and not how long it took.
    at: known.at === known.end && other.at > 0 ? Math.min(known.at, other.at) : known.at,
    status,
    end,
    kind: known.kind === "other" ? other.kind : known.kind,
    isList: known.isList || other.isList,
    isChange: known.isChange || other.isChange,
    files: known.files.length > 0 ? known.files : other.files,
    added: lines.added,
    removed: lines.removed,
    check: known.check ?? other.check,
    result: known.result ?? other.result,
  };
}

/** What was told, and of what was seen only what lies before and after it: both tell of the same things. */
function outside<Item extends Moment>(told: readonly Item[], seen: readonly Item[]): readonly Item[] {
  const [first, last] = [told[0], told.at(-1)];
  const others = first && last ? seen.filter(({ at }) => at < first.at - SAME_MS || at > last.at + SAME_MS) : seen;
  return [...told, ...others].sort((a, b) => a.at - b.at);
}

function joinAlerts(alerts: readonly TimelineAlert[]): readonly TimelineAlert[] {
  const byKey = new Map<string, TimelineAlert>();
  for (const alert of alerts) {
    const key = `${alert.detector} ${alert.level} ${alert.at}`;
    if (!byKey.has(key)) byKey.set(key, alert);
  }
  return [...byKey.values()].sort((a, b) => a.at - b.at);
}
