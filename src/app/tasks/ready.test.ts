import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../core/result.js";
import type { NewTask, TaskCommand } from "../../core/task/command.js";
import { OUR_POLICY } from "../../core/task/policy.js";
import { openStore } from "../../store/open.js";
import type { Query } from "../../store/script.js";
import { type Database, loadSqlite } from "../../store/sqlite/library.js";
import { countReady, readyNumbers } from "../../store/tasks/task-index.js";
import { taskQueries } from "../../store/tasks/task-queries.js";
import { PROJECTIONS } from "../views.js";
import { onBoard } from "./task-board.js";

const MINUTE = 60_000;
const START = 1_700_000_000_000;
const LIST = "ready";

const claim: TaskCommand = { type: "claim", owner: "x", ttl: MINUTE };
const failed: TaskCommand = { type: "fail", hold: { owner: "x" }, reason: "flaky" };
const timer: TaskCommand = { type: "wait", hold: { owner: "x" }, wait: { kind: "timer", at: START + MINUTE } };
const manual: TaskCommand = { type: "wait", hold: { owner: "x" }, wait: { kind: "manual" } };

/** Each with who may take it: at once, and two minutes later. */
const cases: {
  name: string;
  task?: Partial<NewTask>;
  given?: readonly TaskCommand[];
  now: readonly string[];
  later: readonly string[];
}[] = [
  { name: "free", now: ["ann", "bob", "all"], later: ["ann", "bob", "all"] },
  { name: "kept for one", task: { assignee: "ann" }, now: ["ann", "all"], later: ["ann", "all"] },
  { name: "held", given: [claim], now: [], later: ["ann", "bob", "all"] },
  { name: "kept for one, and held", task: { assignee: "ann" }, given: [claim], now: [], later: ["ann", "all"] },
  { name: "failed, to be tried again", given: [claim, failed], now: [], later: ["ann", "bob", "all"] },
  { name: "waits for the clock", given: [timer], now: [], later: ["ann", "bob", "all"] },
  { name: "waits for somebody", given: [manual], now: [], later: [] },
  {
    name: "done",
    given: [claim, { type: "complete", hold: { owner: "x" } }],
    now: [],
    later: [],
  },
  {
    name: "kept for one, but given up",
    task: { assignee: "ann" },
    given: [{ type: "cancel", hold: { owner: "x" } }],
    now: [],
    later: [],
  },
];

describe("what is ready, and for whom", () => {
  test.each(cases)("$name", async ({ task, given = [], now, later }) => {
    let clock = START;
    const store = await openStore("memory:", { projections: PROJECTIONS, clock: () => clock });
    const work = { list: LIST, owner: "x", session: "", policy: OUR_POLICY };
    const made = await onBoard(store, work, function* (board) {
      const added = yield* board.add({ subject: "Look", ...task });
      if (!added.ok) return added;
      for (const command of given) {
        const run = yield* board.run(added.value.number, command);
        if (!run.ok) return run;
      }
      return ok(undefined);
    });
    expect(made).toEqual(ok(undefined));
    const takers = async () => {
      const found: string[] = [];
      for (const name of ["ann", "bob", "all"]) {
        const owner = name === "all" ? undefined : name;
        if ((await store.look((look) => readyNumbers(look, LIST, 20, owner))).length > 0) found.push(name);
      }
      expect(await store.look((look) => countReady(look, LIST))).toBe(found.includes("all") ? 1 : 0);
      return found;
    };
    expect(await takers()).toEqual(now);
    clock += 2 * MINUTE;
    expect(await takers()).toEqual(later);
    await store.close();
  });
});

describe("an index leads to it, however long the list is", () => {
  const folder = mkdtempSync(join(tmpdir(), "milepost-ready-"));
  let database: Database;
  beforeAll(async () => {
    const path = join(folder, "tasks.db");
    await (await openStore(path, { projections: PROJECTIONS })).close();
    database = (await loadSqlite())(path, { readOnly: true });
  });
  afterAll(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const { bestFree, bestAssigned, bestDue, dueWaits, dueWaitsOf } = taskQueries({ concurrentWriters: false });
  const plans: { name: string; query: Query; plan: RegExp }[] = [
    { name: "free ones", query: bestFree(LIST, 20), plan: /^SEARCH t USING .*milepost_tasks_free \(list=\?\)$/ },
    {
      name: "those kept for one",
      query: bestAssigned(LIST, "ann", 20),
      plan: /milepost_tasks_assigned .*assignee=\?\)$/,
    },
    {
      name: "those kept for anybody",
      query: bestAssigned(LIST, undefined, 20),
      plan: /milepost_tasks_kept \(list=\?\)$/,
    },
    { name: "due ones", query: bestDue(LIST, undefined, START, 20), plan: /milepost_tasks_due \(list=\? AND free_at>/ },
    {
      name: "due ones for one",
      query: bestDue(LIST, "ann", START, 20),
      plan: /milepost_tasks_due \(list=\? AND free_at>/,
    },
    {
      name: "waits of a list",
      query: dueWaitsOf(LIST, START, 20),
      plan: /milepost_tasks_by_own_wake \(list=\? AND wake_at/,
    },
    { name: "waits of all lists", query: dueWaits(START, 20), plan: /milepost_tasks_by_wake \(wake_at/ },
  ];
  test.each(plans)("$name", ({ query, plan }) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...query.values);
    expect(String(steps[0]?.detail)).toMatch(plan);
  });
});
