import pg from "pg";
import { PROJECTIONS } from "../src/app/views.js";
import { openStore } from "../src/store/open.js";
import { loadSqlite } from "../src/store/sqlite/library.js";

const TABLES = ["milepost_events", "milepost_streams", "milepost_tasks", "milepost_edges"];
const ROWS = 2000;

/** The rows of a file, as they are. To make them again, query by query, takes a server ten times as long. */
export async function copyToPostgres(path: string, url: string): Promise<void> {
  // Makes the tables.
  await (await openStore(url, { projections: PROJECTIONS })).close();
  const source = (await loadSqlite())(path, { readOnly: true });
  const target = new pg.Client({ connectionString: url });
  await target.connect();
  try {
    for (const table of TABLES) {
      const page = source.prepare(
        `SELECT rowid AS place, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS}`,
      );
      for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.place)) {
        const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== "place");
        const into = `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${columns.join(", ")}`;
        await target.query(`${into} FROM json_populate_recordset(NULL::${table}, $1)`, [JSON.stringify(rows)]);
      }
      await target.query(`ANALYZE ${table}`);
    }
    await target.query(
      "SELECT setval(pg_get_serial_sequence('milepost_events', 'seq'), (SELECT max(seq) FROM milepost_events))",
    );
  } finally {
    source.close();
    await target.end();
  }
}
