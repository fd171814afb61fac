import { afterAll, describe, expect, test } from "vitest";
import { TASKS, taskStream } from "../../src/app/tasks/task-views.js";
import type { Store } from "../../src/store/store.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { placesFor } from "../store/places.js";
import { together } from "../store/workers.js";
import { addTasks, openTasks } from "./boards.js";
import { LIST, TaskWorker } from "./task-workers.js";

const { sqlite, postgres } = placesFor("graph");
const EDGES_PER_TASK = 5;
const WORKERS = sized(5, 16);
const WRITERS = sized(4, 8);

afterAll(() => sqlite?.tearDown?.());

/** In the order of the log: nothing is claimed before everything that blocks it is done. Says how many were done. */
async function expectInOrder(store: Store, blockers: ReadonlyMap<number, readonly number[]>): Promise<number> {
  const done = new Set<number>();
  const pages = await store.read();
  if (!pages.ok) throw new Error(pages.error.message);
  for await (const { events } of pages.value)
    for (const { stream, type } of events) {
      const number = Number(stream.slice(stream.lastIndexOf("/") + 1));
      if (type === "task.claimed") expect((blockers.get(number) ?? []).filter((one) => !done.has(one))).toEqual([]);
      if (type === "task.completed") done.add(number);
    }
  return done.size;
}

/** What is left when everything that waits for nothing is taken away again and again. */
function inCircles(blockers: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const left = new Map(blockers);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [number, others] of left) if (!others.some((one) => left.has(one))) left.delete(number);
  }
  return [...left.keys()];
}

describe.each(Object.entries({ sqlite, postgres }))("on %s", (_, place) => {
  const fresh = async () => (await place?.fresh()) ?? "";

  test(`${WORKERS} workers work off a graph: nothing starts before what blocks it is done`, {
    timeout: 1_800_000,
  }, async () => {
    const seed = SEED;
    const random = randomFrom(seed);
    const tasks = place === sqlite ? sized(100, 10_000) : sized(40, 3000);
    const blockers = new Map<number, readonly number[]>();
    for (let number = 2; number <= tasks; number += 1) {
      const some = Array.from({ length: EDGES_PER_TASK }, () => 1 + random.below(number - 1));
      blockers.set(number, [...new Set(some)]);
    }
    const url = await fresh();
    const store = await openTasks(url);
    await addTasks(store, tasks, (number) => blockers.get(number) ?? []);
    const workers = Array.from(
      { length: WORKERS },
      (_, index) => new TaskWorker({ job: "workOff", url, owner: `w${index}` }),
    );
    await together(workers);
    for (const worker of workers) {
      const { exit, errors } = await worker.end();
      expect([exit, errors], `seed ${seed}`).toEqual([0, ""]);
    }
    expect(await expectInOrder(store, blockers), `seed ${seed}`).toBe(tasks);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  });

  test(`${WRITERS} writers that tie random tasks never close a circle`, { timeout: 600_000 }, async () => {
    const seed = SEED;
    const url = await fresh();
    const store = await openTasks(url);
    const count = 40;
    await addTasks(store, count);
    const writers = Array.from(
      { length: WRITERS },
      (_, index) =>
        new TaskWorker({ job: "tie", url, owner: `w${index}`, count, rounds: sized(40, 400), seed: seed + index }),
    );
    await together(writers);
    const codes: Record<string, number> = {};
    for (const writer of writers) {
      expect((await writer.end()).errors).toBe("");
      for (const said of writer.said<Record<string, number>>())
        for (const [code, times] of Object.entries(said)) codes[code] = (codes[code] ?? 0) + times;
    }
    console.log(`seed ${seed}: ${JSON.stringify(codes)}`);
    expect(Object.keys(codes).sort()).toEqual(["cyclic-edge", "ok", "self-edge"]);
    const blockers = new Map<number, readonly number[]>();
    for (let number = 1; number <= count; number += 1) {
      const { blockedBy } = await store.view(TASKS, taskStream(LIST, number));
      blockers.set(number, blockedBy);
      // Both ends know of it.
      for (const one of blockedBy) expect((await store.view(TASKS, taskStream(LIST, one))).blocks).toContain(number);
    }
    expect(inCircles(blockers), `seed ${seed}`).toEqual([]);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  });
});
