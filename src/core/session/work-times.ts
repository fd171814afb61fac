import { endOf, type WorkRun } from "../call/work-runs.js";
import { count, fields, list, oneOf } from "../shape.js";
import { applyChange, closeDraft, type Draft, draftTodos, openDraft } from "../todo/draft.js";
import type { TodoEvent } from "../todo/events.js";
import { EMPTY_LIST, TODO_STATUSES, type Todo, type TodoStatus, workedOn } from "../todo/list.js";
import type { Work } from "./session-facts.js";

type ListedTodo = readonly [number: number, status: TodoStatus];
/** Milliseconds; `to` is no longer part of it. */
type Span = readonly [todo: number, from: number, to: number];

/**
 * When which todo was worked on. Calls are in another stream and may come late: who asks joins the two by the clock.
 */
export interface WorkTimes {
  /** The list without its words, by phase: enough to know what is worked on after the next event. */
  readonly phases: readonly (readonly ListedTodo[])[];
  /** Since when it is worked on what is worked on now, or since when there is nothing open. */
  readonly since: number;
  /** Before that, in order. Only of todos that are on the list. */
  readonly spans: readonly Span[];
}

export const NO_WORK_TIMES: WorkTimes = { phases: [], since: 0, spans: [] };

/** A todo that is picked up more often is known by its last times. */
const MOST_PER_TODO = 8;
const MOST_SPANS = 2000;

interface Working {
  list: Draft;
  since: number;
  spans: Span[];
}

export type TimedChange = { readonly event: TodoEvent; readonly at: number };

export function withListChanges(times: WorkTimes, changes: readonly TimedChange[]): WorkTimes {
  if (changes.length === 0) return times;
  const working: Working = { list: openList(times.phases), since: times.since, spans: [...times.spans] };
  for (const { event, at } of changes) change(working, event, at);
  const phases = closeDraft(working.list).phases.map(({ todos }) =>
    todos.map(({ number, status }): ListedTodo => [number, status]),
  );
  return { phases, since: working.since, spans: working.spans };
}

function openList(phases: WorkTimes["phases"]): Draft {
  const bare = ([number, status]: ListedTodo): Todo => ({ number, status, text: "", notes: [], evidence: [] });
  return openDraft({ ...EMPTY_LIST, phases: phases.map((todos) => ({ name: "", todos: todos.map(bare) })) });
}

function change(working: Working, event: TodoEvent, told: number): void {
  // A clock may be set back; the order of events is what counts.
  const at = Math.max(told, working.since);
  const { list } = working;
  const focus = at > working.since ? workedOn(draftTodos(list)) : undefined;
  if (focus) pass(working, focus.number, at);
  const isNew = event.type === "todo.added" && !list.todos.has(event.number);
  applyChange(list, event);
  if (LEAVE_GAPS.includes(event.type) || isNew) tidyUp(working, event);
  if (list.todos.size === 0) return;
  // What ran while nothing was open may have been for a todo that is written down afterwards, and for no other.
  if (isNew && event.status === "completed" && list.todos.has(event.number)) pass(working, event.number, at);
  working.since = at;
}

/** It was worked on from `since` until now. */
function pass(working: Working, todo: number, at: number): void {
  if (at > working.since) working.spans = withSpan(working.spans, [todo, working.since, at]);
  working.since = at;
}

function withSpan(spans: readonly Span[], span: Span): Span[] {
  const own = spans.filter(([todo]) => todo === span[0]);
  const last = own.at(-1);
  if (last?.[2] === span[1]) return [...spans.filter((one) => one !== last), [span[0], last[1], span[2]]];
  const dropped = own.length < MOST_PER_TODO ? undefined : own[0];
  return [...spans.filter((one) => one !== dropped), span].slice(-MOST_SPANS);
}

const LEAVE_GAPS: readonly TodoEvent["type"][] = ["list.cleared", "list.ordered", "todo.removed"];

/** A draft remembers todos and numbers that are no longer on the list. Whoever folds in pieces would not. */
function tidyUp(working: Working, event: TodoEvent): void {
  const isPlaced = event.type === "todo.added" && working.list.phases[event.phase] !== undefined;
  if (isPlaced) return;
  Object.assign(working.list, openDraft(closeDraft(working.list)));
  working.spans = working.spans.filter(([todo]) => working.list.todos.has(todo));
}

/**
 * What ran while each todo was worked on: calls and lists are kept in streams of their own, and share only the clock.
 */
export function todoWork(times: WorkTimes, runs: readonly WorkRun[]): readonly Work[] {
  const work = new Map<number, Work>();
  for (const [todo, from, to] of spansOf(times)) {
    const during = runs.filter((run) => run[0] < to && endOf(run) >= from);
    // The one that went on for longest before `to`; of several that the clock cannot tell apart, the one told last.
    const last = during.toSorted((a, b) => Math.min(endOf(a), to) - Math.min(endOf(b), to)).at(-1);
    if (!last) continue;
    const calls = during.reduce((sum, [, , more]) => sum + more, work.get(todo)?.calls ?? 0);
    work.set(todo, { todo, calls, isLastFailed: last[3] === 1 });
  }
  return [...work.values()];
}

/** All times in which what ran was for one of the todos, in order; the last one has no end. */
function spansOf({ phases, since, spans }: WorkTimes): readonly Span[] {
  const now = workedOn(phases.flat().map(([number, status]) => ({ number, status })));
  return now ? [...spans, [now.number, since, Number.POSITIVE_INFINITY]] : spans;
}

const isListedTodo = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && count(value[0]) && oneOf(TODO_STATUSES)(value[1]);
const isSpan = (value: unknown) => Array.isArray(value) && value.length === 3 && value.every(count);

export const isSpans = (value: unknown) => Array.isArray(value) && value.length <= MOST_SPANS && value.every(isSpan);

export const isWorkTimes = fields({ phases: list(list(isListedTodo)), since: count, spans: isSpans });
