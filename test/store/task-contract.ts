import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sessionEvent } from "../../src/app/session/session-view.js";
import { type Board, onBoard } from "../../src/app/tasks/task-board.js";
import { findTasks } from "../../src/app/tasks/task-pages.js";
import { TASKS, taskStream } from "../../src/app/tasks/task-views.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { ok, type Result } from "../../src/core/result.js";
import type { NewTask, TaskCommand } from "../../src/core/task/command.js";
import { OUR_POLICY } from "../../src/core/task/policy.js";
import { TASK_PRIORITIES } from "../../src/core/task/task.js";
import { append, type Write } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import { ask, type Script } from "../../src/store/script.js";
import type { Store } from "../../src/store/store.js";
import type { Travelling } from "../../src/store/upkeep/transfer.js";
import { type Random, randomFrom } from "../random.js";
import { SEED } from "../sizes.js";
import { readAll } from "./contract.js";
import type { Place } from "./places.js";

const LIST = "work";
const TTL = 60_000;
const NAMES = ["a", "b", "c"];

type Work<T> = (board: Board) => Script<Result<T>>;

interface Hand {
  readonly owner?: string;
  readonly session?: string;
  readonly key?: string;
}

function on<T>(store: Store, work: Work<T>, { owner = "a", session = "", key }: Hand = {}): Promise<Result<T>> {
  const idempotency = key === undefined ? undefined : { key, input: key, stream: `list:${LIST}` };
  return onBoard(store, { list: LIST, owner, session, policy: OUR_POLICY, idempotency }, work);
}

const run = (store: Store, number: number, command: TaskCommand, hand?: Hand) =>
  on(store, (board) => board.run(number, command), hand);
const add = async (store: Store, ...tasks: readonly Partial<NewTask>[]): Promise<void> => {
  for (const task of tasks) expect((await on(store, (board) => board.add({ subject: "s", ...task }))).ok).toBe(true);
};
const claim = (owner = "a", session?: string): TaskCommand => ({ type: "claim", owner, ttl: TTL, session });
const hold = (owner = "a", fence?: number) => ({ owner, fence });
const complete = (owner = "a", fence?: number): TaskCommand => ({ type: "complete", hold: hold(owner, fence) });
const best = async (store: Store, owner = "a") => {
  const claimed = await on(store, (board) => board.claimBest(TTL), { owner });
  if (!claimed.ok) throw new Error(claimed.error.message);
  return claimed.value?.number;
};
const ready = async (store: Store) =>
  (await store.look((look) => findTasks(look, LIST, { isReady: true }))).map(({ task }) => task.number);
const task = (store: Store, number: number) => store.view(TASKS, taskStream(LIST, number));

const COMMANDS: readonly ((random: Random, owner: string, now: number, fence: number | undefined) => TaskCommand)[] = [
  (_, owner) => claim(owner),
  (_, owner) => claim(owner),
  (_, owner, __, fence) => complete(owner, fence),
  (random, owner, _, fence) => ({ type: "fail", hold: hold(owner, fence), reason: "r", isFinal: random.chance(0.3) }),
  (random, owner) => ({ type: "cancel", hold: hold(owner), isForced: random.chance(0.5) }),
  () => ({ type: "reopen" }),
  (_, owner, __, fence) => ({ type: "release", hold: hold(owner, fence) }),
  (_, owner, now, fence) => ({ type: "wait", hold: hold(owner, fence), wait: { kind: "timer", at: now + 5000 } }),
  (_, owner, now, fence) => ({
    type: "wait",
    hold: hold(owner, fence),
    wait: { kind: "event", topic: "t", timeout: now + 9000 },
  }),
  () => ({ type: "wake", by: "manual" }),
  (random, owner) => ({
    type: "change",
    hold: hold(owner),
    details: { priority: random.pick(TASK_PRIORITIES), assignee: random.pick([null, "a", "b"]) },
  }),
];

/** One random thing, whatever comes of it. */
function* randomStep(board: Board, random: Random, most: number): Script<void> {
  const number = 1 + random.below(most);
  const some = () => Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(most));
  const dice = random.below(12);
  if (dice === 0) yield* board.add({ subject: "s", priority: random.pick(TASK_PRIORITIES) });
  else if (dice === 1) yield* board.block(number, some());
  else if (dice === 2) yield* board.unblock(number, some());
  else if (dice === 3 && random.chance(0.4)) yield* board.remove(number);
  else if (dice === 4) yield* board.claimBest(TTL);
  else if (dice === 5) yield* board.signal({ topic: "t" }, dice);
  else {
    const found = yield* board.find(number);
    const fence = found?.task.lease && random.chance(0.8) ? found.task.fence : undefined;
    yield* board.run(number, random.pick(COMMANDS)(random, board.owner, board.now, fence));
  }
}

/** What every engine must do with tasks, in the same words. */
export function taskContract(name: string, place: Place): void {
  describe(`tasks on ${name}`, () => {
    const opened: Store[] = [];
    const START = 1_800_000_000_000;
    let now = START;
    const options = { projections: PROJECTIONS, clock: () => now };
    const open = async (url: string) => {
      const store = await openStore(url, options);
      opened.push(store);
      return store;
    };
    const fresh = async () => open(await place.fresh());

    afterAll(async () => place.tearDown?.());
    /** The table is what the views say, and the views are what the events say, after everything that was done. */
    afterEach(async () => {
      now = START;
      for (const store of opened.splice(0)) {
        expect((await store.check({ rebuild: false })).findings).toEqual([]);
        await store.close();
      }
    });

    /** A store with a past: several random things in each commit. */
    async function lived(seed: number, commits = 120): Promise<Store> {
      const random = randomFrom(seed);
      const store = await fresh();
      await add(store, ...Array.from({ length: 8 }, () => ({})));
      for (let commit = 0; commit < commits; commit += 1) {
        now += random.pick([0, 100, 4000, 40_000]);
        const steps = 1 + random.below(4);
        const work = function* (board: Board) {
          for (let step = 0; step < steps; step += 1) yield* randomStep(board, random, 14);
          return ok(undefined);
        };
        await on(store, work, { owner: random.pick(NAMES) });
      }
      return store;
    }

    test.each([SEED + 1, SEED + 2, SEED + 3])("the table of tasks follows whatever happens (seed %i)", async (seed) => {
      const store = await lived(seed);
      expect((await store.check({ rebuild: false })).findings).toEqual([]);
      // What the index calls ready is what the rules call ready.
      const all = await store.look((look) => findTasks(look, LIST, {}));
      const ruled = all.filter(({ standing }) => standing.isReady).map((one) => one.task.number);
      expect([...(await ready(store))].sort((a, b) => a - b)).toEqual(ruled);
    });

    test("a copy, and an import, have the same tasks in the same order", async () => {
      const store = await lived(7);
      const order = await ready(store);
      const events = (await readAll(store)).map(({ cursor: _, ...event }) => event);
      const taken = await fresh();
      // In pieces, as a file is read.
      for (let at = 0; at < events.length; at += 50)
        expect(await taken.take(events.slice(at, at + 50))).toMatchObject({ ok: true });
      expect(await ready(taken)).toEqual(order);
      const folder = mkdtempSync(join(tmpdir(), "milepost-copy-"));
      await store.backup(join(folder, "copy.db"));
      const copy = await openStore(join(folder, "copy.db"), options);
      expect(await ready(copy)).toEqual(order);
      expect((await copy.check({ rebuild: false })).findings).toEqual([]);
      const next = await best(store, "c");
      for (const other of [taken, copy]) expect(await best(other, "c")).toBe(next);
      await copy.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("a task whose history was pruned travels with its edges", async () => {
      const store = await fresh();
      await add(store, {}, {}, { blockedBy: [1, 2] }, {});
      await run(store, 1, complete());
      now += 10_000;
      await store.prune([{ kind: "task", maxAge: 5000, onlyClosed: true }]);
      const bases: Travelling[] = [];
      for await (const base of store.bases()) bases.push(base);
      expect(bases).toMatchObject([{ stream: taskStream(LIST, 1) }]);
      const events = (await readAll(store)).map(({ cursor: _, ...event }) => event);
      const taken = await fresh();
      expect(await taken.take([...bases, ...events])).toMatchObject({ ok: true });
      expect(await ready(taken)).toEqual([2, 4]);
      await run(taken, 1, { type: "reopen" });
      await run(taken, 2, complete());
      expect(await ready(taken)).toEqual([1, 4]);
      await run(taken, 1, complete());
      expect(await ready(taken)).toEqual([3, 4]);
    });

    test.each([
      ["status", sql`UPDATE milepost_tasks SET free_at = NULL, status = 'completed' WHERE number = 2`],
      ["count of blockers", sql`UPDATE milepost_tasks SET blockers = 0 WHERE number = 2`],
      ["edge", sql`DELETE FROM milepost_edges WHERE task = 2`],
      ["row", sql`DELETE FROM milepost_tasks WHERE number = 2`],
    ])("a spoiled %s is found, and made right again", async (_, spoil) => {
      const store = await fresh();
      await add(store, {}, { blockedBy: [1] }, { blockedBy: [2] });
      // A decision that writes no event is not kept: so it is spoiled together with one.
      await store.commit(function* () {
        yield* ask(spoil);
        return ok({ writes: [{ stream: "plan:x", events: [{ type: "x.y", data: {} }] }], answer: undefined });
      });
      const { findings } = await store.check({ rebuild: false });
      expect(findings.length).toBeGreaterThan(0);
      expect(findings[0]).toMatchObject({ code: "wrong-view", message: expect.stringContaining("--rebuild") });
      expect((await store.check({ rebuild: true })).findings).toEqual([]);
      expect((await store.check({ rebuild: false })).findings).toEqual([]);
      expect(await ready(store)).toEqual([1]);
    });

    describe("edges", () => {
      const CHANGES: Readonly<Record<string, (board: Board) => readonly Script<unknown>[]>> = {
        "one closes": (board) => [board.run(1, complete())],
        "both close": (board) => [board.run(1, complete()), board.run(2, complete())],
        "one closes and opens again": (board) => [board.run(1, complete()), board.run(1, { type: "reopen" })],
        "one closes, one edge goes": (board) => [board.run(1, complete()), board.unblock(3, [2])],
        "the edge of the one that closes goes": (board) => [board.run(1, complete()), board.unblock(3, [1])],
        "one is deleted, one closes": (board) => [board.remove(1), board.run(2, complete())],
        "an edge goes and comes": (board) => [board.unblock(3, [1]), board.block(3, [1])],
        "a new one blocks, an old one closes": (board) => [
          board.add({ subject: "s", blocks: [3] }),
          board.run(1, complete()),
        ],
        "the blocked one is deleted": (board) => [board.remove(3), board.run(1, complete())],
      };
      const left: Readonly<Record<string, readonly number[]>> = {
        "one closes": [2],
        "both close": [3],
        "one closes and opens again": [1, 2],
        "one closes, one edge goes": [2, 3],
        "the edge of the one that closes goes": [2],
        "one is deleted, one closes": [3],
        "an edge goes and comes": [1, 2],
        "a new one blocks, an old one closes": [2, 4],
        "the blocked one is deleted": [2],
      };
      const isOrdered = (change: string) => change.includes(" and ");

      test.each(
        Object.keys(CHANGES).flatMap((change) =>
          isOrdered(change)
            ? [[change, 0]]
            : [
                [change, 0],
                [change, 1],
              ],
        ) as [string, number][],
      )("in one commit: %s (order %i)", async (change, order) => {
        const store = await fresh();
        await add(store, {}, {}, { blockedBy: [1, 2] });
        await on(store, function* (board) {
          const steps = [...(CHANGES[change]?.(board) ?? [])];
          for (const step of order === 0 ? steps : steps.reverse()) yield* step;
          return ok(undefined);
        });
        expect(await ready(store)).toEqual(left[change]);
      });

      test("that lead nowhere, to itself or in a circle are refused, and the circle is named", async () => {
        const store = await fresh();
        await add(store, {}, { blockedBy: [1] }, { blockedBy: [2] }, {});
        const block = (number: number, ...blockers: number[]) => on(store, (board) => board.block(number, blockers));
        expect(await block(1, 9)).toMatchObject({ error: { code: "unknown-edge", tasks: [9] } });
        expect(await block(1, 4, 1)).toMatchObject({ error: { code: "self-edge", tasks: [1] } });
        const circle = {
          code: "cyclic-edge",
          tasks: [1, 2, 3],
          message: expect.stringContaining("#1 blocks #2 blocks #3 blocks #1"),
        };
        expect(await block(1, 4, 3)).toMatchObject({ error: circle });
        expect(await block(9, 1)).toMatchObject({ error: { code: "no-task" } });
        // Nothing of a refused write is there.
        expect((await task(store, 1)).blockedBy).toEqual([]);
        // Also when the way back is tied in the same write.
        const both = on(store, function* (board) {
          const one = yield* board.block(4, [3]);
          return one.ok ? yield* board.block(1, [4]) : one;
        });
        expect(await both).toMatchObject({ error: { code: "cyclic-edge", tasks: [1, 2, 3, 4] } });
      });

      test("a task with an open blocker is neither claimed nor completed, and says why", async () => {
        const store = await fresh();
        await add(store, {}, { blockedBy: [1] });
        for (const command of [claim(), complete()])
          expect(await run(store, 2, command)).toMatchObject({ error: { code: "task-blocked", tasks: [1] } });
      });
    });

    test("numbers are not given again", async () => {
      const store = await fresh();
      await add(store, {}, {}, {});
      await on(store, (board) => board.remove(3));
      await add(store, {});
      expect((await store.look((look) => findTasks(look, LIST, {}))).map((one) => one.task.number)).toEqual([1, 2, 4]);
      expect(await run(store, 3, claim())).toMatchObject({ error: { code: "no-task" } });
    });

    test("the best is the most urgent, then the oldest; what is kept for others is left to them", async () => {
      const store = await fresh();
      const given: Partial<NewTask>[] = [
        { priority: "low" },
        { priority: "high" },
        { priority: "critical", assignee: "b" },
        { priority: "high" },
        { priority: "medium", assignee: "a" },
      ];
      for (const one of given) {
        now += 1000;
        await add(store, one);
      }
      const order = [];
      for (let turn = 0; turn < 5; turn += 1) order.push(await best(store));
      expect(order).toEqual([2, 4, 5, 1, undefined]);
      // By its number anybody gets it.
      expect(await run(store, 3, claim("a"))).toMatchObject({ ok: true });
    });

    describe("time", () => {
      test("a lease is over when the store's clock says so, not before", async () => {
        const store = await fresh();
        await add(store, {});
        expect(await best(store, "a")).toBe(1);
        now += TTL - 1;
        expect(await best(store, "b")).toBeUndefined();
        expect(await run(store, 1, claim("b"))).toMatchObject({ error: { code: "task-held" } });
        now += 1;
        expect(await ready(store)).toEqual([1]);
        expect(await best(store, "b")).toBe(1);
        expect(await run(store, 1, complete("a", 1))).toMatchObject({ error: { code: "stale-fence" } });
        expect(await run(store, 1, complete("b", 2))).toMatchObject({ ok: true });
      });

      test("what failed is tried again after a pause, each time a longer one, and then no more", async () => {
        const store = await fresh();
        await add(store, {});
        const fail = (fence: number): TaskCommand => ({ type: "fail", hold: hold("a", fence), reason: "r" });
        for (const [fence, seconds] of [
          [1, 30],
          [2, 60],
        ] as const) {
          expect(await best(store)).toBe(1);
          await run(store, 1, fail(fence));
          now += seconds * 1000 - 1;
          expect(await best(store)).toBeUndefined();
          expect(await run(store, 1, claim())).toMatchObject({ error: { code: "task-backing-off" } });
          now += 1;
        }
        expect(await best(store)).toBe(1);
        await run(store, 1, fail(3));
        expect(await task(store, 1)).toMatchObject({ status: "failed", failures: 3 });
        now += 1e9;
        expect(await best(store)).toBeUndefined();
      });

      test("waits that are due are ended once", async () => {
        const store = await fresh();
        await add(store, {}, {});
        await run(store, 1, { type: "wait", hold: hold(), wait: { kind: "timer", at: now + 1000 } });
        await run(store, 2, { type: "wait", hold: hold(), wait: { kind: "event", topic: "t", correlation: "c" } });
        const wake = async () => {
          const woken = await on(store, function* (board) {
            return ok((yield* board.wakeDue(10)).map(({ number }) => number));
          });
          return woken.ok ? woken.value : [];
        };
        expect(await wake()).toEqual([]);
        now += 1000;
        const rounds = await Promise.all([wake(), wake(), wake()]);
        expect(rounds.flat()).toEqual([1]);
        const signal = (correlation: string) =>
          on(store, function* (board) {
            return ok((yield* board.signal({ topic: "t", correlation }, { x: 1 })).map(({ number }) => number));
          });
        expect(await signal("d")).toEqual(ok([]));
        const signals = await Promise.all([signal("c"), signal("c")]);
        expect(signals.flatMap((one) => (one.ok ? one.value : []))).toEqual([2]);
        expect(await task(store, 2)).toMatchObject({ payload: { x: 1 } });
        const ended = (await readAll(store)).filter(({ type }) => type === "wait.ended");
        expect(ended).toHaveLength(2);
      });

      const call = (type: string) => ({ type, data: { call: "1", tool: "Bash", status: "completed" } });
      const seen = (store: Store, type: string) => store.commit(append([{ stream: "calls:s", events: [call(type)] }]));
      const claimIn = (store: Store) => run(store, 1, claim("a", "s"), { session: "s" });

      test("whatever the holder's session does keeps its lease alive", async () => {
        const store = await fresh();
        await add(store, {});
        await claimIn(store);
        now += TTL - 1000;
        await seen(store, "call.ended");
        now += 2000;
        expect(await best(store, "b")).toBeUndefined();
        expect(await run(store, 1, claim("b"))).toMatchObject({ error: { code: "task-held" } });
        now += TTL;
        expect(await best(store, "b")).toBe(1);
      });

      test("a call in progress keeps it alive until it ends, and a minute longer", async () => {
        const store = await fresh();
        await add(store, {});
        await claimIn(store);
        await seen(store, "call.started");
        now += 100 * TTL;
        expect(await run(store, 1, claim("b"))).toMatchObject({ error: { code: "task-held" } });
        await seen(store, "call.ended");
        now += 59_999;
        expect(await run(store, 1, claim("b"))).toMatchObject({ error: { code: "task-held" } });
        now += 1;
        expect(await run(store, 1, claim("b"))).toMatchObject({ ok: true });
      });

      test("a session that has ended keeps nothing alive", async () => {
        const store = await fresh();
        await add(store, {});
        await claimIn(store);
        now += TTL - 1;
        await store.commit(
          append([{ stream: "session:s", events: [sessionEvent({ type: "session.ended", reason: "exit" })] }]),
        );
        now += 1;
        expect(await best(store, "b")).toBe(1);
      });
    });

    test("200 random operations, each sent twice: one effect, and the same answer", async () => {
      const random = randomFrom(SEED + 30);
      const store = await fresh();
      await add(store, ...Array.from({ length: 8 }, () => ({})));
      for (let turn = 0; turn < 200; turn += 1) {
        now += random.pick([0, 4000, 40_000]);
        const seed = random.below(2 ** 31);
        const owner = random.pick(NAMES);
        const send = () =>
          on<readonly Write[]>(
            store,
            function* (board) {
              yield* randomStep(board, randomFrom(seed), 10);
              return ok((yield* board.outcome()).writes);
            },
            { owner, key: `k${turn}` },
          );
        // The second one comes at the same moment, or when the first is through.
        const answers = random.chance(0.5) ? await Promise.all([send(), send()]) : [await send()];
        const head = await store.head();
        answers.push(await send());
        expect(await store.head()).toBe(head);
        for (const answer of answers) expect(JSON.stringify(answer)).toBe(JSON.stringify(answers[0]));
      }
    });
  });
}
