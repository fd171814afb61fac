import { type JsonObject, sessionAt } from "../../../core/json.js";
import { isContinuation, recordOfRows } from "../../../readers/hermes/database-rows.js";
import { type ForeignTables, readForeignTables } from "../../../store/foreign-tables.js";
import type { Row } from "../../../store/script.js";
import type { DatabaseOptions, FoundSessions } from "./database-formats.js";

const WHO = ["id", "source", "model", "parent_session_id", "started_at", "ended_at", "end_reason", "title", "cwd"];
const TOKENS = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"];
const COSTS = ["actual_cost_usd", "estimated_cost_usd"];
const MESSAGE = ["id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"];
const STATES = ["active", "compacted"];

/** Undefined for a file that has other tables. Throws `StoreTrouble` for one that cannot be read. */
export function readHermesDatabase(path: string, options: DatabaseOptions = {}): Promise<FoundSessions | undefined> {
  return readForeignTables(path, (tables) => {
    const rows = rowsOf(tables);
    return rows && find(rows, options);
  });
}

interface Rows {
  readonly sessions: ReadonlyMap<string, Row>;
  /** What is known of a session's messages without reading them. */
  readonly heads: ReadonlyMap<string, Row>;
  /** In the order in which they were written. */
  messages(session: string): readonly Row[];
}

function rowsOf(tables: ForeignTables): Rows | undefined {
  const there = (table: string, wanted: readonly string[]) => {
    const columns = tables.columns(table);
    return wanted.filter((column) => columns.includes(column));
  };
  const sessionColumns = there("sessions", [...WHO, ...TOKENS, ...COSTS]);
  const messageColumns = there("messages", [...MESSAGE, ...STATES]);
  const isOurs =
    sessionColumns.includes("id") && ["id", "session_id", "role"].every((one) => messageColumns.includes(one));
  if (!isOurs) return undefined;
  const sum = messageColumns.includes("active") ? { sum: "active" } : undefined;
  const heads = tables.groups({ table: "messages", by: "session_id", last: "id", ...sum });
  const sessions = tables.rows({ table: "sessions", columns: sessionColumns });
  const messages = { table: "messages", columns: messageColumns, order: "id" };
  return {
    sessions: new Map(sessions.flatMap((row) => (sessionAt(row.id) === undefined ? [] : [[String(row.id), row]]))),
    heads: new Map(heads.map((row) => [String(row.value), row])),
    messages: (session) => tables.rows({ ...messages, where: { column: "session_id", value: session } }),
  };
}

function find(rows: Rows, { most = Number.POSITIVE_INFINITY, known }: DatabaseOptions): FoundSessions {
  const lastOf = (id: string) => Number(rows.heads.get(id)?.last ?? 0);
  const all = [...rows.sessions.keys()].sort((a, b) => lastOf(b) - lastOf(a));
  const chosen = withParents(rows, all.slice(0, most));
  const newest = all.filter((id) => chosen.has(id));
  const changed = newest.flatMap((id) => {
    const session = rows.sessions.get(id);
    // Whose it is depends on how its parent ended.
    const parent = rows.sessions.get(String(session?.parent_session_id));
    const state = JSON.stringify([session, rows.heads.get(id), parent?.end_reason, parent?.ended_at]);
    return known?.(id) === state ? [] : [{ id, state, record: recordOf(rows, id) }];
  });
  return { changed, ids: newest };
}

/** Who waits for sub-agents writes nothing meanwhile, and is at work all the same. */
function withParents({ sessions }: Rows, ids: readonly string[]): ReadonlySet<string> {
  const chosen = new Set(ids);
  // A set is walked with what is added to it meanwhile.
  for (const id of chosen) {
    const parent = String(sessions.get(id)?.parent_session_id);
    if (sessions.has(parent)) chosen.add(parent);
  }
  return chosen;
}

function recordOf(rows: Rows, id: string): JsonObject {
  const session = rows.sessions.get(id) ?? {};
  const parent = rows.sessions.get(String(session.parent_session_id));
  return recordOfRows({ session, parent, messages: rows.messages(id), earlier: earlierRows(rows, session) });
}

/** More compactions than anybody's list goes back. */
const DEEPEST = 20;

/** Messages of the sessions that were put away for this one, the oldest first. */
function earlierRows(rows: Rows, session: Row, depth = DEEPEST): readonly Row[] {
  const id = String(session.parent_session_id);
  const parent = rows.sessions.get(id);
  if (!parent || !isContinuation(session, parent) || depth === 0) return [];
  return [...earlierRows(rows, parent, depth - 1), ...rows.messages(id)];
}
