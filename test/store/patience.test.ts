import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.js";
import { append, type EventStore } from "../../src/store/event-store.js";
import { type OpenOptions, openLog, openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { clean, run } from "../hook-process.js";
import { holdFile, holdTables, type Release } from "../store-lockers.js";
import { readAll } from "./contract.js";
import { COUNTERS } from "./counters.js";
import { type Place, placesFor } from "./places.js";

// Whoever cannot wait: it hears of that in time, and what it gave up does not happen later.

const options: OpenOptions = { projections: [COUNTERS] };
const one = (stream: string, number = 1) =>
  append([{ stream, events: [{ type: "number.written", data: { number } }] }]);
const BUSY = { name: "StoreTrouble", code: "store-busy" };
/** Milliseconds: a promise of 300 is tested with ten times as much. */
const TEN_TIMES = 3000;

async function timed<T>(work: () => Promise<T>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

interface Held {
  readonly url: string;
  readonly hold: (whom: "writers" | "everybody") => Promise<Release>;
}

type Hold = (url: string, whom: "writers" | "everybody") => Promise<Release>;

const HOLDS: Readonly<Record<string, Hold>> = {
  sqlite: (path, whom) => holdFile(path, whom === "writers" ? "BEGIN IMMEDIATE" : "locking_mode=EXCLUSIVE"),
  postgres: holdTables,
};

/** What every store does that others can hold. */
function patienceContract(name: string, place: Place, hold: Hold): void {
  describe(`${name}: whoever cannot wait`, () => {
    let held: Held;
    let store: Store;
    let streams = 0;
    const fresh = () => `plan:${++streams}`;
    const versionOf = (stream: string) =>
      store.look(function* ({ queries }) {
        const [row] = yield queries.stream(stream);
        return Number(row?.version ?? 0);
      });

    beforeAll(async () => {
      const url = await place.fresh();
      held = { url, hold: (whom) => hold(url, whom) };
      store = await openStore(url, options);
    });
    afterAll(async () => {
      await store.close();
      await place.tearDown?.();
    });

    async function whileHeld(whom: "writers" | "everybody", work: () => Promise<void>): Promise<void> {
      const release = await held.hold(whom);
      try {
        await work();
      } finally {
        await release();
      }
    }

    const WRITES: readonly (readonly [string, (store: EventStore, stream: string) => Promise<unknown>])[] = [
      ["a commit", (hurried, stream) => hurried.commit(one(stream))],
      [
        "a commit with a key",
        (hurried, stream) =>
          hurried.commit(one(stream), { idempotency: { key: `key-${stream}`, input: 1, stream: "session:a" } }),
      ],
      [
        "an observation",
        (hurried, stream) =>
          hurried.observe(stream.replace("plan:", "calls:"), [{ type: "number.written", data: { number: 1 } }]),
      ],
    ];
    for (const patience of [0, 60])
      test.each(WRITES)(
        `%s is given up after ${patience} ms, for good, and works when asked again`,
        async (_, write) => {
          const stream = fresh();
          await whileHeld("writers", async () => {
            const took = await timed(() => expect(write(store.within(patience), stream)).rejects.toMatchObject(BUSY));
            expect(took).toBeLessThan(TEN_TIMES);
          });
          // Whatever was left of it would have its turn before this one.
          await store.commit(one(fresh()));
          expect((await versionOf(stream)) + (await versionOf(stream.replace("plan:", "calls:")))).toBe(0);
          await write(store.within(patience), stream);
          expect((await versionOf(stream)) + (await versionOf(stream.replace("plan:", "calls:")))).toBe(1);
        },
      );

    test("behind a patient one of the same process: it does not wait with that, nor comes after it", async () => {
      const [patient, hurried, tried] = [fresh(), fresh(), fresh()];
      let waiting: Promise<unknown> | undefined;
      await whileHeld("writers", async () => {
        waiting = store.commit(one(patient));
        await Promise.all([
          expect(store.within(60).commit(one(hurried))).rejects.toMatchObject(BUSY),
          expect(store.within(0).commit(one(tried))).rejects.toMatchObject(BUSY),
        ]);
      });
      expect(await waiting).toEqual(ok(undefined));
      expect([await versionOf(patient), await versionOf(hurried), await versionOf(tried)]).toEqual([1, 0, 0]);
    });

    test("a lock that is let go in time is waited for", async () => {
      const stream = fresh();
      const release = await held.hold("writers");
      const waiting = store.within(TEN_TIMES).commit(one(stream));
      await new Promise((resolve) => setTimeout(resolve, 40));
      await release();
      expect(await waiting).toEqual(ok(undefined));
    });

    test("its patience is for all that it does together", async () => {
      const hurried = store.within(120);
      await whileHeld("writers", async () => {
        await expect(hurried.commit(one(fresh()))).rejects.toMatchObject(BUSY);
        // Nothing is left of it: one try.
        for (let tries = 0; tries < 4; tries += 1)
          await expect(hurried.commit(one(fresh()))).rejects.toMatchObject(BUSY);
      });
      expect(await hurried.commit(one(fresh()))).toEqual(ok(undefined));
    });

    test("reads while writers are held", async () => {
      const stream = fresh();
      await store.commit(one(stream, 5));
      await whileHeld("writers", async () => {
        expect(await store.within(0).view(COUNTERS, stream)).toMatchObject({ sum: 5 });
      });
    });

    test("opening is given up in time where nobody is let in, and works afterwards", async () => {
      // Made by another process: a handle of this one would keep others from having the file alone.
      const url = await place.fresh();
      expect(await run(["call", "--store", url], '{"tool":"todo","input":{"add":["x"]}}', clean())).toMatchObject({
        exit: 0,
      });
      const release = await hold(url, "everybody");
      try {
        for (const patience of [0, 60])
          for (const isBrief of [false, true]) {
            const opening = () => openLog(url, { ...options, isBrief, patience });
            expect(await timed(() => expect(opening()).rejects.toMatchObject(BUSY))).toBeLessThan(TEN_TIMES);
          }
      } finally {
        await release();
      }
      const opened = await openLog(url, { ...options, patience: 1000 });
      expect(await opened.commit(one(fresh()))).toEqual(ok(undefined));
      await opened.close();
    });

    test("opened with it, each write has it; a brief one has it once, opening and all", async () => {
      const patient = await openLog(held.url, { ...options, patience: 60 });
      const brief = await openLog(held.url, { ...options, patience: 60, isBrief: true });
      const streams = [fresh(), fresh(), fresh(), fresh()] as const;
      await whileHeld("writers", async () => {
        for (const stream of streams.slice(0, 2)) {
          await expect(patient.commit(one(stream))).rejects.toMatchObject(BUSY);
          await expect(brief.commit(one(stream))).rejects.toMatchObject(BUSY);
        }
      });
      expect(await patient.commit(one(streams[2]))).toEqual(ok(undefined));
      expect(await brief.commit(one(streams[3]))).toEqual(ok(undefined));
      expect(await Promise.all(streams.map(versionOf))).toEqual([0, 0, 1, 1]);
      await Promise.all([patient.close(), brief.close()]);
    });

    test("closing its handle leaves the store open", async () => {
      const hurried = store.within(1000);
      await hurried.close();
      expect(await store.commit(one(fresh()))).toEqual(ok(undefined));
    });

    test("many at once, while nobody else is there, are all written", async () => {
      const stream = fresh();
      await Promise.all(Array.from({ length: 40 }, (_, number) => store.within(20_000).commit(one(stream, number))));
      expect(await versionOf(stream)).toBe(40);
    });
  });
}

const { memory, ...places } = placesFor("patience");
for (const [name, place] of Object.entries(places)) {
  const hold = HOLDS[name];
  if (hold) patienceContract(name, place, hold);
}

test("memory: nobody else is there, so one try is enough", async () => {
  const store = await openStore((await memory?.fresh()) ?? "", { ...options, patience: 0 });
  await Promise.all([1, 2, 3].map((number) => store.within(0).commit(one("plan:a", number))));
  expect(await readAll(store)).toHaveLength(3);
  await store.close();
});
