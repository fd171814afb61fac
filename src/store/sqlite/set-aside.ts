import { renameSync } from "node:fs";
import { StoreTrouble } from "../trouble.js";
import { Connection } from "./connection.js";
import { asTrouble, resultCode } from "./errors.js";
import { readHead } from "./head.js";
import { loadSqlite } from "./library.js";
import { refuseForeign } from "./open.js";
import { findFile, freeName, stat } from "./store-files.js";

export interface SetAside {
  /** Where the store is now; undefined when there was none. */
  readonly kept: string | undefined;
  /** Puts it back. */
  undo(): void;
}

const BUSY = 5;
const PATIENCE_MS = 10_000;

/** The real path of a store that another one may take the place of: ours, damaged or not, or one that is not there. */
export async function findReplaceable(given: string): Promise<string> {
  const { path, size } = findFile(given, {});
  // A head lies beside every store of ours, also beside one that SQLite cannot read any more.
  if (size === 0 || readHead(path).type !== "none") return path;
  const open = await loadSqlite();
  let connection: Connection | undefined;
  try {
    connection = new Connection(open(path, { readOnly: true, timeout: PATIENCE_MS }));
    refuseForeign(connection, path);
    return path;
  } catch (error) {
    const trouble = asTrouble(error, path);
    if (!(trouble instanceof StoreTrouble) || trouble.code !== "store-damaged") throw trouble;
    throw new StoreTrouble(
      "not-a-store",
      `${path} is not a store of Milepost. Nothing was changed; move it away first.`,
    );
  } finally {
    connection?.close();
  }
}

/**
 * Gives a store another name, with its journal. Its head stays: with a head and no store, nobody who comes in between
 * begins a new one. Processes that have it open refuse to write from then on. `path`: its real one.
 */
export async function setFileAside(path: string): Promise<SetAside> {
  const kept = freeName(`${path}.replaced`);
  if (!stat(path)) {
    // A journal without its store would be taken for that of the next file of this name.
    moveFiles(path, kept);
    return { kept: undefined, undo: () => moveFiles(kept, path) };
  }
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
    // Then there is only one file that matters, whatever happens between two of them.
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
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
