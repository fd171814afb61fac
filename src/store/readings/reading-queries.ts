import { raw } from "sql-template-tag";
import { type Features, query } from "../query-text.js";
import type { Query } from "../script.js";
import type { Reading } from "./readings.js";

export interface ReadingRow extends Reading {
  readonly checksum: number;
}

const COLUMNS = raw("machine, path, session, at, checksum, data");
const REPLACE = raw(
  "ON CONFLICT (machine, path) DO UPDATE SET session = excluded.session, at = excluded.at, checksum = excluded.checksum, data = excluded.data",
);

/** Apart from the other queries: a hook has no use for them, and does not load them. */
export function readingQueries({ concurrentWriters }: Features) {
  return {
    readingsOf: (machine: string) => query`SELECT ${COLUMNS} FROM milepost_readings WHERE machine = ${machine}`,
    readingsAfter: (machine: string, path: string, limit: number) =>
      query`SELECT ${COLUMNS} FROM milepost_readings WHERE (machine, path) > (${machine}, ${path}) ORDER BY machine, path LIMIT ${limit}`,
    /** Only what is short enough to be looked at in passing. */
    shortReadingsOf: (machine: string, session: string, longest: number) =>
      query`SELECT data FROM milepost_readings WHERE session = ${session} AND machine = ${machine} AND length(data) <= ${longest}`,
    /** No two of the same transcript. Where each question is a journey, all are one: readers of the log wait for it. */
    saveReadings: (rows: readonly ReadingRow[]): readonly Query[] => {
      if (!concurrentWriters)
        return rows.map(
          ({ machine, path, session, at, checksum, data }) =>
            query`INSERT INTO milepost_readings (${COLUMNS}) VALUES (${machine}, ${path}, ${session}, ${at}, ${checksum}, ${data}) ${REPLACE}`,
        );
      const all = <Field extends keyof ReadingRow>(field: Field) => rows.map((row) => row[field]);
      return [
        query`INSERT INTO milepost_readings (${COLUMNS}) SELECT * FROM unnest(${all("machine")}::text[],
          ${all("path")}::text[],
          ${all("session")}::text[], ${all("at")}::bigint[], ${all("checksum")}::bigint[],
          ${all("data")}::text[]) ${REPLACE}`,
      ];
    },
    deleteReadings: (machine: string, paths: readonly string[]): readonly Query[] =>
      concurrentWriters
        ? [query`DELETE FROM milepost_readings WHERE machine = ${machine} AND path = ANY(${paths}::text[])`]
        : paths.map((path) => query`DELETE FROM milepost_readings WHERE machine = ${machine} AND path = ${path}`),
    deleteReadingsOf: (session: string, from: string, to: string) =>
      query`DELETE FROM milepost_readings WHERE session = ${session} OR (session >= ${from} AND session < ${to}) RETURNING path`,
    /** The age is asked twice: somebody may read a transcript again between the look and the lock. */
    deleteReadingsBefore: (at: number, limit: number) =>
      query`DELETE FROM milepost_readings WHERE at < ${at} AND (machine, path) IN
        (SELECT machine, path FROM milepost_readings WHERE at < ${at} LIMIT ${limit}) RETURNING path`,
  };
}
