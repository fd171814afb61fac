import { isObject, type JsonObject, objectAt, parseJson, sessionAt } from "../../../core/json.js";
import { type ForeignTables, readForeignTables } from "../../../store/foreign-tables.js";
import type { Row } from "../../../store/script.js";
import type { DatabaseOptions, FoundSessions } from "./database-formats.js";

const SESSION = ["id", "parent_id", "slug", "directory", "title", "version", "model"];
const TIMES = ["time_created", "time_updated", "time_archived"];
const MESSAGE = ["id", "session_id", "time_created", "data"];
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
    return known?.(id) === state ? [] : [{ id, state, record: recordOf(tables, session) }];
  });
  return { changed, ids: newest.map(({ id }) => String(id)) };
}

/** As `opencode export` prints it. */
function recordOf(tables: ForeignTables, session: Row): JsonObject {
  const where = { column: "session_id", value: String(session.id) };
  const messages = [...tables.rows({ table: "message", columns: MESSAGE, where })];
  messages.sort((a, b) => Number(a.time_created) - Number(b.time_created) || byId(a, b));
  const parts = new Map<string, JsonObject[]>();
  for (const row of [...tables.rows({ table: "part", columns: PART, where })].sort(byId)) {
    const of = String(row.message_id);
    const known = parts.get(of);
    if (known) known.push(dataOf(row));
    else parts.set(of, [dataOf(row)]);
  }
  return {
    info: infoOf(session),
    messages: messages.map((row) => ({ info: dataOf(row), parts: parts.get(String(row.id)) ?? [] })),
  };
}

/** Ids grow with time. */
function byId(a: Row, b: Row): number {
  const [one, other] = [String(a.id), String(b.id)];
  return one < other ? -1 : Number(one > other);
}

function dataOf({ id, data }: Row): JsonObject {
  const value = typeof data === "string" ? parseJson(data) : undefined;
  return isObject(value) ? { ...value, id } : { id };
}

function infoOf({ id, slug, directory, title, version, ...row }: Row): JsonObject {
  const time = { created: row.time_created, updated: row.time_updated, archived: row.time_archived };
  const model = objectAt(typeof row.model === "string" ? parseJson(row.model) : undefined);
  return { id, slug: slug ?? "", directory, title, version, model, parentID: row.parent_id, time };
}
