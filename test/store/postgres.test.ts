import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.js";
import { append, START } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import type { Query } from "../../src/store/script.js";
import { freshDatabase } from "../databases.js";
import { readAll } from "./contract.js";
import { COUNTERS } from "./counters.js";

// Only here, because they are about a server: its defaults, other people's transactions, connections that are lost.
const url = await freshDatabase("server");
const options = { projections: [COUNTERS] };
let admin: pg.Client;
let other: pg.Client;

beforeAll(async () => {
  admin = new pg.Client(url);
  await admin.connect();
  await admin.query(
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation = 'repeatable read'`,
  );
  other = new pg.Client(url);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await admin.end();
});

const numbered = (stream: string, number = 1) =>
  append([{ stream, events: [{ type: "number.written", data: { number } }] }]);
const raw = (text: string): Query => ({ sql: text, text, values: [] });

test("the server's default isolation does not matter", async () => {
  const store = await openStore(url, options);
  const written = await Promise.all(Array.from({ length: 20 }, () => store.commit(numbered("plan:isolation"))));
  expect(written.every(({ ok: isOk }) => isOk)).toBe(true);
  expect(await store.view(COUNTERS, "plan:isolation")).toEqual({ count: 20, sum: 20 });
  await store.close();
});

test("a durable commit is synced although the server would not; an observation is not", async () => {
  const store = await openStore(url, options);
  const level = await store.commit<unknown>(function* () {
    const [row] = yield raw("SELECT current_setting('synchronous_commit') AS level");
    return ok({ writes: [], answer: row?.level });
  });
  // The server of these tests is told not to sync.
  expect((await other.query("SHOW synchronous_commit")).rows).toEqual([{ synchronous_commit: "off" }]);
  expect(level).toEqual(ok("on"));
  await store.close();
});

describe("a transaction of somebody else that is still open", () => {
  test("does not make an export or a read shorter: it waits", async () => {
    const store = await openStore(url, options);
    await other.query("BEGIN; SELECT pg_current_xact_id()");
    await store.commit(numbered("plan:behind"));
    let isRead = false;
    const reading = readAll(store, { stream: "plan:behind" }).then((events) => {
      isRead = true;
      return events;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(isRead).toBe(false);
    await other.query("COMMIT");
    expect(await reading).toHaveLength(1);
    await store.close();
  });

  test("cannot make a follower miss what it commits late", async () => {
    const store = await openStore(url, options);
    const late = await openStore(url, options);
    await other.query("BEGIN; SELECT pg_current_xact_id()");
    const controller = new AbortController();
    const pages = await store.follow({ after: await store.head(), signal: controller.signal });
    if (!pages.ok) throw new Error(pages.error.message);
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const { events } of pages.value) {
        seen.push(...events.map(({ data }) => data.number));
        if (seen.length === 2) controller.abort();
      }
    })();
    await store.commit(numbered("plan:first", 1));
    await late.commit(numbered("plan:second", 2));
    await other.query("ROLLBACK");
    await following;
    expect(seen).toEqual([1, 2]);
    await Promise.all([store.close(), late.close()]);
  });
});

test("a listener that is cut off goes on, and misses nothing", async () => {
  const store = await openStore(url, options);
  const controller = new AbortController();
  const pages = await store.follow({ after: await store.head(), signal: controller.signal });
  if (!pages.ok) throw new Error(pages.error.message);
  const seen: number[] = [];
  const following = (async () => {
    for await (const { events } of pages.value) {
      seen.push(...events.map(({ data }) => Number(data.number)));
      if (seen.length === 10) controller.abort();
    }
  })();
  for (let number = 1; number <= 10; number += 1) {
    await store.commit(numbered("plan:cut", number));
    const text =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'milepost' AND query LIKE 'LISTEN%'";
    if (number % 3 === 0) await admin.query(text);
  }
  await following;
  expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  await store.close();
});

test("a connection that is lost is trouble with a name, and the next one works", async () => {
  const store = await openStore(url, options);
  await store.commit(numbered("plan:lost"));
  const lost = store.commit(function* () {
    yield raw("SELECT pg_terminate_backend(pg_backend_pid())");
    return ok({ writes: [], answer: undefined });
  });
  await expect(lost).rejects.toMatchObject({ name: "StoreTrouble", code: "store-unreachable" });
  expect((await store.commit(numbered("plan:lost"))).ok).toBe(true);
  await store.close();
});

test.each([
  ["the slashes forgotten", () => url.replace(/\/\/.*@/, "bob:Z9q7-hunter@"), "bad-store"],
  ["its colon encoded", () => url.replace(/\/\/.*@/, "//bob%3AZ9q7-hunter@"), "store-not-yours"],
  ["a percent sign in it", () => url.replace(/\/\/.*@/, "//bob:Z9q7%2Dhunter@"), "store-not-yours"],
  ["among the options", () => `${url}?user=bob&password=Z9q7-hunter`, "store-not-yours"],
])("a password is in no message: %s", async (_name, address, code) => {
  const error = await openStore(address(), options).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code });
  expect(error?.message).not.toMatch(/Z9q7/);
});

test("events from a dump of another server, which readers cannot see, are found", async () => {
  const store = await openStore(url, options);
  await store.commit(numbered("plan:dump"));
  await other.query("UPDATE milepost_events SET xid = '9000000000' WHERE stream = 'plan:dump'");
  expect((await store.check({ rebuild: false })).findings).toMatchObject([{ code: "hidden-events", level: "damage" }]);
  await other.query("UPDATE milepost_events SET xid = '3' WHERE stream = 'plan:dump'");
  expect((await readAll(store, { after: START, stream: "plan:dump" })).length).toBe(1);
  await store.close();
});
