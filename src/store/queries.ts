import sql, { empty, raw } from "sql-template-tag";
import type { Query } from "./script.js";

/** What an engine can do decides about the text of a query; nothing else ever asks which engine it is. */
export interface Features {
  /**
   * Several transactions write at the same time. Then positions are given before they are committed, so readers go
   * by transaction and stop before the oldest one still running; and a stream is locked by name before it is read.
   */
  readonly concurrentWriters: boolean;
}

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
    ...damageQueries(features),
    ...baseQueries(),
    ...keyQueries(),
    ...pruneQueries(features),
  };
}

const STREAM = raw("stream, version, checksum, pruned, size, at, views, views_checksum");
const OLD_STREAM = raw("s.stream, s.version, s.checksum, s.pruned, s.size, s.at, s.views, s.views_checksum");
const EVENT = raw("stream, version, id, type, at, actor, data, checksum");

/** The last position ever given. Events are deleted, but a position is never given again: the floor remembers it. */
const LAST = sql`max(COALESCE((SELECT max(seq) FROM milepost_events), 0), COALESCE((SELECT CAST(value AS INTEGER) FROM milepost_meta WHERE key = 'floor'), 0))`;

/** Time of the last event. On the same page as the last position. */
const LAST_AT = sql`(SELECT at FROM milepost_events ORDER BY seq DESC LIMIT 1)`;

/** Ours for the outside: nobody who uses the types of this package has to have the library. */
export function query(strings: readonly string[], ...values: readonly unknown[]): Query {
  return sql(strings, ...values);
}

/** A query whose text is made once: what stands in the template only marks the places. */
function fixed(template: Query): (values: readonly unknown[]) => Query {
  const { sql: marked, text } = template;
  return (values) => ({ sql: marked, text, values });
}

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

/** What a look for damage asks beside rows and events. */
function damageQueries({ concurrentWriters }: Features) {
  return {
    /** Does anything but its row tell of the stream? One look into each index; a server guards its pages itself. */
    traceOf: (stream: string, views: readonly string[]): Query | undefined =>
      concurrentWriters
        ? undefined
        : query`SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM milepost_events WHERE stream = ${stream})
            OR EXISTS (SELECT 1 FROM milepost_bases WHERE stream = ${stream}
            AND view IN (SELECT value FROM json_each(${JSON.stringify(views)})))`,
    /** An event of a stream of a kind. */
    traceOfKind: (from: string, to: string): Query | undefined =>
      concurrentWriters
        ? undefined
        : query`SELECT stream FROM milepost_events WHERE stream >= ${from} AND stream < ${to} LIMIT 1`,
    streamEnds: () => query`SELECT stream, version, pruned FROM milepost_streams WHERE version > pruned`,
    /** Events that only a dump can have brought. */
    eventsAhead: (): Query | undefined =>
      concurrentWriters
        ? query`SELECT count(*) AS events FROM milepost_events WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())`
        : undefined,
    orphans: () =>
      query`SELECT DISTINCT e.stream AS stream FROM milepost_events e LEFT JOIN milepost_streams s ON s.stream = e.stream WHERE s.stream IS NULL ORDER BY 1 LIMIT 10`,
    totals: () =>
      query`SELECT count(*) AS streams, COALESCE(sum(version - pruned), 0) AS events, COALESCE(sum(size), 0) AS size FROM milepost_streams`,
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

function pruneQueries({ concurrentWriters }: Features) {
  const position = concurrentWriters ? raw("xid::text AS xid, seq") : raw("'0' AS xid, seq");
  // One bound: of two, SQLite may take the lower one, and read all streams in between.
  const behind = (from: string, after: string) => (after > from ? after : from);
  return {
    /** Streams of a kind whose last event is older, with something left to prune; oldest first. */
    quietStreams: (from: string, to: string, before: number, after: string, limit: number) =>
      query`SELECT ${STREAM} FROM milepost_streams WHERE stream > ${behind(from, after)} AND stream < ${to} AND at < ${before} AND version > pruned ORDER BY stream LIMIT ${limit}`,
    /** A stream whose first kept event is older. */
    firstOldEvent: (from: string, to: string, before: number, after: string) =>
      query`SELECT ${OLD_STREAM} FROM milepost_streams s
        JOIN milepost_events e ON e.stream = s.stream AND e.version = s.pruned + 1
        WHERE s.stream > ${behind(from, after)} AND s.stream < ${to} AND e.at < ${before}
        ORDER BY s.stream LIMIT 1`,
    oldestStreams: (from: string, to: string, limit: number) =>
      query`SELECT ${STREAM} FROM milepost_streams WHERE stream >= ${from} AND stream < ${to} AND version > pruned ORDER BY at, stream LIMIT ${limit}`,
    sizeOf: (from: string, to: string) =>
      query`SELECT COALESCE(sum(size), 0) AS size FROM milepost_streams WHERE stream >= ${from} AND stream < ${to}`,
    /** The newest version that is older than the time, among the first so many: prunes in bounded steps. */
    oldVersions: (stream: string, pruned: number, before: number, limit: number) =>
      query`SELECT COALESCE(max(version), 0) AS version FROM milepost_events WHERE stream = ${stream} AND version > ${pruned} AND version <= ${pruned + limit} AND at < ${before}`,
    /** Where the prefix that goes away ends, and how much it held. */
    prefixEnd: (stream: string, version: number) =>
      query`SELECT ${position} FROM milepost_events WHERE stream = ${stream} AND version <= ${version} ORDER BY version DESC LIMIT 1`,
    prefixSize: (stream: string, version: number) =>
      query`SELECT COALESCE(sum(octet_length(data)), 0) AS size FROM milepost_events WHERE stream = ${stream} AND version <= ${version}`,
  };
}
