/** The text for either kind of engine (`?` or `$1`), and the values for its places. */
export interface Query {
  readonly sql: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Row = { readonly [column: string]: unknown };

/**
 * A transaction as a generator that asks queries: SQLite runs it in one synchronous go, PostgreSQL awaits each answer.
 * So every rule is written once, and no lock is held across other people's turns.
 */
export type Script<T> = Generator<Query, T, readonly Row[]>;

export function* ask(query: Query): Script<readonly Row[]> {
  return yield query;
}

export function* askOne(query: Query): Script<Row | undefined> {
  return (yield* ask(query))[0];
}

/** What only some engines have to be asked. */
export function* askIf(query: Query | undefined): Script<void> {
  if (query) yield query;
}
