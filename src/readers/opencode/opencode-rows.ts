import { isObject, type JsonObject, listAt, objectAt, parseJson, sessionAt } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import type { Format, Reader } from "../reader.js";
import { opencodeSession } from "./opencode-session.js";

// Rows of opencode's database, of which each session is made as `opencode export` prints it.

type Rows = readonly JsonObject[];

/** What belongs to one session; parts of all its messages. */
export interface RowsOfSession {
  readonly message: Rows;
  readonly part: Rows;
  /** Its list as it is now; undefined where nobody has looked. */
  readonly todo?: Rows | undefined;
}

/** A copy of all rows as one document, by the names of the tables. */
export const opencodeRows: Format = {
  name: "opencode-rows",
  agent: opencodeSession.agent,
  recognises: ({ session, message, part }) =>
    Array.isArray(message) && Array.isArray(part) && listAt(session).some((row) => isSession(objectAt(row))),
  open: () => READER,
  isArchive: true,
};

function isSession({ id, slug, directory }: JsonObject): boolean {
  return sessionAt(id) !== undefined && typeof slug === "string" && typeof directory === "string";
}

/** Each record says everything. */
const READER: Reader = { read: readRows, save: () => null };

function readRows(record: JsonObject): readonly Observation[] {
  const [messages, parts, todos] = [record.message, record.part, record.todo].map(bySession);
  const exports = opencodeSession.open("");
  return listAt(record.session)
    .map(objectAt)
    .flatMap((session) => {
      const rowsIn = (rows: ReadonlyMap<unknown, Rows> | undefined) => rows?.get(session.id) ?? [];
      const todo = Array.isArray(record.todo) ? rowsIn(todos) : undefined;
      return exports.read(exportOf(session, { message: rowsIn(messages), part: rowsIn(parts), todo }));
    });
}

function bySession(rows: unknown): ReadonlyMap<unknown, Rows> {
  const found = new Map<unknown, JsonObject[]>();
  for (const row of listAt(rows).map(objectAt)) found.set(row.session_id, [...(found.get(row.session_id) ?? []), row]);
  return found;
}

export function exportOf(session: JsonObject, { message, part, todo }: RowsOfSession): JsonObject {
  const messages = [...message].sort((a, b) => Number(a.time_created) - Number(b.time_created) || byId(a, b));
  const parts = new Map<unknown, JsonObject[]>();
  for (const row of [...part].sort(byId)) {
    const known = parts.get(row.message_id);
    if (known) known.push(dataOf(row));
    else parts.set(row.message_id, [dataOf(row)]);
  }
  return {
    info: infoOf(session),
    messages: messages.map((row) => ({ info: dataOf(row), parts: parts.get(row.id) ?? [] })),
    ...(todo && { todos: [...todo].sort((a, b) => Number(a.position) - Number(b.position)) }),
  };
}

/** Ids grow with time. */
function byId(a: JsonObject, b: JsonObject): number {
  const [one, other] = [String(a.id), String(b.id)];
  return one < other ? -1 : Number(one > other);
}

function dataOf({ id, data }: JsonObject): JsonObject {
  return { ...objectAt(valueIn(data)), id };
}

function infoOf({ id, slug, directory, title, version, ...row }: JsonObject): JsonObject {
  const time = { created: row.time_created, updated: row.time_updated, archived: row.time_archived };
  const model = objectAt(valueIn(row.model));
  return { id, slug: slug ?? "", directory, title, version, model, parentID: row.parent_id, time };
}

/** Copies may have the columns as values. */
function valueIn(column: unknown): unknown {
  const value = typeof column === "string" ? parseJson(column) : column;
  return isObject(value) ? value : undefined;
}
