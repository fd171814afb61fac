import { baseChecksum, eventChecksum, keyChecksum, readingChecksum } from "./checksum.js";
import { formatCursor } from "./cursor.js";
import type { StoredEvent } from "./event-store.js";
import type { BaseRow, EventRow, KeyRow, Position, StreamRow } from "./queries.js";
import type { Features } from "./query-text.js";
import type { ReadingRow } from "./readings/reading-queries.js";
import type { Reading } from "./readings/readings.js";
import type { Row } from "./script.js";
import { SAVE_REST, StoreTrouble } from "./trouble.js";

// The only place where a row becomes a value of ours. What a row says of itself is checked before anybody believes it.

export function toEvent(features: Features, row: Row): StoredEvent {
  const event = row as unknown as EventRow & Position;
  const { stream, version, type, at, id, actor, data, checksum } = event;
  if (eventChecksum(event) !== checksum) throw damagedEvent(stream, version);
  const cursor = formatCursor(features, event);
  // Most have neither, and a replay makes a million of them.
  if (id === null && actor === null) return { cursor, stream, version, type, at, data: JSON.parse(data) };
  return {
    cursor,
    stream,
    version,
    type,
    at,
    ...(id === null ? undefined : { id }),
    ...(actor === null ? undefined : { actor }),
    data: JSON.parse(data),
  };
}

function damagedEvent(stream: string, version: number): StoreTrouble {
  return new StoreTrouble(
    "store-damaged",
    `Event ${version} of ${stream} is damaged: checksum mismatch. Nothing was changed. ${SAVE_REST}`,
  );
}

/** Its numbers have no checksum; but some cannot be. */
export function toStream(row: Row): StreamRow {
  const stream = row as unknown as StreamRow;
  if (stream.pruned >= 0 && stream.pruned <= stream.version) return stream;
  throw new StoreTrouble(
    "store-damaged",
    `The record of ${stream.stream} is damaged: it cannot have ${stream.version} events, ${stream.pruned} of them pruned. ${SAVE_REST}`,
  );
}

export function toBase(row: Row): BaseRow {
  const base = row as unknown as BaseRow;
  if (baseChecksum(base) !== base.checksum)
    throw new StoreTrouble(
      "store-damaged",
      `The ${base.view} of ${base.stream}, saved when its history was pruned, is damaged: checksum mismatch. ${SAVE_REST}`,
    );
  return base;
}

export function toKey(row: Row): KeyRow {
  const key = row as unknown as KeyRow;
  if (keyChecksum(key) !== key.checksum)
    throw new StoreTrouble("store-damaged", `The stored answer for the key ${key.key} is damaged. Use a new key.`);
  return key;
}

/** Undefined when it is damaged: the transcript is still there, and is read again. */
export function toReading(row: Row): Reading | undefined {
  const { checksum, ...reading } = row as unknown as ReadingRow;
  return readingChecksum(reading) === checksum ? reading : undefined;
}

export function toPosition(row: Row): Position {
  return { xid: String(row.xid), seq: Number(row.seq) };
}
