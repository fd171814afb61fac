import type { ScratchTables } from "../../core/scratch-tables.js";
import { isFinished } from "../../core/session/finished/finished-list.js";
import { decide } from "../../core/todo/decide.js";
import { evolveAll } from "../../core/todo/evolve.js";
import type { TodoList } from "../../core/todo/list.js";
import { copilot } from "../../dialects/copilot/copilot.js";
import { fillTables, listCommand, makeTables, missingTables, rowsOf } from "../../dialects/copilot/sql-rows.js";
import { keywordOf, statementsOf } from "../../dialects/copilot/sql-script.js";
import { type TableSizes, workOf } from "../../dialects/copilot/sql-work.js";
import type { WrittenList } from "../whole-list.js";
import { fillFrom, type SavedTables, saveTables, sizesOf } from "./saved-tables.js";

// What the program's own database has run is run once more. The model has more in there than its list: columns and
// tables of its own, which later statements about the list ask. So all tables are kept from call to call.

/** Rows that one query may come by: some seconds at the worst. */
const MOST_WORK = 1e7;
/** What looking at a table's size costs, as rows. */
const SIZE_WORK = 2000;
const LIST_WRITE = /\b(?:todos|todo_deps)\b/i;
const CREATES = /\bcreate\b/i;
/** The others only look. A pragma ends with the connection, which is a new one for each query. */
const WRITERS = "INSERT UPDATE DELETE REPLACE WITH CREATE ALTER DROP PRAGMA".split(" ");
const BOUNDARIES = "BEGIN COMMIT END ROLLBACK SAVEPOINT RELEASE".split(" ");

export interface Replay {
  /** Undefined: the list is all that is known. */
  readonly saved: SavedTables | undefined;
  /** What the program has run. */
  readonly query: string;
  /** When it has, in milliseconds. */
  readonly at: number | undefined;
  readonly openTables: () => ScratchTables;
}

export interface Replayed {
  readonly saved: SavedTables | undefined;
  /** Undefined where nothing of it was about the list. */
  readonly written: WrittenList | undefined;
}

export function replay(before: TodoList, { saved, query, at, openTables }: Replay): Replayed {
  const tables = openTables();
  const clock = clockAt(at);
  try {
    const known = rowsOf(before);
    if (saved) fillFrom(tables, withSql(saved, clock.set));
    else fillTables(tables, known, clock.set);
    // A table that was dropped is made again by the call after the next; one that a query could use was there.
    const missing = missingTables(tables);
    if (!CREATES.test(query)) makeTables(tables, missing, clock.set);
    const isWrite = runAll(clock.set(query), tables);
    tables.settle();
    makeTables(tables, missing, clock.set);
    const after = saveTables(tables);
    const written = isWrite ? writtenBy(before, listCommand(tables, before, known)) : undefined;
    return { saved: after && withSql(after, clock.unset), written };
  } finally {
    tables.close();
  }
}

function withSql(saved: SavedTables, change: (sql: string) => string): SavedTables {
  return saved.map((one) => ({ ...one, sql: change(one.sql) }));
}

function writtenBy(before: TodoList, command: Parameters<typeof decide>[1]): WrittenList | undefined {
  const decided = decide(before, command, copilot.policy);
  if (!decided.ok) return undefined;
  const list = evolveAll(before, decided.value.events);
  return isFinished(list) && !isFinished(before) ? { list, finished: list } : { list };
}

/** The program has run all of it: what is refused here does not stop the others. True for a write of the list. */
function runAll(query: string, tables: ScratchTables): boolean {
  let room = MOST_WORK;
  let isWrite = false;
  for (const statement of statementsOf(query)) {
    const keyword = keywordOf(statement);
    const isBoundary = BOUNDARIES.includes(keyword);
    if (!isBoundary && !WRITERS.includes(keyword)) continue;
    const sizes = sizesOf(tables);
    const { most, length } = workOf(statement, withGiven(sizes, statement));
    room -= SIZE_WORK * sizes.counts.size;
    if (room < 0) break;
    if (most > room) continue;
    room -= most;
    const before = changesIn(tables);
    const ran = tables.run(statement, { wants: keyword === "WITH" ? "rows" : "changes", length, reach: "database" });
    const isOfList = ran.type !== "error" && LIST_WRITE.test(statement);
    isWrite ||= isOfList && (changesIn(tables) !== before || ["ALTER", "DROP"].includes(keyword));
  }
  return isWrite;
}

/** Rows out of JSON: as many as its text may have, where it is written there; else out of whatever could be made. */
function withGiven(sizes: TableSizes, statement: string): TableSizes {
  const isWritten = [...statement.matchAll(JSON_ROWS)].every(([, written]) => written);
  const rows = isWritten ? statement.length / 2 : 500_000;
  return { ...sizes, counts: new Map([...sizes.counts, ["json_each", rows], ["json_tree", rows]]) };
}

const JSON_ROWS = /\bjson_(?:each|tree)\b["`\]]?\s*\(?\s*('(?:[^']|'')*'\s*[,)])?/gi;

function changesIn(tables: ScratchTables): unknown {
  return tables.ask("SELECT total_changes() AS changes")[0]?.changes;
}

const NOW = /\b((?:date|time|datetime|julianday|unixepoch)\(\s*|strftime\(\s*'[^']*'\s*,\s*)'now'/gi;

/** What is "now" in a statement was when it ran. */
function clockAt(at: number | undefined) {
  const time = at === undefined ? "now" : new Date(at).toISOString().replace("T", " ").replace("Z", "");
  return {
    set: (sql: string) => sql.replace(NOW, `$1'${time}'`),
    unset: (sql: string) => sql.replaceAll(`'${time}'`, "'now'"),
  };
}
