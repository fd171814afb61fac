import { renameSync } from "node:fs";
import { Connection } from "./connection.js";
import { asTrouble, resultCode } from "./errors.js";
import { loadSqlite } from "./library.js";
import { realPath } from "./real-path.js";
import { freeName, stat } from "./store-files.js";

export interface SetAside {
  /** Where the store is now; undefined when there was none. */
  readonly kept: string | undefined;
  /** Puts it back. */
  undo(): void;
}

const BUSY = 5;
const PATIENCE_MS = 10_000;

/**
 * Gives a store another name, with its journal. Its head stays: with a head and no store, nobody who comes in between
 * begins a new one. Processes that have it open refuse to write from then on.
 */
export async function setFileAside(given: string): Promise<SetAside> {
  const path = realPath(given);
  if (!stat(path)) return { kept: undefined, undo: () => undefined };
  const kept = freeName(`${path}.replaced`);
  const lock = await lockWriters(path);
  try {
    moveFiles(path, kept);
    // They look where their file is when somebody else has written to it.
    lock?.exec("COMMIT");
  } finally {
    lock?.close();
  }
  return { kept, undo: () => moveFiles(kept, path) };
}

function moveFiles(from: string, to: string): void {
  for (const end of ["", "-wal", "-shm"]) if (stat(`${from}${end}`)) renameSync(`${from}${end}`, `${to}${end}`);
}

/** Nobody is in the middle of a write while files move. A damaged store cannot be locked, and is moved all the same. */
async function lockWriters(path: string): Promise<Connection | undefined> {
  const open = await loadSqlite();
  let connection: Connection | undefined;
  try {
    connection = new Connection(open(path, { timeout: PATIENCE_MS }));
    connection.exec("BEGIN IMMEDIATE");
    const version = connection.value("PRAGMA user_version");
    connection.exec(`PRAGMA user_version = ${Number(version)}`);
    return connection;
  } catch (error) {
    connection?.close();
    if (resultCode(error) === BUSY) throw asTrouble(error, path);
    return undefined;
  }
}
