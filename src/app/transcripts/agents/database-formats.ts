import type { JsonObject } from "../../../core/json.js";
import { hermesSessions } from "../../../readers/hermes/session-files.js";
import { openclawSessions } from "../../../readers/openclaw/openclaw-sessions.js";
import { opencodeSession } from "../../../readers/opencode/opencode-session.js";
import type { Format } from "../../../readers/reader.js";
import { readHermesDatabase } from "./hermes-database.js";
import { readOpenclawDatabase } from "./openclaw-database.js";
import { readOpencodeDatabase } from "./opencode-database.js";

/** A session of the database as one record, and what tells whether it has changed since. */
interface FoundSession {
  readonly id: string;
  readonly state: string;
  readonly record: JsonObject;
}

export interface DatabaseOptions {
  /** So many of those that were written last. */
  readonly most?: number;
  /** The state in which a session was seen last: as long as it has the same, it is not read again. */
  readonly known?: (id: string) => string | undefined;
}

export interface FoundSessions {
  /** Those that are new or have changed, the one that was written last first. */
  readonly changed: readonly FoundSession[];
  /** All of them, in the same order. */
  readonly ids: readonly string[];
}

/** A database of SQLite in which an agent keeps all of its sessions. A new one is a file and a row below. */
interface DatabaseFormat {
  /** The name of the file, where the agent itself has put it. */
  readonly name: string;
  /** Reads the records that `read` gives. */
  readonly format: Format;
  /** Undefined for a file that has other tables. Throws `StoreTrouble` for one that cannot be read. */
  read(path: string, options?: DatabaseOptions): Promise<FoundSessions | undefined>;
}

const DATABASES: readonly DatabaseFormat[] = [
  { name: "state.db", format: hermesSessions, read: readHermesDatabase },
  { name: "openclaw-agent.sqlite", format: openclawSessions, read: readOpenclawDatabase },
  { name: "opencode.db", format: opencodeSession, read: readOpencodeDatabase },
];

export function isDatabaseName(name: string): boolean {
  return DATABASES.some((database) => database.name === name);
}

/** By its tables, whatever the file is called. */
export async function readDatabase(
  path: string,
  options: DatabaseOptions = {},
): Promise<(FoundSessions & { readonly format: Format }) | undefined> {
  for (const { format, read } of DATABASES) {
    const found = await read(path, options);
    if (found) return { ...found, format };
  }
  return undefined;
}
