import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { taskStream } from "../../src/app/tasks/task-views.js";
import type { Store } from "../../src/store/store.js";
import { sized } from "../store/long.js";
import { placesFor } from "../store/places.js";
import { together } from "../store/workers.js";
import { addTasks, openTasks } from "./boards.js";
import { LIST, TaskWorker } from "./task-workers.js";

const { sqlite, postgres } = placesFor("claims");
const PROCESSES = 16;
const HOUR = 60 * 60 * 1000;

interface Done {
  readonly number: number;
  readonly fence: number;
  readonly milliseconds: number;
}

interface Rivals {
  readonly url: string;
  readonly tasks: number;
  readonly processes?: number;
  readonly shift?: (index: number) => number;
}

/** All tasks are worked off; says what each process has done. */
async function workOff({ url, tasks, processes = PROCESSES, shift = () => 0 }: Rivals): Promise<readonly Done[][]> {
  const store = await openTasks(url);
  await addTasks(store, tasks);
  const workers = Array.from(
    { length: processes },
    (_, index) => new TaskWorker({ job: "workOff", url, owner: `w${index}` }, shift(index)),
  );
  await together(workers);
  // Nothing reached a caller: no error, no refusal.
  for (const worker of workers) {
    const { exit, errors, lines } = await worker.end();
    expect([exit, errors, lines.at(-1)]).toEqual([0, "", "done"]);
  }
  await expectEachOnce(store, tasks);
  expect((await store.check({ rebuild: false })).findings).toEqual([]);
  await store.close();
  return workers.map((worker) => [...worker.said<Done>()]);
}

/** The log of every task: one claim, one completion, by the same one. */
async function expectEachOnce(store: Store, tasks: number): Promise<void> {
  const told = new Map<string, string[]>();
  const pages = await store.read();
  if (!pages.ok) throw new Error(pages.error.message);
  for await (const { events } of pages.value)
    for (const { stream, type, actor } of events)
      if (type === "task.claimed" || type === "task.completed")
        told.set(stream, [...(told.get(stream) ?? []), `${type} ${actor}`]);
  expect(told.size).toBe(tasks);
  for (const events of told.values()) {
    const who = events[0]?.split(" ")[1];
    expect(events).toEqual([`task.claimed ${who}`, `task.completed ${who}`]);
  }
}

function expectFair(done: readonly Done[][], tasks: number): void {
  const numbers = done.flat().map(({ number }) => number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: tasks }, (_, index) => index + 1));
  const waits = done.flat().map(({ milliseconds }) => milliseconds);
  const p99 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)];
  const least = Math.min(...done.map(({ length }) => length)) / (tasks / done.length);
  console.log(
    `${tasks} tasks; claim and completion p99 ${p99?.toFixed(0)} ms; least share ${(100 * least).toFixed(0)} %`,
  );
  expect(least).toBeGreaterThanOrEqual(0.25);
}

beforeAll(async () => postgres?.setUp?.());
afterAll(async () => {
  await sqlite?.tearDown?.();
  await postgres?.tearDown?.();
});

describe.each(Object.entries({ sqlite, postgres }))("on %s", (_, place) => {
  const fresh = async () => (await place?.fresh()) ?? "";

  test("16 processes work off one list: none twice, none lost, none starves", { timeout: 900_000 }, async () => {
    const tasks = sized(2000, 10_000);
    expectFair(await workOff({ url: await fresh(), tasks }), tasks);
  });

  test("8 processes race for one task, 50 rounds: one winner each, whatever they are called", {
    timeout: 120_000,
  }, async () => {
    const url = await fresh();
    const store = await openTasks(url);
    await addTasks(store, 50);
    // In the odd rounds all have the same name: then only the fence tells them apart.
    const named = (owner: (index: number) => string) =>
      Array.from({ length: 8 }, (_, index) => new TaskWorker({ job: "race", url, owner: owner(index) }));
    const teams = [named((index) => `w${index}`), named(() => "same")] as const;
    await Promise.all(teams.flat().map((worker) => worker.line(0)));
    for (let round = 1; round <= 50; round += 1) {
      const team = teams[round % 2 === 0 ? 0 : 1];
      for (const worker of team) worker.tell(String(round));
      const answers = await Promise.all(team.map((worker) => worker.line(Math.ceil(round / 2))));
      expect(answers.sort()).toEqual([...new Array(7).fill("task-held"), "won 1"]);
    }
    for (const worker of teams.flat()) worker.process.stdin.end();
    for (const worker of teams.flat()) expect((await worker.end()).errors).toBe("");
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  });
});

test("on a server clocks an hour apart change nothing: leases are judged by the server's", {
  timeout: 300_000,
}, async () => {
  const url = (await postgres?.fresh()) ?? "";
  const tasks = sized(400, 2000);
  const shifts = [0, HOUR, -HOUR, 0];
  await workOff({ url, tasks, processes: 8, shift: (index) => shifts[index % shifts.length] ?? 0 });
  const store = await openTasks(url);
  // No event carries a client's time.
  const last = await store.recent("task", 1);
  expect(Math.abs((last[0]?.at ?? 0) - Date.now())).toBeLessThan(HOUR / 2);
  await store.close();
});

// On a file the store's clock is that of its machine, which all its processes share; so nobody is an hour apart there. If
// somebody is all the same (a virtual machine, a container with a clock of its own), a lease may be taken away too early:
// what still holds is that only one write of a task's holders is accepted at a time, because each needs the newest fence.
test("on a file a wrong clock may take a lease early, but never gets two completions or an old fence in", {
  timeout: 120_000,
}, async () => {
  const url = (await sqlite?.fresh()) ?? "";
  const store = await openTasks(url);
  await addTasks(store, 4);
  const ttl = HOUR / 2;
  const claimers = Array.from(
    { length: 4 },
    (_, index) => new TaskWorker({ job: "hold", url, owner: `slow${index}`, task: index + 1, ttl }, -HOUR),
  );
  for (const worker of claimers) expect(await worker.line(0)).toBe("claimed 1");
  // For everybody else the leases of slow clocks are over.
  const worker = new TaskWorker({ job: "workOff", url, owner: "right" });
  await together([worker]);
  expect((await worker.end()).errors).toBe("");
  for (const claimer of claimers) claimer.tell("go");
  for (const claimer of claimers) {
    await claimer.end();
    expect(claimer.said<{ code: string }>().map(({ code }) => code)).toEqual(new Array(3).fill("stale-fence"));
  }
  for (let task = 1; task <= 4; task += 1) {
    const types: string[] = [];
    const pages = await store.read({ stream: taskStream(LIST, task) });
    if (pages.ok) for await (const { events } of pages.value) types.push(...events.map(({ type }) => type));
    expect(types).toEqual(["task.added", "task.claimed", "task.claimed", "task.completed"]);
  }
  await store.close();
});
