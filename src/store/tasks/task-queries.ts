import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Features, query } from "../query-text.js";
import type { Query } from "../script.js";
import type { TaskEntry } from "./task-entry.js";

const VALUES = "uuid, status, is_blocking, priority, created_at, free_at, wake_at, topic, assignee, parent, source";
const COLUMNS = raw(`list, number, ${VALUES}`);
const SAVED = raw(VALUES.replace(/\w+/g, (column) => `${column} = excluded.${column}`));
const STREAM = raw("s.stream, s.version, s.checksum, s.pruned, s.size, s.at, s.views, s.views_checksum");
const OF_TASK = raw("s.stream = 'task:' || t.list || '/' || t.number");
const BEST = raw("t.priority, t.created_at, t.number");

/** As one value: the text of a query must not depend on how many numbers there are. */
function among({ concurrentWriters }: Features, numbers: readonly number[]): Sql {
  return concurrentWriters
    ? sql`= ANY(${[...numbers]}::bigint[])`
    : sql`IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
}

export function entryQueries(features: Features) {
  const { concurrentWriters } = features;
  return {
    saveEntry: (entry: TaskEntry): Query => {
      const { list, number, uuid, status, isBlocking, priority, createdAt, freeAt, wakeAt } = entry;
      const { topic, assignee, parent, source } = entry;
      return query`INSERT INTO milepost_tasks (${COLUMNS}, blockers) VALUES (${list}, ${number}, ${uuid}, ${status},
        ${isBlocking ? 1 : 0},
        ${priority}, ${createdAt}, ${freeAt}, ${wakeAt}, ${topic}, ${assignee}, ${parent}, ${source}, 0)
        ON CONFLICT (list, number) DO UPDATE SET ${SAVED}`;
    },
    addEdges: (list: string, task: number, blockers: readonly number[]): Query =>
      concurrentWriters
        ? query`INSERT INTO milepost_edges (list, task, blocker) SELECT ${list}::text, ${task}::bigint, b FROM unnest(${[...blockers]}::bigint[]) AS u(b) ON CONFLICT DO NOTHING`
        : query`INSERT OR IGNORE INTO milepost_edges (list, task, blocker) SELECT ${list}, ${task}, value FROM json_each(${JSON.stringify(blockers)})`,
    removeEdges: (list: string, task: number, blockers: readonly number[]): Query =>
      query`DELETE FROM milepost_edges WHERE list = ${list} AND task = ${task} AND blocker ${among(features, blockers)}`,
    /** Relative, never counted anew: two blockers that close at the same time must both be taken off. */
    shiftDependents: (list: string, blocker: number, by: number): Query =>
      query`UPDATE milepost_tasks SET blockers = blockers + ${by} WHERE list = ${list}
        AND number IN (SELECT task FROM milepost_edges WHERE list = ${list} AND blocker = ${blocker})`,
    shiftOne: (list: string, number: number, by: number): Query =>
      query`UPDATE milepost_tasks SET blockers = blockers + ${by} WHERE list = ${list} AND number = ${number}`,
    /** For a rebuild, where the count itself is in doubt. */
    recount: (list: string, number: number): Query =>
      query`UPDATE milepost_tasks SET blockers = (SELECT count(*) FROM milepost_edges e JOIN milepost_tasks b
        ON b.list = e.list AND b.number = e.blocker WHERE e.list = milepost_tasks.list
        AND e.task = milepost_tasks.number AND b.is_blocking = 1)
        WHERE list = ${list} AND (number = ${number} OR number IN (SELECT task FROM milepost_edges
        WHERE list = ${list} AND blocker = ${number}))`,
    clearEdges: (list: string, task: number): Query =>
      query`DELETE FROM milepost_edges WHERE list = ${list} AND task = ${task}`,
    openAmong: (list: string, numbers: readonly number[]): Query =>
      query`SELECT number FROM milepost_tasks WHERE list = ${list} AND is_blocking = 1 AND number ${among(features, numbers)} ORDER BY number`,
    entry: (list: string, number: number): Query =>
      query`SELECT ${COLUMNS}, blockers, (SELECT count(*) FROM milepost_edges e JOIN milepost_tasks b ON b.list = e.list
        AND b.number = e.blocker WHERE e.list = ${list} AND e.task = ${number} AND b.is_blocking = 1) AS counted
        FROM milepost_tasks WHERE list = ${list} AND number = ${number}`,
    blockersOf: (list: string, number: number): Query =>
      query`SELECT blocker FROM milepost_edges WHERE list = ${list} AND task = ${number} ORDER BY blocker`,
  };
}

/** Apart from `entryQueries`: a hook does not need them. */
export function taskQueries(features: Features) {
  return { ...readyQueries(features), ...listQueries(features), ...edgeQueries(features), ...waitQueries() };
}

function readyQueries({ concurrentWriters }: Features) {
  const best = (where: Sql, limit: number) =>
    query`SELECT t.number AS number, t.priority AS priority, t.created_at AS created_at FROM milepost_tasks t WHERE ${where} ORDER BY ${BEST} LIMIT ${limit}`;
  // Spelled as in the indexes, or they are not used.
  const free = (list: string) => sql`t.list = ${list} AND t.blockers = 0 AND t.free_at = 0`;
  const due = (list: string, now: number) =>
    sql`t.list = ${list} AND t.blockers = 0 AND t.free_at > 0 AND t.free_at <= ${now}`;
  return {
    /** One query per index, so that held, blocked and assigned tasks are never scanned. */
    bestFree: (list: string, limit: number) => best(sql`${free(list)} AND t.assignee IS NULL`, limit),
    /** Without a name: assigned to anybody. */
    bestAssigned: (list: string, assignee: string | undefined, limit: number) => {
      const whose = assignee === undefined ? sql`t.assignee IS NOT NULL` : sql`t.assignee = ${assignee}`;
      return best(sql`${free(list)} AND ${whose}`, limit);
    },
    /** Expired leases, retries and waits. */
    bestDue: (list: string, assignee: string | undefined, now: number, limit: number) => {
      if (assignee === undefined) return best(due(list, now), limit);
      return best(sql`${due(list, now)} AND (t.assignee IS NULL OR t.assignee = ${assignee})`, limit);
    },
    /**
     * Locks the first of these that nobody has locked; undefined if only one writes at a time. In the same query checks
     * that it is still ready: a lock on a task that was just claimed would block its new holder.
     */
    tryLock: (list: string, numbers: readonly number[], now: number): Query | undefined =>
      concurrentWriters
        ? query`SELECT number FROM (SELECT t.number AS number, 'task:' || t.list || '/' || t.number AS stream
            FROM unnest(${[...numbers]}::bigint[]) WITH ORDINALITY AS u(number, place) JOIN milepost_tasks t
            ON t.number = u.number
            WHERE t.list = ${list} AND t.blockers = 0 AND t.free_at <= ${now} ORDER BY u.place OFFSET 0) AS c
            WHERE pg_try_advisory_xact_lock(hashtextextended(stream, 0)) LIMIT 1`
        : undefined,
    /** Waits for the lock and releases it at once, or the next writer would queue behind all waiters. */
    awaitTurn: (list: string, number: number): readonly Query[] =>
      concurrentWriters
        ? [
            query`SAVEPOINT milepost_turn`,
            query`SELECT pg_advisory_xact_lock(hashtextextended(${`task:${list}/${number}`}, 0))`,
            query`ROLLBACK TO SAVEPOINT milepost_turn`,
          ]
        : [],
    countReady: (list: string, now: number) =>
      query`SELECT (SELECT count(*) FROM milepost_tasks t WHERE ${free(list)} AND t.assignee IS NULL)
        + (SELECT count(*) FROM milepost_tasks t WHERE ${free(list)} AND t.assignee IS NOT NULL)
        + (SELECT count(*) FROM milepost_tasks t WHERE ${due(list, now)}) AS count`,
  };
}

function listQueries(features: Features) {
  const { concurrentWriters } = features;
  const ofStatus = (statuses: readonly string[] | undefined) => {
    if (statuses === undefined) return sql`t.status <> 'deleted'`;
    return concurrentWriters
      ? sql`t.status = ANY(${[...statuses]}::text[])`
      : sql`t.status IN (SELECT value FROM json_each(${JSON.stringify(statuses)}))`;
  };
  return {
    tasksAmong: (list: string, numbers: readonly number[]) =>
      query`SELECT ${STREAM}, t.number AS number FROM milepost_tasks t LEFT JOIN milepost_streams s ON ${OF_TASK}
        WHERE t.list = ${list} AND t.number ${among(features, numbers)}`,
    tasksAfter: (list: string, after: number, limit: number, statuses?: readonly string[]) =>
      query`SELECT ${STREAM}, t.number AS number FROM milepost_tasks t LEFT JOIN milepost_streams s ON ${OF_TASK}
        WHERE t.list = ${list} AND t.number > ${after} AND ${ofStatus(statuses)} ORDER BY t.number LIMIT ${limit}`,
    /** Indexes that know other tasks than the table; undefined where a server looks after that. */
    wrongIndexes: (list: string): Query | undefined => (concurrentWriters ? undefined : wrongIndexes(list)),
    subtasksOf: (list: string, parent: number) =>
      query`SELECT number, status FROM milepost_tasks WHERE list = ${list} AND parent = ${parent} AND status <> 'deleted' ORDER BY number`,
    /** CROSS JOIN: from the removed tasks, which are few, to what is left of them. */
    edgesOfRemoved: (list: string, limit: number) =>
      query`SELECT e.task AS task, e.blocker AS blocker FROM milepost_tasks t CROSS JOIN milepost_edges e
        WHERE t.list = ${list} AND t.status = 'deleted' AND e.list = t.list AND e.blocker = t.number LIMIT ${limit}`,
    subtasksOfRemoved: (list: string, limit: number) =>
      query`SELECT s.number AS task, s.parent AS parent FROM milepost_tasks t CROSS JOIN milepost_tasks s
        WHERE t.list = ${list} AND t.status = 'deleted' AND s.list = t.list AND s.parent = t.number
        AND s.status <> 'deleted' LIMIT ${limit}`,
    countByStatus: (list: string) =>
      query`SELECT status, count(*) AS count FROM milepost_tasks WHERE list = ${list} AND status <> 'deleted' GROUP BY status`,
    byUuid: (list: string, uuid: string) =>
      query`SELECT number FROM milepost_tasks WHERE uuid = ${uuid} AND list = ${list} AND status <> 'deleted'`,
    bySource: (list: string, source: string) =>
      query`SELECT number FROM milepost_tasks WHERE list = ${list} AND source = ${source} AND status <> 'deleted' ORDER BY number LIMIT 1`,
    taskLists: () =>
      query`SELECT list, count(*) AS count, sum(CASE WHEN status IN ('pending', 'in_progress') THEN 1 ELSE 0 END) AS open FROM milepost_tasks WHERE status <> 'deleted' GROUP BY list ORDER BY list`,
  };
}

/** Those that lists, look-ups and claims are answered from, and which tasks each of them has. */
const INDEXES = [
  ["sqlite_autoindex_milepost_tasks_1", "1"],
  ["milepost_tasks_by_status", "1"],
  ["milepost_tasks_free", "free_at = 0 AND blockers = 0 AND assignee IS NULL"],
  ["milepost_tasks_kept", "free_at = 0 AND blockers = 0 AND assignee IS NOT NULL"],
  ["milepost_tasks_due", "free_at > 0 AND blockers = 0"],
] as const;

function wrongIndexes(list: string): Query {
  const tasks = (by: string, where: string) =>
    sql`(SELECT count(*) || ' ' || total(number) FROM milepost_tasks ${raw(by)} WHERE list = ${list} AND ${raw(where)})`;
  const checks = INDEXES.map(
    ([name, where]) =>
      sql`SELECT ${name} AS name WHERE ${tasks("NOT INDEXED", where)} <> ${tasks(`INDEXED BY ${name}`, where)}`,
  );
  return query`${join(checks, " UNION ALL ")}`;
}

function edgeQueries(features: Features) {
  const { concurrentWriters } = features;
  /**
   * From a blocker to what it blocks. The order of the join is fixed on both engines: left to choose, each of them
   * reads all edges of the list again for every task it reaches.
   */
  const stepOf = (list: string) =>
    concurrentWriters
      ? sql`reach r CROSS JOIN LATERAL (SELECT s.task FROM milepost_edges s WHERE s.list = ${list}
          AND s.blocker = r.number OFFSET 0) AS e`
      : sql`reach r CROSS JOIN milepost_edges e ON e.list = ${list} AND e.blocker = r.number`;
  const gather = raw(concurrentWriters ? "string_agg" : "group_concat");
  const numbersOf = (numbers: readonly number[]) =>
    concurrentWriters
      ? sql`SELECT unnest(${[...numbers]}::bigint[])`
      : sql`SELECT value FROM json_each(${JSON.stringify(numbers)})`;
  /** The tasks, and all that wait for them. UNION drops tasks that were reached before, so that the walk ends. */
  const reach = (list: string, starts: readonly number[]) =>
    sql`WITH RECURSIVE reach(number) AS (${numbersOf(starts)} UNION SELECT e.task FROM ${stepOf(list)})`;
  return {
    openEdges: (list: string, from: number, to: number) =>
      query`SELECT e.task AS task, e.blocker AS blocker FROM milepost_edges e JOIN milepost_tasks b ON b.list = e.list
        AND b.number = e.blocker
        WHERE e.list = ${list} AND e.task >= ${from} AND e.task <= ${to} AND b.is_blocking = 1 ORDER BY e.task,
        e.blocker`,
    reaches: (list: string, starts: readonly number[], others: readonly number[]) =>
      query`${reach(list, starts)} SELECT number FROM reach WHERE number ${among(features, others)} LIMIT 1`,
    /** As one text, "blocker task,blocker task": rows of their own would take ten times as long to hand over. */
    edgesFrom: (list: string, starts: readonly number[]) =>
      query`${reach(list, starts)} SELECT ${gather}(r.number || ' ' || e.task, ',') AS edges FROM ${stepOf(list)}`,
  };
}

function waitQueries() {
  return {
    dueWaits: (now: number, limit: number) =>
      query`SELECT list, number FROM milepost_tasks WHERE wake_at IS NOT NULL AND wake_at <= ${now} ORDER BY wake_at, list, number LIMIT ${limit}`,
    dueWaitsOf: (list: string, now: number, limit: number) =>
      query`SELECT list, number FROM milepost_tasks WHERE wake_at IS NOT NULL AND wake_at <= ${now} AND list = ${list} ORDER BY wake_at, number LIMIT ${limit}`,
    waitersOf: (topic: string, list: string, after: number, limit: number) =>
      query`SELECT list, number FROM milepost_tasks WHERE topic = ${topic} AND list = ${list} AND number > ${after} ORDER BY number LIMIT ${limit}`,
  };
}
