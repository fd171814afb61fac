import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { append } from "../../src/store/event-store.js";
import { MIGRATIONS } from "../../src/store/migrations.js";
import { openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { freshDatabase } from "../databases.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { COUNTERS } from "./counters.js";
import { nextMigration } from "./next-migration.js";
import { Worker } from "./workers.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { projections: [COUNTERS] };

/** Both streams of every write, or neither; and nothing that `check` could complain about. */
async function pairsIn(store: Store): Promise<number> {
  const [left, right] = [await store.view(COUNTERS, "session:left"), await store.view(COUNTERS, "session:right")];
  expect(right).toEqual(left);
  expect((await store.check({ rebuild: false })).findings).toEqual([]);
  return left.count;
}

async function timed<T>(work: () => Promise<T>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const probe = (store: Store) => () =>
  store.commit(append([{ stream: "plan:probe", events: [{ type: "number.written", data: { number: 1 } }] }]));

/** Push dies before each ninth step of a migration, `npm run test:crash` before each one. */
const EVERY = sized(9, 1);

/** A stale lock would hold up the next writer; ten times the promise, because machines are noisy. */
const MOST_DELAY_MS = 10 * 100;

test("kill -9 at a random moment: nothing acknowledged is lost, nothing is torn, nobody waits", {
  timeout: 600_000,
}, async () => {
  const url = join(folder, "kill", "milepost.db");
  const rounds = sized(6, 200);
  const delays: number[] = [];
  const random = randomFrom(SEED);
  let acknowledged = 0;
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
    const worker = new Worker("write", url);
    // Most kills hit the middle of writing; every fifth one hits anything, opening and the first tables included.
    if (round % 5 !== 0) await worker.line(0);
    await new Promise((resolve) => setTimeout(resolve, random.below(100)));
    worker.kill();
    const { lines, errors } = await worker.end();
    expect(errors).toBe("");
    kills += 1;
    acknowledged = Math.max(acknowledged, ...lines.map((line) => Number.parseInt(line, 10)));
    const store = await openStore(url, options);
    delays.push(await timed(probe(store)));
    const pairs = await pairsIn(store);
    expect(pairs).toBeGreaterThanOrEqual(acknowledged);
    await store.close();
  }
  const sorted = delays.sort((a, b) => a - b);
  console.log(
    `${kills} kills, ${acknowledged} acknowledged pairs, 0 lost; first write after a kill: median ${sorted[rounds >> 1]?.toFixed(1)} ms, longest ${sorted.at(-1)?.toFixed(1)} ms`,
  );
  expect(sorted.at(-1)).toBeLessThan(MOST_DELAY_MS);
});

interface Engine {
  readonly name: string;
  readonly fresh: () => Promise<string>;
}

const engines: readonly Engine[] = [
  { name: "sqlite", fresh: async () => join(mkdtempSync(join(folder, "step-")), "milepost.db") },
  { name: "postgres", fresh: () => freshDatabase("crash") },
];

/** Runs the job with a death at every step, or every so many, until it lives; says at which it died last. */
async function dieAtEveryStep(
  job: string,
  { more, every }: { readonly more: readonly number[]; readonly every: number },
  url: () => Promise<string>,
  check: (url: string) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step += every) {
    const place = await url();
    const { lines, errors } = await new Worker(job, place, step, ...more).end();
    expect(errors).toBe("");
    const isDone = lines.includes("done");
    await check(place);
    if (isDone) return step - every;
  }
}

describe.each(engines)("death before every step, on $name", { timeout: sized(120_000, 600_000) }, ({ fresh }) => {
  test("of a commit: all of it or nothing", async () => {
    const place = await fresh();
    await (await openStore(place, options)).close();
    const seen: number[] = [];
    const steps = await dieAtEveryStep(
      "commit",
      { more: [], every: sized(3, 1) },
      async () => place,
      async (url) => {
        const store = await openStore(url, options);
        seen.push(await pairsIn(store));
        await store.close();
      },
    );
    // Gate, two streams, two events, two views, begin and commit at the least.
    expect(steps).toBeGreaterThan(8);
    // Never there before the commit, always there from some step on.
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe((seen.at(-2) ?? 0) + 1);
    for (const [index, pairs] of seen.entries()) expect(pairs - (seen[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  test("of making a store: the next one makes it", async () => {
    const steps = await dieAtEveryStep("migrate", { more: [0], every: EVERY }, fresh, async (url) => {
      const store = await openStore(url, options);
      expect(await store.totals()).toMatchObject({ schema: 3, oldestWriter: 1, events: 0 });
      await probe(store)();
      expect((await store.check({ rebuild: false })).findings).toEqual([]);
      await store.close();
    });
    expect(steps).toBeGreaterThan(10);
  });

  /** Those that were released, and one that may come. */
  const all = [...MIGRATIONS, nextMigration];
  test.each(all.slice(1).map(({ version }) => version))(
    "of the migration to version %i: the old store or the new one, and its events in both",
    async (version) => {
      const before = { ...options, migrations: all.slice(0, version - 1) };
      const filled = async () => {
        const url = await fresh();
        const store = await openStore(url, before);
        await probe(store)();
        await store.close();
        return url;
      };
      const schemas: number[] = [];
      const steps = await dieAtEveryStep("migrate", { more: [version], every: EVERY }, filled, async (url) => {
        const older = await openStore(url, before);
        const { schema, events } = await older.totals();
        schemas.push(schema);
        expect(events).toBe(1);
        await older.close();
        const newer = await openStore(url, { ...options, migrations: all.slice(0, version) });
        expect(await newer.totals()).toMatchObject({ schema: version, events: 1 });
        expect((await newer.check({ rebuild: false })).findings).toEqual([]);
        await newer.close();
      });
      expect(steps).toBeGreaterThan(5);
      expect(schemas[0]).toBe(version - 1);
      expect(schemas.at(-1)).toBe(version);
    },
  );
});
