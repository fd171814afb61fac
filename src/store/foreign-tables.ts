import type { Row } from "./script.js";

/** Which rows of a table; names are those of the table itself. */
export interface Look {
  readonly table: string;
  readonly columns: readonly string[];
  /** Of these columns: they hold bytes, and come as such. */
  readonly bytes?: readonly string[];
  readonly where?: { readonly column: string; readonly value: string };
  readonly order?: string;
}

/** Tables of another program, in a file of its own. */
export interface ForeignTables {
  /** None for a table that is not there. */
  columns(table: string): readonly string[];
  rows(look: Look): readonly Row[];
  /** For each value of a column: how many rows have it (`count`), and the `last` and the `sum` of two others. */
  groups(look: {
    readonly table: string;
    readonly by: string;
    readonly last: string;
    readonly sum?: string;
  }): readonly Row[];
}

const BEGINNING = "SQLite format 3\0";

/** Told by the first characters of a file. */
export function isTableFile(beginning: string): boolean {
  return beginning.startsWith(BEGINNING);
}

/** `none`: for a program that does not wait for a lock. It may be refused more often, then. */
export interface ForeignReading {
  readonly locks?: "usual" | "none";
}

/** One consistent look; `read` is called again where they changed meanwhile. Writes nothing. Throws `StoreTrouble`. */
export async function readForeignTables<T>(
  path: string,
  read: (tables: ForeignTables) => T,
  reading?: ForeignReading,
): Promise<T> {
  const { readForeignFile } = await import("./sqlite/foreign-database.js");
  return readForeignFile(path, read, reading);
}
