import type { Sql } from "sql-template-tag";

export type Row = { readonly [column: string]: unknown };

/**
 * A transaction as a generator that asks queries: SQLite runs it in one synchronous breath, PostgreSQL awaits each
 * answer. So there is one text of every rule, and no lock is held across other people's turns.
 */
export type Script<T> = Generator<Sql, T, readonly Row[]>;

export function* ask(query: Sql): Script<readonly Row[]> {
  return yield query;
}

export function* askOne(query: Sql): Script<Row | undefined> {
  return (yield* ask(query))[0];
}
