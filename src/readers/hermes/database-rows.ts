import { type JsonObject, listAt, parseJson } from "../../core/json.js";

/** A row of Hermes' database, column by column. */
type Row = { readonly [column: string]: unknown };

/** How Hermes marks a list of parts in a column that otherwise holds a text. */
const PARTS = "\0json:";

/** A message as the other forms of a session have it. */
export function messageOfRow(row: Row): JsonObject {
  const { role, content: text, tool_call_id, tool_name, timestamp, tool_calls: made } = row;
  const calls = listAt(typeof made === "string" ? parseJson(made) : made);
  const content = typeof text === "string" && text.startsWith(PARTS) ? parseJson(text.slice(PARTS.length)) : text;
  const message = { role, content, tool_call_id, tool_name, timestamp };
  return calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

/** Old databases have neither column: then every row counts. */
export function isLiveRow({ active }: Row): boolean {
  return active === undefined || Number(active) === 1;
}

/** Put away by a compaction; a row that is neither was taken back by a person. */
export function isCompactedRow({ active, compacted }: Row): boolean {
  return Number(active ?? 1) !== 1 && Number(compacted ?? 0) === 1;
}

export interface SessionRows {
  readonly session: Row;
  readonly messages: readonly Row[];
  readonly parent?: Row | undefined;
  /** Messages of a parent that was put away whole. */
  readonly earlier?: readonly Row[] | undefined;
}

/** Older versions ended the session and began a new one with each compaction. */
export function isContinuation(session: Row, parent: Row | undefined): boolean {
  return parent?.end_reason === "compression" && isAfter(session, parent);
}

/** Such a parent is the earlier part of the same talk, or what it was copied from; not the one who asked for it. */
export function isSameTalk(session: Row, parent: Row | undefined): boolean {
  return isContinuation(session, parent) || (parent?.end_reason === "branched" && isAfter(session, parent));
}

/** A sub-agent was started while its parent was at work, whatever became of that one. */
function isAfter({ started_at: start }: Row, { ended_at: end }: Row): boolean {
  return typeof start !== "number" || typeof end !== "number" || start >= end;
}

export function recordOfRows({ session, messages, parent, earlier = [] }: SessionRows): JsonObject {
  return {
    ...session,
    ...(isSameTalk(session, parent) ? { is_continuation: true } : undefined),
    messages_before: [...earlier, ...messages.filter(isCompactedRow)].map(messageOfRow),
    messages: messages.filter(isLiveRow).map(messageOfRow),
  };
}
