import { count, fields, list, maybe, oneOf, type Shape } from "../shape.js";
import { isOpen, TODO_STATUSES, type TodoStatus } from "../todo/list.js";

/** Milliseconds; `to` is no longer part of it. */
export type Span<Key> = readonly [key: Key, from: number, to: number];

/** What can be worked on: a todo by its number, a task by its id. */
export interface WorkItem<Key> {
  readonly key: Key;
  readonly status: TodoStatus;
}

/**
 * When which todo or task was worked on. Calls are told apart from that, and may come late: who asks joins the two by
 * the clock.
 */
export interface WorkTimes<Key = number> {
  /** Since when it is worked on what is worked on now, or since when there is nothing open. */
  readonly since: number;
  /** Before that, in order. */
  readonly spans: readonly Span<Key>[];
  /** When nothing was open, just before the last change. */
  readonly loose?: readonly [from: number, to: number] | undefined;
}

export const NO_WORK_TIMES: WorkTimes<never> = { since: 0, spans: [] };

/** A todo that is picked up more often is known by its last times. */
const MOST_PER_ITEM = 8;
const MOST_SPANS = 2000;
/** In some dialects several may be in progress, and what runs is for all of them. */
const MOST_AT_ONCE = 8;

/** Some agents do not say what they are on: then it is the first that is open. */
function workedOn<Key>(items: readonly WorkItem<Key>[]): readonly Key[] {
  const current = items.filter(({ status }) => status === "in_progress").slice(0, MOST_AT_ONCE);
  return (current.length > 0 ? current : items.filter(isOpen).slice(0, 1)).map(({ key }) => key);
}

/** What becomes of a list at one moment. */
interface ListChange<Key> {
  readonly before: readonly WorkItem<Key>[];
  /** Written down as completed: nobody saw them open. */
  readonly late: readonly Key[];
  readonly at: number;
}

/** Spans of what leaves a list stay until there are too many: numbers and ids are never given again. */
export function passTo<Key>(times: WorkTimes<Key>, { before, late, at: told }: ListChange<Key>): WorkTimes<Key> {
  // A clock may be set back; the order of changes is what counts.
  const at = Math.max(told, times.since);
  const focus = workedOn(before);
  let spans = times.spans;
  for (const key of focus) spans = withSpan(spans, [key, times.since, at]);
  const loose = looseBefore(times, focus.length > 0, at);
  // What ran while nothing was open may have been for a todo that is written down afterwards, and for no other.
  if (loose) for (const key of late) spans = withSpan(spans, [key, ...loose]);
  return { since: at, spans, ...(loose && { loose }) };
}

/** Items that were not there before, and are completed. */
export function lateOf<Key>(before: readonly WorkItem<Key>[], after: readonly WorkItem<Key>[]): readonly Key[] {
  const known = new Set(before.map(({ key }) => key));
  return after.filter(({ key, status }) => status === "completed" && !known.has(key)).map(({ key }) => key);
}

/** Events of one write come one by one, at the same time. */
function looseBefore<Key>({ since, loose }: WorkTimes<Key>, isFocused: boolean, at: number) {
  if (loose && loose[1] === at) return loose;
  return isFocused || at <= since ? undefined : ([since, at] as const);
}

function withSpan<Key>(spans: readonly Span<Key>[], span: Span<Key>): readonly Span<Key>[] {
  const [key, from, to] = span;
  if (to <= from) return spans;
  const own = spans.filter((one) => one[0] === key);
  const last = own.at(-1);
  if (last?.[2] === from) return [...spans.filter((one) => one !== last), [key, last[1], to]];
  const dropped = own.length < MOST_PER_ITEM ? undefined : own[0];
  return [...spans.filter((one) => one !== dropped), span].slice(-MOST_SPANS);
}

/** All times in which what ran was for one of them; the last ones have no end. */
export function spansOf<Key>(times: WorkTimes<Key>, items: readonly WorkItem<Key>[]): readonly Span<Key>[] {
  return workedOn(items).reduce(
    (spans, key) => withSpan(spans, [key, times.since, Number.POSITIVE_INFINITY]),
    times.spans,
  );
}

const isSpanOf =
  (key: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.length === 3 && key(value[0]) && count(value[1]) && count(value[2]);
const isSpansOf =
  (key: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.length <= MOST_SPANS && value.every(isSpanOf(key));

export const isSpans = isSpansOf(count);

const isPair: Shape = (value) => Array.isArray(value) && value.length === 2 && value.every(count);
const isListed: Shape = (value) =>
  Array.isArray(value) && value.length === 2 && count(value[0]) && oneOf(TODO_STATUSES)(value[1]);

const TIMES = { since: count, loose: maybe(isPair) };

/** `phases`: what versions before kept of the list, which is kept whole now. */
export const isWorkTimes = fields({ ...TIMES, spans: isSpans, phases: maybe(list(list(isListed))) });
export const isTaskTimes = fields({ ...TIMES, spans: isSpansOf((key) => typeof key === "string") });
