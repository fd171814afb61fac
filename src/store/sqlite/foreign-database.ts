import { closeSync, constants, copyFileSync, mkdtempSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ForeignReading, ForeignTables, Look } from "../foreign-tables.js";
import type { Row } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { resultCode } from "./errors.js";
import { type Database, loadSqlite, type OpenDatabase } from "./library.js";
import { openImmutable } from "./open.js";
import { realPath } from "./real-path.js";
import { openPlain } from "./store-files.js";

/** Long enough for somebody who recovers the file; a person or a live table waits meanwhile. */
const WAIT_MS = 500;
/** Times of files are told in steps: two changes within one look like one. */
const STEP_MS = 20;
const MOST_TRIES = 10;
/** Who opens and closes it all the time has files beside it anyway, and tidies up: then it is opened as usual. */
const CAREFUL_TRIES = 3;

export async function readForeignFile<T>(
  given: string,
  read: (tables: ForeignTables) => T,
  { locks = "usual" }: ForeignReading = {},
): Promise<T> {
  const open = await loadSqlite();
  let path = given;
  try {
    path = realPath(given);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await untilQuiet(path);
      const wayNow = locks === "none" ? stillWay : tries >= CAREFUL_TRIES ? () => "usual" as const : wayTo;
      const answer = tryToRead(path, wayNow, (way) => WAYS[way](open, path, read));
      if (answer) return answer.value;
      if (locks === "none") await sleep(STEP_MS);
    }
  } catch (error) {
    throw troubleWith(path, error);
  }
  throw new StoreTrouble("store-busy", `${path} is in use just now. Try again.`);
}

async function untilQuiet(path: string): Promise<void> {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age >= 0 && age < STEP_MS) await sleep(STEP_MS);
}

/**
 * - usual: with the locks of its own program.
 * - still: as a file that cannot change.
 * - journal, rollback: a copy, with what somebody who was killed has left beside it.
 */
type Way = "usual" | "still" | "journal" | "rollback";

const WAYS: Readonly<Record<Way, <T>(open: OpenDatabase, path: string, read: (tables: ForeignTables) => T) => T>> = {
  usual: (open, path, read) => look(open(path, { readOnly: true, timeout: WAIT_MS }), read),
  still: (open, path, read) => look(openImmutable(open, path), read),
  journal: (open, path, read) =>
    withCopy(path, "-wal", (copy) => look(open(copy, { readOnly: true, timeout: WAIT_MS }), read)),
  // What was half written is taken back first, and for that the copy has to be written.
  rollback: (open, path, read) => withCopy(path, "-journal", (copy) => look(open(copy, { timeout: WAIT_MS }), read)),
};

type WayNow = (path: string) => Way | undefined;

/** Undefined where the files changed meanwhile: what was seen, or went wrong, may be of two moments. */
function tryToRead<T>(path: string, wayNow: WayNow, read: (way: Way) => T): { readonly value: T } | undefined {
  const before = surroundingsOf(path);
  const isSame = () => surroundingsOf(path) === before;
  const way = wayNow(path);
  if (way === undefined) return undefined;
  try {
    const value = read(way);
    return way === "usual" || isSame() ? { value } : undefined;
  } catch (error) {
    const code = resultCode(error);
    if (code !== BUSY && !isSame()) return undefined;
    if (way !== "usual" || code !== READ_ONLY || sizeOf(`${path}-journal`) === 0) throw error;
  }
  const value = read("rollback");
  return isSame() ? { value } : undefined;
}

/** Enough to see that somebody has opened, written or closed it. */
function surroundingsOf(path: string): string {
  const files = ["", "-wal", "-shm", "-journal"].map((ending) => statSync(path + ending, { throwIfNoEntry: false }));
  return JSON.stringify(files.map((file) => file && [file.dev, file.ino, file.size, file.mtimeMs]));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** SQLite leaves two files beside a WAL file that it reads: so it is opened as usual only where they exist already. */
function wayTo(path: string): Way {
  const isThere = (ending: string) => statSync(path + ending, { throwIfNoEntry: false }) !== undefined;
  if (!isWalFile(path) || (isThere("-wal") && isThere("-shm"))) return "usual";
  return sizeOf(`${path}-wal`) > 0 ? "journal" : "still";
}

/** Undefined while somebody writes. Who reads a WAL file keeps nobody from writing. */
function stillWay(path: string): Way | undefined {
  if (isWalFile(path)) return wayTo(path);
  return sizeOf(`${path}-journal`) > 0 ? undefined : "still";
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
const READ_ONLY = 8;
const DAMAGED = [11, 26];

/** What SQLite or the disk says, as trouble with this one file; anything else is a bug of ours and stays what it is. */
function troubleWith(path: string, error: unknown): unknown {
  if (error instanceof StoreTrouble || !(error instanceof Error)) return error;
  const code = resultCode(error);
  if (code === undefined && !isOfSystem(error)) return error;
  if (code === BUSY) return new StoreTrouble("store-busy", `${path} is in use just now. Try again.`, error);
  const kind = DAMAGED.includes(code ?? 0) ? "store-damaged" : "store-unreachable";
  return new StoreTrouble(kind, `${path} cannot be read. Nothing was changed. (${error.message})`, error);
}

function isOfSystem(error: Error): boolean {
  return "syscall" in error || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}

function withCopy<T>(path: string, journal: string, use: (copy: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "milepost-"));
  try {
    const copy = join(folder, basename(path));
    for (const ending of ["", journal]) copyFileSync(path + ending, copy + ending, constants.COPYFILE_FICLONE);
    return use(copy);
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
    rows: ({ table, columns, bytes, where, order }: Look) => {
      const rows = select(
        columns,
        quoted(table) + (where ? ` WHERE ${quoted(where.column)} = ${textValue(where.value)}` : ""),
        bytes,
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

type Select = (columns: readonly string[], from: string, bytes?: readonly string[]) => Row[];

/**
 * A prepared statement keeps its file open until it is collected, even after close; and while we have the file open,
 * its own program cannot clean up. So rows come through a function that a statement calls, and nothing stays open.
 */
function selector(database: Database): Select {
  let receive: (values: readonly unknown[]) => void = () => undefined;
  database.function("milepost_row", { varargs: true }, (...values) => {
    receive(values);
    return 0;
  });
  return (columns, from, bytes = []) => {
    const rows: Row[] = [];
    const read = (column: string, value: unknown) => (bytes.includes(column) ? copied(value) : plain(value));
    receive = (values) =>
      rows.push(Object.fromEntries(columns.map((column, at) => [column, read(column, values[at])])));
    database.exec(`SELECT milepost_row(${columns.map(argument).join(", ")}) FROM ${from}`);
    return rows;
  };
}

/** Texts as bytes: a text would end at its first NUL. Numbers as near as JavaScript has them: others are refused. */
function argument(column: string): string {
  const name = quoted(column);
  const isLarge = `typeof(${name}) = 'integer' AND ${name} NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
  return `CASE WHEN typeof(${name}) = 'text' THEN CAST(${name} AS BLOB) WHEN ${isLarge} THEN CAST(${name} AS REAL) ELSE ${name} END`;
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? DECODER.decode(value) : value;
}

/** The bytes are lent for the time of the call. */
function copied(value: unknown): unknown {
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function textValue(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", "''")}'`;
}
