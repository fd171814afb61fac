import sql, { empty, raw } from "sql-template-tag";
import { type Features, fixed, query, STREAM_COLUMNS } from "./query-text.js";
import type { Query } from "./script.js";
import { upkeepQueries } from "./upkeep/upkeep-queries.js";

/** The place of an event in the log. `xid` is "0" where one transaction writes at a time. */
export interface Position {
  readonly xid: string;
  readonly seq: number;
}

export interface EventRow {
  readonly stream: string;
  readonly version: number;
  readonly id: string | null;
  readonly type: string;
  readonly at: number;
  readonly actor: string | null;
  readonly data: string;
  readonly checksum: number;
}

export interface StreamRow {
  readonly stream: string;
  readonly version: number;
  readonly checksum: number;
  /** Versions up to here are no longer kept. */
  readonly pruned: number;
  /** Bytes of the data that is kept. */
  readonly size: number;
  /** Time of the last event. */
  readonly at: number;
  /** What projections fold from it, as JSON (`stored-views.ts`). In this row: a commit touches one page less. */
  readonly views: string;
  readonly views_checksum: number;
}

/** What a view was when the history before it was pruned: its fold begins there. */
export interface BaseRow {
  readonly view: string;
  readonly stream: string;
  readonly revision: number;
  readonly version: number;
  readonly data: string;
  readonly checksum: number;
}

/** An answer that is given again for the same key. */
export interface KeyRow {
  readonly key: string;
  readonly stream: string;
  /** A fingerprint of what was asked. */
  readonly input: string;
  readonly answer: string;
  readonly at: number;
  readonly checksum: number;
}

export type Queries = ReturnType<typeof createQueries>;

export function createQueries(features: Features) {
  return {
    features,
    ...logQueries(features),
    ...metaQueries(features),
    ...streamQueries(features),
    ...baseQueries(),
    ...keyQueries(),
    ...upkeepQueries(features),
  };
}

const STREAM = raw(STREAM_COLUMNS);
const EVENT = raw("stream, version, id, type, at, actor, data, checksum");

/** The last position ever given. Events are deleted, but a position is never given again: the floor remembers it. */
const LAST = sql`max(COALESCE((SELECT max(seq) FROM milepost_events), 0), COALESCE((SELECT CAST(value AS INTEGER) FROM milepost_meta WHERE key = 'floor'), 0))`;

/** Time of the last event, on the same page as the last position; or of the last write that told of earlier times. */
const LAST_AT = sql`max(COALESCE((SELECT at FROM milepost_events ORDER BY seq DESC LIMIT 1), 0), COALESCE((SELECT CAST(value AS INTEGER) FROM milepost_meta WHERE key = 'clock_floor'), 0))`;

function logQueries({ concurrentWriters }: Features) {
  const position = concurrentWriters ? raw("xid::text AS xid, seq") : raw("'0' AS xid, seq");
  // With the table's name: a bare `xid` would be the text that is selected, where 1000 comes before 999.
  const order = concurrentWriters ? raw("milepost_events.xid, seq") : raw("seq");
  const after = ({ xid, seq }: Position) =>
    concurrentWriters
      ? sql`(xid, seq) > (${xid}::xid8, ${seq}::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())`
      : sql`seq > ${seq}`;
  /** Without what was pruned or forgotten, and is only not deleted yet. */
  const kept = (isForgetting: boolean) =>
    isForgetting
      ? sql`AND NOT EXISTS (SELECT 1 FROM milepost_streams s WHERE s.stream = milepost_events.stream
          AND s.pruned >= milepost_events.version)`
      : empty;
  const insert = fixed(
    concurrentWriters
      ? query`INSERT INTO milepost_events (${EVENT}) VALUES (${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0}) RETURNING ${position}`
      : query`INSERT INTO milepost_events (seq, ${EVENT}) VALUES (${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0})`,
  );
  return {
    /** Where several write at once the engine gives the position; else it is the next one, and we know it. */
    insertEvent: (row: EventRow, seq: number): Query => {
      const { stream, version, id, type, at, actor, data, checksum } = row;
      const columns = [stream, version, id, type, at, actor, data, checksum];
      return insert(concurrentWriters ? columns : [seq, ...columns]);
    },
    eventsAfter: (from: Position, limit: number, isForgetting: boolean) =>
      query`SELECT ${position}, ${EVENT} FROM milepost_events WHERE ${after(from)} ${kept(isForgetting)} ORDER BY ${order} LIMIT ${limit}`,
    eventsOfStreamAfter: (stream: string, from: Position, limit: number, isForgetting: boolean) =>
      query`SELECT ${position}, ${EVENT} FROM milepost_events WHERE stream = ${stream} AND ${after(from)} ${kept(isForgetting)} ORDER BY version LIMIT ${limit}`,
    /** Without regard to transactions still running: for folds inside a transaction. */
    eventsFromVersion: (stream: string, version: number, limit: number) =>
      query`SELECT ${position}, ${EVENT} FROM milepost_events WHERE stream = ${stream} AND version > ${version} ORDER BY version LIMIT ${limit}`,
    eventsBetween: (stream: string, after: number, upTo: number) =>
      query`SELECT ${position}, ${EVENT} FROM milepost_events WHERE stream = ${stream} AND version > ${after} AND version <= ${upTo} ORDER BY version`,
    /** By position alone, for a log that cannot be read in one go. */
    eventsAt: (after: number, upTo: number) =>
      query`SELECT ${position}, ${EVENT} FROM milepost_events WHERE seq > ${after} AND seq <= ${upTo}`,
    eventById: (id: string) => query`SELECT ${position}, ${EVENT} FROM milepost_events WHERE id = ${id} ${kept(true)}`,
    knownEvent: (id: string) => query`SELECT 1 AS known FROM milepost_events WHERE id = ${id}`,
    /** The last position ever given, also when its event is gone. */
    head: () =>
      concurrentWriters
        ? query`SELECT (pg_snapshot_xmax(pg_current_snapshot())::text) AS xid, COALESCE(pg_sequence_last_value(pg_get_serial_sequence('milepost_events', 'seq')::regclass), 0) AS seq`
        : query`SELECT '0' AS xid, ${LAST} AS seq`,
    /** The last event a reader may see now. */
    end: () =>
      concurrentWriters
        ? query`SELECT ${position} FROM milepost_events WHERE xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY milepost_events.xid DESC, seq DESC LIMIT 1`
        : query`SELECT ${position} FROM milepost_events ORDER BY seq DESC LIMIT 1`,
  };
}

function metaQueries({ concurrentWriters }: Features) {
  const gate = fixed(
    concurrentWriters
      ? query`SELECT value AS oldest_writer, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
          FROM milepost_meta WHERE key = 'oldest_writer'`
      : query`SELECT value AS oldest_writer, NULL AS now, ${LAST} AS last, ${LAST_AT} AS at,
          (SELECT value FROM milepost_meta WHERE key = 'clock_offset') AS clock_offset
          FROM milepost_meta WHERE key = 'oldest_writer'`,
  );
  return {
    meta: (key: string) => query`SELECT value FROM milepost_meta WHERE key = ${key}`,
    setMeta: (key: string, value: string) =>
      query`INSERT INTO milepost_meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    deleteMeta: (key: string) => query`DELETE FROM milepost_meta WHERE key = ${key}`,
    /** Sessions that are being forgotten: their events up to what is pruned are still to be deleted. */
    forgetting: () =>
      query`SELECT substr(key, 12) AS session FROM milepost_meta WHERE key >= 'forgetting:' AND key < 'forgetting;' ORDER BY key`,
    hasTables: () =>
      concurrentWriters
        ? query`SELECT 1 AS found WHERE to_regclass('milepost_meta') IS NOT NULL`
        : query`SELECT 1 AS found FROM sqlite_master WHERE name = 'milepost_meta'`,
    /** First in every write: may this version still write, and what time is it where the store lives? */
    gate: () => gate([]),
    notify: (): Query | undefined => (concurrentWriters ? query`SELECT pg_notify('milepost', '')` : undefined),
    /** Statements of this transaction may go over whole tables: a server must not end them as it ends a stuck one. */
    unhurried: (): Query | undefined => (concurrentWriters ? query`SET LOCAL statement_timeout = 0` : undefined),
  };
}

function streamQueries({ concurrentWriters }: Features) {
  const one = fixed(query`SELECT ${STREAM} FROM milepost_streams WHERE stream = ${0}`);
  const save =
    fixed(query`INSERT INTO milepost_streams (${STREAM}) VALUES (${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0})
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, checksum = excluded.checksum,
    pruned = excluded.pruned,
      size = excluded.size, at = excluded.at, views = excluded.views, views_checksum = excluded.views_checksum`);
  const move = fixed(
    query`UPDATE milepost_streams SET version = ${0}, checksum = ${0}, size = ${0}, at = ${0} WHERE stream = ${0}`,
  );
  return {
    /** An advisory lock and not a row lock: it gives no transaction id away, so ids follow the order of writing. */
    lock: (name: string): Query | undefined =>
      concurrentWriters ? query`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))` : undefined,
    stream: (stream: string) => one([stream]),
    streamsAfter: (stream: string, limit: number) =>
      query`SELECT ${STREAM} FROM milepost_streams WHERE stream > ${stream} ORDER BY stream LIMIT ${limit}`,
    streamsBetween: (from: string, to: string) =>
      query`SELECT ${STREAM} FROM milepost_streams WHERE stream >= ${from} AND stream < ${to} ORDER BY stream`,
    recentStreams: (from: string, to: string, limit: number) =>
      query`SELECT stream, at FROM milepost_streams WHERE stream >= ${from} AND stream < ${to} ORDER BY at DESC, stream LIMIT ${limit}`,
    saveStream: ({ stream, version, checksum, pruned, size, at, views, views_checksum }: StreamRow) =>
      save([stream, version, checksum, pruned, size, at, views, views_checksum]),
    /** Events have come, and nothing else has changed. */
    moveStream: ({ stream, version, checksum, size, at }: StreamRow) => move([version, checksum, size, at, stream]),
    deleteStream: (stream: string) => query`DELETE FROM milepost_streams WHERE stream = ${stream}`,
    firstVersion: (stream: string) =>
      query`SELECT version FROM milepost_events WHERE stream = ${stream} ORDER BY version LIMIT 1`,
    deleteEvents: (stream: string, version: number) =>
      query`DELETE FROM milepost_events WHERE stream = ${stream} AND version <= ${version}`,
  };
}

function baseQueries() {
  const columns = raw("view, stream, revision, version, data, checksum");
  return {
    base: (view: string, stream: string) =>
      query`SELECT ${columns} FROM milepost_bases WHERE view = ${view} AND stream = ${stream}`,
    basesOf: (stream: string) => query`SELECT ${columns} FROM milepost_bases WHERE stream = ${stream} ORDER BY view`,
    saveBase: ({ view, stream, revision, version, data, checksum }: BaseRow) =>
      query`INSERT INTO milepost_bases (${columns}) VALUES (${view}, ${stream}, ${revision}, ${version}, ${data},
        ${checksum})
        ON CONFLICT (view, stream) DO UPDATE SET revision = excluded.revision, version = excluded.version,
        data = excluded.data, checksum = excluded.checksum`,
    deleteBases: (stream: string) => query`DELETE FROM milepost_bases WHERE stream = ${stream}`,
  };
}

/** Answers that are given again. */
function keyQueries() {
  return {
    key: (key: string, since: number) =>
      query`SELECT key, stream, input, answer, at, checksum FROM milepost_keys WHERE key = ${key} AND at >= ${since}`,
    saveKey: ({ key, stream, input, answer, at, checksum }: KeyRow) =>
      query`INSERT INTO milepost_keys (key, stream, input, answer, at, checksum) VALUES (${key}, ${stream}, ${input},
        ${answer}, ${at}, ${checksum})
        ON CONFLICT (key) DO UPDATE SET stream = excluded.stream, input = excluded.input, answer = excluded.answer,
        at = excluded.at, checksum = excluded.checksum`,
    deleteKeysBefore: (at: number, limit: number) =>
      query`DELETE FROM milepost_keys WHERE key IN (SELECT key FROM milepost_keys WHERE at < ${at} LIMIT ${limit}) RETURNING key`,
    deleteKeysBetween: (from: string, to: string) =>
      query`DELETE FROM milepost_keys WHERE stream >= ${from} AND stream < ${to} RETURNING key`,
    keysAfter: (key: string, limit: number) =>
      query`SELECT key, stream, input, answer, at, checksum FROM milepost_keys WHERE key > ${key} ORDER BY key LIMIT ${limit}`,
  };
}
