import { type JsonObject, sessionAt } from "../../../core/json.js";
import { exportOf } from "../../../readers/opencode/opencode-rows.js";
import { type ForeignTables, readForeignTables } from "../../../store/foreign-tables.js";
import type { Row } from "../../../store/script.js";
import type { DatabaseOptions, FoundSessions } from "./database-formats.js";

const SESSION = ["id", "parent_id", "slug", "directory", "title", "version", "model"];
const TIMES = ["time_created", "time_updated", "time_archived"];
const MESSAGE = ["id", "session_id", "time_created", "data"];
const TODO = ["session_id", "content", "status", "priority", "position"];
const PART = ["id", "message_id", "session_id", "time_updated", "data"];

/** Undefined for a file that has other tables. Throws `StoreTrouble` for one that cannot be read. */
export function readOpencodeDatabase(path: string, options: DatabaseOptions = {}): Promise<FoundSessions | undefined> {
  return readForeignTables(path, (tables) => find(tables, options));
}

function find(
  tables: ForeignTables,
  { most = Number.POSITIVE_INFINITY, known }: DatabaseOptions,
): FoundSessions | undefined {
  const has = (table: string, columns: readonly string[]) => {
    const there = tables.columns(table);
    return columns.every((column) => there.includes(column));
  };
  const isOurs = has("session", ["id", "directory", "time_updated"]) && has("message", MESSAGE) && has("part", PART);
  if (!isOurs) return undefined;
  const hasTodos = has("todo", TODO);
  const there = tables.columns("session");
  const columns = [...SESSION, ...TIMES].filter((column) => there.includes(column));
  const sessions = tables.rows({ table: "session", columns }).filter(({ id }) => sessionAt(id) !== undefined);
  // A call that ends changes its part, and not always its session.
  const parts = tables.groups({ table: "part", by: "session_id", last: "time_updated" });
  const heads = new Map(parts.map((row) => [String(row.value), row]));
  const lastOf = ({ id, time_updated: time }: Row) =>
    Math.max(Number(time) || 0, Number(heads.get(String(id))?.last) || 0);
  const newest = [...sessions].sort((a, b) => lastOf(b) - lastOf(a)).slice(0, most);
  const changed = newest.flatMap((session) => {
    const id = String(session.id);
    const state = JSON.stringify([session, heads.get(id)]);
    return known?.(id) === state ? [] : [{ id, state, record: recordOf(tables, session, hasTodos) }];
  });
  return { changed, ids: newest.map(({ id }) => String(id)) };
}

function recordOf(tables: ForeignTables, session: Row, hasTodos: boolean): JsonObject {
  const where = { column: "session_id", value: String(session.id) };
  const rowsOf = (table: string, columns: readonly string[]) => tables.rows({ table, columns, where });
  const todo = hasTodos ? rowsOf("todo", TODO) : undefined;
  return exportOf(session, { message: rowsOf("message", MESSAGE), part: rowsOf("part", PART), todo });
}
