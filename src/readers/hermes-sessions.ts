import type { Observation } from "../core/session/observation.js";
import { HERMES, HermesSession } from "./hermes-session.js";
import { type JsonObject, listAt, objectAt, sessionAt } from "./json.js";
import type { Format, Reader } from "./reader.js";

/**
 * Whole sessions, each one a record with its messages: a line of `hermes sessions export`, a snapshot `session_ID.json`, or
 * what the rows of its database were put together to.
 */
export const hermesSessions: Format = {
  name: "hermes-sessions",
  agent: HERMES,
  recognises: (record) => Array.isArray(record.messages) && idOf(record) !== undefined && isSession(record),
  open: (file) => new SessionsReader(file),
  isArchive: true,
};

/** One of the columns that every session has. */
function isSession({ started_at: row, source, session_start: snapshot, last_updated: updated }: JsonObject): boolean {
  return [row, source, snapshot, updated].some((field) => field !== undefined);
}

function idOf({ id, session_id: snapshot }: JsonObject): string | undefined {
  return sessionAt(id) ?? sessionAt(snapshot);
}

class SessionsReader implements Reader {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Each record says everything. */
  save(): null {
    return null;
  }

  read(record: JsonObject): readonly Observation[] {
    const [, named] = /^session_(.+)\.json$/.exec(this.#file) ?? [];
    const id = idOf(record) ?? sessionAt(named);
    if (id === undefined || !Array.isArray(record.messages)) return [];
    const session = new HermesSession(id);
    session.introduce(record);
    session.remember(listAt(record.messages_before));
    for (const message of record.messages) session.read(objectAt(message));
    if (record.last_updated !== undefined) session.hear(record.last_updated);
    if (record.ended_at != null) session.end(record.ended_at);
    return session.take();
  }
}
