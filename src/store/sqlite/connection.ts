import type { Query, Row, Script } from "../script.js";
import type { Database, Statement } from "./library.js";

/** Called before each step that can be the last one; tests end the process there. */
export type Trace = (step: string) => void;

/**
 * A note in `milepost_meta`: each page of this file was clear before its first use, as `secure_delete = FAST` has it.
 * So the upper pages of a table have nothing in their gaps, which `scrub-file.ts` could not clear.
 */
export const TIDY_PAGES = "tidy_pages";

interface Prepared {
  readonly statement: Statement;
  readonly hasRows: boolean;
}

/** One open file, its prepared statements, and the way a script runs on it: in one synchronous breath. */
export class Connection {
  readonly #database: Database;
  readonly #trace: Trace | undefined;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: Database, trace?: Trace) {
    this.#database = database;
    this.#trace = trace;
  }

  run<T>(script: Script<T>): T {
    let step = script.next();
    while (!step.done) step = script.next(this.ask(step.value));
    return step.value;
  }

  ask(query: Query): readonly Row[] {
    const text = query.sql;
    this.#trace?.(text);
    const { statement, hasRows } = this.#prepare(text);
    if (hasRows) return statement.all(...query.values);
    statement.run(...query.values);
    return [];
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  /** One of the few statements that come again and again. */
  command(text: string): void {
    this.#trace?.(text);
    this.#prepare(text).statement.run();
  }

  exec(text: string): void {
    this.#trace?.(text);
    this.#database.exec(text);
  }

  /** A full disk may have rolled back already; that is no second piece of news. */
  rollBack(): void {
    try {
      this.command("ROLLBACK");
    } catch {
      // No transaction is open.
    }
  }

  /** A step that is no statement. */
  mark(step: string): void {
    this.#trace?.(step);
  }

  /** The first value of what a PRAGMA or a SELECT answers. */
  value(text: string): unknown {
    return Object.values(this.#prepare(text).statement.get() ?? {})[0];
  }

  /** The first column. */
  values(text: string): readonly unknown[] {
    return this.#prepare(text)
      .statement.all()
      .map((row) => Object.values(row)[0]);
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }
}
