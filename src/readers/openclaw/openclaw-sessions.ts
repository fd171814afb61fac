import { isObject, type JsonObject, listAt, objectAt, parseJson, sessionAt } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import type { Format, Reader } from "../reader.js";
import { OPENCLAW, OpenclawSession, type SessionRows } from "./openclaw-session.js";

/** Rows of OpenClaw's database, under the names of its tables: of one session, or of all that are in a copy. */
export const openclawSessions: Format = {
  name: "openclaw-sessions",
  agent: OPENCLAW,
  recognises: ({ transcript_events: events }) =>
    listAt(events).some((row) => sessionAt(objectAt(row).session_id) !== undefined && "event_json" in objectAt(row)),
  open: () => READER,
  isArchive: true,
};

/** Each record says everything. */
const READER: Reader = { read: readRows, save: () => null };

function readRows(record: JsonObject): readonly Observation[] {
  const events = new Map<string, JsonObject[]>();
  for (const row of listAt(record.transcript_events).map(objectAt)) {
    const session = sessionAt(row.session_id);
    const event = valueIn(row.event_json);
    if (session === undefined || !isObject(event)) continue;
    const before = events.get(session);
    if (before) before.push(event);
    else events.set(session, [event]);
  }
  return [...events].flatMap(([id, found]) => {
    const rows = rowsBeside(record, id, found);
    const session = new OpenclawSession(id);
    session.introduce(rows);
    for (const event of found) session.read(event);
    session.close(rows);
    return session.take();
  });
}

/** Copies may have the columns as values. */
function valueIn(column: unknown): unknown {
  return typeof column === "string" ? parseJson(column) : column;
}

/** A card belongs to the place where people talk, which goes through sessions: the one that is on there now has it. */
function rowsBeside(record: JsonObject, session: string, events: readonly JsonObject[]): SessionRows {
  const nodes = listAt(record.session_nodes).map(objectAt);
  const window =
    listAt(record.session_windows)
      .map(objectAt)
      .find((row) => row.session_id === session) ?? {};
  const node = nodes.find((row) => row.current_session_id === session);
  const key = node?.session_key ?? (nodes.length === 0 ? onlyKey(record, session) : undefined);
  const card = listAt(record.session_progress_cards)
    .map(objectAt)
    .find((row) => row.session_key === key);
  const parentKey = window.spawned_by ?? node?.spawned_by ?? window.parent_session_key;
  const parent = parentKey == null ? undefined : nodes.find((row) => row.session_key === parentKey);
  return {
    parent: parent?.current_session_id,
    title: [node?.label, node?.display_name, window.display_name].find((name) => isGiven(name, key)),
    card:
      card && key !== undefined && events.length > 0 ? { ...card, steps_json: valueIn(card.steps_json) } : undefined,
    lastRun: { endedAt: window.ended_at, status: window.status },
    isOver: isReplaced(session, window, nodes) || isBroken(window, node),
  };
}

/** A gateway names a session by the end of its key until somebody gives it a name. */
function isGiven(name: unknown, key: unknown): boolean {
  return typeof name === "string" && name !== "" && !(typeof key === "string" && key.endsWith(`:${name}`));
}

/** Without the table that says which session is whose, the key itself has to: its last part is mostly the session. */
function onlyKey(record: JsonObject, session: string): unknown {
  const cards = listAt(record.session_progress_cards).map(objectAt);
  return cards.find(({ session_key: key }) => typeof key === "string" && key.endsWith(`:${session}`))?.session_key;
}

/** Another session is on in its place. When its last run ended says nothing: each run of a gateway ends. */
function isReplaced(session: string, { session_key: key }: JsonObject, nodes: readonly JsonObject[]): boolean {
  const place = nodes.find((row) => row.session_key === key);
  return typeof place?.current_session_id === "string" && place.current_session_id !== session;
}

const OVER = ["failed", "killed", "timeout"];

/** A run of a sub-agent that nobody will take up again. */
function isBroken({ status, spawned_by: spawned }: JsonObject, node: JsonObject | undefined): boolean {
  return typeof spawned === "string" && OVER.includes(String(node?.status ?? status));
}
