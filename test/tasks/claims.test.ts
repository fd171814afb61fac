import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { TASKS, taskStream } from "../../src/app/tasks/task-views.js";
import type { Store } from "../../src/store/store.js";
import { sized } from "../sizes.js";
import { placesFor } from "../store/places.js";
import { together } from "../store/workers.js";
import { addTasks, openTasks } from "./boards.js";
import { LIST, TaskWorker } from "./task-workers.js";

const { sqlite, postgres } = placesFor("claims");
const PROCESSES = sized(6, 16);
const RIVALS = sized(4, 8);
const ROUNDS = sized(12, 50);
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

afterAll(() => sqlite?.tearDown?.());

describe.each(Object.entries({ sqlite, postgres }))("on %s", (_, place) => {
  const fresh = async () => (await place?.fresh()) ?? "";

  test(`${PROCESSES} processes work off one list: none twice, none lost, none starves`, {
    timeout: 900_000,
  }, async () => {
    const tasks = place === sqlite ? sized(300, 10_000) : sized(96, 2000);
    expectFair(await workOff({ url: await fresh(), tasks }), tasks);
  });

  test(`${RIVALS} processes race for one task, ${ROUNDS} rounds: one winner each, whatever they are called`, {
    timeout: 120_000,
  }, async () => {
    const url = await fresh();
    const store = await openTasks(url);
    await addTasks(store, ROUNDS);
    // In the odd rounds all have the same name: then only the fence tells them apart.
    const named = (owner: (index: number) => string) =>
      Array.from({ length: RIVALS }, (_, index) => new TaskWorker({ job: "race", url, owner: owner(index) }));
    const teams = [named((index) => `w${index}`), named(() => "same")] as const;
    await Promise.all(teams.flat().map((worker) => worker.line(0)));
    for (let round = 1; round <= ROUNDS; round += 1) {
      const team = teams[round % 2 === 0 ? 0 : 1];
      for (const worker of team) worker.tell(String(round));
      const answers = await Promise.all(team.map((worker) => worker.line(Math.ceil(round / 2))));
      expect(answers.sort()).toEqual([...new Array(RIVALS - 1).fill("task-held"), "won 1"]);
    }
    for (const worker of teams.flat()) worker.process.stdin.end();
    for (const worker of teams.flat()) expect((await worker.end()).errors).toBe("");
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  });
});

const SHIFTS = [0, HOUR, -HOUR, 0];
const apart = (index: number) => SHIFTS[index % SHIFTS.length] ?? 0;

/** No event carries the time of a clock that is wrong. */
async function expectRightTime(url: string): Promise<void> {
  const store = await openTasks(url);
  const last = await store.recent("task", 1);
  expect(Math.abs((last[0]?.at ?? 0) - Date.now())).toBeLessThan(HOUR / 2);
  await store.close();
}

test("on a server clocks an hour apart change nothing: leases are judged by the server's", {
  timeout: 300_000,
}, async () => {
  const url = (await postgres?.fresh()) ?? "";
  await workOff({ url, tasks: sized(60, 2000), processes: RIVALS, shift: apart });
  await expectRightTime(url);
});

// Where the machine does not tell its own clock, a process is believed; then only fences keep two holders apart.
describe.runIf(existsSync("/proc/uptime"))("on a file leases are judged by the machine's clock", () => {
  test("clocks an hour apart change nothing", { timeout: 300_000 }, async () => {
    const url = (await sqlite?.fresh()) ?? "";
    await workOff({ url, tasks: sized(60, 2000), processes: RIVALS, shift: apart });
    await expectRightTime(url);
  });

  test("who is an hour ahead takes nothing from a holder, and one an hour behind holds on", {
    timeout: 120_000,
  }, async () => {
    const url = (await sqlite?.fresh()) ?? "";
    const store = await openTasks(url);
    await addTasks(store, 4);
    const ttl = HOUR / 2;
    const holders = Array.from(
      { length: 4 },
      (_, index) =>
        new TaskWorker({ job: "hold", url, owner: `h${index}`, task: index + 1, ttl }, index < 2 ? -HOUR : 0),
    );
    for (const holder of holders) expect(await holder.line(0)).toBe("claimed 1");
    const rivals = [HOUR, 0].map((shift) => new TaskWorker({ job: "workOff", url, owner: `r${shift}` }, shift));
    await together(rivals);
    // They ask again and again meanwhile.
    await new Promise((resolve) => setTimeout(resolve, sized(500, 1500)));
    for (let task = 1; task <= 4; task += 1) {
      const { lease, fence } = await store.view(TASKS, taskStream(LIST, task));
      expect([lease?.owner, fence]).toEqual([`h${task - 1}`, 1]);
    }
    for (const holder of holders) holder.tell("go");
    for (const holder of holders) await holder.end();
    // What the holders have let go of is theirs to finish.
    for (const rival of rivals) expect((await rival.end()).errors).toBe("");
    await store.close();
  });
});
