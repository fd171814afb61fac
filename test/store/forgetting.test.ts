import { readFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { append, type NewEvent } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import { query } from "../../src/store/query-text.js";
import { ask } from "../../src/store/script.js";
import type { Store } from "../../src/store/store.js";
import { randomFrom } from "../random.js";
import { SEED } from "../sizes.js";
import { readAll } from "./contract.js";
import { COUNTERS, MARK } from "./counters.js";
import { placesFor } from "./places.js";

const { sqlite, postgres } = placesFor("forgetting");
afterAll(() => sqlite?.tearDown?.());

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(url: string, trace?: (step: string) => void): Promise<Store> {
  const store = await openStore(url, { projections: [COUNTERS], ...(trace ? { trace } : undefined) });
  opened.push(store);
  return store;
}

const events = (count: number, text = ""): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({ type: "number.written", data: { number: index, text } }));

describe.each(Object.entries({ sqlite, postgres }))("a long session is forgotten in steps, on %s", (_, place) => {
  const MANY = 1100;

  async function lived(url: string): Promise<Store> {
    const store = await open(url);
    await store.commit(append([{ stream: "calls:a", events: events(MANY) }]));
    await store.commit(append([{ stream: "session:a", events: events(3) }]));
    await store.commit(append([{ stream: "calls:a", events: [{ type: "a.b", data: {}, id: "the last call" }] }]));
    await store.commit(append([{ stream: "session:b", events: events(3) }]));
    return store;
  }

  const rowsOf = (store: Store, stream: string) =>
    store.look(function* () {
      return Number((yield* ask(query`SELECT count(*) AS n FROM milepost_events WHERE stream = ${stream}`))[0]?.n);
    });

  test("others write meanwhile, and what they write is there", async () => {
    const url = (await place?.fresh()) ?? "";
    const store = await lived(url);
    const other = await open(url);
    let [isOver, written] = [false, 0];
    const writing = (async () => {
      while (!isOver) {
        await other.commit(append([{ stream: "session:b", events: events(1) }]));
        written += 1;
      }
    })();
    const forgotten = await store.forget("a");
    isOver = true;
    await writing;
    expect(forgotten).toMatchObject({ events: MANY + 4, streams: ["session:a", "calls:a"] });
    expect(written).toBeGreaterThan(0);
    expect(await other.view(COUNTERS, "session:b")).toMatchObject({ count: written + 3 });
    expect([await rowsOf(store, "calls:a"), await rowsOf(store, "session:a")]).toEqual([0, 0]);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    expect(await store.forget("a")).toEqual({ streams: [], events: 0, readings: 0 });
  });

  test("killed after its first step, nothing of it can be read, and the next one goes on", async () => {
    const url = (await place?.fresh()) ?? "";
    const store = await lived(url);
    let begun = 0;
    const killed = await open(url, (step) => {
      if (step.startsWith("BEGIN") && ++begun > 2) throw new Error("killed");
    });
    begun = 1;
    await expect(killed.forget("a")).rejects.toThrow("killed");
    expect(await rowsOf(store, "calls:a")).toBeGreaterThan(0);
    const streams = async () => [...new Set((await readAll(store)).map(({ stream }) => stream))];
    expect(await streams()).toEqual(["session:b"]);
    expect(await readAll(store, { stream: "calls:a" })).toEqual([]);
    expect(await store.find("the last call")).toBeUndefined();
    expect(await store.view(COUNTERS, "session:a")).toEqual({ count: 0, sum: 0 });
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    // A session of this name that begins now is another one.
    await store.commit(append([{ stream: "session:a", events: events(2) }]));
    expect(await store.view(COUNTERS, "session:a")).toMatchObject({ count: 2 });
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.prune();
    expect([await rowsOf(store, "calls:a"), await rowsOf(store, "session:a")]).toEqual([0, 2]);
    expect(await streams()).toEqual(["session:b", "session:a"]);
    expect(await store.forget("a")).toMatchObject({ events: 2 });
    expect(await streams()).toEqual(["session:b"]);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
  });
});

/** Rows that grow, shrink and go: so SQLite splits and joins pages, and leaves copies of rows behind. */
async function livelyStore(url: string): Promise<Store> {
  const random = randomFrom(SEED + 11);
  const store = await openStore(url, { projections: [TEXTS] });
  opened.push(store);
  const sessions = Array.from({ length: 60 }, (_, index) => `s${index}`);
  for (let round = 0; round < 40; round += 1)
    await store.commit(
      append(
        sessions
          .filter(() => random.chance(0.6))
          .map((name) => {
            const text = `${MARK} ${name}; ${"x".repeat(random.below(12_000))}`;
            return { stream: `session:${name}`, events: [{ type: "text.written", data: { text } }] };
          }),
      ),
    );
  // Gaps, and free pages.
  await store.forget("s30");
  return store;
}

const TEXTS = {
  ...COUNTERS,
  initial: { text: "" },
  fold: (_: unknown, all: readonly { data: { text?: unknown } }[]) => ({ text: String(all.at(-1)?.data.text) }),
  isState: () => true,
  isOpen: () => false,
};

test("of a large file, which is cleaned in steps, no trace of it stays", { timeout: 60_000 }, async () => {
  const path = (await sqlite?.fresh()) ?? "";
  const store = await livelyStore(path);
  const steps: string[] = [];
  const cleaner = await openStore(path, { projections: [TEXTS], trace: (step) => steps.push(step) });
  opened.push(cleaner);
  await cleaner.forget("s7");
  // In one go it would hold up everybody for as long as it takes.
  expect(steps).not.toContain("VACUUM");
  expect((await store.check({ rebuild: false })).findings).toEqual([]);
  const left = (await readAll(store)).length;
  expect(left).toBeGreaterThan(500);
  for (const one of opened.splice(0)) await one.close();
  const bytes = readFileSync(path);
  expect(bytes.length).toBeGreaterThan(8 * 1024 * 1024);
  for (const gone of ["s7", "s30"]) expect([gone, bytes.includes(`${MARK} ${gone};`)]).toEqual([gone, false]);
  expect(bytes.includes("session:s7")).toBe(false);
  expect(bytes.includes(`${MARK} s8;`)).toBe(true);
});
