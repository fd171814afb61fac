/**
 * An empty SQL database in memory, for one call of a tool whose language is SQL. Who calls the dialect opens it; the
 * dialect fills it, lets the model's statements run, reads it back and closes it. Nothing of it is kept.
 */
export interface ScratchTables {
  /** A statement of ours. Throws what the database says. */
  ask(sql: string, ...values: readonly ScratchValue[]): readonly ScratchRow[];
  /**
   * One statement of a model: it reaches the tables made so far and nothing else. `wants`: what is asked of it; the
   * other is not to be had of one run. `length`: bytes that no value in it may exceed. `reach`: other tables of this
   * database, too, which it may also make and take away.
   */
  run(sql: string, options: ScratchOptions): ScratchRun;
  /** Takes back what a transaction that was left open has written. */
  settle(): void;
  close(): void;
}

interface ScratchOptions {
  readonly wants: "rows" | "changes";
  readonly length: number;
  readonly reach?: "database";
}

type ScratchValue = string | number | null;

export type ScratchRow = { readonly [column: string]: unknown };

/** `error`: what the database said. */
export type ScratchRun =
  | { readonly type: "rows"; readonly rows: readonly ScratchRow[] }
  | { readonly type: "changes"; readonly changes: number; readonly lastId: number }
  | { readonly type: "error"; readonly error: string };
