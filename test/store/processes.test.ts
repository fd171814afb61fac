import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { append } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import { sized } from "../sizes.js";
import { COUNTERS } from "./counters.js";
import { together, Worker } from "./workers.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-processes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROCESSES = 16;
const options = { projections: [COUNTERS] };

test("16 processes share appends to common streams: none lost, none twice, none starves", {
  timeout: 900_000,
}, async () => {
  const url = join(folder, "appends", "milepost.db");
  const share = sized(1600, 160_000) / PROCESSES;
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

const ROUNDS = sized(5, 20);

test(`16 processes open a new store at the same moment, ${ROUNDS} rounds`, { timeout: 120_000 }, async () => {
  const workers = Array.from({ length: PROCESSES }, () => new Worker("open", "-"));
  await Promise.all(workers.map((worker) => worker.line(0)));
  for (let round = 1; round <= ROUNDS; round += 1) {
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

test("limits-event-storm: an agent that writes 1,000 events a second does not hold up the others", {
  timeout: 1_800_000,
}, async () => {
  const url = join(folder, "storm", "milepost.db");
  const seconds = sized(1, 600);
  const storm = new Worker("storm", url, seconds);
  await storm.line(0);
  const store = await openStore(url, options);
  const waits: number[] = [];
  while (storm.lines.length < 2) {
    const start = performance.now();
    await store.commit(append([{ stream: "session:calm", events: [{ type: "number.written", data: { number: 1 } }] }]));
    waits.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect((await storm.end()).errors).toBe("");
  const p99 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)];
  console.log(`${waits.length} commits beside the storm, p99 ${p99?.toFixed(1)} ms`);
  // Ten times the promise, because machines are noisy.
  expect(p99).toBeLessThan(10 * 250);
  const { events } = await store.totals();
  expect(events).toBe(seconds * 1000 + waits.length);
  // However much it writes, it is bounded.
  await store.prune([{ kind: "calls", maxAge: 60 * 60 * 1000, maxSize: 1000 }]);
  expect((await store.totals()).size).toBeLessThan(1000 + 100 * waits.length);
  await store.close();
});
