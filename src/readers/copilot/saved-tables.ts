import type { ScratchRow, ScratchTables } from "../../core/scratch-tables.js";
import { type TableSizes, workOf } from "../../dialects/copilot/sql-work.js";

// All tables of a session's database as JSON: what is kept of them from call to call, and from reading to reading.

type Value = string | number | null;

/** A table, or a view or an index, which have no rows. */
interface SavedTable {
  readonly name: string;
  /** How it is made. */
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

export type SavedTables = readonly SavedTable[];

/** Characters: what has no room is left out, and is not there for later statements. The list's own come first. */
const MOST_SAVED = 256 * 1024;
const LIST_TABLES = ["todos", "todo_deps"];

interface Named {
  readonly place: "main" | "temp";
  readonly type: string;
  readonly name: string;
  /** Of an index, its table. */
  readonly tbl_name: string;
  readonly sql: string;
}

const NAMED = "type, name, tbl_name, sql, rowid AS at";
const NAMES = `SELECT * FROM (SELECT 'main' AS place, ${NAMED} FROM sqlite_master
    UNION ALL SELECT 'temp', ${NAMED} FROM sqlite_temp_master)
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
  ORDER BY place, type <> 'table', lower(name) NOT IN ('todos', 'todo_deps'), at`;

function namesIn(tables: ScratchTables): readonly Named[] {
  return tables.ask(NAMES) as readonly object[] as readonly Named[];
}

function columnsOf(tables: ScratchTables, { place, name }: Named): readonly string[] {
  return tables.ask("SELECT name FROM pragma_table_info(?, ?)", name, place).map((column) => String(column.name));
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const pathOf = ({ place, name }: Named) => `${place}.${quoted(name)}`;

/** Undefined where the list's own tables have no room. */
export function saveTables(tables: ScratchTables): SavedTables | undefined {
  const saved: SavedTable[] = [];
  let room = MOST_SAVED;
  for (const one of namesIn(tables).filter(({ place }) => place === "main")) {
    const isIndexOfNothing = one.type === "index" && !saved.some(({ name }) => name === one.tbl_name);
    const kept = isIndexOfNothing ? undefined : savedTable(tables, one, room);
    const size = kept ? JSON.stringify(kept).length : 0;
    if (kept && size <= room) {
      saved.push(kept);
      room -= size;
    } else if (LIST_TABLES.includes(one.name.toLowerCase())) return undefined;
  }
  return saved;
}

function savedTable(tables: ScratchTables, table: Named, room: number): SavedTable | undefined {
  const { type, name, sql } = table;
  if (type !== "table") return { name, sql, columns: [], rows: [] };
  try {
    const own = columnsOf(tables, table);
    const sum = own.map((column) => `coalesce(octet_length(${quoted(column)}), 4) + 1`).join(" + ");
    const [{ bytes } = {}] = tables.ask(`SELECT total(${sum}) AS bytes FROM ${pathOf(table)}`);
    if (Number(bytes) > room) return undefined;
    const columns = ["rowid", ...own.filter((column) => column.toLowerCase() !== "rowid")];
    // Not quoted: where a table has none, it would be a text. Names of two columns may be one to JavaScript.
    const wanted = columns.map((column, at) => `${at === 0 ? column : textOf(column)} AS c${at}`).join(", ");
    const rows = tables.ask(`SELECT ${wanted} FROM ${pathOf(table)} ORDER BY 1`);
    return { name, sql, columns, rows: rows.map((row) => columns.map((_, at) => valueAt(row, at))) };
  } catch {
    // Numbers that JavaScript does not have; a table without row ids.
    return undefined;
  }
}

/** JSON has no bytes. */
function textOf(column: string): string {
  return `CASE typeof(${quoted(column)}) WHEN 'blob' THEN CAST(${quoted(column)} AS TEXT) ELSE ${quoted(column)} END`;
}

function valueAt(row: ScratchRow, at: number): Value {
  const value = row[`c${at}`];
  return typeof value === "string" || typeof value === "number" ? value : null;
}

export function fillFrom(tables: ScratchTables, saved: SavedTables): void {
  // What a table refers to may have been left out, or was never there: a script can switch the check off.
  tables.ask("PRAGMA foreign_keys = OFF");
  for (const one of saved) fillTable(tables, one);
  tables.ask("PRAGMA foreign_keys = ON");
}

/** What its own checks do not take any more is not there: later statements go on without it. */
function fillTable(tables: ScratchTables, { name, sql, columns, rows }: SavedTable): void {
  const places = columns.map(() => "?").join(", ");
  const insert = `INSERT OR IGNORE INTO ${quoted(name)} (${columns.map(quoted).join(", ")}) VALUES (${places})`;
  try {
    tables.ask(sql);
    for (const row of rows) tables.ask(insert, ...row);
  } catch {}
}

/** Of a view, `counts` has what it may come by. */
export function sizesOf(tables: ScratchTables): TableSizes {
  const names = namesIn(tables);
  const counts = new Map<string, number>();
  let [longest, referring] = [0, 0];
  for (const one of names.filter(({ type }) => type === "table")) {
    const { rows, bytes } = sizeOf(tables, one);
    const name = one.name.toLowerCase();
    counts.set(name, Math.max(rows, counts.get(name) ?? 0));
    longest = Math.max(longest, bytes);
    if (/\breferences\b/i.test(one.sql)) referring += rows;
  }
  for (const { name, sql } of names.filter(({ type }) => type === "view"))
    counts.set(name.toLowerCase(), workOf(sql.replace(VIEW_HEAD, ""), { counts, longest }).most);
  // With an index for each key.
  for (const name of SCHEMAS) counts.set(name, 2 * names.length + 4);
  return { counts, longest, referring, schema: names.map(({ sql }) => sql).join("\n") };
}

const SCHEMAS = ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"];
const VIEW_HEAD = /^[\s\S]*?\bas\b/i;

function sizeOf(tables: ScratchTables, table: Named): { readonly rows: number; readonly bytes: number } {
  const texts = columnsOf(tables, table).map((column, at) => `max(octet_length(${quoted(column)})) AS c${at}`);
  const [row = {}] = tables.ask(`SELECT ${["count(*) AS n", ...texts].join(", ")} FROM ${pathOf(table)}`);
  const { n, ...bytes } = row;
  return { rows: Number(n), bytes: Math.max(0, ...Object.values(bytes).map(Number)) };
}
