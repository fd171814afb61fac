import { closeSync, constants, copyFileSync, existsSync, mkdtempSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { ForeignTables, Look } from "../foreign-tables.js";
import type { Row } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { resultCode } from "./errors.js";
import { openPlain, realPath, stat } from "./files.js";
import { type Database, loadSqlite, type OpenDatabase } from "./library.js";
import { openImmutable } from "./open.js";

/** Long enough for somebody who recovers the file; a person or a live table waits meanwhile. */
const WAIT_MS = 500;

export async function readForeignFile<T>(given: string, read: (tables: ForeignTables) => T): Promise<T> {
  const open = await loadSqlite();
  const path = realPath(given);
  try {
    return withDatabase(open, path, (database) => look(database, read));
  } catch (error) {
    if (error instanceof StoreTrouble || resultCode(error) === undefined) throw error;
    throw troubleWith(path, error as Error);
  }
}

function look<T>(database: Database, read: (tables: ForeignTables) => T): T {
  try {
    database.exec("PRAGMA trusted_schema = OFF");
    database.exec("PRAGMA query_only = ON");
    database.exec("PRAGMA cell_size_check = ON");
    database.exec("BEGIN");
    return read(tablesOf(database));
  } finally {
    // Closing ends the transaction, too.
    database.close();
  }
}

const BUSY = 5;
const DAMAGED = [11, 26];

function troubleWith(path: string, error: Error): StoreTrouble {
  const code = resultCode(error) ?? 0;
  if (code === BUSY) return new StoreTrouble("store-busy", `${path} is in use just now. Try again.`, error);
  const kind = DAMAGED.includes(code) ? "store-damaged" : "store-unreachable";
  return new StoreTrouble(kind, `${path} cannot be read. It was left as it is. (${error.message})`, error);
}

/**
 * To look at a file in WAL mode SQLite puts two files beside it, and leaves them there. So it is only opened as usual where they are
 * there already; where nobody has the file open, it is read as one that cannot change, and a journal without its index as a copy.
 */
function withDatabase<T>(open: OpenDatabase, path: string, use: (database: Database) => T): T {
  const hasJournal = existsSync(`${path}-wal`);
  if (!isWalFile(path) || (hasJournal && existsSync(`${path}-shm`)))
    return use(open(path, { readOnly: true, timeout: WAIT_MS }));
  return (stat(`${path}-wal`)?.size ?? 0) > 0 ? withCopy(open, path, use) : use(openImmutable(open, path));
}

function withCopy<T>(open: OpenDatabase, path: string, use: (database: Database) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "milepost-"));
  try {
    const copy = join(folder, basename(path));
    for (const ending of ["", "-wal"]) copyFileSync(path + ending, copy + ending, constants.COPYFILE_FICLONE);
    return use(open(copy, { readOnly: true, timeout: WAIT_MS }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const VERSIONS = 18;
const WAL = 2;

/** From the file's own header (SQLite documentation, "Database File Format"). */
function isWalFile(path: string): boolean {
  const header = Buffer.alloc(VERSIONS + 2);
  const file = openPlain(path, constants.O_RDONLY);
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header[VERSIONS] === WAL && header[VERSIONS + 1] === WAL;
}

function tablesOf(database: Database): ForeignTables {
  const select = selector(database);
  return {
    // A view of that name could be anything, and take for ever.
    columns: (table) =>
      select(
        ["name"],
        `(SELECT info.name AS name FROM sqlite_master AS master, pragma_table_info(master.name) AS info WHERE master.type = 'table' AND master.name = ${textValue(table)})`,
      ).map(({ name }) => String(name)),
    rows: ({ table, columns, where, order }: Look) => {
      const rows = select(
        columns,
        quoted(table) + (where ? ` WHERE ${quoted(where.column)} = ${textValue(where.value)}` : ""),
      );
      return order === undefined ? rows : rows.sort((a, b) => Number(a[order]) - Number(b[order]));
    },
    groups: ({ table, by, last, sum }) =>
      select(
        ["value", "count", "last", "sum"],
        `(SELECT ${quoted(by)} AS value, count(*) AS count, max(${quoted(last)}) AS last, ${sum ? `total(${quoted(sum)})` : "0"} AS sum FROM ${quoted(table)} GROUP BY 1)`,
      ),
  };
}

type Select = (columns: readonly string[], from: string) => Row[];

/**
 * A prepared statement keeps its file open until it is collected, also after it was closed; and as long as we have the file open,
 * its own program cannot tidy up behind itself. So rows come by way of a function that a statement calls, and nothing stays.
 */
function selector(database: Database): Select {
  let receive: (values: readonly unknown[]) => void = () => undefined;
  database.function("milepost_row", { varargs: true }, (...values) => {
    receive(values);
    return 0;
  });
  return (columns, from) => {
    const rows: Row[] = [];
    receive = (values) => rows.push(Object.fromEntries(columns.map((column, at) => [column, plain(values[at])])));
    database.exec(`SELECT milepost_row(${columns.map(argument).join(", ")}) FROM ${from}`);
    return rows;
  };
}

/** Texts as bytes: as a text one would end at its first NUL. */
function argument(column: string): string {
  const name = quoted(column);
  return `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`;
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? DECODER.decode(value) : value;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function textValue(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", "''")}'`;
}
