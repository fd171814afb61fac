import { afterAll, afterEach, describe, expect, test } from "vitest";
import { CALLS, HISTORIES } from "../../src/app/session/session-view.js";
import { StoredSessions } from "../../src/app/transcripts/stored-session.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { judgeList } from "../../src/core/grounding/judged.js";
import { ok } from "../../src/core/result.js";
import { todosOf } from "../../src/core/todo/list.js";
import { append, type EventStore, type NewEvent } from "../../src/store/event-store.js";
import { type OpenOptions, openStore } from "../../src/store/open.js";
import type { Projection } from "../../src/store/projection.js";
import type { Store } from "../../src/store/store.js";
import type { Travelling } from "../../src/store/upkeep/transfer.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { COUNTERS } from "./counters.js";
import { type Place, placesFor } from "./places.js";

const DAY = 24 * 60 * 60 * 1000;
const numbers = (count: number): NewEvent[] => Array(count).fill({ type: "number.written", data: { number: 1 } });
const ended = (data: object = {}): NewEvent => ({
  type: "call.ended",
  data: { tool: "Bash", status: "completed", ...data },
});
const times = (count: number, event: NewEvent): NewEvent[] => Array(count).fill(event);
const told = (type: string, data: object): NewEvent => ({ type, data: { revision: 1, ...data } });
const REPLY = told("reply.ended", { batch: true, calls: 1, usedList: false });
const PLAN = [
  told("phase.opened", { name: "" }),
  told("todo.added", { number: 1, phase: 0, text: "Write it", status: "in_progress" }),
  told("todo.added", { number: 2, phase: 0, text: "Test it", status: "pending" }),
];
const moved = (number: number, from: string, to: string) => told("todo.moved", { number, from, to });

/** The fold says how many events were read for it, on any engine. */
function counting(store: EventStore) {
  const read: Record<string, number> = {};
  const view: EventStore["view"] = (projection, stream) => {
    const fold: typeof projection.fold = (state, events) => {
      read[projection.name] = (read[projection.name] ?? 0) + events.length;
      return projection.fold(state, events);
    };
    return store.view({ ...projection, fold }, stream);
  };
  const nobodyReads = () => {
    throw new Error("A history was read.");
  };
  return { read, store: { ...store, view, read: nobodyReads, follow: nobodyReads } as EventStore };
}

/** What `sessions` shows of the first one. */
async function shown(store: EventStore) {
  const stored = new StoredSessions(store, 10);
  const [first] = await stored.all();
  if (!first) throw new Error("There is no session.");
  const { calls, phase, turns, list, work } = await stored.view(first);
  const judge = judgeList(list, work);
  const verdicts = todosOf(list).map((todo) => judge?.(todo).judgement?.verdict ?? null);
  return { calls, phase, turns, verdicts };
}

function keptViews(name: string, place: Place): void {
  describe(`${name} keeps views of long histories`, () => {
    const opened: Store[] = [];
    let now = 1_800_000_000_000;
    const open = async (url: string, more: Partial<OpenOptions> = {}) => {
      const store = await openStore(url, { projections: PROJECTIONS, clock: () => now, ...more });
      opened.push(store);
      return store;
    };
    const fresh = async (more?: Partial<OpenOptions>) => open(await place.fresh(), more);
    const write = async (store: Store, stream: string, events: readonly NewEvent[]) => {
      now += 10;
      const done = await store.commit(append([{ stream, events }]));
      if (!done.ok) throw new Error(done.error.message);
    };

    afterAll(async () => place.tearDown?.());
    afterEach(async () => {
      for (const store of opened.splice(0)) {
        expect((await store.check({ rebuild: false })).findings).toEqual([]);
        await store.close();
      }
    });

    const FEW: Projection<typeof COUNTERS.initial> = { ...COUNTERS, keptEvery: 10 };
    const rowOf = (store: Store, stream: string) =>
      store.look(function* ({ queries }) {
        const [row] = yield queries.stream(stream);
        return JSON.parse(String(row?.views)) as Record<string, { version: number; state: unknown }>;
      });

    test("one that is written every ten events is right at every event", async () => {
      const store = await fresh({ projections: [FEW] });
      for (const [size, kept] of [
        [9, undefined],
        [3, 12],
        [7, 12],
        [1, 20],
        [35, 55],
      ] as const) {
        await write(store, "plan:a", numbers(size));
        expect((await rowOf(store, "plan:a")).counter?.version).toBe(kept);
        expect((await store.view(FEW, "plan:a")).count).toBe((await readVersion(store)) ?? 0);
      }
    });

    test("a writer that has it in hand does not read events again", async () => {
      let folded = 0;
      const fold: typeof FEW.fold = (state, events) => {
        folded += events.length;
        return FEW.fold(state, events);
      };
      const store = await fresh({ projections: [{ ...FEW, fold }] });
      for (let at = 0; at < 25; at += 1) expect(await countAndWrite(store, { ...FEW, fold })).toBe(at);
      // On a server anybody may have written meanwhile. The last one waits until somebody asks.
      if (name !== "postgres") expect(folded).toBe(24);
    });

    test.each([
      ["few events", numbers(7), 1],
      ["more than are held in memory", numbers(70), 2],
      ["large ones", [...numbers(6), { type: "number.written", data: { text: "x".repeat(20_000) } }], 2],
    ])("a decision that asks for two views of one stream sees the same in both, with %s", async (_, events, reads) => {
      const steps: string[] = [];
      const trace = (step: string) => {
        if (/FROM milepost_events WHERE stream = \S+ AND version/.test(step)) steps.push(step);
      };
      const rare = { ...COUNTERS, keptEvery: 1000 };
      const other = { ...rare, name: "other" };
      const url = await place.fresh();
      const store = await open(url, { projections: [rare, other] });
      await write(store, "plan:a", events);
      // The writer has them in hand; who comes later has to read them.
      const next = place.isShared ? await open(url, { projections: [rare, other], trace }) : store;
      steps.length = 0;
      const told = await next.commit(function* (transaction) {
        const one = yield* transaction.view(rare, "plan:a");
        const two = yield* transaction.view(other, "plan:a");
        return ok({ writes: [], answer: [one.count, two.count] });
      });
      expect(told).toEqual(ok([events.length, events.length]));
      if (place.isShared) expect(steps).toHaveLength(reads);
    });

    test.runIf(place.isShared)("writers in turn each see what the others wrote", async () => {
      const url = await place.fresh();
      const stores = [await open(url, { projections: [FEW] }), await open(url, { projections: [FEW] })];
      const random = randomFrom(SEED);
      for (let at = 0; at < 40; at += 1) {
        const store = stores[random.below(2)];
        if (store) expect(await countAndWrite(store, FEW)).toBe(at);
      }
    });

    /** What a decision sees, which then writes one more. */
    const countAndWrite = async (store: Store, projection: typeof FEW) => {
      const told = await store.commit(function* (transaction) {
        const { count } = yield* transaction.view(projection, "plan:a");
        return ok({ writes: [{ stream: "plan:a", events: numbers(1) }], answer: count });
      });
      return told.ok ? told.value : told.error;
    };

    const readVersion = (store: Store) =>
      store.look(function* ({ queries }) {
        const [row] = yield queries.stream("plan:a");
        return Number(row?.version);
      });

    test("doctor finds one that is behind and wrong, and rebuilds it", async () => {
      let isWrong = true;
      const wrong: typeof FEW = {
        ...FEW,
        fold: (state, all) => (isWrong ? { count: 7, sum: 7 } : FEW.fold(state, all)),
      };
      const store = await fresh({ projections: [wrong] });
      await write(store, "plan:a", numbers(12));
      await write(store, "plan:a", numbers(1));
      isWrong = false;
      expect((await store.check({ rebuild: false })).findings).toMatchObject([{ code: "wrong-view" }]);
      expect(await store.check({ rebuild: true })).toMatchObject({ findings: [], rebuilt: 1 });
      expect(await store.view(wrong, "plan:a")).toEqual({ count: 13, sum: 13 });
    });

    test.runIf(place.isShared)("an older store's history is read once, and then kept", async () => {
      const url = await place.fresh();
      const older = await open(url, { projections: [] });
      for (let at = 0; at < 3; at += 1) await write(older, "calls:a", times(500, ended()));
      const store = await open(url);
      const [first, second] = [counting(store), counting(store)];
      expect((await first.store.view(CALLS, "calls:a")).own.completed).toBe(1500);
      await write(older, "calls:a", [ended({ status: "failed" })]);
      expect((await second.store.view(CALLS, "calls:a")).own).toMatchObject({ completed: 1500, failed: 1 });
      expect([first.read, second.read]).toEqual([{ calls: 1500 }, { calls: 1 }]);
      // A fold that has changed since is read again, once.
      const later = await open(url, { projections: [{ ...CALLS, revision: CALLS.revision + 1 } as Projection] });
      const [third, fourth] = [counting(later), counting(later)];
      for (const { store: one } of [third, fourth])
        expect((await one.view({ ...CALLS, revision: CALLS.revision + 1 }, "calls:a")).own.completed).toBe(1500);
      expect([third.read, fourth.read]).toEqual([{ calls: 1501 }, {}]);
    });

    test("after a long history one more event costs a look a few events, not the history", async () => {
      const store = await fresh();
      // A server is asked for each event; what is shown here does not depend on how many there are.
      const pieces = name === "postgres" ? 6 : sized(12, 50);
      await write(store, "session:s1", [told("turn.started", { isStop: false }), ...PLAN]);
      for (let piece = 0; piece < pieces; piece += 1) {
        await write(store, "calls:s1", times(500, ended()));
        await write(store, "session:s1", times(500, REPLY));
      }
      await write(store, "session:s1", [moved(1, "in_progress", "completed"), moved(2, "pending", "in_progress")]);
      const before = await shown(counting(store).store);
      await write(store, "calls:s1", [ended({ status: "failed" })]);
      const { read, store: counted } = counting(store);
      expect(await shown(counted)).toEqual({
        calls: { total: 500 * pieces + 1, failed: 1 },
        phase: "working",
        turns: 1,
        verdicts: ["worked", null],
      });
      expect(before).toMatchObject({ calls: { total: 500 * pieces, failed: 0 } });
      for (const one of Object.values(read)) expect(one).toBeLessThan(64);
    });

    test("pruned calls are still counted, each once, and what ran stays known", async () => {
      const store = await fresh();
      const start = now;
      await write(store, "session:s1", PLAN);
      await write(store, "calls:s1", times(150, ended()));
      await write(store, "session:s1", [moved(1, "in_progress", "completed"), moved(2, "pending", "in_progress")]);
      await write(store, "calls:s1", [ended({ status: "failed" })]);
      await write(store, "session:s1", [moved(2, "in_progress", "completed")]);
      const before = await shown(store);
      expect(before).toMatchObject({ calls: { total: 151, failed: 1 }, verdicts: ["worked", "worked"] });
      now = start + 40 * DAY;
      expect(await store.prune([{ kind: "calls", maxAge: 30 * DAY }])).toMatchObject({ events: 151 });
      expect(await shown(store)).toEqual(before);
      await write(store, "calls:s1", times(100, ended()));
      expect(await shown(store)).toMatchObject({ calls: { total: 251, failed: 1 }, verdicts: before.verdicts });
      expect((await store.check({ rebuild: true })).findings).toEqual([]);
      expect(await shown(store)).toMatchObject({ calls: { total: 251, failed: 1 }, verdicts: before.verdicts });
      now = start;
    });

    test.runIf(place.isShared)("a fold that has changed does not keep a quiet history for ever", async () => {
      const url = await place.fresh();
      const start = now;
      await write(await open(url), "calls:s1", times(70, ended()));
      now = start + 40 * DAY;
      const raised = { ...CALLS, revision: CALLS.revision + 1 };
      const later = await open(url, { projections: [raised as Projection] });
      expect(await later.prune([{ kind: "calls", maxAge: 30 * DAY }])).toMatchObject({ events: 70 });
      expect((await later.view(raised, "calls:s1")).own.completed).toBe(70);
      now = start;
    });

    test("they travel with what was pruned, and are forgotten with their session", async () => {
      const [from, to] = [await fresh(), await fresh()];
      const start = now;
      await write(from, "session:s1", PLAN);
      await write(from, "calls:s1", times(100, ended()));
      now = start + 40 * DAY;
      await from.prune([{ kind: "calls", maxAge: 30 * DAY }]);
      await write(from, "calls:s1", times(3, ended({ status: "failed" })));
      const all: Travelling[] = [];
      for await (const base of from.bases()) all.push(base);
      const pages = await from.read();
      if (pages.ok)
        for await (const { events } of pages.value) all.push(...events.map(({ cursor: _, ...event }) => event));
      expect(await to.take(all)).toMatchObject({ ok: true });
      expect(await shown(to)).toEqual(await shown(from));
      for (const [view, stream] of [
        [CALLS, "calls:s1"],
        [HISTORIES, "session:s1"],
      ] as const)
        expect(await to.view(view as Projection, stream)).toEqual(await from.view(view as Projection, stream));
      const hostile = { base: "calls", stream: "calls:s2", revision: 1, version: 2, data: { own: { runs: "many" } } };
      expect(await to.take([hostile])).toMatchObject({ error: { code: "bad-record" } });
      await to.forget("s1");
      expect(await to.view(CALLS, "calls:s1")).toEqual(CALLS.initial);
      now = start;
    });

    test("reports of one session that come together are one append, in order", async () => {
      const store = await fresh();
      const reports = Array.from({ length: 40 }, (_, at) =>
        store.observe(`calls:${at % 2}`, [ended({ call: `${at}` })]),
      );
      await Promise.all(reports);
      const pages = await store.read({ stream: "calls:1" });
      const calls: unknown[] = [];
      if (pages.ok) for await (const { events } of pages.value) calls.push(...events.map(({ data }) => data.call));
      expect(calls).toEqual(Array.from({ length: 20 }, (_, at) => `${2 * at + 1}`));
    });
  });
}

for (const [name, place] of Object.entries(placesFor("kept"))) keptViews(name, place);
