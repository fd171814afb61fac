import { isSpans, passTo, type WorkItem, type WorkTimes } from "../../grounding/work-times.js";
import { count, fields, flag, maybe, type Shape } from "../../shape.js";
import type { TodoEvent } from "../../todo/events.js";
import { evolveAll } from "../../todo/evolve.js";
import { EMPTY_LIST, type Todo, type TodoList, todosOf } from "../../todo/list.js";
import { isTodoList } from "../../todo/recorded.js";
import { canFinish, isFinished, keptList } from "./finished-list.js";

export type TimedChange = { readonly event: TodoEvent; readonly at: number };

/** What versions before kept of a list: its numbers and statuses, by phase. */
interface OldTimes {
  readonly phases?: readonly (readonly (readonly [number: number, status: Todo["status"]])[])[] | undefined;
}

/** A list that came to its end, when that was, and when which of its todos was worked on. */
export interface FinishedTimes {
  readonly at: number;
  readonly list: TodoList;
  readonly spans: WorkTimes["spans"];
}

/** The list after the last event, whose write may go on with the next one. */
interface ListNow {
  readonly list: TodoList;
  /** Of the last event: milliseconds. */
  readonly at: number;
  /** Something happened that can finish the list, and what was finished last does not have it. */
  readonly isNew: boolean;
  /** Its beginning was pruned by a version that did not keep it: nothing is known until the next list. */
  readonly isPartial?: boolean;
}

/** What is known of a list besides its todos: when it was worked on, and which one was finished last. */
export interface ListTimes {
  readonly work: WorkTimes & OldTimes;
  readonly currentList?: ListNow;
  /** Settled once the next write begins; `finishedTimes` also knows of the last write. */
  readonly finished?: FinishedTimes | null;
}

/**
 * A write is over when the next one begins: within one, a list may have nothing open for a moment. Folding events in
 * pieces gives the same as folding them at once.
 */
export function withWrites(before: ListTimes, changes: readonly TimedChange[]): ListTimes {
  let times = before;
  for (const part of partsOf(changes)) times = withPart(isEndOfWrite(times, part) ? settled(times) : times, part);
  return times;
}

/** The list that was finished last. */
export function finishedTimes(times: ListTimes): FinishedTimes | null {
  return settled(times).finished ?? null;
}

/** Events of one write in a row. A list is cleared by a part of its own: what it cleared may have been finished. */
function partsOf(changes: readonly TimedChange[]): readonly (readonly TimedChange[])[] {
  const parts: TimedChange[][] = [];
  for (const change of changes) {
    const last = parts.at(-1)?.at(-1);
    if (last && isSameWrite(last.event.revision, last.at, change)) parts.at(-1)?.push(change);
    else parts.push([change]);
  }
  return parts;
}

/** A broken write has the revision of the one before it, but not its time. */
function isSameWrite(revision: number, at: number, { event, at: next }: TimedChange): boolean {
  return event.type !== "list.cleared" && event.revision === revision && next === at;
}

function isEndOfWrite({ currentList: now }: ListTimes, [first]: readonly TimedChange[]): boolean {
  return now !== undefined && first !== undefined && !isSameWrite(now.list.revision, now.at, first);
}

function withPart(times: ListTimes, part: readonly TimedChange[]): ListTimes {
  const { list: before, isNew, isPartial } = times.currentList ?? unknownList(times);
  const events = part.map(({ event }) => event);
  const isCleared = events[0]?.type === "list.cleared";
  const list = evolveAll(before, events);
  const at = part.at(-1)?.at ?? 0;
  const currentList = {
    list,
    at,
    isNew: isNew || events.some(canFinish),
    isPartial: isPartial === true && !isCleared,
  };
  const { phases: _, ...known } = times.work;
  const late = events.flatMap((event) =>
    event.type === "todo.added" && event.status === "completed" ? [event.number] : [],
  );
  return { ...times, work: passTo(known, { before: workItems(before), late, at }), currentList };
}

export function workItems(list: TodoList): readonly WorkItem<number>[] {
  return todosOf(list).map(({ number: key, status }) => ({ key, status }));
}

function unknownList({ work: { phases = [] } }: ListTimes): ListNow {
  const bare = phases.map((todos) => ({
    name: "",
    todos: todos.map(([number, status]): Todo => ({ number, status, text: "", notes: [], evidence: [] })),
  }));
  return {
    list: { ...EMPTY_LIST, phases: bare },
    at: 0,
    isNew: false,
    isPartial: bare.some(({ todos }) => todos.length > 0),
  };
}

function settled(times: ListTimes): ListTimes {
  const { currentList: now, work } = times;
  if (!now?.isNew || now.isPartial || !isFinished(now.list)) return times;
  const numbers = new Set(todosOf(now.list).map(({ number }) => number));
  const spans = work.spans.filter(([number]) => numbers.has(number));
  const finished = { at: now.at, list: keptList(now.list), spans };
  return { work, currentList: { ...now, isNew: false }, finished };
}

export const LIST_TIMES: Readonly<Record<"currentList" | "finished", Shape>> = {
  currentList: maybe(fields({ list: isTodoList, at: count, isNew: flag, isPartial: maybe(flag) })),
  finished: maybe(fields({ at: count, list: isTodoList, spans: isSpans })),
};
