import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { fail, ok } from "../../src/core/result.js";
import {
  append,
  type Decision,
  type NewEvent,
  type Page,
  START,
  type StoredEvent,
} from "../../src/store/event-store.js";
import { MIGRATIONS } from "../../src/store/migrations.js";
import { type OpenOptions, openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { sized } from "../sizes.js";
import { COUNTERS } from "./counters.js";
import { nextMigration } from "./next-migration.js";
import type { Place } from "./places.js";

const written = (number = 1, more: Partial<NewEvent> = {}): NewEvent => ({
  type: "number.written",
  data: { number },
  ...more,
});
const numbers = (count: number, from = 1): NewEvent[] => Array.from({ length: count }, (_, i) => written(from + i));

export async function readAll(store: Store, options: { after?: string; stream?: string } = {}): Promise<StoredEvent[]> {
  const pages = await store.read(options);
  if (!pages.ok) throw new Error(pages.error.message);
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return events;
}

async function pagesOf(store: Store, after: string): Promise<Page[]> {
  const pages = await store.read({ after });
  if (!pages.ok) throw new Error(pages.error.message);
  const all: Page[] = [];
  for await (const page of pages.value) all.push(page);
  return all;
}

const unseen = () => ({ reached: new Map<string, number>(), ids: new Set<string>() });

const HOUR = 60 * 60 * 1000;

/** What every engine must do, in the same words. */
export function storeContract(name: string, place: Place): void {
  describe(`${name} keeps the contract`, () => {
    const opened: Store[] = [];
    let now = 1_800_000_000_000;
    const options: OpenOptions = { projections: [COUNTERS], clock: () => now };
    const open = async (url: string, more: Partial<OpenOptions> = {}) => {
      const store = await openStore(url, { ...options, ...more });
      opened.push(store);
      return store;
    };
    const fresh = async (more?: Partial<OpenOptions>) => open(await place.fresh(), more);

    afterAll(async () => place.tearDown?.());
    /** Views folded again from the events equal the stored ones, after everything that was done to a store. */
    afterEach(async () => {
      for (const store of opened.splice(0)) {
        expect((await store.check({ rebuild: false })).findings).toEqual([]);
        await store.close();
      }
    });

    describe("finding things", () => {
      test("an event by its id, also from inside a decision", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "calls:a", events: [written(7, { id: "one/started" })] }]));
        expect(await store.find("one/started")).toMatchObject({ stream: "calls:a", version: 1, data: { number: 7 } });
        expect(await store.find("two/started")).toBeUndefined();
        const known = await store.commit(function* (transaction) {
          const answer = [yield* transaction.isKnown("one/started"), yield* transaction.isKnown("two/started")];
          return ok({ writes: [], answer });
        });
        expect(known).toEqual({ ok: true, value: [true, false] });
      });

      test("the streams of a kind, the one that was written last first", async () => {
        const store = await fresh();
        for (const stream of ["session:a", "session:b", "calls:b", "session:a/x", "session:c", "sessions:d"]) {
          now += 1000;
          await store.commit(append([{ stream, events: numbers(1) }]));
        }
        now += 1000;
        await store.commit(append([{ stream: "session:b", events: numbers(1) }]));
        const recent = await store.recent("session", 3);
        expect(recent.map(({ stream }) => stream)).toEqual(["session:b", "session:c", "session:a/x"]);
        expect(recent[0]?.at).toBe(now);
        expect(await store.recent("plan", 3)).toEqual([]);
      });
    });

    describe("commit", () => {
      test("versions begin with 1 and have no gaps; time comes from the clock", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "plan:a", events: numbers(2) }]));
        await store.commit(append([{ stream: "plan:a", events: numbers(1, 3) }]));
        expect((await readAll(store)).map(({ cursor: _, ...event }) => event)).toEqual(
          [1, 2, 3].map((number) => ({
            stream: "plan:a",
            version: number,
            type: "number.written",
            at: now,
            data: { number },
          })),
        );
      });

      test("what is told late keeps its time; views and checks take it, and the clock does not run backwards", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "session:a", events: numbers(2) }]));
        const late = [{ ...written(3), at: now - 60_000 }];
        await store.commit(append([{ stream: "session:a", events: late }]));
        await store.commit(append([{ stream: "session:b", events: [{ ...written(1), at: now - 30_000 }] }]));
        const events = await readAll(store);
        expect(events.map(({ at }) => at)).toEqual([now, now, now - 60_000, now - 30_000]);
        expect(await store.view(COUNTERS, "session:a")).toMatchObject({ count: 3 });
        expect((await store.recent("session", 2)).map(({ stream, at }) => [stream, at])).toEqual([
          ["session:a", now],
          ["session:b", now - 30_000],
        ]);
        expect((await store.check({ rebuild: false })).findings).toEqual([]);
        const latest = now;
        now -= 45_000;
        await store.commit(append([{ stream: "session:b", events: numbers(1) }]));
        const [last] = (await readAll(store)).slice(-1);
        // A server goes by its own clock, whatever it says.
        expect(last?.at).toBe(name === "postgres" ? now : latest);
        now = latest;
      });

      test("several streams: all or nothing", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "plan:a", events: numbers(2) }]));
        const refused = await store.commit(
          append([
            { stream: "plan:b", events: numbers(1) },
            { stream: "plan:a", expected: 1, events: numbers(1) },
          ]),
        );
        expect(refused).toMatchObject({ ok: false, error: { code: "version-conflict" } });
        expect(await readAll(store, { stream: "plan:b" })).toEqual([]);
        const taken = await store.commit(
          append([
            { stream: "plan:b", expected: 0, events: numbers(1) },
            { stream: "plan:a", expected: 2, events: numbers(1) },
          ]),
        );
        expect(taken.ok).toBe(true);
        expect((await readAll(store)).map(({ stream, version }) => `${stream} ${version}`)).toEqual([
          "plan:a 1",
          "plan:a 2",
          "plan:b 1",
          "plan:a 3",
        ]);
      });

      test("a decision sees what was committed before it, whoever else decides at the same time", async () => {
        const store = await fresh();
        const seen = await Promise.all(
          Array.from({ length: 30 }, () =>
            store.commit(function* (transaction) {
              const { sum } = yield* transaction.view(COUNTERS, "plan:sum");
              return ok({ writes: [{ stream: "plan:sum", events: [written(1)] }], answer: sum });
            }),
          ),
        );
        const sums = seen.map((result) => (result.ok ? result.value : -1)).sort((a, b) => a - b);
        expect(sums).toEqual(Array.from({ length: 30 }, (_, index) => index));
        expect(await store.view(COUNTERS, "plan:sum")).toEqual({ count: 30, sum: 30 });
      });

      test("a refused decision changes nothing and says why; a broken one neither", async () => {
        const store = await fresh();
        const refused = await store.commit(function* (transaction) {
          yield* transaction.version("plan:a");
          return fail({ code: "no", message: "No." });
        });
        expect(refused).toEqual({ ok: false, error: { code: "no", message: "No." } });
        const broken = store.commit(function* (transaction) {
          yield* transaction.version("plan:a");
          throw new Error("bug");
        });
        await expect(broken).rejects.toThrow("bug");
        await expect(store.commit(append([{ stream: "../x", events: numbers(1) }]))).rejects.toThrow("Not a stream");
        expect(await readAll(store)).toEqual([]);
        expect((await store.commit(append([{ stream: "plan:a", events: numbers(1) }]))).ok).toBe(true);
      });

      test("a decision without writes is a read", async () => {
        const store = await fresh();
        const head = await store.head();
        expect(await store.commit(append([]))).toEqual({ ok: true, value: undefined });
        expect(await store.commit(append([{ stream: "plan:a", events: [] }]))).toEqual({ ok: true, value: undefined });
        expect(await store.head()).toBe(head);
      });

      test("a fact that arrives twice is one event", async () => {
        const store = await fresh();
        const fact = (number: number) => written(number, { id: `codex:1/call-${number}/ended`, actor: "hook" });
        await store.commit(append([{ stream: "plan:a", events: [fact(1), fact(2)] }]));
        await store.commit(append([{ stream: "plan:a", events: [fact(2), fact(3), fact(3)] }]));
        await store.commit(append([{ stream: "plan:b", events: [fact(1)] }]));
        const events = await readAll(store);
        expect(events.map(({ version, id }) => [version, id])).toEqual([
          [1, "codex:1/call-1/ended"],
          [2, "codex:1/call-2/ended"],
          [3, "codex:1/call-3/ended"],
        ]);
        expect(events[0]?.actor).toBe("hook");
      });

      test("the same fact told to several streams at once is one event", async () => {
        const store = await fresh();
        const tell = (stream: string) => store.commit(append([{ stream, events: [written(1, { id: "one-fact" })] }]));
        const told = await Promise.all(Array.from({ length: 12 }, (_, index) => tell(`plan:${index % 6}`)));
        expect(told.every(({ ok: isOk }) => isOk)).toBe(true);
        expect(await readAll(store)).toHaveLength(1);
      });

      test("writers of the same streams in different orders do not wait for each other's end", async () => {
        const store = await fresh();
        const both = (...streams: string[]) =>
          store.commit(append(streams.map((stream) => ({ stream, events: numbers(1) }))));
        const start = performance.now();
        await Promise.all(
          Array.from({ length: 20 }, (_, index) => (index % 2 ? both("plan:a", "plan:b") : both("plan:b", "plan:a"))),
        );
        expect(await readAll(store)).toHaveLength(40);
        // A deadlock costs a second each.
        expect(performance.now() - start).toBeLessThan(5000);
      });

      test("what is folded is what was written, whatever the caller does with its data", async () => {
        const store = await fresh();
        const data: { number: unknown } = { number: 5 };
        await store.commit(append([{ stream: "plan:a", events: [{ type: "number.written", data }] }]));
        data.number = 1000;
        await store.commit(
          append([{ stream: "plan:a", events: [{ type: "number.written", data: { number: 2, when: new Date(7) } }] }]),
        );
        expect(await store.view(COUNTERS, "plan:a")).toEqual({ count: 2, sum: 7 });
        expect((await readAll(store)).at(-1)?.data.when).toBe("1970-01-01T00:00:00.007Z");
      });

      test("any text comes back as it was", async () => {
        const store = await fresh();
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
            const stream = "plan:text";
            await store.commit(append([{ stream, events: [written(1, { data: { text, [text]: 1, number: 0 } })] }]));
            const last = (await readAll(store, { stream })).at(-1);
            expect(last?.data).toEqual(JSON.parse(JSON.stringify({ text, [text]: 1, number: 0 })));
          }),
          {
            numRuns: sized(40, 1000),
            examples: [["a\u0000b"], ["x\ud800y"], ["'; DROP TABLE milepost_events; --"], ["\u2028\ufeff"]],
          },
        );
      });
    });

    describe("idempotency", () => {
      const key = (input: unknown = 1) => ({ idempotency: { key: "k", input, stream: "plan:a" } });
      const count = (store: Store, input?: unknown) =>
        store.commit<number>(function* (transaction) {
          const version = yield* transaction.version("plan:a");
          return ok({ writes: [{ stream: "plan:a", events: numbers(1) }], answer: version + 1 });
        }, key(input));

      test("the same key gives the first answer and one effect", async () => {
        const store = await fresh();
        expect(await count(store)).toEqual(ok(1));
        expect(await count(store)).toEqual(ok(1));
        expect(await readAll(store)).toHaveLength(1);
      });

      test("many at once with the same key: one effect", async () => {
        const store = await fresh();
        const answers = await Promise.all(Array.from({ length: 10 }, () => count(store)));
        expect(answers.every((answer) => answer.ok && answer.value === 1)).toBe(true);
        expect(await readAll(store)).toHaveLength(1);
      });

      test("a refusal is an answer too", async () => {
        const store = await fresh();
        const refuse = () =>
          store.commit(function* (transaction) {
            yield* transaction.version("plan:a");
            return fail({ code: "no", message: "No." });
          }, key());
        expect(await refuse()).toMatchObject({ error: { code: "no" } });
        expect(await count(store)).toMatchObject({ error: { code: "no" } });
        expect(await readAll(store)).toEqual([]);
      });

      test("with another input it is refused", async () => {
        const store = await fresh();
        await count(store, { a: 1 });
        expect(await count(store, { a: 2 })).toMatchObject({ error: { code: "key-reused" } });
        expect(await readAll(store)).toHaveLength(1);
      });

      test("it is kept for 24 hours", async () => {
        const store = await fresh();
        const start = now;
        await count(store);
        now = start + 24 * HOUR;
        expect(await count(store)).toEqual(ok(1));
        now = start + 24 * HOUR + 1;
        expect(await count(store)).toEqual(ok(2));
        now = start + 49 * HOUR;
        expect((await store.prune()).keys).toBe(1);
        now = start;
      });
    });

    describe("read", () => {
      test("a reader that stops anywhere goes on without a gap or a repetition", async () => {
        const store = await fresh();
        for (let batch = 0; batch < 5; batch += 1)
          await store.commit(
            append([
              { stream: "calls:a", events: numbers(250, batch * 250) },
              { stream: "plan:b", events: numbers(2, batch) },
            ]),
          );
        const all = await readAll(store);
        expect(all).toHaveLength(1260);
        for (const at of [0, 1, 249, 250, 251, 999, 1000, 1001, 1258, 1259]) {
          const after = all[at]?.cursor ?? START;
          expect(await readAll(store, { after })).toEqual(all.slice(at + 1));
        }
        expect(await readAll(store, { stream: "plan:b" })).toEqual(all.filter(({ stream }) => stream === "plan:b"));
        expect(await store.head()).toBe(all.at(-1)?.cursor);
        expect(await readAll(store, { stream: "plan:nobody" })).toEqual([]);
      });

      test.each([
        "",
        "-1",
        "1e3",
        "0x10",
        "NaN",
        "01",
        " 1",
        "1.2.3",
        "9223372036854775808",
        "99999999999999999999",
        "a",
        "1.x",
      ])("%j is no cursor", async (after) => {
        const store = await fresh();
        expect(await store.read({ after })).toMatchObject({ ok: false });
        expect(await store.read({ after, stream: "no stream" })).toMatchObject({ ok: false });
        expect(await store.follow({ after, signal: AbortSignal.abort() })).toMatchObject({ ok: false });
      });

      test("a cursor from the future is refused, not waited for", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "plan:a", events: numbers(1) }]));
        const [event] = await readAll(store);
        const beyond = (event?.cursor ?? "").replace(/\d+$/, "777");
        expect(await store.read({ after: beyond })).toMatchObject({ error: { code: "unknown-cursor" } });
      });
    });

    describe("follow", () => {
      async function follow(
        store: Store,
        after: string,
        until: number,
        events: StoredEvent[] = [],
      ): Promise<readonly StoredEvent[]> {
        const controller = new AbortController();
        const pages = await store.follow({ after, signal: controller.signal });
        if (!pages.ok) throw new Error(pages.error.message);
        for await (const page of pages.value) {
          events.push(...page.events);
          if (events.length >= until) controller.abort();
        }
        return events;
      }

      test("everything from the cursor on, then everything that comes, each once and in order", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "plan:a", events: numbers(3) }]));
        const [first] = await readAll(store);
        const following = follow(store, first?.cursor ?? START, 42);
        await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            store.commit(append([{ stream: `plan:${index % 4}`, events: [written(index)] }])),
          ),
        );
        const events = await following;
        expect(events).toEqual((await readAll(store)).slice(1));
        expect(new Set(events.map(({ cursor }) => cursor)).size).toBe(42);
      });

      test("ends with its signal, also while nothing happens", async () => {
        const store = await fresh();
        const controller = new AbortController();
        const pages = await store.follow({ signal: controller.signal });
        setTimeout(() => controller.abort(), 30);
        if (!pages.ok) throw new Error(pages.error.message);
        for await (const _ of pages.value) throw new Error("nothing was written");
      });

      test("ends when the store is closed", async () => {
        const store = await openStore(await place.fresh(), options);
        const seen: StoredEvent[] = [];
        const following = follow(store, START, 99, seen);
        await store.commit(append([{ stream: "plan:a", events: numbers(2) }]));
        // A server may announce it before anybody listens; then the slow look finds it.
        await expect.poll(() => seen.length).toBe(2);
        await store.close();
        expect(await following).toHaveLength(2);
      });

      test("many can follow one handle, and it still writes", async () => {
        const store = await fresh();
        const all = Array.from({ length: 12 }, () => follow(store, START, 3));
        for (let number = 1; number <= 3; number += 1)
          await store.commit(append([{ stream: "plan:a", events: [written(number)] }]));
        for (const events of await Promise.all(all)) expect(events.map(({ version }) => version)).toEqual([1, 2, 3]);
      });

      test.runIf(place.isShared)("commits of another handle are seen", async () => {
        const url = await place.fresh();
        const [reader, writer] = [await open(url), await open(url)];
        const following = follow(reader, START, 20);
        for (let number = 1; number <= 20; number += 1)
          await writer.commit(append([{ stream: "plan:a", events: [written(number)] }]));
        expect((await following).map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      });
    });

    describe("observations", () => {
      test("many become few transactions, in order, and are there when it resolves", async () => {
        const store = await fresh();
        await Promise.all(Array.from({ length: 700 }, (_, index) => store.observe("calls:a", [written(index)])));
        const events = await readAll(store, { stream: "calls:a" });
        expect(events.map(({ data }) => data.number)).toEqual(Array.from({ length: 700 }, (_, index) => index));
        expect(events.at(-1)?.version).toBe(700);
      });

      test("a commit does not wait behind them", async () => {
        const store = await fresh();
        const order: string[] = [];
        const observed = store.observe("calls:a", numbers(sized(4_000, 30_000))).then(() => order.push("observed"));
        // Let the gathering end, so that its transactions are queued before the commit comes.
        await new Promise((resolve) => setTimeout(resolve, 25));
        const committed = store
          .commit(append([{ stream: "plan:a", events: numbers(1) }]))
          .then(() => order.push("committed"));
        await Promise.all([observed, committed]);
        expect(order).toEqual(["committed", "observed"]);
      });

      test("an event that is none is refused alone", async () => {
        const store = await fresh();
        const good = store.observe("calls:a", numbers(2));
        expect(() => store.observe("calls:b", [written(1, { id: "x".repeat(301) })])).toThrow("Not an event");
        await good;
        expect(await readAll(store)).toHaveLength(2);
      });

      test.each([
        ["calls alone", ["calls:a", "calls:b"], 1],
        ["nothing", [], 1],
        ["something durable as well", ["calls:a", "plan:a"], 2],
      ])("a commit that is probably one of them: %s", async (_, streams, decisions) => {
        const store = await fresh();
        let decided = 0;
        const decision: Decision<string> = function* (transaction) {
          decided += 1;
          const { count } = yield* transaction.view(COUNTERS, "plan:a");
          const writes = streams.map((stream) => ({ stream, events: numbers(2) }));
          return ok({ writes: [...writes, { stream: "plan:empty", events: [] }], answer: `after ${count}` });
        };
        expect(await store.commit(decision, { isObserved: true })).toEqual(ok("after 0"));
        expect(decided).toBe(decisions);
        const events = await readAll(store);
        expect(events.map(({ stream, version }) => `${stream} ${version}`).sort()).toEqual(
          streams.flatMap((stream) => [`${stream} 1`, `${stream} 2`]).sort(),
        );
        const refused = await store.commit(
          function* (transaction) {
            yield* transaction.version("plan:a");
            return fail("no", "No.");
          },
          { isObserved: true },
        );
        expect(refused).toEqual(fail("no", "No."));
      });

      test("only calls: streams are observed, and closing waits for them", async () => {
        const url = await place.fresh();
        const store = await openStore(url, options);
        expect(() => store.observe("plan:a", numbers(1))).toThrow("Only calls:");
        // More than one transaction can take: closing waits for all of them.
        const observed = store.observe("calls:a", numbers(2000));
        await new Promise((resolve) => setTimeout(resolve, 22));
        await store.close();
        await store.close();
        await observed;
        if (place.isShared) expect(await readAll(await open(url))).toHaveLength(2000);
      });
    });

    describe("views", () => {
      test("an unknown stream has the view of nothing", async () => {
        expect(await (await fresh()).view(COUNTERS, "plan:nobody")).toEqual({ count: 0, sum: 0 });
      });

      test.runIf(place.isShared)("a view that an older version did not know is filled in from the events", async () => {
        const url = await place.fresh();
        const older = await open(url, { projections: [] });
        await older.commit(append([{ stream: "plan:a", events: numbers(3) }]));
        const newer = await openStore(url, options);
        expect(await newer.view(COUNTERS, "plan:a")).toEqual({ count: 3, sum: 6 });
        await newer.commit(append([{ stream: "plan:a", events: [written(10)] }]));
        await older.commit(append([{ stream: "plan:a", events: [written(100)] }]));
        expect(await newer.view(COUNTERS, "plan:a")).toEqual({ count: 5, sum: 116 });
        await newer.commit(append([{ stream: "plan:a", events: [written(1000)] }]));
        expect((await newer.check({ rebuild: false })).findings).toEqual([]);
        await newer.close();
      });

      test.runIf(place.isShared)("a fold that has changed is folded again", async () => {
        const url = await place.fresh();
        await (await open(url)).commit(append([{ stream: "plan:a", events: numbers(3) }]));
        const doubled = {
          ...COUNTERS,
          revision: 2,
          fold: ((state, events) => COUNTERS.fold(COUNTERS.fold(state, events), events)) as typeof COUNTERS.fold,
        };
        const store = await openStore(url, { ...options, projections: [doubled] });
        expect(await store.view(doubled, "plan:a")).toEqual({ count: 6, sum: 12 });
        await store.close();
      });

      test("doctor finds a view that is not what its events say, and rebuilds it", async () => {
        let isWrong = true;
        const wrong = {
          ...COUNTERS,
          fold: ((state, events) =>
            isWrong ? { count: -1, sum: 0 } : COUNTERS.fold(state, events)) as typeof COUNTERS.fold,
        };
        const store = await fresh({ projections: [wrong] });
        await store.commit(append([{ stream: "plan:a", events: numbers(2) }]));
        isWrong = false;
        expect((await store.check({ rebuild: false })).findings).toMatchObject([
          { code: "wrong-view", level: "damage" },
        ]);
        expect(await store.check({ rebuild: true })).toMatchObject({ findings: [], rebuilt: 1 });
        expect(await store.view(wrong, "plan:a")).toEqual({ count: 2, sum: 3 });
      });
    });

    describe("retention", () => {
      const DAY = 24 * HOUR;
      const rule = { kind: "calls", maxAge: 30 * DAY };

      test("old calls go, and a reader who has not come so far is told", async () => {
        const store = await fresh();
        const start = now;
        await store.commit(append([{ stream: "calls:a", events: numbers(2500) }]));
        now = start + 20 * DAY;
        await store.commit(append([{ stream: "calls:a", events: numbers(10, 2501) }]));
        now = start + 40 * DAY;
        expect(await store.prune([rule])).toMatchObject({ events: 2500 });
        const found = await pagesOf(store, START);
        expect(found).toHaveLength(1);
        expect(found[0]?.prunedUpTo).toBeDefined();
        expect(found[0]?.events.map(({ version }) => version)).toEqual(Array.from({ length: 10 }, (_, i) => 2501 + i));
        // From the gap on, nothing is missing any more.
        const rest = await pagesOf(store, found[0]?.prunedUpTo ?? "");
        expect(rest.flatMap(({ events }) => events)).toHaveLength(10);
        expect(rest.filter(({ prunedUpTo }) => prunedUpTo !== undefined)).toEqual([]);
        await store.commit(append([{ stream: "calls:a", events: numbers(1) }]));
        expect((await readAll(store)).at(-1)?.version).toBe(2511);
        expect(await store.totals()).toMatchObject({ events: 11, prunedUpTo: found[0]?.prunedUpTo });
        expect(await store.prune([rule])).toMatchObject({ events: 0 });
        now = start;
      });

      test("once a day it happens by itself", async () => {
        const store = await fresh();
        const start = now;
        await store.observe("calls:a", numbers(3));
        await store.tidy();
        now = start + 31 * DAY;
        await store.tidy();
        expect(await readAll(store)).toEqual([]);
        await store.observe("calls:b", [written()]);
        now += DAY - 1;
        await store.tidy();
        expect(await readAll(store)).toHaveLength(1);
        now = start;
      });

      test.runIf(place.isShared)("nobody prunes under a view that it does not know", async () => {
        const url = await place.fresh();
        const start = now;
        const second = { ...COUNTERS, name: "second" };
        const newer = await openStore(url, { ...options, projections: [COUNTERS, second] });
        await newer.commit(append([{ stream: "plan:a", events: numbers(3) }]));
        now = start + 1000;
        const older = await open(url);
        const closed = [{ kind: "plan", maxAge: 500, onlyClosed: true }];
        expect(await older.prune(closed)).toMatchObject({ events: 0 });
        await older.commit(append([{ stream: "plan:a", events: [written(10)] }]));
        now = start + 2000;
        expect(await newer.prune(closed)).toMatchObject({ events: 4 });
        await newer.commit(append([{ stream: "plan:a", events: [written(100)] }]));
        for (const view of [COUNTERS, second]) expect(await newer.view(view, "plan:a")).toEqual({ count: 5, sum: 116 });
        // One that comes later knows nothing of what was pruned before it.
        const late = { ...COUNTERS, name: "late" };
        const newest = await openStore(url, { ...options, projections: [late] });
        expect(await newest.view(late, "plan:a")).toEqual({ count: 1, sum: 100 });
        await newest.close();
        await newer.close();
        now = start;
      });

      test("a reader from the end is not told of what was pruned before it", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "session:a", events: numbers(2) }]));
        await store.forget("a");
        expect(await pagesOf(store, await store.head())).toEqual([]);
      });

      test("a cap on the size takes the streams that have been quiet for longest", async () => {
        const store = await fresh();
        const start = now;
        for (const name of ["old", "new"]) {
          await store.commit(
            append([{ stream: `calls:${name}`, events: [written(1, { data: { text: "x".repeat(1000) } })] }]),
          );
          now += 1000;
        }
        await store.prune([{ ...rule, maxSize: 1500 }]);
        expect((await readAll(store)).map(({ stream }) => stream)).toEqual(["calls:new"]);
        now = start;
      });

      test("closed work keeps its view when its history goes; open work keeps both", async () => {
        const store = await fresh();
        const start = now;
        await store.commit(append([{ stream: "plan:closed", events: numbers(3) }]));
        await store.commit(append([{ stream: "plan:open", events: [written(-5)] }]));
        now = start + 200 * DAY;
        expect(await store.prune([{ kind: "plan", maxAge: 180 * DAY, onlyClosed: true }])).toMatchObject({ events: 3 });
        expect((await readAll(store)).map(({ stream }) => stream)).toEqual(["plan:open"]);
        expect(await store.view(COUNTERS, "plan:closed")).toEqual({ count: 3, sum: 6 });
        await store.commit(append([{ stream: "plan:closed", expected: 3, events: [written(10)] }]));
        expect(await store.view(COUNTERS, "plan:closed")).toEqual({ count: 4, sum: 16 });
        expect((await store.check({ rebuild: true })).findings).toEqual([]);
        now = start;
      });
    });

    describe("forget", () => {
      test("everything about one session, and nothing about its neighbours", async () => {
        const store = await fresh();
        const streams = [
          "session:a",
          "session:a/child",
          "calls:a",
          "session:a0",
          "session:a-b",
          "session:ab",
          "calls:a.b",
          "session:b/a",
        ];
        for (const stream of streams) await store.commit(append([{ stream, events: numbers(2) }]));
        const idempotency = { key: "k", input: 1, stream: "session:a" };
        await store.commit(append([{ stream: "session:a", events: numbers(1) }]), { idempotency });
        expect(await store.forget("a")).toEqual({ streams: expect.any(Array), events: 7, readings: 0 });
        expect([...new Set((await readAll(store)).map(({ stream }) => stream))]).toEqual(streams.slice(3));
        expect(await store.view(COUNTERS, "session:a")).toEqual({ count: 0, sum: 0 });
        // Its kept answer is gone with it.
        await store.commit(append([{ stream: "session:a", events: numbers(1) }]), { idempotency });
        expect(await readAll(store, { stream: "session:a" })).toHaveLength(1);
        expect(await store.forget("nobody")).toEqual({ streams: [], events: 0, readings: 0 });
      });

      test("positions are not given again", async () => {
        const store = await fresh();
        await store.commit(append([{ stream: "session:a", events: numbers(3) }]));
        const last = (await readAll(store)).at(-1)?.cursor ?? "";
        await store.forget("a");
        await store.commit(append([{ stream: "session:b", events: numbers(1) }]));
        expect((await readAll(store, { after: last })).map(({ stream }) => stream)).toEqual(["session:b"]);
      });
    });

    describe("transfer", () => {
      const travelling = async (store: Store) => (await readAll(store)).map(({ cursor: _, ...event }) => event);

      test("types and fields of a newer version survive", async () => {
        const [from, to] = [await fresh(), await fresh()];
        const strange = {
          type: "list.blessed",
          data: { later: { "2": [null, 1.5], __proto__: null }, status: "paused" },
        };
        await from.commit(append([{ stream: "plan:a", events: [written(1), strange, written(2)] }]));
        expect((await to.take(await travelling(from))).ok).toBe(true);
        expect(await travelling(to)).toEqual(await travelling(from));
        expect(await to.view(COUNTERS, "plan:a")).toEqual({ count: 3, sum: 3 });
      });

      test("what is there already is passed over; another history and gaps are refused whole", async () => {
        const [from, to] = [await fresh(), await fresh()];
        await from.commit(append([{ stream: "plan:a", events: numbers(5) }]));
        const all = await travelling(from);
        expect(await to.take(all.slice(0, 3))).toEqual(ok({ events: 3, known: 0, cut: 0 }));
        expect(await to.compare(all, unseen())).toEqual(ok({ events: 2, known: 3, cut: 0 }));
        expect(await to.take(all)).toEqual(ok({ events: 2, known: 3, cut: 0 }));
        const other = all.map((event) => (event.version === 4 ? { ...event, at: 1 } : event));
        expect(await to.compare(other, unseen())).toMatchObject({ error: { code: "other-history" } });
        expect(await to.take(other)).toMatchObject({ error: { code: "other-history" } });
        expect(await to.take([{ stream: "plan:b", version: 2, type: "x.y", at: 1, data: {} }])).toMatchObject({
          error: { code: "missing-events" },
        });
        expect(await readAll(to, { stream: "plan:b" })).toEqual([]);
        // What one batch leaves open, the next one of the same file must close.
        const seen = unseen();
        const at = (version: number) => ({ stream: "plan:c", version, type: "x.y", at: 1, data: {} });
        expect(await to.compare([at(1), at(2)], seen)).toEqual(ok({ events: 2, known: 0, cut: 0 }));
        for (const version of [1, 2, 4])
          expect(await to.compare([at(version)], { ...seen, reached: new Map(seen.reached) })).toMatchObject({
            ok: false,
          });
        expect(await to.compare([at(3)], seen)).toEqual(ok({ events: 1, known: 0, cut: 0 }));
      });

      test("a handle that has imported goes on writing", async () => {
        const [from, to] = [await fresh(), await fresh()];
        await from.commit(append([{ stream: "plan:a", events: numbers(5) }]));
        await to.commit(append([{ stream: "plan:mine", events: numbers(2) }]));
        await to.take(await travelling(from));
        await to.commit(append([{ stream: "plan:mine", events: numbers(1, 3) }]));
        await to.commit(append([{ stream: "plan:a", expected: 5, events: numbers(1, 6) }]));
        expect(await to.view(COUNTERS, "plan:a")).toEqual({ count: 6, sum: 21 });
        expect(await readAll(to)).toHaveLength(9);
      });

      test("one fact twice in a file is refused before anything is written", async () => {
        const to = await fresh();
        const twice = [1, 2, 3].map((version) => ({
          stream: "plan:a",
          version,
          type: "x.y",
          at: 1,
          data: {},
          ...(version < 3 ? { id: "same" } : {}),
        }));
        for (const refused of [await to.compare(twice, unseen()), await to.take(twice)])
          expect(refused).toMatchObject({ error: { code: "other-history" } });
        expect(await readAll(to)).toEqual([]);
      });

      test("a base never replaces a view that is there", async () => {
        const to = await fresh();
        const start = now;
        await to.commit(append([{ stream: "plan:a", events: numbers(2) }]));
        now = start + 1000;
        await to.prune([{ kind: "plan", maxAge: 500, onlyClosed: true }]);
        await to.take([{ base: "counter", stream: "plan:a", revision: 1, version: 2, data: { count: 99, sum: 99 } }]);
        expect(await to.view(COUNTERS, "plan:a")).toEqual({ count: 2, sum: 3 });
        now = start;
      });

      test("a pruned stream travels with its base", async () => {
        const [from, to] = [await fresh(), await fresh()];
        const start = now;
        await from.commit(append([{ stream: "plan:a", events: numbers(3) }]));
        now = start + 1000;
        await from.prune([{ kind: "plan", maxAge: 500, onlyClosed: true }]);
        await from.commit(append([{ stream: "plan:a", events: [written(10)] }]));
        const bases = [];
        for await (const base of from.bases()) bases.push(base);
        expect(bases).toMatchObject([{ base: "counter", stream: "plan:a", version: 3 }]);
        expect(await to.take([...bases, ...(await travelling(from))])).toMatchObject({ ok: true });
        expect(await to.view(COUNTERS, "plan:a")).toEqual({ count: 4, sum: 16 });
        expect(
          await to.take([{ base: "counter", stream: "plan:x", revision: 1, version: 2, data: "nonsense" }]),
        ).toMatchObject({
          error: { code: "bad-record" },
        });
        now = start;
      });
    });

    test("a copy is a store too, with the same events", async () => {
      const store = await fresh();
      await store.commit(append([{ stream: "plan:a", events: numbers(3) }]));
      const folder = mkdtempSync(join(tmpdir(), "milepost-copy-"));
      await store.backup(join(folder, "copy.db"));
      const copy = await openStore(join(folder, "copy.db"), options);
      const events = (all: readonly StoredEvent[]) => all.map(({ cursor: _, ...event }) => event);
      expect(events(await readAll(copy))).toEqual(events(await readAll(store)));
      await copy.close();
      rmSync(folder, { recursive: true, force: true });
    });

    describe.runIf(place.isShared)("versions", () => {
      test("many that open a store at once make it, and bring it up, once", async () => {
        for (const made of [[], MIGRATIONS.slice(0, 1)]) {
          const url = await place.fresh();
          if (made.length > 0) await (await openStore(url, { ...options, migrations: made })).close();
          const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
          for (const store of stores) await store.commit(append([{ stream: "plan:a", events: numbers(1) }]));
          expect(await stores[0]?.totals()).toMatchObject({ schema: MIGRATIONS.length, events: 6 });
        }
      });

      const later = (oldestWriter: number) => [...MIGRATIONS, { ...nextMigration, oldestWriter }];

      test("an additive migration does not stop a process that is already running", async () => {
        const url = await place.fresh();
        const running = await open(url);
        await running.commit(append([{ stream: "plan:a", events: numbers(1) }]));
        await (await openStore(url, { ...options, migrations: later(1) })).close();
        expect((await running.commit(append([{ stream: "plan:a", events: numbers(1) }]))).ok).toBe(true);
        expect(await running.totals()).toMatchObject({ schema: 4, oldestWriter: 1 });
        await (await open(url)).commit(append([{ stream: "plan:a", events: numbers(1) }]));
      });

      test("a store that names a newer writer refuses the older one by both numbers, and still reads", async () => {
        const url = await place.fresh();
        const running = await open(url);
        await running.commit(append([{ stream: "plan:a", events: numbers(1) }]));
        await (await openStore(url, { ...options, migrations: later(4) })).close();
        for (const older of [running, await open(url)]) {
          await expect(older.commit(append([{ stream: "plan:a", events: numbers(1) }]))).rejects.toMatchObject({
            code: "store-newer",
            message: expect.stringMatching(/schema 4, .* has 3/),
          });
          expect(await readAll(older)).toHaveLength(1);
        }
      });
    });
  });
}
