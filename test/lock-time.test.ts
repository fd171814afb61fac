import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { onBoard } from "../src/app/tasks/task-board.js";
import { PROJECTIONS } from "../src/app/views.js";
import { ok } from "../src/core/result.js";
import { OUR_POLICY } from "../src/core/task/policy.js";
import { append } from "../src/store/event-store.js";
import { openStore } from "../src/store/open.js";
import { ask } from "../src/store/script.js";
import { loadSqlite } from "../src/store/sqlite/library.js";
import type { Store } from "../src/store/store.js";
import { runOn } from "./run-on.js";
import { readAll } from "./store/contract.js";
import { COUNTERS } from "./store/counters.js";

// Long work never keeps others waiting: it is done in many short writes, or without the lock.

const folder = mkdtempSync(join(tmpdir(), "milepost-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let home = "";
let path = "";
let made = 0;
beforeEach(() => {
  home = join(folder, `home-${++made}`);
  mkdirSync(home);
  path = join(home, "milepost.db");
});

const run = (...words: string[]) => runOn(home, [...words, "--store", path]);
const place = { list: "work", owner: "a", session: "", policy: OUR_POLICY };

async function withStore<T>(work: (store: Store) => Promise<T>, trace?: (step: string) => void): Promise<T> {
  const store = await openStore(path, { projections: PROJECTIONS, ...(trace ? { trace } : undefined) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes of somebody else, one after the other, while the work goes on. Returns how often they came in between. */
async function besides(work: () => Promise<unknown>): Promise<number> {
  return withStore(async (store) => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await store.commit(append([{ stream: "plan:other", events: [{ type: "a.b", data: {} }] }]));
    })();
    await work();
    isOver = true;
    await writing;
    const isOther = (await readAll(store)).map(({ stream }) => stream === "plan:other");
    const [first, last] = [isOther.indexOf(false), isOther.lastIndexOf(false)];
    return isOther.slice(first, last).filter((other, index, all) => other && !all[index + 1]).length;
  });
}

test("a dry run of an import needs no lock", async () => {
  await run("task", "add", "One", "--list", "work");
  const file = join(home, "plan.md");
  writeFileSync(file, "- [ ] One\n- [ ] Two\n  - [ ] Three\n");
  const open = await loadSqlite();
  const other = open(path, {});
  other.exec("BEGIN IMMEDIATE");
  try {
    const tried = await run("task", "import", file, "--dry-run", "--list", "work", "--json");
    expect([tried.exit, tried.err]).toEqual([0, ""]);
    expect(JSON.parse(tried.out)).toMatchObject({ dryRun: true, counts: { added: 3 } });
  } finally {
    other.exec("ROLLBACK");
    other.close();
  }
});

describe("others write in between", () => {
  test("an import of tasks", async () => {
    const file = join(home, "plan.md");
    writeFileSync(file, Array.from({ length: 300 }, (_, index) => `- [ ] Task ${index}\n`).join(""));
    expect(await besides(() => run("task", "import", file, "--list", "work"))).toBeGreaterThan(0);
    const { out } = await run("task", "list", "--all", "--list", "work", "--json");
    expect(JSON.parse(out).tasks).toHaveLength(300);
  });

  test("an import of events", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => {
      return { stream: "plan:a", version: index + 1, type: "a.b", at: 1, data: { index } };
    });
    const all = [{ milepost: "export", format: 1 }, ...lines, { milepost: "end", events: lines.length }];
    const file = join(home, "events.jsonl");
    writeFileSync(file, all.map((line) => JSON.stringify(line)).join("\n"));
    expect(await besides(() => run("import", file))).toBeGreaterThan(1);
    expect((await run("import", file)).out).toContain("Imported 0 events");
  });
});

test("a rebuild folds a long history before it takes the lock", async () => {
  const steps: string[] = [];
  const store = await openStore(path, { projections: [COUNTERS], trace: (step) => steps.push(step) });
  const events = Array.from({ length: 1500 }, () => ({ type: "number.written", data: { number: 1 } }));
  await store.commit(append([{ stream: "plan:a", events }]));
  await store.commit(function* () {
    yield* ask(sql`UPDATE milepost_streams SET views = '{}' WHERE stream = 'plan:a'`);
    return ok({ writes: [{ stream: "plan:b", events: events.slice(0, 1) }], answer: undefined });
  });
  steps.length = 0;
  expect(await store.check({ rebuild: true })).toMatchObject({ rebuilt: 1, findings: [] });
  const [begin, end] = [steps.indexOf("BEGIN IMMEDIATE"), steps.indexOf("COMMIT")];
  const inside = steps.slice(begin, end);
  expect(inside.some((step) => step.includes("milepost_streams"))).toBe(true);
  expect(inside.filter((step) => /^SELECT '0' AS xid/.test(step))).toEqual([]);
  expect(await store.view(COUNTERS, "plan:a")).toEqual({ count: 1500, sum: 1500 });
  await store.close();
});

test("a signal that many wait for wakes all of them, each once, and is answered the same again", async () => {
  const count = 210;
  await withStore(async (store) => {
    const done = await onBoard(store, place, function* (board) {
      for (let number = 1; number <= count; number += 1) {
        yield* board.add({ subject: `task ${number}` });
        yield* board.run(number, { type: "wait", hold: { owner: "a" }, wait: { kind: "event", topic: "t" } });
      }
      return ok(undefined);
    });
    expect(done.ok).toBe(true);
  });
  const signal = () => run("task", "signal", "t", "--list", "work", "--as", "a", "--key", "k", "--json");
  const first = await signal();
  expect([first.exit, JSON.parse(first.out).tasks.length]).toEqual([0, count]);
  expect((await run("task", "wait", "7", "--topic", "t", "--list", "work", "--as", "a")).exit).toBe(0);
  expect(await signal()).toEqual(first);
  const { out } = await run("task", "list", "--waiting", "--list", "work", "--json");
  expect(JSON.parse(out).tasks).toMatchObject([{ id: "7" }]);
});
