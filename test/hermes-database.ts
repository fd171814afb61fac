import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, loadSqlite } from "../src/store/sqlite/library.js";

/** A database as Hermes has it, as far as we look at it. */
export interface HermesDatabase {
  readonly database: Database;
  session(id: string, fields?: Readonly<Record<string, unknown>>): void;
  message(session: string, role: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Ends it, with nothing beside the file: what a statement holds open is no part of the test. */
  close(): void;
  /** A call of the todo tool, and its answer. */
  wrote(session: string, call: string, texts: readonly string[], fields?: Readonly<Record<string, unknown>>): void;
}

interface MakeOptions {
  /** Before there were `active` and `compacted`. */
  readonly isOld?: boolean;
  readonly journal?: "wal" | "delete";
}

/** Seconds; each message comes a second after the one before it. */
export const START = 1_788_300_000;

export async function makeHermesDatabase(path: string, options: MakeOptions = {}): Promise<HermesDatabase> {
  const { isOld = false, journal = "wal" } = options;
  mkdirSync(dirname(path), { recursive: true });
  const database = (await loadSqlite())(path, {});
  database.exec(`PRAGMA journal_mode = ${journal}`);
  database.exec("CREATE TABLE schema_version (version INTEGER)");
  database.exec(
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, title TEXT, cwd TEXT, input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0)",
  );
  database.exec(
    `CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL${isOld ? "" : ", active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0"})`,
  );
  return new Writer(path, database);
}

class Writer implements HermesDatabase {
  readonly database: Database;
  readonly #path: string;
  #seconds = START;

  constructor(path: string, database: Database) {
    this.#path = path;
    this.database = database;
  }

  close(): void {
    this.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const bytes = readFileSync(this.#path);
    this.database.close();
    for (const ending of ["", "-wal", "-shm"]) rmSync(this.#path + ending, { force: true });
    writeFileSync(this.#path, bytes);
  }

  session(id: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#insert("sessions", { id, source: "cli", started_at: this.#seconds, ...fields });
  }

  message(session: string, role: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#seconds += 1;
    this.#insert("messages", { session_id: session, role, timestamp: this.#seconds, ...fields });
  }

  wrote(session: string, call: string, texts: readonly string[], fields: Readonly<Record<string, unknown>> = {}): void {
    const todos = texts.map((content, at) => ({ id: `${at}`, content, status: at === 0 ? "in_progress" : "pending" }));
    const calls = [{ id: call, type: "function", function: { name: "todo_list", arguments: "{}" } }];
    this.message(session, "assistant", { content: "", tool_calls: JSON.stringify(calls), ...fields });
    const content = JSON.stringify({ todos, revision: 1, summary: {} });
    this.message(session, "tool", { tool_call_id: call, tool_name: "todo_list", content, ...fields });
  }

  #insert(table: string, fields: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(fields);
    const places = names.map(() => "?").join(", ");
    this.database
      .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`)
      .run(...Object.values(fields));
  }
}
