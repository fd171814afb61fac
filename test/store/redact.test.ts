import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createMilepost } from "../../src/app/milepost.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { baseChecksum, eventChecksum, keyChecksum, readingChecksum, viewsChecksum } from "../../src/store/checksum.js";
import { openStore } from "../../src/store/open.js";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import { freshDatabase } from "../databases.js";
import { runOn } from "../run-on.js";

// A store as an older version left it: the same rows, but for the secrets that are in them, with checksums that fit.

const folder = mkdtempSync(join(tmpdir(), "milepost-redact-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = "hunter2-Z9q7";
const MARK = "[redacted: password]";
const TEXT = `mysql -uroot -p${SECRET} app`;

type Row = Record<string, unknown>;
type Ask = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Straight into the database, whatever it is. */
async function withRows<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  if (!url.startsWith("postgres")) {
    const database = (await loadSqlite())(url, {});
    try {
      return await work(async (sql, values = []) => {
        const statement = database.prepare(sql.replace(/\$\d+/g, "?"));
        if (sql.startsWith("SELECT")) return statement.all(...values) as Row[];
        statement.run(...values);
        return [];
      });
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (sql, values = []) => (await client.query(sql, [...values])).rows);
  } finally {
    await client.end();
  }
}

/** Each table: what a secret may stand in, the checksum over it, and how a row is known. */
const TABLES: readonly [
  table: string,
  column: string,
  keys: readonly string[],
  sum: (row: never) => number,
  as: string,
][] = [
  ["milepost_events", "data", ["stream", "version"], eventChecksum, "checksum"],
  ["milepost_streams", "views", ["stream"], viewsChecksum, "views_checksum"],
  ["milepost_bases", "data", ["view", "stream"], baseChecksum, "checksum"],
  ["milepost_keys", "answer", ["key"], keyChecksum, "checksum"],
  ["milepost_readings", "data", ["machine", "path"], readingChecksum, "checksum"],
];

async function allRows(url: string): Promise<readonly (readonly [string, readonly Row[]])[]> {
  return withRows(url, async (ask) => {
    const tables: [string, readonly Row[]][] = [];
    for (const name of [...TABLES.map(([table]) => table), "milepost_tasks"])
      tables.push([name, await ask(`SELECT * FROM ${name} ORDER BY 1, 2`)]);
    return tables;
  });
}

/** Puts the secrets back in, as if nobody had ever redacted them. */
async function restoreSecrets(url: string): Promise<number> {
  return withRows(url, async (ask) => {
    let count = 0;
    for (const [table, column, keys, sum, as] of TABLES)
      for (const row of await ask(`SELECT * FROM ${table}`)) {
        const text = String(row[column]).replaceAll(MARK, SECRET);
        if (text === row[column]) continue;
        const numbers = Object.fromEntries(["version", "at", "revision"].map((name) => [name, Number(row[name])]));
        const next = { ...row, ...numbers, [column]: text };
        const where = keys.map((key, at) => `${key} = $${at + 3}`).join(" AND ");
        const values = [text, sum(next as never), ...keys.map((key) => row[key])];
        await ask(`UPDATE ${table} SET ${column} = $1, ${as} = $2 WHERE ${where}`, values);
        if (table === "milepost_events") {
          count += 1;
          await ask(`UPDATE milepost_streams SET checksum = $1 WHERE stream = $2 AND version = $3`, [
            sum(next as never),
            row.stream,
            row.version,
          ]);
        }
      }
    await ask(`UPDATE milepost_streams SET size = (SELECT COALESCE(sum(octet_length(data)), 0) FROM milepost_events e
      WHERE e.stream = milepost_streams.stream)`);
    await ask("UPDATE milepost_tasks SET assignee = replace(assignee, $1, $2)", [MARK, SECRET]);
    return count;
  });
}

async function fill(url: string): Promise<void> {
  const store = await openStore(url, { projections: PROJECTIONS });
  const milepost = createMilepost(store);
  const call = async (tool: string, input: object, more: object = {}) => {
    const answer = await milepost.call({ tool, input, session: "s1", ...more });
    expect(answer.ok && !answer.value.isError, JSON.stringify(answer)).toBe(true);
  };
  await call("todo", { add: [TEXT, "Plain"] }, { key: "k1" });
  const subjects = Array.from({ length: 450 }, (_, at) => (at % 100 === 7 ? TEXT : `ls ${at}`));
  const data = { tool: "Bash", status: "completed" };
  await store.observe(
    "calls:s1",
    subjects.map((subject) => ({ type: "call.ended", data: { ...data, subject } })),
  );
  await call(
    "TaskCreate",
    { subject: TEXT, description: TEXT, metadata: { password: SECRET } },
    { dialect: "claude-tasks" },
  );
  await call("todo", { add: [TEXT] }, { session: "old" });
  await call("todo", { done: 1 }, { session: "old" });
  // Pruned: what is left of it is a base.
  await store.prune([{ kind: "session", maxAge: -60_000, onlyClosed: true }]);
  await store.keepReadings([{ machine: "m", path: "/t.jsonl", session: "r", at: 1, data: JSON.stringify({ TEXT }) }]);
  await store.close();
}

const fresh = {
  SQLite: async () => {
    const path = join(mkdtempSync(join(folder, "store-")), "work.db");
    return path;
  },
  PostgreSQL: () => freshDatabase("redact"),
};

describe.each(Object.entries(fresh))("on %s", (engine, open) => {
  test("doctor finds what an older version stored; --redact leaves what a new one would have stored", async () => {
    const url = await open();
    await fill(url);
    const expected = await allRows(url);
    expect(JSON.stringify(expected)).not.toContain(SECRET);
    const planted = await restoreSecrets(url);
    expect(planted).toBe(7);
    const home = mkdtempSync(join(folder, "home-"));
    mkdirSync(join(home, "milepost"));
    writeFileSync(join(home, "milepost", "milepost.log"), `2026-01-01T00:00:00Z hook: ${TEXT} failed\nplain\n`);
    const run = (...words: string[]) => runOn(home, ["doctor", ...words, "--store", url]);
    for (const words of [[], ["--redact", "--dry-run"]]) {
      const { exit, out } = await run(...words);
      expect(exit, out).toBe(0);
      expect(out).toContain(`${planted} events in 3 streams. To redact them: milepost doctor --redact --store `);
      expect(out).not.toContain(SECRET);
    }
    expect(await run("--redact")).toMatchObject({ exit: 1, err: expect.stringContaining("[needs-yes]") });
    const { exit, out, err } = await run("--redact", "--yes");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain(`redacted: ${planted} events in`);
    expect(out).toContain("1 kept answer, 1 transcript reading, 1 line of the log");
    expect(out).toContain("every event, stream and view is intact");
    expect(withoutFolds(await allRows(url))).toEqual(withoutFolds(expected));
    expect(readFileSync(join(home, "milepost", "milepost.log"), "utf8")).not.toContain(SECRET);
    if (engine === "SQLite")
      for (const file of [url, `${url}-wal`, `${url}-head`])
        if (existsSync(file)) expect(readFileSync(file, "latin1")).not.toContain(SECRET);
    const again = JSON.parse((await run("--redact", "--yes", "--json")).out);
    expect(again.redacted).toEqual({ events: 0, streams: 0, answers: 0, readings: 0, logLines: 0 });
  });

  test("ended at any step, it leaves a sound store, and goes on when it is run again", async () => {
    const url = await open();
    await fill(url);
    await restoreSecrets(url);
    const steps = { UPDATE: 3, "INSERT INTO milepost_streams": 2, COMMIT: 4, "INSERT INTO milepost_keys": 1 };
    for (const [text, nth] of Object.entries(steps)) {
      let seen = 0;
      const trace = (step: string) => {
        if (step.startsWith(text) && ++seen === nth) throw new Error("killed");
      };
      const store = await openStore(url, { projections: PROJECTIONS, trace });
      await expect(
        store.redact(() => undefined),
        text,
      ).rejects.toThrow();
      await store.close().catch(() => undefined);
      const whole = await openStore(url, { projections: PROJECTIONS });
      const { findings } = await whole.check({ rebuild: false });
      expect(findings.filter(({ level }) => level === "damage")).toEqual([]);
      await whole.close();
    }
    const store = await openStore(url, { projections: PROJECTIONS });
    await store.redact(() => undefined);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
    expect(JSON.stringify(await allRows(url))).not.toContain(SECRET);
  });
});

/** Views that are written now and then may be newer than before: they are compared with their events by doctor. */
function withoutFolds(tables: readonly (readonly [string, readonly Row[]])[]) {
  return tables.map(([name, rows]) => [name, rows.map(({ views: _, views_checksum: __, ...row }) => row)]);
}
