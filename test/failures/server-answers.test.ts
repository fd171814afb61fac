import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.js";
import { append } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import { freshDatabase } from "../databases.js";
import { closeOddServers, fatal, front, says, serve, tlsFront } from "../odd-servers.js";
import { runOn } from "../run-on.js";
import { sized } from "../sizes.js";

// What a server, or something that is none, can answer: each is one line with a code, through the command line.

const home = mkdtempSync(join(tmpdir(), "milepost-failing-"));
const options = { projections: [] };
/** Instead of the 10 seconds that people wait. */
const QUICK = "connect_timeout=0.4&statement_timeout=200&query_timeout=400";

afterAll(closeOddServers);

async function asAdmin(url: string, ...texts: readonly string[]): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  for (const text of texts) await admin.query(text);
  await admin.end();
}

/** One for all: to make a database takes as long as ten of these tests. */
const database = await freshDatabase("failing");
const withUser = (user: string) => database.replace("//postgres@", `//${user}@`);
let made = 0;

/** A place of its own in there, after these statements. */
async function prepared(...texts: readonly string[]): Promise<string> {
  made += 1;
  const place = `place_${made}`;
  await asAdmin(database, `CREATE SCHEMA ${place}`, `SET search_path = ${place}`, ...texts);
  return `${database}?options=-c%20search_path%3D${place}`;
}

const roles = `${process.pid}_${Date.now()}`;

/** A role of this server that has to know a password. */
const guarded = `guarded_${roles}`;

async function makeGuarded(): Promise<void> {
  const admin = new pg.Client(database);
  await admin.connect();
  await admin.query(`CREATE ROLE ${guarded} LOGIN PASSWORD 'right'`);
  const { hba_file: file } = (await admin.query("SHOW hba_file")).rows[0];
  const lines = "WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')";
  await admin.query("CREATE TEMP TABLE rules (number serial, rule text)");
  await admin.query(`INSERT INTO rules (rule) VALUES ('host all ${guarded} 127.0.0.1/32 scram-sha-256')`);
  await admin.query(`COPY rules (rule) FROM '${file}' ${lines}`);
  await admin.query(`COPY (SELECT rule FROM rules ORDER BY number) TO '${file}' ${lines}`);
  await admin.query("SELECT pg_reload_conf()");
  await admin.end();
}

beforeAll(makeGuarded);

interface Row {
  readonly name: string;
  readonly url: () => Promise<string>;
  readonly code: string;
  readonly says: string;
}

const ROWS: readonly Row[] = [
  {
    name: "no TLS where the address asks for it",
    url: async () => `${database}?sslmode=require`,
    code: "store-unreachable",
    says: "sslmode=disable",
  },
  {
    name: "a certificate that nobody has signed",
    url: async () => `${await tlsFront(database)}?sslmode=require`,
    code: "store-unreachable",
    says: "sslrootcert=FILE",
  },
  {
    name: "a wrong password",
    url: async () => withUser(`${guarded}:wrong`),
    code: "store-not-yours",
    says: "Check user and password",
  },
  { name: "no password", url: async () => withUser(guarded), code: "store-not-yours", says: "Check user and password" },
  {
    name: "an unknown role",
    url: async () => withUser("nobody_of_that_name"),
    code: "store-not-yours",
    says: "Check user and password",
  },
  {
    name: "an unknown database",
    url: async () => database.replace(/[^/]+$/, "no_such_database"),
    code: "store-unreachable",
    says: "Create the database",
  },
  {
    name: "a connection that ends before the first query",
    url: async () => (await front(database, { cutAt: "Q" })).url,
    code: "store-unreachable",
    says: "Is the server running?",
  },
  {
    name: "a connection that ends at the first statement of ours",
    url: async () => (await front(database, { cutAt: "P" })).url,
    code: "store-unreachable",
    says: "Is the server running?",
  },
  {
    name: "a server that is shutting down",
    url: () => serve(fatal("57P03", "the database system is shutting down")),
    code: "store-unreachable",
    says: "Try again in a moment",
  },
  {
    name: "too many connections",
    url: () => serve(fatal("53300", "sorry, too many clients already")),
    code: "store-busy",
    says: "Try again",
  },
  {
    name: "a state that nobody has listed",
    url: () => serve(fatal("0Z9ZZ", "words\n    at Object.<anonymous> (file.js:1:1)")),
    code: "store-failed",
    says: "SQLSTATE 0Z9ZZ",
  },
  {
    name: "a table of our name with other columns",
    url: () => prepared("CREATE TABLE milepost_meta (id int)"),
    code: "not-a-store",
    says: "use another database",
  },
  {
    name: "a table of our name beside which the rest is missing",
    url: () => prepared("CREATE TABLE milepost_events (id int)"),
    code: "not-a-store",
    says: "use another database",
  },
  {
    name: "a view of our name",
    url: () => prepared("CREATE VIEW milepost_meta AS SELECT 1 AS id"),
    code: "not-a-store",
    says: "use another database",
  },
  {
    name: "a search path that leads nowhere",
    url: async () => `${database}?options=-c%20search_path%3Dnowhere`,
    code: "bad-store",
    says: "search_path",
  },
  {
    name: "no right to make tables",
    url: async () => {
      const role = `visitor_${roles}`;
      const url = await prepared(`CREATE ROLE ${role} LOGIN`, `GRANT USAGE ON SCHEMA place_${made + 1} TO ${role}`);
      return url.replace("//postgres@", `//${role}@`);
    },
    code: "store-not-yours",
    says: "Grant it",
  },
  { name: "nobody there", url: async () => "postgres://u@127.0.0.1:1/x", code: "store-unreachable", says: "running?" },
  {
    name: "a server that accepts and says nothing",
    url: async () => `${await serve(() => undefined)}?${QUICK}`,
    code: "store-unreachable",
    says: "does not answer",
  },
  {
    name: "a server that stops in the middle of the login",
    url: async () => `${await serve(says(Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1")))}?${QUICK}`,
    code: "store-unreachable",
    says: "does not answer",
  },
  {
    name: "a server that promises TLS and says nothing more",
    url: async () => `${await serve(says("S"))}?sslmode=require&${QUICK}`,
    code: "store-unreachable",
    says: "does not answer",
  },
  {
    name: "a server that stops after the login",
    url: async () => `${await serve(says(Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1")))}?${QUICK}`,
    code: "store-unreachable",
    says: "does not answer",
  },
  {
    name: "a server of another kind",
    url: async () => `${await serve(says("HTTP/1.1 400 Bad Request\r\n\r\n"))}?${QUICK}`,
    code: "store-unreachable",
    says: "does not answer",
  },
  {
    name: "bytes that no client can take apart",
    url: async () => `${await serve(says(Buffer.from("T\0\0\0\x06\xff\xffD\0\0\0\x06\xff\xff", "latin1")))}?${QUICK}`,
    code: "store-unreachable",
    says: "Is the server running",
  },
  {
    name: "a server that closes at once",
    url: () => serve((socket) => socket.destroy()),
    code: "store-unreachable",
    says: "running?",
  },
  {
    name: "a port that none can be",
    url: async () => "postgres://u@127.0.0.1/x?port=99999",
    code: "bad-store",
    says: "Check its parts",
  },
  {
    name: "a name with a broken escape",
    url: async () => "postgres://u%E0%A4@127.0.0.1/x",
    code: "bad-store",
    says: "Check its parts",
  },
  {
    name: "a certificate file that is not there",
    url: async () => "postgres://u@127.0.0.1/x?sslrootcert=/no/such.pem",
    code: "bad-store",
    says: "cannot be read",
  },
  {
    name: "a socket that is not there",
    url: async () => "postgres:///x?host=/no/such/folder",
    code: "store-unreachable",
    says: "running?",
  },
];

describe("one line with a code", () => {
  test.concurrent.each(ROWS)("$name", async ({ url, code, says: words }) => {
    const { exit, out, err } = await runOn(home, ["events", "--store", await url()]);
    expect({ exit, out, err }).toEqual({ exit: 3, out: "", err: expect.stringMatching(/^milepost: [^\n]+\n$/) });
    expect(err).toContain(words);
    expect(err).toMatch(new RegExp(`\\[${code}\\]\\n$`));
  });

  test("the same certificate, where anybody is trusted", async () => {
    const url = `${await tlsFront(database)}?sslmode=no-verify`;
    expect(await runOn(home, ["events", "--store", url])).toEqual({ exit: 0, out: "", err: "" });
  });
});

const one = append([{ stream: "plan:a", events: [{ type: "a.told", data: {} }] }]);

describe("a store that was sound when it was opened", () => {
  test("a state that nobody has listed, in the middle of a commit: nothing is written, and the store goes on", async () => {
    const url = await prepared();
    const store = await openStore(url, options);
    await asAdmin(
      url,
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not today'; END $$",
      "CREATE TRIGGER refusal BEFORE INSERT ON milepost_events EXECUTE FUNCTION refuse()",
    );
    await expect(store.commit(one)).rejects.toMatchObject({ code: "store-failed", message: /P0001.*\(not today\)$/ });
    await asAdmin(url, "DROP TRIGGER refusal ON milepost_events");
    expect((await store.commit(one)).ok).toBe(true);
    await store.close();
  });

  test("what a decision throws is a defect, and no trouble of the server", async () => {
    const store = await openStore(await prepared(), options);
    const broken = store.commit(() => {
      throw new TypeError("ours");
    });
    await expect(broken).rejects.toThrow(TypeError);
    expect((await store.commit(one)).ok).toBe(true);
    await store.close();
  });

  for (const [limit, what] of [
    ["lock_timeout=150", "locked for too long"],
    ["lock_timeout=0&statement_timeout=150", "took too long"],
  ] as const)
    test(`a table that somebody holds (${limit})`, async () => {
      const url = await prepared();
      const store = await openStore(`${url}&${limit}`, options);
      const other = new pg.Client(url);
      await other.connect();
      await other.query("BEGIN; LOCK TABLE milepost_meta");
      await expect(store.commit(one)).rejects.toMatchObject({
        code: "store-busy",
        message: expect.stringContaining(what),
      });
      await other.query("ROLLBACK");
      expect((await store.commit(one)).ok).toBe(true);
      await other.end();
      await store.close();
    });

  test("a server that falls silent: writes, readers and followers are told, and closing does not wait for it", async () => {
    const { url, freeze } = await front(database);
    const store = await openStore(`${url}?${QUICK}`, options);
    const follower = new AbortController();
    const pages = await store.follow({ after: await store.head(), signal: follower.signal });
    if (!pages.ok) throw new Error(pages.error.message);
    const following = (async () => {
      for await (const _ of pages.value);
    })();
    freeze();
    const silent = { code: "store-unreachable", message: expect.stringContaining("does not answer") };
    await Promise.all([
      expect(store.commit(one)).rejects.toMatchObject(silent),
      expect(store.head()).rejects.toMatchObject(silent),
      expect(following).rejects.toMatchObject(silent),
    ]);
    const start = performance.now();
    await store.close();
    // Promised is that it does not wait; ten times what a slow machine takes.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("work over whole tables may take longer than a statement", async () => {
    const store = await openStore(`${await prepared()}&statement_timeout=150`, options);
    await store.commit(one);
    const slow = await store.look(function* ({ queries }) {
      yield queries.unhurried() ?? { sql: "", text: "", values: [] };
      yield { sql: "", text: "SELECT pg_sleep(0.4)", values: [] };
      return ok("slow");
    });
    expect(slow).toEqual(ok("slow"));
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  });
});

// The promise itself, with a real clock: only in the long form.
test.runIf(sized(0, 1) === 1)("without a word in the address it is about 10 seconds", async () => {
  const { url, freeze } = await front(database);
  const store = await openStore(url, options);
  freeze();
  const silent = [store.commit(one), openStore(await serve(() => undefined), options)];
  const start = performance.now();
  for (const asked of silent) await expect(asked).rejects.toMatchObject({ code: "store-unreachable" });
  expect(performance.now() - start).toBeGreaterThan(9000);
  expect(performance.now() - start).toBeLessThan(60_000);
  await store.close();
});
