import { raw } from "sql-template-tag";
import { type Features, query, STREAM_COLUMNS } from "../query-text.js";
import type { Query } from "../script.js";

const STREAM = raw(STREAM_COLUMNS);
const OLD_STREAM = raw("s.stream, s.version, s.checksum, s.pruned, s.size, s.at, s.views, s.views_checksum");

/** For what keeps a store in order. */
export function upkeepQueries(features: Features) {
  return { ...damageQueries(features), ...pruneQueries(features) };
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
