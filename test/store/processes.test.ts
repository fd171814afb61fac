import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../src/store/open.js";
import { COUNTERS } from "./counters.js";
import { sized } from "./long.js";
import { together, Worker } from "./workers.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-processes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROCESSES = 16;
const options = { projections: [COUNTERS] };

test("16 processes share appends to common streams: none lost, none twice, none starves", {
  timeout: 900_000,
}, async () => {
  const url = join(folder, "appends", "milepost.db");
  const share = sized(10_000, 160_000) / PROCESSES;
  const workers = Array.from({ length: PROCESSES }, (_, index) => new Worker("append", url, index, share));
  await together(workers);
  const ends = await Promise.all(workers.map((worker) => worker.end()));
  // Nothing reached a caller: no error, no refusal.
  for (const { exit, errors, lines } of ends) expect([exit, errors, lines.at(-1)]).toEqual([0, "", "done"]);

  const store = await openStore(url, options);
  const done = new Array<number>(PROCESSES).fill(0);
  const versions = new Map<string, number>();
  let whenFirstFinished: readonly number[] | undefined;
  const pages = await store.read();
  if (pages.ok)
    for await (const { events } of pages.value)
      for (const { stream, version, data } of events) {
        expect(version).toBe((versions.get(stream) ?? 0) + 1);
        versions.set(stream, version);
        const worker = Number(data.worker);
        // Its own writes come in its own order.
        expect(data.number).toBe((done[worker] ?? 0) + 1);
        done[worker] = Number(data.number);
        if (data.number === share) whenFirstFinished ??= [...done];
      }
  expect(done).toEqual(new Array(PROCESSES).fill(share));
  expect((await store.check({ rebuild: false })).findings).toEqual([]);
  await store.close();
  const slowest = Math.min(...(whenFirstFinished ?? [0]));
  console.log(
    `${share * PROCESSES} appends; when the first process was done, the last had ${((100 * slowest) / share).toFixed(0)} % of its share`,
  );
  expect(slowest).toBeGreaterThanOrEqual(share / 4);
});

test("16 processes open a new store at the same moment, 20 rounds", { timeout: 120_000 }, async () => {
  const workers = Array.from({ length: PROCESSES }, () => new Worker("open", "-"));
  await Promise.all(workers.map((worker) => worker.line(0)));
  for (let round = 1; round <= 20; round += 1) {
    const url = join(folder, "open", `${round}`, "milepost.db");
    for (const worker of workers) worker.tell(url);
    expect(await Promise.all(workers.map((worker) => worker.line(round)))).toEqual(new Array(PROCESSES).fill("opened"));
    const store = await openStore(url, options);
    expect(await store.view(COUNTERS, "session:all")).toEqual({ count: PROCESSES, sum: PROCESSES });
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  }
  for (const worker of workers) worker.process.stdin.end();
  for (const worker of workers) expect((await worker.end()).errors).toBe("");
});
