import { isDeepStrictEqual } from "node:util";
import type { Queries } from "../queries.js";
import { ask, type Script } from "../script.js";
import type { TaskEntry } from "./task-entry.js";
import { entryQueries } from "./task-queries.js";

export interface ChangedEntry {
  readonly before: TaskEntry | undefined;
  readonly after: TaskEntry | undefined;
}

/** Updates the table from a task's view. Each row counts its open blockers, so that an index finds ready tasks. */
export function* saveEntry(queries: Queries, { before, after }: ChangedEntry): Script<void> {
  if (!after || isDeepStrictEqual(before, after)) return;
  const { saveEntry: save, shiftDependents } = entryQueries(queries.features);
  yield* ask(save(after));
  const blocking = Number(after.isBlocking) - Number(before?.isBlocking ?? false);
  // Before the edges change: a new dependent counts this blocker itself.
  if (blocking !== 0) yield* ask(shiftDependents(after.list, after.number, blocking));
  yield* saveEdges(queries, before?.blockedBy ?? [], after);
}

/** Both ends of an edge are locked by this commit, so the blocker cannot open or close meanwhile. */
function* saveEdges(queries: Queries, before: readonly number[], { list, number, blockedBy }: TaskEntry): Script<void> {
  const { addEdges, removeEdges, openAmong, shiftOne } = entryQueries(queries.features);
  const added = blockedBy.filter((blocker) => !before.includes(blocker));
  const removed = before.filter((blocker) => !blockedBy.includes(blocker));
  let shift = 0;
  if (removed.length > 0) {
    shift -= (yield* ask(openAmong(list, removed))).length;
    yield* ask(removeEdges(list, number, removed));
  }
  if (added.length > 0) {
    yield* ask(addEdges(list, number, added));
    shift += (yield* ask(openAmong(list, added))).length;
  }
  if (shift !== 0) yield* ask(shiftOne(list, number, shift));
}

export function* rebuildEntry(queries: Queries, entry: TaskEntry | undefined): Script<void> {
  if (!entry) return;
  const { saveEntry: save, clearEdges, addEdges, recount } = entryQueries(queries.features);
  yield* ask(save(entry));
  yield* ask(clearEdges(entry.list, entry.number));
  if (entry.blockedBy.length > 0) yield* ask(addEdges(entry.list, entry.number, entry.blockedBy));
  yield* ask(recount(entry.list, entry.number));
}

/** Does the table match the view? */
export function* isEntryRight(queries: Queries, entry: TaskEntry | undefined): Script<boolean> {
  if (!entry) return true;
  const { entry: find, blockersOf } = entryQueries(queries.features);
  const [row] = yield* ask(find(entry.list, entry.number));
  if (!row || Number(row.blockers) !== Number(row.counted)) return false;
  const blockedBy = (yield* ask(blockersOf(entry.list, entry.number))).map(({ blocker }) => Number(blocker));
  const kept: TaskEntry = {
    list: String(row.list),
    number: Number(row.number),
    uuid: String(row.uuid),
    status: String(row.status),
    isBlocking: Number(row.is_blocking) === 1,
    priority: Number(row.priority),
    createdAt: Number(row.created_at),
    freeAt: maybeNumber(row.free_at),
    wakeAt: maybeNumber(row.wake_at),
    topic: maybeText(row.topic),
    assignee: maybeText(row.assignee),
    parent: maybeNumber(row.parent),
    source: maybeText(row.source),
    blockedBy,
  };
  return isDeepStrictEqual(kept, { ...entry, blockedBy: [...entry.blockedBy].sort((a, b) => a - b) });
}

function maybeNumber(value: unknown): number | null {
  return value == null ? null : Number(value);
}

function maybeText(value: unknown): string | null {
  return value == null ? null : String(value);
}
