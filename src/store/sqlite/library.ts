import { StoreTrouble } from "../trouble.js";

/** The part of Node's own `node:sqlite` that we use; both libraries have it. */
export interface Database {
  readonly isTransaction: boolean;
  /** Node's own; ours has `setLimit`, and older ones have neither. */
  readonly limits?: { length: number };
  setLimit?(limit: number, value: number): unknown;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  function(name: string, options: { readonly varargs: boolean }, body: (...values: readonly unknown[]) => number): void;
  /** Asked about each thing that a statement would do, while it is prepared. */
  setAuthorizer(judge: (action: number, name: string | null, other: string | null) => number): void;
  close(): void;
}

export interface Statement {
  get(): Record<string, unknown> | undefined;
  all(...values: readonly unknown[]): Record<string, unknown>[];
  iterate(): IterableIterator<Record<string, unknown>>;
  run(...values: readonly unknown[]): unknown;
  columns(): readonly unknown[];
}

/** SQLite's own number of this limit. */
const LENGTH = 0;

/** Bytes that no value of the next statements may exceed. False where the library cannot be told. */
export function limitLength(database: Database, length: number): boolean {
  if (database.setLimit) database.setLimit(LENGTH, length);
  else if (database.limits) database.limits.length = length;
  else return false;
  return true;
}

interface DatabaseOptions {
  readonly readOnly?: boolean;
  readonly timeout?: number;
  readonly limits?: { readonly [name: string]: number };
}

export type OpenDatabase = (path: string, options: DatabaseOptions) => Database;

interface Library {
  readonly DatabaseSync: new (path: string, options: DatabaseOptions) => Database;
}

/** Before it, two processes that write and checkpoint at the same moment can ruin the file. */
const OLDEST_SQLITE = [3, 51, 3] as const;

let loaded: Promise<OpenDatabase> | undefined;

/** The SQLite in Node where it is new enough, else the one that comes with us. */
export function loadSqlite(): Promise<OpenDatabase> {
  loaded ??= findLibrary();
  return loaded;
}

async function findLibrary(): Promise<OpenDatabase> {
  const { DatabaseSync } = (await builtIn()) ?? (await ours());
  return (path, options) => new DatabaseSync(path, options);
}

async function builtIn(): Promise<Library | undefined> {
  // In a variable: Node 20 has no such module, and neither bundlers nor its types should look for it.
  const name = "node:sqlite";
  try {
    const library: Library = await import(name);
    return isNewEnough(versionOf(library)) ? library : undefined;
  } catch {
    return undefined;
  }
}

async function ours(): Promise<Library> {
  try {
    return await import("@photostructure/sqlite");
  } catch (error) {
    throw new StoreTrouble(
      "no-sqlite",
      "No safe SQLite was found. Use Node 24 or newer, or install one beside Milepost: npm install @photostructure/sqlite@1.2.1",
      error,
    );
  }
}

function versionOf({ DatabaseSync }: Library): string {
  const database = new DatabaseSync(":memory:", {});
  try {
    return String(database.prepare("SELECT sqlite_version() AS version").all()[0]?.version);
  } finally {
    database.close();
  }
}

export function isNewEnough(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, oldest] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== oldest) return part > oldest;
  }
  return true;
}
