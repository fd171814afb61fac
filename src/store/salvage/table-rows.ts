import { baseChecksum, eventChecksum, keyChecksum, readingChecksum, viewsChecksum } from "../checksum.js";
import { isEventName, isEventType } from "../event-store.js";
import type { BaseRow, EventRow, KeyRow, StreamRow } from "../queries.js";
import type { ReadingRow } from "../readings/reading-queries.js";
import type { Row } from "../script.js";
import { isStream } from "../stream.js";
import { FORGETTING } from "../upkeep/forget-session.js";
import type { Cell, Value } from "./page-cells.js";

// A damaged file does not tell which table a page belongs to. The columns of a row do, and its checksum proves it.

type Column = readonly [name: string, kind: "text" | "integer" | "maybe" | "rowid"];

/** The first columns of each table, as the migrations make them: a later version may add some behind them. */
export const TABLES: Readonly<Record<string, readonly Column[]>> = {
  milepost_events: [
    ["seq", "rowid"],
    ["stream", "text"],
    ["version", "integer"],
    ["id", "maybe"],
    ["type", "text"],
    ["at", "integer"],
    ["actor", "maybe"],
    ["data", "text"],
    ["checksum", "integer"],
  ],
  milepost_streams: [
    ["stream", "text"],
    ["version", "integer"],
    ["checksum", "integer"],
    ["pruned", "integer"],
    ["size", "integer"],
    ["at", "integer"],
    ["views", "text"],
    ["views_checksum", "integer"],
  ],
  milepost_bases: [
    ["view", "text"],
    ["stream", "text"],
    ["revision", "integer"],
    ["version", "integer"],
    ["data", "text"],
    ["checksum", "integer"],
  ],
  milepost_keys: [
    ["key", "text"],
    ["stream", "text"],
    ["input", "text"],
    ["answer", "text"],
    ["at", "integer"],
    ["checksum", "integer"],
  ],
  milepost_readings: [
    ["machine", "text"],
    ["path", "text"],
    ["session", "text"],
    ["at", "integer"],
    ["checksum", "integer"],
    ["data", "text"],
  ],
};

/** An event, and its place in the log. */
export interface PlacedEvent extends EventRow {
  readonly xid: number;
  readonly seq: number;
}

export type FoundRow =
  | { readonly table: "event"; readonly row: PlacedEvent; readonly isSound: boolean }
  | { readonly table: "stream"; readonly row: StreamRow; readonly isSound: boolean }
  | { readonly table: "base"; readonly row: BaseRow; readonly isSound: boolean }
  | { readonly table: "answer"; readonly row: KeyRow; readonly isSound: boolean }
  | { readonly table: "reading"; readonly row: ReadingRow; readonly isSound: boolean };

/** Undefined for a row of a table that can be made again, or of none of ours. */
export function toFoundRow({ rowid, values }: Cell): FoundRow | undefined {
  for (const [name, columns] of Object.entries(TABLES)) {
    if (!hasColumns(values, columns)) continue;
    const row = Object.fromEntries(
      columns.map(([column, kind], at) => [column, kind === "rowid" ? rowid : values[at]]),
    );
    return READERS[name]?.(row);
  }
  return undefined;
}

function hasColumns(values: readonly Value[], columns: readonly Column[]): boolean {
  return values.length >= columns.length && columns.every(([, kind], at) => isOfKind(values[at], kind));
}

function isOfKind(value: Value | undefined, kind: Column[1]): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "integer":
      return typeof value === "number";
    case "maybe":
      return value === null || typeof value === "string";
    case "rowid":
      return value === null;
  }
}

const READERS: Readonly<Record<string, (row: Row) => FoundRow>> = {
  milepost_events: (row) => eventFound({ ...row, xid: 0 } as unknown as PlacedEvent),
  milepost_streams: (row) => streamFound(row as unknown as StreamRow),
  milepost_bases: (row) => baseFound(row as unknown as BaseRow),
  milepost_keys: (row) => answerFound(row as unknown as KeyRow),
  milepost_readings: (row) => readingFound(row as unknown as ReadingRow),
};

export function eventFound(row: PlacedEvent): FoundRow {
  const { stream, type, id, actor, data } = row;
  const isOurs =
    isStream(stream) && isEventType(type) && [id, actor].every((name) => name === null || isEventName(name));
  return { table: "event", row, isSound: isOurs && eventChecksum(row) === row.checksum && isJson(data) };
}

export function streamFound(row: StreamRow): FoundRow {
  const isSound = isStream(row.stream) && viewsChecksum(row) === row.views_checksum && isJson(row.views);
  return { table: "stream", row, isSound };
}

export function baseFound(row: BaseRow): FoundRow {
  return { table: "base", row, isSound: baseChecksum(row) === row.checksum && isJson(row.data) };
}

export function answerFound(row: KeyRow): FoundRow {
  return { table: "answer", row, isSound: keyChecksum(row) === row.checksum };
}

function readingFound({ checksum, ...row }: ReadingRow): FoundRow {
  return { table: "reading", row: { ...row, checksum }, isSound: readingChecksum(row) === checksum };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Which event lies at a position, as an index of the log tells it. */
export interface IndexedEvent {
  readonly stream: string;
  readonly version: number;
  readonly seq: number;
}

/** Indexes have no checksum, and those of other tables look alike: whoever asks has to know better. */
export function toIndexedEvent({ values }: Cell): IndexedEvent | undefined {
  const [stream, version, seq, ...more] = values;
  const isEntry = isStream(stream) && isCount(version) && isCount(seq) && more.length === 0;
  return isEntry ? { stream, version, seq } : undefined;
}

function isCount(value: Value | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Of the table of settings only what a salvage asks for. It has no checksums. */
export function toSetting({ values }: Cell): readonly [key: string, value: string] | undefined {
  const [key, value, ...more] = values;
  if (typeof key !== "string") return undefined;
  // Without this note, what somebody wanted forgotten would come back.
  const isAsked = key === "floor" || key === "store" || key === "schema" || key.startsWith(FORGETTING);
  return isAsked && typeof value === "string" && more.length === 0 ? [key, value] : undefined;
}
