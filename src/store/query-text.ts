import sql from "sql-template-tag";
import type { Query } from "./script.js";

/** What an engine can do decides about the text of a query; nothing else ever asks which engine it is. */
export interface Features {
  /**
   * Several transactions write at the same time. Then positions are given before they are committed, so readers go
   * by transaction and stop before the oldest one still running; and a stream is locked by name before it is read.
   */
  readonly concurrentWriters: boolean;
}

/** The columns of a stream's row. */
export const STREAM_COLUMNS = "stream, version, checksum, pruned, size, at, views, views_checksum";

/** Ours for the outside: nobody who uses the types of this package has to have the library. */
export function query(strings: readonly string[], ...values: readonly unknown[]): Query {
  return sql(strings, ...values);
}

/** A query whose text is made once: what stands in the template only marks the places. */
export function fixed(template: Query): (values: readonly unknown[]) => Query {
  const { sql: marked, text } = template;
  return (values) => ({ sql: marked, text, values });
}
