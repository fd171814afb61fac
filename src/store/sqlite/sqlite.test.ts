import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { append } from "../event-store.js";
import { openStore } from "../open.js";
import { Patience } from "../patience.js";
import { StoreTrouble } from "../trouble.js";
import { asTrouble } from "./errors.js";
import { HeadFile, readHead } from "./head.js";
import { isNewEnough, loadSqlite } from "./library.js";
import { headPath } from "./store-files.js";
import { WriteLock } from "./write-lock.js";
import { WriteQueue } from "./write-queue.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["3.51.3", true],
  ["3.51.10", true],
  ["3.52.0", true],
  ["4.0.0", true],
  ["3.51.2", false],
  ["3.50.9", false],
  ["2.99.99", false],
  ["3.51", false],
  ["nonsense", false],
])("SQLite %s is safe: %j", (version, isSafe) => {
  expect(isNewEnough(version)).toBe(isSafe);
});

describe("what SQLite refuses", () => {
  const said = (fields: object) => asTrouble(Object.assign(new Error("words"), fields), "/s.db");

  test("has a name, listed or not", () => {
    for (let errcode = 0; errcode < 7000; errcode += 1)
      expect([errcode, said({ errcode })]).toMatchObject([errcode, { name: "StoreTrouble" }]);
  });

  test("has a name without a number, too; what is not SQLite's stays what it is", () => {
    expect(said({ code: "ERR_SQLITE_ERROR" })).toMatchObject({ code: "store-failed" });
    // It has waited for the locks of a journal's index by itself.
    expect(said({ errcode: 15 })).toMatchObject({ code: "store-busy" });
    expect(said({ syscall: "stat", code: "EIO" })).toMatchObject({ code: "store-unreachable" });
    const defect = new TypeError("ours");
    expect(asTrouble(defect, "/s.db")).toBe(defect);
    const trouble = new StoreTrouble("store-full", "full");
    expect(asTrouble(trouble, "/s.db")).toBe(trouble);
  });

  test.each([
    ["CREATE TRIGGER t BEFORE INSERT ON milepost_events BEGIN SELECT RAISE(ABORT, 'not today'); END", "not today"],
    ["ALTER TABLE milepost_events RENAME COLUMN data TO words", "no column named data"],
    ["DROP TABLE milepost_streams", "no such table"],
    ["CREATE UNIQUE INDEX one ON milepost_events ((1))", "UNIQUE constraint"],
  ])("in the middle of a commit, too: %s", async (spoil, words) => {
    const path = join(folder, `${crypto.randomUUID()}.db`);
    const store = await openStore(path, { projections: [] });
    const write = () => store.commit(append([{ stream: "plan:a", events: [{ type: "a.told", data: {} }] }]));
    await write();
    const other = (await loadSqlite())(path, {});
    other.exec(spoil);
    other.close();
    const code = expect.stringMatching(/^store-(?:failed|damaged)$/);
    await expect(write()).rejects.toMatchObject({
      name: "StoreTrouble",
      code,
      message: expect.stringContaining(words),
    });
    await store.close();
  });
});

describe("the head", () => {
  const path = (name: string) => join(folder, `${name}.db`);

  test("never goes back, whoever writes last, and belongs to one store", () => {
    const [one, two] = [new HeadFile(path("a"), "store-a"), new HeadFile(path("a"), "store-a")];
    one.advance(5);
    two.advance(3);
    expect(readHead(path("a"))).toEqual({ type: "head", store: "store-a", seq: 5 });
    two.advance(7);
    expect(readHead(path("a"))).toMatchObject({ seq: 7 });
    one.reset(2);
    expect(readHead(path("a"))).toMatchObject({ seq: 2 });
    new HeadFile(path("a"), "store-b").advance(1);
    expect(readHead(path("a"))).toEqual({ type: "head", store: "store-b", seq: 1 });
  });

  test("is none when it is not there or was never written, and unreadable when it is damaged", () => {
    expect(readHead(path("none"))).toEqual({ type: "none" });
    writeFileSync(headPath(path("empty")), "");
    expect(readHead(path("empty"))).toEqual({ type: "none" });
    new HeadFile(path("b"), "store-b").advance(12);
    const text = readFileSync(headPath(path("b")), "utf8");
    for (const damaged of [text.replace("12", "13"), text.slice(0, 50), "x".repeat(128)]) {
      writeFileSync(headPath(path("b")), damaged);
      expect(readHead(path("b"))).toEqual({ type: "unreadable" });
    }
  });

  test.each([
    ["/x/milepost.db", "/x/milepost.head"],
    ["/x/work", "/x/work-head"],
    ["/x/work.db", "/x/work.db-head"],
  ])("of %s is %s", (file, head) => {
    expect(headPath(file)).toBe(head);
  });
});

describe("waiting for a turn", () => {
  function crowd() {
    const slept: number[] = [];
    let time = 0;
    return {
      slept,
      lock: new WriteLock({
        now: () => time,
        random: () => 1,
        sleep: async (milliseconds) => {
          slept.push(milliseconds);
          time += milliseconds;
        },
      }),
    };
  }
  const had = (attempts: number) => {
    let left = attempts;
    return () => left-- <= 0;
  };

  test("nobody there: no wait, and no step back", async () => {
    const { lock, slept } = crowd();
    await lock.stepBack(await lock.take(had(0), "x"), false);
    expect(slept).toEqual([]);
  });

  test("pauses grow with the crowd, and shrink for who has waited long", async () => {
    const { lock, slept } = crowd();
    const waited = await lock.take(had(25), "x");
    expect(slept.slice(0, 4)).toEqual([1.5, 2.5, 3.5, 4.5]);
    expect(Math.max(...slept)).toBe(8.5);
    expect(slept.at(-1)).toBe(1.5);
    await lock.stepBack(waited, false);
    expect(slept.at(-1)).toBe(8.5);
  });

  test("others wrote: step back a little", async () => {
    const { lock, slept } = crowd();
    await lock.stepBack(await lock.take(had(0), "x"), true);
    expect(slept).toEqual([1.5]);
  });

  test.each([
    [0, 0, "is locked by another process"],
    [20, 20, "was locked by another process for 0.1 s"],
  ])("with a patience of %i ms it is trouble sooner, and what was waited is spent", async (total, least, says) => {
    const { lock, slept } = crowd();
    const patience = new Patience(total);
    const busy = { code: "store-busy", message: expect.stringContaining(says) };
    await expect(lock.take(() => false, "x", patience)).rejects.toMatchObject(busy);
    const waited = slept.reduce((sum, one) => sum + one, 0);
    expect(waited).toBeGreaterThanOrEqual(least);
    expect(waited).toBeLessThanOrEqual(least + 8.5);
    await expect(lock.take(() => false, "x", patience)).rejects.toMatchObject(busy);
    expect(slept.reduce((sum, one) => sum + one, 0)).toBe(waited);
    // One try is left in any case.
    expect(await lock.take(had(0), "x", patience)).toBe(0);
  });

  test("after ten seconds it is trouble", async () => {
    const { lock, slept } = crowd();
    await expect(lock.take(() => false, "x")).rejects.toMatchObject({ code: "store-busy" });
    expect(slept.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(10_000);
  });

  test.each([
    [10_000, "was locked by another process for 10 s."],
    [799.960_411, "was locked by another process for 0.8 s."],
    [20, "was locked by another process for 0.1 s."],
    [0, "is locked by another process."],
  ])("whoever waits %s ms reads a time that people say", async (patience, words) => {
    const taken = crowd().lock.take(() => false, "x", new Patience(patience));
    await expect(taken).rejects.toMatchObject({ message: expect.stringContaining(`The store x ${words}`) });
  });
});

test("commits go before observations, and one that fails does not stop the next", async () => {
  const queue = new WriteQueue();
  const order: string[] = [];
  const add = (name: string, durability: "durable" | "observed") =>
    queue.run<void>(durability, async (answer) => {
      order.push(name);
      if (name === "broken") throw new Error("broken");
      answer();
    });
  const all = [add("first", "observed"), add("second", "observed"), add("broken", "durable"), add("third", "durable")];
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(order).toEqual(["first", "broken", "third", "second"]);
});
