import * as zlib from "node:zlib";
import { type JsonObject, objectAt, parseJson, sessionAt } from "../../../core/json.js";
import { type ForeignTables, readForeignTables } from "../../../store/foreign-tables.js";
import type { Row } from "../../../store/script.js";
import type { DatabaseOptions, FoundSessions } from "./database-formats.js";

const EVENTS = "transcript_events";
const EVENT = ["session_id", "seq", "event_json"];
const LONG_EVENT = ["event_zstd", "navigation_json"];

/** Which session is where, as far as the version has it. */
const AROUND: Readonly<Record<string, readonly string[]>> = {
  session_nodes: ["session_key", "current_session_id", "status", "spawned_by", "label", "display_name"],
  session_windows: ["session_id", "session_key", "status", "ended_at", "spawned_by", "parent_session_key"],
  session_progress_cards: ["session_key", "markdown", "steps_json", "revision"],
};

/** Undefined for a file that has other tables. Throws `StoreTrouble` for one that cannot be read. */
export function readOpenclawDatabase(path: string, options: DatabaseOptions = {}): Promise<FoundSessions | undefined> {
  return readForeignTables(path, (tables) => {
    const columns = columnsOf(tables, EVENTS, [...EVENT, ...LONG_EVENT]);
    return EVENT.every((column) => columns.includes(column)) ? find(tables, columns, options) : undefined;
  });
}

function columnsOf(tables: ForeignTables, table: string, wanted: readonly string[]): readonly string[] {
  const there = tables.columns(table);
  return wanted.filter((column) => there.includes(column));
}

function find(tables: ForeignTables, columns: readonly string[], options: DatabaseOptions): FoundSessions {
  const { most = Number.POSITIVE_INFINITY, known } = options;
  const last = columnsOf(tables, EVENTS, ["created_at"]).at(0) ?? "seq";
  const heads = tables.groups({ table: EVENTS, by: "session_id", last, sum: "seq" });
  const newest = heads
    .filter(({ value }) => sessionAt(value) !== undefined)
    .sort((a, b) => Number(b.last) - Number(a.last))
    .slice(0, most);
  const around = rowsAround(tables);
  const changed = newest.flatMap((head) => {
    const id = String(head.value);
    const beside = around(id);
    const state = JSON.stringify([head, beside]);
    if (known?.(id) === state) return [];
    return [{ id, state, record: { ...beside, [EVENTS]: eventsOf(tables, columns, id) } }];
  });
  return { changed, ids: newest.map(({ value }) => String(value)) };
}

/** Rows of other tables that have to do with one session, and with the one that it was started by. */
function rowsAround(tables: ForeignTables): (session: string) => JsonObject {
  const all = (table: string): readonly Row[] => {
    const columns = columnsOf(tables, table, AROUND[table] ?? []);
    return columns.length === 0 ? [] : tables.rows({ table, columns });
  };
  const [nodes, windows, cards] = [all("session_nodes"), all("session_windows"), all("session_progress_cards")];
  return (session) => {
    const window = windows.find((row) => row.session_id === session);
    const node = nodes.find((row) => row.current_session_id === session);
    // The place that it is in, or was in before another one.
    const place = node ?? nodes.find((row) => row.session_key === window?.session_key);
    const parents = [window?.spawned_by, window?.parent_session_key, node?.spawned_by];
    const parent = nodes.find((row) => row !== place && parents.includes(row.session_key));
    return {
      session_nodes: [place, parent].filter((row) => row !== undefined),
      session_windows: window ? [window] : [],
      session_progress_cards: cards.filter(({ session_key: key }) =>
        node ? key === node.session_key : String(key).endsWith(`:${session}`),
      ),
    };
  };
}

function eventsOf(tables: ForeignTables, columns: readonly string[], session: string): readonly JsonObject[] {
  const where = { column: "session_id", value: session };
  const rows = tables.rows({ table: EVENTS, columns, bytes: ["event_zstd"], where, order: "seq" });
  return rows.map(({ event_zstd: packed, navigation_json: navigation, ...row }) =>
    typeof row.event_json === "string" ? row : { ...row, event_json: unpacked(packed) ?? outline(navigation) },
  );
}

/** As much as OpenClaw itself allows for one event. */
const EVENT_MAX = 4 * 1024 * 1024;

/** Not before Node 22.15 or 23.8. */
const unpack: unknown = Reflect.get(zlib, "zstdDecompressSync");

/** Events of some kilobytes and more are packed. */
function unpacked(packed: unknown): string | undefined {
  if (!(packed instanceof Uint8Array) || typeof unpack !== "function") return undefined;
  try {
    return String(unpack(packed, { maxOutputLength: EVENT_MAX }));
  } catch {
    // Damaged, or larger than it may be.
    return undefined;
  }
}

/** What the agent keeps beside a packed event to find its way: who spoke and when, but not what. */
function outline(navigation: unknown): unknown {
  return typeof navigation === "string" ? objectAt(parseJson(navigation)).navigation : undefined;
}
