import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createMilepost, type Milepost, openMilepost } from "../src/app/milepost.js";
import { PROJECTIONS } from "../src/app/views.js";
import { todosOf } from "../src/core/todo/list.js";
import { append, type StoredEvent } from "../src/store/event-store.js";
import { openStore } from "../src/store/open.js";
import { loadSqlite } from "../src/store/sqlite/library.js";
import type { Store } from "../src/store/store.js";
import { attacksOn, evaluate } from "./attack-entries.js";
import { freshDatabase } from "./databases.js";

// The entries of surface "sql", on every engine. Those of surface "fs" are in attacks-fs.test.ts.

const attacks = attacksOn("sql");

/** Entries about things that do not exist yet; the issue that builds them brings their test. */
const LATER: Readonly<Record<string, string>> = {
  "sql-like-wild": "there is no search; what `forget` does with _ is tested below",
  "sql-fts-syntax": "there is no search",
  "sql-order-by": "no command sorts by a key that is asked for",
  "sql-rls-pool-leak": "there are no tenants",
  "sql-rls-owner": "there are no tenants",
  "sql-rls-view": "there are no tenants",
  "sql-rls-insert-other": "there are no tenants",
};

const tested = new Set<string>();

/** A test of one entry; its text comes from the entry, so that the two cannot part. */
function attack(id: string, name: string, run: (text: string) => Promise<void>): void {
  tested.add(id);
  test(`${id}: ${name}`, () => run(textOf(id)));
}

function textOf(id: string): string {
  return String(evaluate(attacks.find((entry) => entry.id === id)?.input ?? ""));
}

interface Place {
  readonly fresh: () => Promise<string>;
  /** The rows as the engine has them, past all of our own reading. */
  readonly query: (url: string, text: string) => Promise<readonly Record<string, unknown>[]>;
  /** An expression: exactly the bytes of a column. */
  readonly bytes: (column: string) => string;
  readonly tables: string;
}

const folder = mkdtempSync(join(tmpdir(), "milepost-attacks-"));
let made = 0;

const sqlite: Place = {
  fresh: async () => join(folder, `${++made}.db`),
  async query(url, text) {
    const database = (await loadSqlite())(url, { readOnly: true });
    try {
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  },
  bytes: (column) => `hex(CAST(${column} AS BLOB))`,
  tables: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
};

const postgres: Place = {
  fresh: () => freshDatabase("attacks"),
  async query(url, text) {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  },
  bytes: (column) => `upper(encode(convert_to(${column}, 'UTF8'), 'hex'))`,
  tables: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name",
};

/** A store in memory cannot be looked into from outside. */
const memory: Place = { ...sqlite, fresh: async () => "memory:", query: async () => [] };

const places = { memory, sqlite, postgres };
const disks = { sqlite, postgres };

const opened: Milepost[] = [];
async function open(url: string): Promise<Milepost> {
  const milepost = await openMilepost({ store: url });
  opened.push(milepost);
  return milepost;
}

/**
 * With views in every row, which else are written every few events on one engine and every time on the other. Views
 * have times in them, so there is one clock for all.
 */
async function openWithViews(url: string): Promise<Milepost> {
  const projections = PROJECTIONS.map((one) => (one.isDecidedOn ? { ...one, keptEvery: 1 } : one));
  const milepost = createMilepost(await openStore(url, { projections, clock: () => 1_790_000_000_000 }));
  opened.push(milepost);
  return milepost;
}

afterEach(async () => {
  // Whatever was tried: every checksum, version and view is as it should be.
  const checks = await Promise.all(opened.map(({ store }) => store.check({ rebuild: false })));
  await Promise.all(opened.splice(0).map((milepost) => milepost.close()));
  expect(checks.flatMap(({ findings }) => findings)).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function readAll(store: Store, options: { after?: string; stream?: string } = {}): Promise<StoredEvent[]> {
  const pages = await store.read(options);
  if (!pages.ok) throw new Error(pages.error.message);
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return events;
}

async function texts(milepost: Milepost, session: string): Promise<readonly string[]> {
  const list = await milepost.list({ session });
  return list.ok ? todosOf(list.value).map(({ text }) => text) : [];
}

const addOurs = (milepost: Milepost, text: string, more: object = {}) =>
  milepost.call({ tool: "todo", input: { add: [text] }, session: "ours", ...more });
const addForeign = (milepost: Milepost, text: string, more: object = {}) =>
  milepost.call({
    dialect: "claude",
    tool: "TodoWrite",
    input: { todos: [{ content: text, status: "pending", activeForm: text }] },
    session: "foreign",
    ...more,
  });
const refused = (code: string) => ({ ok: false, error: { code } });

describe.each(Object.entries(places))("sql-quote on %s", (_, place) => {
  const more = [`'; DROP TABLE milepost_events; --`, `"; DROP TABLE milepost_events; --`, "\\'$1 $$ ?1 :a @b %s", "''"];

  attack("sql-quote", "stored verbatim wherever text is kept, refused where it is a name", async (text) => {
    const url = await place.fresh();
    const milepost = await open(url);
    const { store } = milepost;
    const before = await place.query(url, place.tables);
    const hostile = [text, ...more];
    for (const [index, entry] of hostile.entries()) {
      expect(await addOurs(milepost, entry, { actor: entry })).toMatchObject({ ok: true, value: { isError: false } });
      await addForeign(milepost, entry, { session: `foreign-${index}` });
      expect(await texts(milepost, `foreign-${index}`)).toEqual([entry]);
      const event = { type: "fact.told", data: { [entry]: entry }, id: entry, actor: entry };
      await store.commit(append([{ stream: "plan:facts", events: [event, event] }]));
      expect(await addOurs(milepost, "x", { session: entry })).toMatchObject(refused("bad-id"));
      expect(await addOurs(milepost, "x", { agent: entry })).toMatchObject(refused("bad-id"));
      expect(await addOurs(milepost, "x", { key: `${entry} ` })).toMatchObject(refused("bad-key"));
      await expect(store.commit(append([{ stream: entry, events: [event] }]))).rejects.toThrow("Not a stream");
      expect(await readAll(store, { stream: entry })).toEqual([]);
      expect(await store.forget(entry)).toEqual({ streams: [], events: 0, readings: 0 });
      expect(await store.read({ after: entry })).toMatchObject(refused("bad-cursor"));
    }
    expect(await texts(milepost, "ours")).toEqual(hostile);
    const added = (await readAll(store, { stream: "session:ours" })).filter(({ type }) => type === "todo.added");
    expect(added.map(({ actor }) => actor)).toEqual(hostile);
    expect(await readAll(store, { stream: "plan:facts" })).toMatchObject(
      hostile.map((entry) => ({ id: entry, actor: entry, data: { [entry]: entry } })),
    );
    expect(await place.query(url, place.tables)).toEqual(before);
  });

  attack("sql-quote", "as a key it is only a key", async () => {
    const milepost = await open(await place.fresh());
    const key = "');DROP/**/TABLE/**/milepost_keys;--";
    const first = await addOurs(milepost, "once", { key });
    expect(first).toMatchObject({ ok: true });
    expect(await addOurs(milepost, "once", { key })).toEqual(first);
    expect(await texts(milepost, "ours")).toEqual(["once"]);
  });
});

/** Texts that SQLite, PostgreSQL and UTF-8 have their own ideas about. */
describe.each(Object.entries(places))("characters that databases cannot have, on %s", (_, place) => {
  attack("sql-nul", "a foreign dialect keeps it, ours shows it", async (text) => {
    const milepost = await open(await place.fresh());
    await addForeign(milepost, text);
    await addOurs(milepost, text);
    expect([await texts(milepost, "foreign"), await texts(milepost, "ours")]).toEqual([[text], ["a␀b"]]);
    expect((await readAll(milepost.store)).map(({ data }) => data.text ?? "")).toContain(text);
  });

  attack("sql-lone-surrogate", "a foreign dialect keeps it, ours makes it well-formed", async (text) => {
    const milepost = await open(await place.fresh());
    await addForeign(milepost, text);
    await addOurs(milepost, text);
    const expected = [[text], [text.toWellFormed()]];
    expect([await texts(milepost, "foreign"), await texts(milepost, "ours")]).toEqual(expected);
  });

  attack("sql-nul", "a stream that cannot be is empty, a key or id with it is refused", async (text) => {
    const milepost = await open(await place.fresh());
    expect(await addOurs(milepost, "x", { key: text })).toMatchObject(refused("bad-key"));
    expect(await addOurs(milepost, "x", { session: text })).toMatchObject(refused("bad-id"));
    expect(await milepost.store.read({ after: text })).toMatchObject(refused("bad-cursor"));
    expect(await readAll(milepost.store, { stream: text })).toEqual([]);
    expect(await milepost.store.forget(text)).toEqual({ streams: [], events: 0, readings: 0 });
  });
});

describe("the same bytes on both engines", () => {
  const rows = async (place: Place, url: string) => [
    ...(await place.query(url, `SELECT ${place.bytes("data")} AS bytes FROM milepost_events ORDER BY seq`)),
    ...(await place.query(url, `SELECT ${place.bytes("views")} AS bytes FROM milepost_streams ORDER BY stream`)),
    ...(await place.query(url, `SELECT ${place.bytes("answer")} AS bytes FROM milepost_keys ORDER BY key`)),
  ];
  const freshPair = async () => [await sqlite.fresh(), await postgres.fresh()] as const;

  for (const [id, kept] of [
    ["sql-nul", "\\u0000"],
    ["sql-lone-surrogate", "\\ud800"],
  ] as const) {
    attack(id, "events, views and kept answers", async (text) => {
      const [file, database] = await freshPair();
      for (const url of [file, database]) {
        const milepost = await openWithViews(url);
        await addForeign(milepost, text, { key: "foreign" });
        await addOurs(milepost, text, { key: "ours" });
      }
      const bytes = await rows(sqlite, file);
      expect(await rows(postgres, database)).toEqual(bytes);
      // As an escape in the event, the view and the answer: nothing that an engine could cut off or replace.
      const plain = bytes.map((row) => Buffer.from(String(row.bytes), "hex").toString("latin1"));
      expect(plain.filter((data) => data.includes(`${text[0]}${kept}${text[2]}`))).toHaveLength(3);
    });

    attack(id, "and when it moves from one to the other", async (text) => {
      const [file, database] = await freshPair();
      const source = await openWithViews(file);
      await addForeign(source, text);
      const events = (await readAll(source.store)).map(({ cursor: _, ...event }) => event);
      expect(await (await openWithViews(database)).store.take(events)).toMatchObject({ ok: true });
      expect(await rows(postgres, database)).toEqual(await rows(sqlite, file));
    });

    // Not in the JSON: texts that have a column of their own.
    test.each(["actor", "id"] as const)(`${id}: kept or refused the same way everywhere, as %s`, async (field) => {
      const text = textOf(id);
      const outcomes: unknown[] = [];
      for (const place of Object.values(places)) {
        const milepost = await openWithViews(await place.fresh());
        const write =
          field === "actor"
            ? addOurs(milepost, "x", { actor: text })
            : milepost.store.commit(append([{ stream: "plan:a", events: [{ type: "a.b", data: {}, id: text }] }]));
        const isWritten = await write.then(({ ok }) => ok, String);
        const [event] = await readAll(milepost.store);
        outcomes.push(isWritten === true ? { kept: event?.[field] } : { isWritten });
      }
      const [first] = outcomes;
      expect(outcomes).toEqual(outcomes.map(() => first));
      const fine: unknown[] = [{ kept: text }, { kept: text.toWellFormed() }, { isWritten: false }];
      // Nobody but code names an event: a mistake there may be thrown, as for a stream that is none.
      if (field === "id") fine.push({ isWritten: expect.any(String) });
      expect(fine).toContainEqual(first);
    });
  }
});

const root = fileURLToPath(new URL("..", import.meta.url));
const milepost = (...args: readonly string[]) => {
  const ran = spawnSync(process.execPath, [join(root, "dist", "milepost.cjs"), ...args], { encoding: "utf8" });
  return { exit: ran.status, out: ran.stdout, err: ran.stderr };
};

describe.each(Object.entries(disks))("sql-bigint-id on %s", (_, place) => {
  const numbers = ["9223372036854775808", "-1", "1e3", "0x10", "NaN"];

  attack("sql-bigint-id", "the command says so, in one line, and replays nothing", async () => {
    const url = await place.fresh();
    await addOurs(await open(url), "x");
    expect(milepost("events", "--store", url).out).not.toBe("");
    for (const after of numbers)
      expect([after, milepost("events", "--store", url, "--after", after)]).toEqual([
        after,
        { exit: 2, out: "", err: expect.stringMatching(/^milepost: [^\n]*\[bad-cursor\]\n$/) },
      ]);
  });

  attack("sql-bigint-id", "a cursor is what the store gave, and nothing like it", async () => {
    const { store } = await open(await place.fresh());
    await store.commit(append([{ stream: "plan:a", events: [1, 2].map((n) => ({ type: "n.told", data: { n } })) }]));
    const [first = "", second = ""] = (await readAll(store)).map(({ cursor }) => cursor);
    expect(await readAll(store, { after: first })).toMatchObject([{ data: { n: 2 } }]);
    expect(await readAll(store, { after: second })).toEqual([]);
    const odd = ["", " 0", "00", "+1", "1_0", "１", "1n", "Infinity", "18446744073709551616", "9007199254740993"];
    const halves = numbers.flatMap((number) => [`${number}.1`, `1.${number}`]);
    const around = [` ${first}`, `${first} `, `0${first}`, `${first}.1`, `${first}\0`];
    const wrong = [
      ...numbers,
      ...odd,
      ...halves,
      ...around,
      "18446744073709551616.1",
      "1.1.1",
      ".",
      "1.",
      ".1",
      "999",
      "1.999",
    ];
    for (const after of [...wrong, 1 as unknown as string, null as unknown as string]) {
      const { signal } = new AbortController();
      // A number that could be one, but lies ahead of the store, is not taken for "nothing new" either.
      for (const answer of [await store.read({ after }), await store.follow({ after, signal })])
        expect([after, answer.ok ? "ok" : answer.error.code]).toEqual([
          after,
          expect.stringMatching(/^(?:bad|unknown)-cursor$/),
        ]);
    }
  });
});

describe("sql-notify-payload on postgres", () => {
  const lengths = { "9,000 characters": 1, "the longest text": 29 };

  for (const [name, times] of Object.entries(lengths)) {
    attack("sql-notify-payload", `${name} reach a follower; the announcement carries no content`, async (text) => {
      const content = text.repeat(times);
      const url = await postgres.fresh();
      const [writer, reader] = [await open(url), await open(url)];
      const heard: string[] = [];
      const client = new pg.Client(url);
      await client.connect();
      client.on("notification", ({ channel, payload }) => heard.push(`${channel} ${payload}`));
      await client.query("LISTEN milepost");
      const stop = new AbortController();
      const pages = await reader.store.follow({ signal: stop.signal });
      if (!pages.ok) throw new Error(pages.error.message);
      const delivered = (async () => {
        for await (const { events } of pages.value) for (const { data } of events) if (data.text) return data.text;
        return undefined;
      })();
      const late = setTimeout(() => stop.abort(), 10_000);
      await addForeign(writer, content);
      const isSame = (await delivered) === content;
      clearTimeout(late);
      stop.abort();
      await client.query("SELECT 1");
      await client.end();
      expect(isSame).toBe(true);
      expect(heard).toHaveLength(1);
      expect(heard[0]?.length).toBeLessThan(100);
    });
  }
});

test.each(Object.entries(places))("forget takes _ and % for what they are, on %s", async (_, place) => {
  const milepost = await open(await place.fresh());
  for (const session of ["a_b", "axb", "a_bc"]) await addOurs(milepost, session, { session, agent: "sub" });
  for (const session of ["%", "a%", "a__", "_"]) expect((await milepost.store.forget(session)).streams).toEqual([]);
  expect((await milepost.store.forget("a_b")).streams).toEqual(["session:a_b/sub"]);
  expect((await readAll(milepost.store)).map(({ stream }) => stream)).not.toContain("session:a_b/sub");
  expect((await milepost.store.totals()).streams).toBe(2);
});

test("every entry of this surface is tested here, or has its reason", () => {
  const open = attacks.filter(({ id }) => !tested.has(id) && !(id in LATER));
  expect(open.map(({ id }) => id)).toEqual([]);
  const named = [...tested, ...Object.keys(LATER)];
  expect(named.filter((id) => !attacks.some((entry) => entry.id === id))).toEqual([]);
  expect([...tested].filter((id) => id in LATER)).toEqual([]);
});
