import sql, { raw } from "sql-template-tag";
import { giveWay, StepSize } from "../upkeep/give-way.js";
import { type Connection, TIDY_PAGES } from "./connection.js";

/** Runs work while nobody else writes: all of it in one synchronous go. */
type Alone = (work: () => void) => Promise<void>;

/** A file of this size is written anew in a tenth of a second; a larger one is cleaned in steps. */
const SMALL_FILE = 8 * 1024 * 1024;

/** Where words of a session, or its name, can be. */
const TABLES = [
  "milepost_events",
  "milepost_streams",
  "milepost_bases",
  "milepost_keys",
  "milepost_readings",
  "milepost_meta",
];

/**
 * Leaves nothing of deleted rows in the file. They stay in free pages, and copies of them in the gaps of pages that are
 * in use: SQLite moves rows from page to page, and does not clear where they were.
 */
export async function scrubFile(connection: Connection, alone: Alone): Promise<void> {
  const size = numberOf(connection, "PRAGMA page_count") * numberOf(connection, "PRAGMA page_size");
  if (size <= SMALL_FILE || !isTidy(connection)) return writeAnew(connection, alone);
  const write: Alone = (work) =>
    alone(() => {
      connection.command("BEGIN IMMEDIATE");
      work();
      connection.command("COMMIT");
    });
  // From here on a page that this connection frees is cleared as a whole.
  connection.exec("PRAGMA secure_delete = ON");
  try {
    for (const table of namesOf(connection, "table")) await moveRows(connection, write, table);
    for (const index of namesOf(connection, "index")) {
      await giveWay();
      await write(() => connection.exec(`REINDEX ${index}`));
    }
    await fillFreePages(connection, write);
  } finally {
    connection.exec("PRAGMA secure_delete = FAST");
  }
}

/** A file that an older version made is written anew once, whatever its size. */
async function writeAnew(connection: Connection, alone: Alone): Promise<void> {
  await alone(() => connection.exec("VACUUM"));
  await alone(() => {
    connection.ask(sql`INSERT OR REPLACE INTO milepost_meta (key, value) VALUES (${TIDY_PAGES}, ${"1"})`);
  });
}

function isTidy(connection: Connection): boolean {
  return connection.ask(sql`SELECT value FROM milepost_meta WHERE key = ${TIDY_PAGES}`).length > 0;
}

function numberOf(connection: Connection, text: string): number {
  return Number(connection.value(text) ?? 0);
}

/** An older version's store may not have all of them. */
function namesOf(connection: Connection, type: "table" | "index"): readonly string[] {
  const rows = connection.ask(sql`SELECT name FROM sqlite_master WHERE type = ${type}
    AND tbl_name IN (SELECT value FROM json_each(${JSON.stringify(TABLES)})) ORDER BY name`);
  return rows.map(({ name }) => String(name));
}

/** Rows that two windows share: more than the pages at the edge of one, which it cannot clear, can hold. */
const SHARED = 500;
const WINDOW = { first: 128, least: 64, most: 8192 };

/** Moves all rows of a window away and back, in one write: the pages they were on are freed, and so cleared. */
async function moveRows(connection: Connection, write: Alone, name: string): Promise<void> {
  const table = raw(name);
  const step = new StepSize(WINDOW);
  for (let from = 0; ; ) {
    const window = rowsAfter(connection, name, from, step.size);
    const last = window.at(-1);
    if (last === undefined) return;
    const first = from;
    await giveWay();
    await step.time(() =>
      write(() => {
        connection.ask(sql`UPDATE ${table} SET rowid = -rowid WHERE rowid > ${first} AND rowid <= ${last}`);
        connection.ask(sql`UPDATE ${table} SET rowid = -rowid WHERE rowid < 0`);
      }),
    );
    if (rowsAfter(connection, name, last, 1).length === 0) return;
    from = window.at(-1 - Math.min(SHARED, Math.floor(window.length / 2))) ?? last;
  }
}

function rowsAfter(connection: Connection, table: string, from: number, size: number): readonly number[] {
  const rows = connection.ask(
    sql`SELECT rowid AS id FROM ${raw(table)} WHERE rowid > ${from} ORDER BY rowid LIMIT ${size}`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Characters of filling for each page: a little less than one holds. */
const FILLED = 4000;
const FILLING = "filling:";

/** Puts filling into every free page, and takes it out again. */
async function fillFreePages(connection: Connection, write: Alone): Promise<void> {
  const step = new StepSize({ first: 256, least: 64, most: 1024 });
  const freePages = () => numberOf(connection, "PRAGMA freelist_count");
  let fillings = 0;
  for (let free = freePages(); free > 0; free = freePages()) {
    await giveWay();
    // Less than a page would go into one that is in use.
    const zeros = (pages: number) => (Math.max(2, Math.min(pages, free)) * FILLED) / 2;
    await step.time((pages) =>
      write(() => {
        connection.ask(sql`INSERT OR REPLACE INTO milepost_meta (key, value)
          VALUES (${`${FILLING}${fillings}`}, hex(zeroblob(${zeros(pages)})))`);
      }),
    );
    fillings += 1;
  }
  // It is clean: it can be freed without being cleared. Also what an earlier try has left.
  connection.exec("PRAGMA secure_delete = FAST");
  for (const { key } of connection.ask(sql`SELECT key FROM milepost_meta WHERE key LIKE ${`${FILLING}%`}`)) {
    await giveWay();
    await write(() => {
      connection.ask(sql`DELETE FROM milepost_meta WHERE key = ${key}`);
    });
  }
}
