import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { append } from "../event-store.js";
import { openStore } from "../open.js";
import { machineClock, type System } from "./machine-clock.js";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;

interface Machine {
  /** The process's own clock. */
  readonly own?: number;
  /** Since the machine was started, and since what /proc/uptime counts from. */
  readonly up?: number;
  readonly shownUp?: number;
  /** What `btime` says. */
  readonly booted?: number;
  readonly age?: number;
  readonly missing?: readonly string[];
}

/** A process "no (de) 1" on a machine that was started 40 days ago. */
function systemOf(machine: () => Machine): System {
  return {
    now: () => machine().own ?? NOW,
    age: () => machine().age ?? 50,
    read(path) {
      const { up = 40 * DAY, shownUp = up, booted = NOW - up, age = 50, missing = [] } = machine();
      if (missing.includes(path)) throw new Error(`ENOENT: ${path}`);
      if (path === "/proc/uptime") return `${(shownUp / SECOND).toFixed(2)} 12.00\n`;
      if (path === "/proc/stat")
        return `cpu  1 2 3\nintr 5\nctxt 7\nbtime ${Math.floor(booted / SECOND)}\nprocesses 9\n`;
      return `7 (no (de) 1) R ${"0 ".repeat(18)}${Math.floor((up - age) / 10)} 0 0\n`;
    },
  };
}

describe("the machine's clock", () => {
  test.each<Machine & { name: string; then: number }>([
    { name: "a process that is right", then: NOW },
    { name: "a few seconds off are no lie", own: NOW + 3 * SECOND, then: NOW + 3 * SECOND },
    { name: "a process that is an hour ahead is overruled", own: NOW + HOUR, then: NOW },
    { name: "a process that is an hour behind is overruled", own: NOW - HOUR, then: NOW },
    { name: "LXC: the uptime is the container's, btime the machine's", shownUp: 10 * DAY, then: NOW },
    { name: "LXC: a container that was started a minute ago", shownUp: 60 * SECOND, then: NOW },
    { name: "LXC: a process as old as its container", shownUp: 20 * DAY, age: 20 * DAY, then: NOW },
    { name: "LXC: only the process's own clock is left", shownUp: 10 * DAY, own: NOW + HOUR, then: NOW + HOUR },
    { name: "both are the container's", shownUp: 10 * DAY, booted: NOW - 10 * DAY, then: NOW },
    {
      name: "both are the container's: nobody is overruled",
      ...containers(10 * DAY),
      own: NOW + HOUR,
      then: NOW + HOUR,
    },
    { name: "an uptime that was reset", shownUp: 0, then: NOW },
    { name: "no uptime", missing: ["/proc/uptime"], own: NOW + HOUR, then: NOW + HOUR },
    { name: "no btime", booted: Number.NaN, own: NOW + HOUR, then: NOW + HOUR },
    { name: "no start of the process", missing: ["/proc/self/stat"], own: NOW + HOUR, then: NOW + HOUR },
  ])("$name", ({ name: _, then, ...machine }) => {
    const clock = machineClock(systemOf(() => machine));
    // Whole seconds are all that btime knows.
    for (const told of [clock(), clock()]) expect(Math.abs(told - then)).toBeLessThan(SECOND);
  });

  test("a machine whose clock is set is followed at once, forth and back", () => {
    let machine: Machine = {};
    const clock = machineClock(systemOf(() => machine));
    for (const time of [NOW, NOW + HOUR, NOW - HOUR]) {
      machine = { own: time, booted: time - 40 * DAY };
      expect(clock()).toBe(time);
    }
  });

  test("the kernel is asked once a second, and when the clock was set", () => {
    let machine: Machine = {};
    let looks = 0;
    const { read, ...system } = systemOf(() => machine);
    const counted = (path: string) => {
      looks += path === "/proc/uptime" ? 1 : 0;
      return read(path);
    };
    const clock = machineClock({ ...system, read: counted });
    const at = (passed: number, own = passed) => {
      machine = { own: NOW + own, age: 50 + passed, up: 40 * DAY + passed, booted: NOW - 40 * DAY };
      return clock() - NOW;
    };
    // Those that ask a few times and end ask the kernel each time.
    for (let few = 0; few < 4; few += 1) expect([at(0), looks]).toEqual([0, few + 1]);
    expect([at(0), at(1), at(500), at(999), looks]).toEqual([0, 1, 500, 999, 5]);
    expect([at(1000), at(1900), looks]).toEqual([1000, 1900, 6]);
    // Overruled, it goes on at its own pace.
    expect([at(1950, HOUR), at(2100, HOUR + 150), looks]).toEqual([1950, 2100, 7]);
    expect([at(2200), looks]).toEqual([2200, 8]);
  });

  test("time that the machine sleeps counts", () => {
    let machine: Machine = { own: NOW + HOUR };
    const clock = machineClock(systemOf(() => machine));
    expect(clock()).toBe(NOW);
    // The process has not grown older meanwhile.
    machine = { own: NOW + 9 * HOUR, up: 40 * DAY + 8 * HOUR, booted: NOW - 40 * DAY };
    expect(clock()).toBe(NOW + 8 * HOUR);
  });
});

function containers(up: number): Machine {
  return { shownUp: up, booted: NOW - up };
}

const folder = mkdtempSync(join(tmpdir(), "milepost-clock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Only where one process writes at a time: a server has a clock of its own.
describe("the time of a store on a file", () => {
  test.each<{ name: string; clocks: readonly number[]; then: readonly number[] }>([
    { name: "is the clock's", clocks: [0, HOUR], then: [0, HOUR] },
    {
      name: "waits for a clock that was set back",
      clocks: [HOUR, 0, HOUR / 2, 2 * HOUR],
      then: [HOUR, HOUR, HOUR, 2 * HOUR],
    },
    { name: "never runs backwards by a time zone", clocks: [14 * HOUR, 0], then: [14 * HOUR, 14 * HOUR] },
    {
      name: "goes on from one that was far ahead",
      clocks: [365 * DAY, 0, HOUR, 2 * HOUR, 30 * DAY],
      then: [365 * DAY, 365 * DAY, 365 * DAY + HOUR, 365 * DAY + 2 * HOUR, 395 * DAY],
    },
    {
      name: "goes on from one that was set back twice",
      clocks: [0, -30 * DAY, -29 * DAY, -60 * DAY, -59 * DAY, 2 * DAY],
      then: [0, 0, DAY, DAY, 2 * DAY, 2 * DAY],
    },
  ])("$name", async ({ name, clocks, then }) => {
    const url = join(folder, `${name}.db`);
    let now = NOW;
    const open = () => openStore(url, { projections: [], clock: () => now });
    const staying = await open();
    const seen: number[] = [];
    for (const [index, clock] of clocks.entries()) {
      now = NOW + clock;
      // In turn by a process that stays and by one that comes and goes.
      const store = index % 2 === 0 ? staying : await open();
      const told = await store.commit(append([{ stream: "session:a", events: [{ type: "a.b", data: {} }] }]));
      expect(told.ok).toBe(true);
      expect(await store.look(lookAtClock)).toBe(NOW + (then[index] ?? 0));
      if (store !== staying) await store.close();
    }
    const pages = await staying.read();
    for await (const { events } of pages.ok ? pages.value : []) seen.push(...events.map(({ at }) => at - NOW));
    expect(seen).toEqual(then);
    await staying.close();
  });
});

function* lookAtClock({ now }: { readonly now: number }): Generator<never, number> {
  yield* [];
  return now;
}
