import { createInterface } from "node:readline";
import { ok } from "../../src/core/result.js";
import { append } from "../../src/store/event-store.js";
import { MIGRATIONS } from "../../src/store/migrations.js";
import { type OpenOptions, openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { StoreTrouble } from "../../src/store/trouble.js";
import { examineStore } from "../../src/store/upkeep/examine.js";
import { COUNTERS, MARK } from "./counters.js";
import { nextMigration } from "./next-migration.js";

// A process of its own, started by tests that need several, or one that dies: node worker.mjs JOB URL NUMBERS...

const [job = "", url = "", ...numbers] = process.argv.slice(2);
const [first = 0, second = 0] = numbers.map(Number);
const options: OpenOptions = { projections: [COUNTERS] };

const say = (line: string) => process.stdout.write(`${line}\n`);
const go = () => new Promise((resolve) => process.stdin.once("data", resolve));

/** One event in each of two streams, and both views: what must never be seen apart. */
function writePair(store: Store, data: { readonly number: number; readonly worker?: number }) {
  const events = [{ type: "number.written", data }];
  return store.commit<number>(function* (transaction) {
    const version = yield* transaction.version("session:left");
    return ok({
      writes: [
        { stream: "session:left", events },
        { stream: "session:right", events },
      ],
      answer: version + 1,
    });
  });
}

const jobs: Record<string, () => Promise<void>> = {
  /** Opens each store it is told, at the same moment as others, and writes to it. */
  async open() {
    say("ready");
    for await (const path of createInterface({ input: process.stdin })) {
      const store = await openStore(path, options);
      await store.commit(
        append([{ stream: "session:all", events: [{ type: "number.written", data: { number: 1 } }] }]),
      );
      await store.close();
      say("opened");
    }
  },
  /** Writes `second` events to common streams, as fast as it can; `first` is its name. */
  async append() {
    const store = await openStore(url, options);
    say("ready");
    await go();
    for (let number = 1; number <= second; number += 1) {
      const events = [{ type: "number.written", data: { number, worker: first } }];
      const written = await store.commit(append([{ stream: `session:common-${number % 3}`, events }]));
      if (!written.ok) throw new Error(written.error.message);
    }
    await store.close();
    say("done");
  },
  /** A thousand observations a second, for `first` seconds. */
  async storm() {
    const store = await openStore(url, options);
    say("ready");
    const waiting: Promise<void>[] = [];
    for (let tick = 0; tick < first * 100; tick += 1) {
      for (let call = 0; call < 10; call += 1)
        waiting.push(store.observe("calls:storm", [{ type: "call.ended", data: { number: tick * 10 + call } }]));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(waiting);
    await store.close();
    say("done");
  },
  /** A store that a process leaves behind when it ends well: 20 sessions with 50 events each. */
  async fill() {
    const store = await openStore(url, options);
    for (let session = 0; session < 20; session += 1) {
      const events = Array.from({ length: 50 }, (_, number) => ({
        type: "number.written",
        data: { number, text: number === 25 ? `${MARK} ${session}` : "x".repeat(40) },
      }));
      await store.commit(append([{ stream: `session:${session}`, events }]));
    }
    await store.close();
  },
  /** Opens a store that may be damaged, and says the code of the trouble. */
  async reopen() {
    try {
      await (await openStore(url, options)).close();
      say("opened");
    } catch (error) {
      if (!(error instanceof StoreTrouble)) throw error;
      say(error.code);
      process.exitCode = 3;
    }
  },
  /** Says how many pairs there are, and what doctor calls damage; or the code of the trouble. */
  async count() {
    try {
      const store = await openStore(url, options);
      const [left, right] = [await store.view(COUNTERS, "session:left"), await store.view(COUNTERS, "session:right")];
      await store.close();
      const { findings } = await examineStore(url, { ...options, isOwnFolder: false, rebuild: false });
      const damage = findings.filter(({ level }) => level === "damage").map(({ code }) => code);
      say(JSON.stringify({ left: left.count, right: right.count, damage }));
    } catch (error) {
      if (!(error instanceof StoreTrouble)) throw error;
      say(JSON.stringify({ trouble: error.code }));
    }
  },
  /** Writes until it is killed and says what is safe; the time it took is told for the first write. */
  async write() {
    const store = await openStore(url, options);
    for (let number = 1; ; number += 1) {
      const start = performance.now();
      const written = await writePair(store, { number });
      if (written.ok) say(`${written.value} ${(performance.now() - start).toFixed(1)}`);
    }
  },
  /** Dies before step `first` of a commit; says "done" when there are no more steps. */
  async commit() {
    let step = 0;
    let isArmed = false;
    const store = await openStore(url, { ...options, trace: () => dieAt(() => (isArmed ? ++step : 0)) });
    isArmed = true;
    await writePair(store, { number: 1 });
    isArmed = false;
    await store.close();
    say("done");
  },
  /** Dies before step `first` of opening a store for the first time, or of bringing it to version `second`. */
  async migrate() {
    let step = 0;
    const migrations = second > 0 ? [...MIGRATIONS, nextMigration].slice(0, second) : MIGRATIONS;
    const store = await openStore(url, { ...options, migrations, trace: () => dieAt(() => ++step) });
    say("done");
    await store.close();
  },
};

function dieAt(step: () => number): void {
  if (step() === first) process.kill(process.pid, "SIGKILL");
}

await jobs[job]?.();
process.exit();
