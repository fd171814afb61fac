import { raw } from "sql-template-tag";
import type { BaseRow, KeyRow, StreamRow } from "../queries.js";
import { query } from "../query-text.js";
import type { ReadingRow } from "../readings/reading-queries.js";
import type { Query, Row } from "../script.js";
import { Connection } from "../sqlite/connection.js";
import { loadSqlite } from "../sqlite/library.js";
import { eventFound, type FoundRow, type IndexedEvent, type PlacedEvent } from "./table-rows.js";

// What was found in a damaged store, each thing once: in a file of SQLite's own that has no name and goes with the
// process, because a store may be larger than the memory.

const TABLES = `
  PRAGMA journal_mode = OFF;
  CREATE TABLE events (number INTEGER PRIMARY KEY, stream TEXT, version INTEGER, xid INTEGER, seq INTEGER,
    id TEXT UNIQUE, row TEXT, UNIQUE (stream, version));
  CREATE INDEX events_by_seq ON events (seq);
  CREATE TABLE places (place INTEGER PRIMARY KEY, event INTEGER);
  CREATE TABLE damaged (seq INTEGER PRIMARY KEY, row TEXT);
  CREATE TABLE indexed (seq INTEGER PRIMARY KEY, stream TEXT, version INTEGER);
  CREATE INDEX indexed_by_stream ON indexed (stream);
  CREATE TABLE streams (stream TEXT PRIMARY KEY, age INTEGER, row TEXT);
  CREATE TABLE bases (view TEXT, stream TEXT, age INTEGER, row TEXT, PRIMARY KEY (stream, view));
  CREATE TABLE answers (key TEXT PRIMARY KEY, age INTEGER, row TEXT);
  CREATE TABLE readings (machine TEXT, path TEXT, age INTEGER, row TEXT, PRIMARY KEY (machine, path));
  BEGIN`;

const PAGE = 500;

/** A row that is no event. */
export type OtherRow = Exclude<FoundRow, { readonly table: "event" }>;

export class FoundRows {
  /** The last position of the log that anything speaks of, once all is mended. */
  last = 0;
  /** How far the log had come, as the head tells. */
  acknowledged = 0;
  readonly settings = new Map<string, string>();
  readonly #connection: Connection;
  readonly #damaged: OtherRow[] = [];

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(): Promise<FoundRows> {
    const open = await loadSqlite();
    const connection = new Connection(open("", {}));
    connection.exec(TABLES);
    return new FoundRows(connection);
  }

  close(): void {
    this.#connection.close();
  }

  /** Of a row that was changed, the newest one counts: that of the highest version, or of the latest time. */
  add(found: FoundRow): void {
    if (found.table === "event") {
      if (found.isSound) this.#addEvent(found.row);
      else this.#addDamaged(found.row);
    } else if (found.isSound) this.#ask(saving(found));
    else this.#damaged.push(found);
  }

  #addEvent(row: PlacedEvent): void {
    const { stream, version, xid, seq, id } = row;
    this.#ask(
      query`INSERT OR IGNORE INTO events (stream, version, xid, seq, id, row)
        VALUES (${stream}, ${version}, ${xid}, ${seq}, ${id}, ${JSON.stringify(row)})`,
    );
  }

  #addDamaged(row: PlacedEvent): void {
    if (!Number.isSafeInteger(row.seq) || row.seq < 1) return;
    this.#ask(query`INSERT OR IGNORE INTO damaged VALUES (${row.seq}, ${JSON.stringify(row)})`);
  }

  addIndexed({ stream, version, seq }: IndexedEvent): void {
    this.#ask(query`INSERT OR IGNORE INTO indexed VALUES (${seq}, ${stream}, ${version})`);
  }

  /** Only where the head says that it was committed, and nothing else was found there. */
  addUnfinished(row: PlacedEvent): void {
    const isNew = this.#rows(query`SELECT 1 AS found FROM events WHERE seq = ${row.seq}`).length === 0;
    if (row.seq <= this.acknowledged && isNew) this.#addEvent(row);
  }

  /** The index knows name and version of an event apart from its row; the checksum tells whether they belong to it. */
  mend(): void {
    const rows = this.#rows(
      query`SELECT d.row AS row, i.stream AS stream, i.version AS version FROM damaged d JOIN indexed i ON i.seq = d.seq`,
    );
    for (const { row, stream, version } of rows) {
      const found = eventFound({ ...JSON.parse(String(row)), stream, version });
      if (found.isSound) this.add(found);
    }
    this.#ask(query`DELETE FROM damaged WHERE seq IN (SELECT seq FROM events)`);
    this.#ask(query`DELETE FROM indexed WHERE seq IN (SELECT seq FROM events)`);
    // Other tables have indexes of the same shape: only kinds of streams that there are.
    this.#ask(query`DELETE FROM indexed WHERE substr(stream, 1, instr(stream, ':')) NOT IN
      (SELECT substr(stream, 1, instr(stream, ':')) FROM events UNION
      SELECT substr(stream, 1, instr(stream, ':')) FROM streams)`);
    this.#order();
    // A damaged row can name any place: it counts only as far as the head says that there was one.
    const [row] = this.#rows(query`SELECT max(seq) AS seq FROM (SELECT seq FROM events UNION ALL
      SELECT seq FROM (SELECT seq FROM damaged UNION SELECT seq FROM indexed) WHERE seq <= ${this.acknowledged})`);
    this.last = Number(row?.seq ?? 0);
  }

  /**
   * The place of a row in the log has no checksum. The index knows it better; and of one stream, no event lies behind a
   * later one: so its place is at most that of all that follow.
   */
  #order(): void {
    this.#ask(query`UPDATE events SET seq = i.seq FROM indexed i WHERE i.stream = events.stream
      AND i.version = events.version`);
    this.#ask(query`DELETE FROM indexed WHERE seq IN (SELECT seq FROM events)`);
    this.#ask(query`INSERT INTO places SELECT row_number() OVER (ORDER BY xid, place, stream, version), number FROM
      (SELECT number, xid, stream, version, min(seq) OVER (PARTITION BY stream ORDER BY version
      ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS place FROM events)`);
  }

  /** Every stream that anything was found of, or that is known to have been there. */
  streams(): readonly string[] {
    return this.#rows(
      query`SELECT stream FROM events UNION SELECT stream FROM streams UNION SELECT stream FROM bases
        UNION SELECT stream FROM indexed ORDER BY 1`,
    ).map(({ stream }) => String(stream));
  }

  versionsOf(stream: string): readonly number[] {
    return numbers(this.#rows(query`SELECT version AS n FROM events WHERE stream = ${stream} ORDER BY version`));
  }

  /** Versions that an index knows, but whose rows were not found. */
  knownVersionsOf(stream: string): readonly number[] {
    return numbers(this.#rows(query`SELECT version AS n FROM indexed WHERE stream = ${stream} ORDER BY version`));
  }

  event(stream: string, version: number): PlacedEvent | undefined {
    return this.#parsed<PlacedEvent>(
      query`SELECT row FROM events WHERE stream = ${stream} AND version = ${version}`,
    )[0];
  }

  streamRow(stream: string): StreamRow | undefined {
    return this.#parsed<StreamRow>(query`SELECT row FROM streams WHERE stream = ${stream}`)[0];
  }

  basesOf(stream: string): readonly BaseRow[] {
    return this.#parsed<BaseRow>(query`SELECT row FROM bases WHERE stream = ${stream} ORDER BY view`);
  }

  /** In the order of the log, once they are mended. */
  *events(): Generator<PlacedEvent> {
    for (let after = 0; ; after += PAGE) {
      const page = this.#parsed<PlacedEvent>(
        query`SELECT row FROM places JOIN events ON number = event
          WHERE place > ${after} AND place <= ${after + PAGE} ORDER BY place`,
      );
      if (page.length === 0) return;
      yield* page;
    }
  }

  answers(): readonly KeyRow[] {
    return this.#parsed<KeyRow>(query`SELECT row FROM answers ORDER BY key`);
  }

  readings(): readonly ReadingRow[] {
    return this.#parsed<ReadingRow>(query`SELECT row FROM readings ORDER BY machine, path`);
  }

  /** Events whose rows are there, but do not say what was written. */
  damagedEvents(): readonly PlacedEvent[] {
    return this.#parsed<PlacedEvent>(query`SELECT row FROM damaged ORDER BY seq`);
  }

  /** Rows of other tables that are damaged, and of which no sound copy was found. */
  damagedRows(): readonly OtherRow[] {
    return this.#damaged.filter((found) => !this.#hasSound(found));
  }

  #hasSound(found: OtherRow): boolean {
    switch (found.table) {
      case "stream":
        return this.streamRow(`${found.row.stream}`) !== undefined;
      case "base":
        return this.basesOf(`${found.row.stream}`).some(({ view }) => view === found.row.view);
      case "answer":
        return this.#rows(query`SELECT 1 AS known FROM answers WHERE key = ${found.row.key}`).length > 0;
      case "reading":
        return this.readings().some(({ machine, path }) => machine === found.row.machine && path === found.row.path);
    }
  }

  #ask(asked: Query): void {
    this.#connection.ask(asked);
  }

  #rows(asked: Query): readonly Row[] {
    return this.#connection.ask(asked);
  }

  #parsed<T>(asked: Query): readonly T[] {
    return this.#rows(asked).map(({ row }) => JSON.parse(String(row)));
  }
}

const NEWER = raw("ON CONFLICT DO UPDATE SET age = excluded.age, row = excluded.row WHERE excluded.age > age");

function saving(found: OtherRow): Query {
  const json = JSON.stringify(found.row);
  switch (found.table) {
    case "stream":
      return query`INSERT INTO streams VALUES (${found.row.stream}, ${found.row.version}, ${json}) ${NEWER}`;
    case "base":
      return query`INSERT INTO bases VALUES (${found.row.view}, ${found.row.stream}, ${found.row.version}, ${json})
        ${NEWER}`;
    case "answer":
      return query`INSERT INTO answers VALUES (${found.row.key}, ${found.row.at}, ${json}) ${NEWER}`;
    case "reading":
      return query`INSERT INTO readings VALUES (${found.row.machine}, ${found.row.path}, ${found.row.at}, ${json})
        ${NEWER}`;
  }
}

function numbers(rows: readonly Row[]): readonly number[] {
  return rows.map(({ n }) => Number(n));
}
