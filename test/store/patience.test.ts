import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.js";
import { append, type Decision, type EventStore } from "../../src/store/event-store.js";
import { type OpenOptions, openLog, openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { freshDatabase } from "../databases.js";
import { clean, run } from "../hook-process.js";
import { closeOddServers, front, serve } from "../odd-servers.js";
import { freezeServer, holdFile, holdTables, type Release } from "../store-lockers.js";
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
          await write(store.within(TEN_TIMES), stream);
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
    });

    test("reads while writers are held", async () => {
      const stream = fresh();
      await store.commit(one(stream, 5));
      await whileHeld("writers", async () => {
        expect(await store.within(60).view(COUNTERS, stream)).toMatchObject({ sum: 5 });
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
      const patient = await openLog(held.url, { ...options, patience: 200 });
      const brief = await openLog(held.url, { ...options, patience: 200, isBrief: true });
      const streams = [fresh(), fresh(), fresh(), fresh()] as const;
      await whileHeld("writers", async () => {
        for (const stream of streams.slice(0, 2)) {
          await expect(patient.commit(one(stream))).rejects.toMatchObject(BUSY);
          await expect(brief.commit(one(stream))).rejects.toMatchObject(BUSY);
        }
      });
      expect(await patient.commit(one(streams[2]))).toEqual(ok(undefined));
      expect(await brief.within(TEN_TIMES).commit(one(streams[3]))).toEqual(ok(undefined));
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

for (const [name, place] of Object.entries(placesFor("patience"))) {
  const hold = HOLDS[name];
  if (hold) patienceContract(name, place, hold);
}

test.each(["memory", "sqlite"])("%s: where nobody else is, one try is enough", async (name) => {
  const store = await openStore((await placesFor("alone")[name]?.fresh()) ?? "", { ...options, patience: 0 });
  await Promise.all([1, 2, 3].map((number) => store.within(0).commit(one("plan:a", number))));
  expect(await readAll(store)).toHaveLength(3);
  await store.close();
});

describe("PostgreSQL: a server that stops", () => {
  let url: string;
  let store: Store;
  beforeAll(async () => {
    url = await freshDatabase("patience");
    store = await openStore(url, { ...options, trace: (step) => traced(step) });
  });
  afterAll(async () => {
    await store.close();
    closeOddServers();
  });
  let traced: (step: string) => void = () => undefined;

  /** Stops the server's process for this commit before it is sent a step like this one. */
  async function stoppedAt(step: RegExp, work: (decide: Decision<undefined>) => Promise<void>, stream: string) {
    let pid = 0;
    traced = (next) => {
      if (pid !== 0 && step.test(next)) process.kill(pid, "SIGSTOP");
    };
    try {
      await work(function* () {
        const [row] = yield { sql: "", text: "SELECT pg_backend_pid() AS pid", values: [] };
        pid = Number(row?.pid);
        return ok({
          writes: [{ stream, events: [{ type: "number.written", data: { number: 1 } }] }],
          answer: undefined,
        });
      });
    } finally {
      traced = () => undefined;
      if (pid !== 0) process.kill(pid, "SIGCONT");
    }
  }

  const countOf = async (stream: string) => (await readAll(store, { stream })).length;

  test("before the commit: nothing is written, also when it goes on", async () => {
    await stoppedAt(
      /INSERT INTO milepost_events/,
      async (decide) => {
        const took = await timed(() => expect(store.within(60).commit(decide)).rejects.toMatchObject(BUSY));
        expect(took).toBeLessThan(TEN_TIMES);
      },
      "plan:before",
    );
    expect(await store.commit(one("plan:before"))).toEqual(ok(undefined));
    expect(await countOf("plan:before")).toBe(1);
  });

  test("at the commit: nobody knows, and it says so; with its key it can be sent again", async () => {
    const idempotency = { key: "at-commit", input: 1, stream: "session:a" };
    let decision: Decision<undefined> = one("plan:at");
    await stoppedAt(
      /^COMMIT/,
      async (decide) => {
        decision = decide;
        const sent = store.within(60).commit(decide, { idempotency });
        await expect(sent).rejects.toMatchObject({
          name: "StoreTrouble",
          code: "store-unsure",
          message: expect.stringMatching(/did not say whether .* Look before you try again/),
        });
      },
      "plan:at",
    );
    // It waits for the first one, which the server carries out now.
    expect(await store.commit(decision, { idempotency })).toEqual(ok(undefined));
    expect(await countOf("plan:at")).toBe(1);
  });

  test("all of it: writing, looking and opening are given up in time", async () => {
    const release = await freezeServer(url);
    try {
      for (const patience of [0, 60]) {
        const took = await timed(async () => {
          await expect(store.within(patience).commit(one("plan:frozen"))).rejects.toMatchObject(BUSY);
          await expect(store.within(patience).view(COUNTERS, "plan:frozen")).rejects.toMatchObject(BUSY);
          await expect(openLog(url, { ...options, patience, isBrief: true })).rejects.toMatchObject(BUSY);
        });
        expect(took).toBeLessThan(TEN_TIMES);
      }
    } finally {
      await release();
    }
    expect(await store.commit(one("plan:frozen"))).toEqual(ok(undefined));
    expect(await countOf("plan:frozen")).toBe(1);
  });

  test("all connections in use: whoever cannot wait for one is told, and never gets it", async () => {
    const release = await holdTables(url, "writers");
    const patient = Array.from({ length: 8 }, (_, number) => store.commit(one(`plan:pool-${number}`)));
    for (const patience of [0, 60]) {
      const crowded = store.within(patience);
      expect(await timed(() => expect(crowded.commit(one("plan:crowd"))).rejects.toMatchObject(BUSY))).toBeLessThan(
        TEN_TIMES,
      );
    }
    await release();
    expect(await Promise.all(patient)).toEqual(Array(8).fill(ok(undefined)));
    expect(await countOf("plan:crowd")).toBe(0);
    expect(await store.within(1000).commit(one("plan:crowd"))).toEqual(ok(undefined));
  });

  test.each([
    ["accepts and says nothing", () => serve(() => undefined), "store-busy"],
    ["is not there", async () => "postgres://u@127.0.0.1:1/x", "store-unreachable"],
  ])("one that %s", async (_, address, code) => {
    const silent = await address();
    for (const patience of [0, 60])
      for (const isBrief of [false, true]) {
        const opening = () => openLog(silent, { ...options, patience, isBrief });
        expect(await timed(() => expect(opening()).rejects.toMatchObject({ code }))).toBeLessThan(TEN_TIMES);
      }
  });

  test("far away: answers that come one after the other are not waited for, however many", async () => {
    const { url: far } = await front(url, { delay: 30 });
    const distant = await openLog(far, { ...options, patience: 250, isBrief: true });
    expect(await distant.commit(one("plan:far"))).toEqual(ok(undefined));
    await distant.close();
  });
});
