import type { ScratchRow, ScratchRun, ScratchTables } from "../../core/scratch-tables.js";
import { type Database, limitLength, loadSqlite, type Statement } from "./library.js";

/** Numbers of SQLite's own C interface, the same in every version. */
const ACTIONS = {
  createIndex: 1,
  createTable: 2,
  createTempTable: 4,
  createView: 8,
  delete: 9,
  dropIndex: 10,
  dropTable: 11,
  dropTempTable: 13,
  dropView: 17,
  insert: 18,
  pragma: 19,
  read: 20,
  select: 21,
  transaction: 22,
  update: 23,
  alterTable: 26,
  reindex: 27,
  function: 31,
  savepoint: 32,
} as const;
const ALLOW = 0;
const DENY = 1;

/** A statement cannot be interrupted: what one value, one statement and one answer may hold is bounded instead. */
const LIMITS = {
  length: 1_000_000,
  sqlLength: 200_000,
  exprDepth: 200,
  compoundSelect: 100,
  attach: 0,
  likePatternLength: 200,
  functionArg: 16,
  triggerDepth: 1,
};
const MOST_PAGES = 8192;
const MOST_ROWS = 5000;
const MOST_CHARACTERS = 1_000_000;

/** None of them reaches outside; those that only make long texts are left out. */
const FUNCTIONS = new Set(
  `count sum total avg min max group_concat string_agg coalesce ifnull nullif iif if lower upper length
  octet_length trim ltrim rtrim substr substring instr like glob replace abs round sign typeof date time
  datetime julianday strftime unixepoch timediff current_timestamp current_date current_time changes
  last_insert_rowid random unicode char sqlite_version row_number rank dense_rank lag lead first_value
  last_value ntile concat concat_ws hex quote total_changes json json_valid json_array
  json_object json_extract json_type json_array_length json_group_array json_group_object -> ->>`.split(/\s+/),
);

/** SQLite is loaded by the first call that needs it; each database then opens at once. */
export async function scratchTables(): Promise<() => ScratchTables> {
  const open = await loadSqlite();
  return () => tablesIn(open(":memory:", { limits: LIMITS }));
}

/** Who asks: we ourselves, a statement that has the tables made so far, or one that has all of the database. */
type Reach = "ours" | "tables" | "database";

function tablesIn(database: Database): ScratchTables {
  let reach: Reach = "ours";
  database.exec(`PRAGMA foreign_keys = ON; PRAGMA max_page_count = ${MOST_PAGES}; PRAGMA temp_store = MEMORY`);
  const tables = new Set<string>();
  database.setAuthorizer((action, name, column) => {
    if (reach === "tables") return isAllowed(tables, action, name, column) ? ALLOW : DENY;
    if (reach === "database") return isInside(action, name, column) ? ALLOW : DENY;
    if (action === ACTIONS.createTable && name !== null) tables.add(name);
    return ALLOW;
  });
  return {
    ask: (sql, ...values) => {
      reach = "ours";
      return database.prepare(sql).all(...values);
    },
    run(sql, { wants, length, reach: wide }) {
      reach = wide ?? "tables";
      try {
        const isLimited = length >= LIMITS.length || limitLength(database, length);
        if (!isLimited) return { type: "error", error: "texts that are made and searched cannot be kept short here" };
        const statement = database.prepare(sql);
        return wants === "rows" ? readRows(statement) : countChanges(statement);
      } catch (error) {
        return { type: "error", error: String(error instanceof Error ? error.message : error) };
      } finally {
        limitLength(database, LIMITS.length);
      }
    },
    settle() {
      if (database.isTransaction) database.exec("ROLLBACK");
    },
    close: () => database.close(),
  };
}

/** What stands behind them is what they tell of; behind all others it sets something. */
const LOOKS = new Set("table_info table_xinfo index_list index_info index_xinfo foreign_key_list".split(" "));

/** What references say holds here anyway. */
function isLook(pragma: string, value: string | null): boolean {
  if (value === null) return pragma !== "optimize";
  return LOOKS.has(pragma) || (pragma === "foreign_keys" && /^(?:on|1|yes|true)$/i.test(value));
}

/** May be read; SQLite itself refuses to write there. */
const SCHEMA = ["sqlite_master", "sqlite_schema"];

function isAllowed(tables: ReadonlySet<string>, action: number, name: string | null, column: string | null): boolean {
  switch (action) {
    case ACTIONS.select:
    case ACTIONS.transaction:
    case ACTIONS.savepoint:
      return true;
    case ACTIONS.pragma:
      return isLook(name?.toLowerCase() ?? "", column);
    case ACTIONS.function:
      return FUNCTIONS.has(column?.toLowerCase() ?? "");
    case ACTIONS.read:
    case ACTIONS.insert:
      return tables.has(name ?? "") || SCHEMA.includes(name ?? "");
    case ACTIONS.delete:
    case ACTIONS.update:
    // `CREATE TABLE IF NOT EXISTS` of a table that exists.
    case ACTIONS.createTable:
      return tables.has(name ?? "");
    default:
      return false;
  }
}

/** Only of the connection, which ends with the script. */
const SWITCHES = ["foreign_keys", "defer_foreign_keys"];

/** Whatever makes, fills or takes away a table of this database; `ALTER TABLE` has functions of its own for it. */
const INSIDE: readonly number[] = [
  ...[ACTIONS.createIndex, ACTIONS.createTable, ACTIONS.dropIndex, ACTIONS.dropTable, ACTIONS.alterTable],
  ...[ACTIONS.delete, ACTIONS.insert, ACTIONS.update, ACTIONS.read, ACTIONS.select, ACTIONS.reindex],
  ...[ACTIONS.transaction, ACTIONS.savepoint, ACTIONS.createTempTable, ACTIONS.dropTempTable],
  ...[ACTIONS.createView, ACTIONS.dropView],
];
const ALTERING = /^sqlite_(?:rename_\w+|drop_column|add_constraint|drop_constraint|find_constraint|fail)$|^printf$/;

/** SQLite has them without their being made; how many rows they give nobody knows before. */
const GIVEN = /^(?:pragma_.*|dbstat|bytecode|tables_used|sqlite_(?!(?:temp_)?(?:master|schema)$|sequence$).*)$/i;

function isInside(action: number, name: string | null, other: string | null): boolean {
  if (action === ACTIONS.read && GIVEN.test(name ?? "")) return false;
  if (action === ACTIONS.pragma) return SWITCHES.includes(name?.toLowerCase() ?? "");
  if (action !== ACTIONS.function) return INSIDE.includes(action);
  return FUNCTIONS.has(other?.toLowerCase() ?? "") || ALTERING.test(other ?? "");
}

function readRows(statement: Statement): ScratchRun {
  const rows: ScratchRow[] = [];
  let room = MOST_CHARACTERS;
  for (const row of statement.iterate()) {
    for (const value of Object.values(row)) room -= sizeOf(value);
    if (rows.length === MOST_ROWS || room < 0)
      return { type: "error", error: `the answer is too large: at most ${MOST_ROWS} rows` };
    rows.push(row);
  }
  return { type: "rows", rows };
}

function sizeOf(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 1;
}

function countChanges(statement: Statement): ScratchRun {
  const { changes, lastInsertRowid } = statement.run() as { changes: number; lastInsertRowid: number };
  return { type: "changes", changes: Number(changes), lastId: Number(lastInsertRowid) };
}
