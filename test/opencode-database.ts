import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, loadSqlite } from "../src/store/sqlite/library.js";

type Fields = Readonly<Record<string, unknown>>;

/** Rows of opencode's database, as far as we look at it, with `data` as the object that it holds. */
export interface OpencodeRows {
  readonly session: readonly Fields[];
  readonly message: readonly Fields[];
  readonly part: readonly Fields[];
}

const TABLES = [
  "CREATE TABLE session (id text PRIMARY KEY, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL, model text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer)",
  "CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
  "CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
];
const COLUMNS = {
  session: "id parent_id slug directory title version model time_created time_updated time_archived".split(" "),
  message: "id session_id time_created time_updated data".split(" "),
  part: "id message_id session_id time_created time_updated data".split(" "),
};

/** Stays open: the agent is at work while others read. */
export async function makeOpencodeDatabase(path: string, rows: OpencodeRows): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true });
  const database = (await loadSqlite())(path, {});
  database.exec("PRAGMA journal_mode = wal");
  for (const table of TABLES) database.exec(table);
  for (const table of ["session", "message", "part"] as const)
    for (const row of rows[table]) insertRow(database, table, row);
  return database;
}

export function insertRow(database: Database, table: keyof OpencodeRows, row: Fields): void {
  const values = COLUMNS[table].map((column) => literal(row[column]));
  database.exec(`INSERT OR REPLACE INTO ${table} VALUES (${values.join(", ")})`);
}

function literal(value: unknown): string {
  if (value === undefined || value === null) return "NULL";
  if (typeof value === "number") return `${value}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** What `opencode export` prints, as the rows that it was made of. */
export function rowsOfExport({ info, messages }: { info: Fields; messages: readonly Message[] }): OpencodeRows {
  const time = info.time as { created: number; updated: number };
  const at = { time_created: time.created, time_updated: time.updated };
  return {
    session: [{ ...info, ...at, parent_id: info.parentID }],
    message: messages.map(({ info: { id, sessionID, ...data } }) => ({
      id,
      session_id: sessionID,
      ...timesOf(data),
      data,
    })),
    part: messages.flatMap(({ parts }) =>
      parts.map(({ id, messageID, sessionID, ...data }) => ({
        ...{ id, message_id: messageID, session_id: sessionID, ...at },
        data,
      })),
    ),
  };
}

interface Message {
  readonly info: Fields;
  readonly parts: readonly Fields[];
}

function timesOf(data: Fields) {
  const { created } = data.time as { created: number };
  return { time_created: created, time_updated: created };
}
