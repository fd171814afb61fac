import { type JsonObject, listAt, objectAt, sessionAt, textAt } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import type { Format, Reader } from "../reader.js";
import { HERMES, HermesSession } from "./hermes-session.js";
import { HermesTalks, type Talk } from "./talks.js";

/** Whole sessions: lines of `hermes sessions export`, a snapshot `session_ID.json`, or rows of its database joined. */
export const hermesSessions: Format = {
  name: "hermes-sessions",
  agent: HERMES,
  recognises: (record) => Array.isArray(record.messages) && idOf(record) !== undefined && isSession(record),
  open: (file, { saved } = {}) => new SessionsReader(file, saved as readonly Talk[] | undefined),
  isArchive: true,
};

function isSession(record: JsonObject): boolean {
  return ["started_at", "source", "session_start", "last_updated"].some((column) => record[column] !== undefined);
}

function idOf({ id, session_id: snapshot }: JsonObject): string | undefined {
  return sessionAt(id) ?? sessionAt(snapshot);
}

class SessionsReader implements Reader {
  readonly #file: string;
  readonly #talks: HermesTalks;

  constructor(file: string, saved: readonly Talk[] | undefined) {
    this.#file = file;
    this.#talks = new HermesTalks(saved);
  }

  /** Each record says everything but what comes from another one. */
  save(): readonly Talk[] {
    return this.#talks.save();
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
    // Rows of a database come with what was before them.
    if (record.messages_before !== undefined) return session.take();
    return [...session.take(), ...this.#talks.hear(talkOf(session, record))];
  }
}

function talkOf({ id, list, answers }: HermesSession, record: JsonObject): Talk {
  const { started_at: start, ended_at: end } = record;
  return {
    id,
    parent_session_id: sessionAt(record.parent_session_id) ?? null,
    end_reason: textAt(record.end_reason) ?? null,
    started_at: typeof start === "number" ? start : null,
    ended_at: typeof end === "number" ? end : null,
    list,
    answers,
  };
}
