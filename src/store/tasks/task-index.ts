import { addTo } from "../../core/task/task-graph.js";
import type { Look } from "../event-store.js";
import { loadView } from "../log/fold.js";
import { readViews, unfound } from "../log/stored-views.js";
import { TASKS_SCHEMA } from "../migrations.js";
import type { Projection } from "../projection.js";
import { toStream } from "../rows.js";
import { ask, askOne, type Row, type Script } from "../script.js";
import { SAVE_REST, StoreTrouble } from "../trouble.js";
import { entryQueries, taskQueries } from "./task-queries.js";

// Queries on the tasks of a list. None of them locks anything, except `takeFirst`.

/** A read-only store of an older version has no tables for tasks. */
export function* hasTasks({ queries }: Look): Script<boolean> {
  return Number((yield* askOne(queries.meta("schema")))?.value) >= TASKS_SCHEMA;
}

function* statesOf<State>(
  { queries }: Look,
  projection: Projection<State>,
  list: string,
  rows: readonly Row[],
): Script<State[]> {
  const states: State[] = [];
  for (const row of rows) {
    if (row.stream === null) throw unfound(`task:${list}/${numberOf(row)}`);
    const stream = toStream(row);
    states.push((yield* loadView(queries, projection, stream, { views: readViews(stream) })).state);
  }
  return states;
}

interface Slice {
  readonly after: number;
  readonly limit: number;
  readonly statuses?: readonly string[] | undefined;
}

/** By number. */
export function* tasksAfter<State>(
  look: Look,
  projection: Projection<State>,
  list: string,
  { after, limit, statuses }: Slice,
): Script<State[]> {
  const rows = yield* ask(taskQueries(look.queries.features).tasksAfter(list, after, limit, statuses));
  return yield* statesOf(look, projection, list, rows);
}

export function* tasksAmong<State>(
  look: Look,
  projection: Projection<State>,
  list: string,
  numbers: readonly number[],
): Script<State[]> {
  if (numbers.length === 0) return [];
  const rows = yield* ask(taskQueries(look.queries.features).tasksAmong(list, numbers));
  return yield* statesOf(look, projection, list, rows);
}

/** For whoever found nothing: a damaged index would look the same. Reads the whole table. */
export function* checkTasks({ queries }: Look, list: string): Script<void> {
  const asked = taskQueries(queries.features).wrongIndexes(list);
  const [wrong] = asked ? yield* ask(asked) : [];
  if (wrong)
    throw new StoreTrouble(
      "store-damaged",
      `The list ${list} has tasks that ${wrong.name} does not: this index is damaged. Nothing was changed. ${SAVE_REST}`,
    );
}

/** Tasks that can be claimed now, by priority, then age. With an owner: without tasks assigned to others. */
export function* readyNumbers(look: Look, list: string, limit: number, owner?: string): Script<readonly number[]> {
  const { bestFree, bestAssigned, bestDue } = taskQueries(look.queries.features);
  const queries = [bestFree(list, limit), bestAssigned(list, owner, limit), bestDue(list, owner, look.now, limit)];
  const found: ReturnType<typeof toCandidate>[] = [];
  for (const query of queries) found.push(...(yield* ask(query)).map(toCandidate));
  found.sort((a, b) => a.priority - b.priority || a.createdAt - b.createdAt || a.number - b.number);
  return found.slice(0, limit).map(({ number }) => number);
}

function toCandidate({ number, priority, created_at: createdAt }: Row) {
  return { number: Number(number), priority: Number(priority), createdAt: Number(createdAt) };
}

/** With concurrent writers: locks and returns the first of these that no other transaction has locked. */
export function* takeFirst(
  { queries, now }: Look,
  list: string,
  numbers: readonly number[],
): Script<number | undefined> {
  const lock = taskQueries(queries.features).tryLock(list, numbers, now);
  const [row] = lock ? yield* ask(lock) : [];
  return lock ? row && numberOf(row) : numbers[0];
}

/** Returns when the current holder of the row lock has released it. */
export function* awaitTurn({ queries }: Look, list: string, number: number): Script<void> {
  for (const query of taskQueries(queries.features).awaitTurn(list, number)) yield* ask(query);
}

export function* openAmong({ queries }: Look, list: string, numbers: readonly number[]): Script<readonly number[]> {
  if (numbers.length === 0) return [];
  return (yield* ask(entryQueries(queries.features).openAmong(list, numbers))).map(numberOf);
}

/** The open blockers of all tasks between two numbers. */
export function* openEdges(
  { queries }: Look,
  list: string,
  from: number,
  to: number,
): Script<ReadonlyMap<number, readonly number[]>> {
  const edges = new Map<number, number[]>();
  for (const { task, blocker } of yield* ask(taskQueries(queries.features).openEdges(list, from, to)))
    addTo(edges, Number(task), Number(blocker));
  return edges;
}

/** Does a walk from blocker to blocked lead from one of the first to one of the others? */
export function* leadsTo(
  { queries }: Look,
  list: string,
  starts: readonly number[],
  others: readonly number[],
): Script<boolean> {
  return (yield* ask(taskQueries(queries.features).reaches(list, starts, others))).length > 0;
}

/** Every edge on the ways that lead on from these tasks: what each one blocks. */
export function* edgesFrom(
  { queries }: Look,
  list: string,
  starts: readonly number[],
): Script<ReadonlyMap<number, readonly number[]>> {
  const edges = new Map<number, number[]>();
  const text = String((yield* askOne(taskQueries(queries.features).edgesFrom(list, starts)))?.edges ?? "");
  for (const edge of text === "" ? [] : text.split(",")) {
    const space = edge.indexOf(" ");
    addTo(edges, Number(edge.slice(0, space)), Number(edge.slice(space + 1)));
  }
  for (const tasks of edges.values()) tasks.sort((a, b) => a - b);
  return edges;
}

export function* numberByUuid({ queries }: Look, list: string, uuid: string): Script<number | undefined> {
  const row = yield* askOne(taskQueries(queries.features).byUuid(list, uuid));
  return row && numberOf(row);
}

export function* numberBySource({ queries }: Look, list: string, source: string): Script<number | undefined> {
  const row = yield* askOne(taskQueries(queries.features).bySource(list, source));
  return row && numberOf(row);
}

/** Tasks whose wait is over, of one list or of all. */
export function* dueWaits(
  { queries, now }: Look,
  limit: number,
  list?: string,
): Script<readonly { readonly list: string; readonly number: number }[]> {
  const { dueWaits: all, dueWaitsOf } = taskQueries(queries.features);
  const rows = yield* ask(list === undefined ? all(now, limit) : dueWaitsOf(list, now, limit));
  return rows.map((row) => ({ list: String(row.list), number: numberOf(row) }));
}

export function* waitersOf(
  { queries }: Look,
  list: string,
  topic: string,
  { after, limit }: Pick<Slice, "after" | "limit">,
): Script<readonly number[]> {
  return (yield* ask(taskQueries(queries.features).waitersOf(topic, list, after, limit))).map(numberOf);
}

export function* countByStatus({ queries }: Look, list: string): Script<ReadonlyMap<string, number>> {
  const rows = yield* ask(taskQueries(queries.features).countByStatus(list));
  return new Map(rows.map(({ status, count }) => [String(status), Number(count)]));
}

export function* countReady({ queries, now }: Look, list: string): Script<number> {
  return Number((yield* askOne(taskQueries(queries.features).countReady(list, now)))?.count ?? 0);
}

export function* subtasksOf(
  { queries }: Look,
  list: string,
  parent: number,
): Script<readonly { readonly number: number; readonly status: string }[]> {
  const rows = yield* ask(taskQueries(queries.features).subtasksOf(list, parent));
  return rows.map((row) => ({ number: numberOf(row), status: String(row.status) }));
}

/** Edges from tasks that were removed: the blocked ones have not been told yet. */
export function* edgesOfRemoved(
  { queries }: Look,
  list: string,
  limit: number,
): Script<readonly { readonly task: number; readonly blocker: number }[]> {
  const rows = yield* ask(taskQueries(queries.features).edgesOfRemoved(list, limit));
  return rows.map(({ task, blocker }) => ({ task: Number(task), blocker: Number(blocker) }));
}

/** Subtasks of tasks that were removed. */
export function* subtasksOfRemoved(
  { queries }: Look,
  list: string,
  limit: number,
): Script<readonly { readonly task: number; readonly parent: number }[]> {
  const rows = yield* ask(taskQueries(queries.features).subtasksOfRemoved(list, limit));
  return rows.map(({ task, parent }) => ({ task: Number(task), parent: Number(parent) }));
}

interface TaskListCount {
  readonly list: string;
  readonly tasks: number;
  readonly open: number;
}

export function* taskLists({ queries }: Look): Script<readonly TaskListCount[]> {
  const rows = yield* ask(taskQueries(queries.features).taskLists());
  return rows.map(({ list, count, open }) => ({ list: String(list), tasks: Number(count), open: Number(open) }));
}

function numberOf({ number }: Row): number {
  return Number(number);
}
