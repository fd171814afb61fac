import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.js";
import { append } from "../../src/store/event-store.js";
import { MIGRATIONS } from "../../src/store/migrations.js";
import { type OpenOptions, openStore } from "../../src/store/open.js";
import type { Reading } from "../../src/store/readings/readings.js";
import type { Store } from "../../src/store/store.js";
import { sized } from "../sizes.js";
import { readAll } from "./contract.js";
import { COUNTERS } from "./counters.js";
import type { Place } from "./places.js";

const NOW = 1_800_000_000_000;
const DAY = 24 * 60 * 60 * 1000;

export const reading = (path: string, more: Partial<Reading> = {}): Reading => ({
  machine: "here",
  path,
  session: "a",
  at: NOW,
  data: JSON.stringify({ offset: 7, path }),
  ...more,
});
const pathsOf = async (store: Store, machine = "here") => (await store.readings(machine)).map(({ path }) => path);
const number = (stream: string) => append([{ stream, events: [{ type: "number.written", data: { number: 1 } }] }]);

/** What every engine does with what was read of transcripts, in the same words. */
export function readingsContract(name: string, place: Place): void {
  describe(`${name} keeps readings`, () => {
    const opened: Store[] = [];
    const folder = mkdtempSync(join(tmpdir(), "milepost-copies-"));
    const open = async (url: string, more: Partial<OpenOptions> = {}) => {
      const store = await openStore(url, { projections: [COUNTERS], clock: () => NOW, ...more });
      opened.push(store);
      return store;
    };
    const fresh = async (more?: Partial<OpenOptions>) => open(await place.fresh(), more);

    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true });
      await place.tearDown?.();
    });
    afterEach(async () => {
      for (const store of opened.splice(0)) {
        expect((await store.check({ rebuild: false })).findings).toEqual([]);
        await store.close();
      }
    });

    test("by machine and path, the transcript that grew last first", async () => {
      const store = await fresh();
      expect(await store.readings("here")).toEqual([]);
      const [old, late] = [reading("/old", { at: NOW - 5 }), reading("/late", { at: NOW + 5, session: "" })];
      const elsewhere = reading("/old", { machine: "there" });
      await store.keepReadings([old, late, elsewhere]);
      expect(await store.readings("here")).toEqual([late, old]);
      expect(await store.readings("there")).toEqual([elsewhere]);
      expect(await store.readings("nowhere")).toEqual([]);
      const grown = { ...old, at: NOW + 9, session: "b", data: '{"offset":9}' };
      await store.keepReadings([{ ...grown, data: "{}" }, grown]);
      expect(await store.readings("here")).toEqual([grown, late]);
      expect(await store.readings("there")).toEqual([elsewhere]);
    });

    test("transcripts that grew at the same time are in the order of their names", async () => {
      const store = await fresh();
      await store.keepReadings(["/c", "/a", "/ä", "/B", "/b"].map((path) => reading(path)));
      expect(await pathsOf(store)).toEqual(["/B", "/a", "/b", "/c", "/ä"]);
    });

    test("a fraction of a millisecond, as a file system tells it, is cut off", async () => {
      const store = await fresh();
      await store.keepReadings([reading("/a", { at: NOW + 0.75 }), reading("/b", { at: -0.5 })]);
      expect((await store.readings("here")).map(({ at }) => at)).toEqual([NOW, -1]);
    });

    test("any text comes back as it was, or is not kept on any engine", async () => {
      const store = await fresh();
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
          const isKept = text.isWellFormed() && !text.includes("\0");
          const one = reading(`/${text}`, {
            machine: `m${text}`,
            session: text,
            data: JSON.stringify({ [text]: text }),
          });
          await store.keepReadings([one]);
          expect(await store.readings(`m${text}`)).toEqual(isKept ? [one] : []);
          await store.dropReadings(`m${text}`, [`/${text}`]);
          expect(await store.readings(`m${text}`)).toEqual([]);
        }),
        {
          numRuns: sized(40, 1000),
          examples: [
            ["a\0b"],
            ["x\ud800y"],
            ['"{},\\NULL'],
            ["'; DROP TABLE milepost_readings; --"],
            ["ﬃ\u0301\u{1f469}"],
          ],
        },
      );
    });

    test("one that no engine or only some can hold is passed over, what comes with it is kept", async () => {
      const odd: readonly Partial<Reading>[] = [
        { path: "/\0" },
        { path: "/\udfff" },
        { machine: "\0" },
        { session: "\0" },
        { data: '"\0"' },
        { path: `/${"äß".repeat(500)}` },
        { session: "s".repeat(2001) },
        { at: Number.NaN },
        { at: 1e300 },
      ];
      const store = await fresh();
      const all = odd.map((more, index) => reading(`/odd/${index}`, more));
      await store.keepReadings([reading("/before"), ...all, reading("/behind")]);
      expect(await pathsOf(store)).toEqual(["/before", "/behind"]);
      expect(await store.readings("\0")).toEqual([]);
    });

    test("the longest name there can be is kept, however little it repeats itself", async () => {
      const store = await fresh();
      const path = Array.from({ length: 1000 }, (_, index) => String.fromCharCode(33 + ((index * index * 7919) % 94)));
      const long = `${path.join("")}${path.reverse().join("")}`.slice(0, 1995);
      await store.keepReadings([reading(long, { session: long })]);
      expect(await pathsOf(store)).toEqual([long]);
    });

    test("many, or large ones, are several transactions, and followers hear nothing of them", async () => {
      const steps: string[] = [];
      const store = await fresh({ trace: (step) => steps.push(step) });
      const commits = async (work: () => Promise<void>) => {
        steps.length = 0;
        await work();
        expect(steps.filter((step) => step.includes("pg_notify"))).toEqual([]);
        return steps.filter((step) => step === "COMMIT").length;
      };
      const many = Array.from({ length: 450 }, (_, index) => reading(`/${index}`));
      expect(await commits(() => store.keepReadings(many))).toBe(3);
      expect(await commits(() => store.keepReadings(many.slice(0, 200)))).toBe(1);
      expect(await commits(() => store.keepReadings([]))).toBe(0);
      const large = ["/x", "/y", "/z"].map((path) => reading(path, { data: `"${"x".repeat(3_000_000)}"` }));
      expect(await commits(() => store.keepReadings(large))).toBe(3);
      const dropped = [...many.map(({ path }) => path), "/unknown", "/\0"];
      expect(await commits(() => store.dropReadings("here", dropped))).toBe(3);
      expect(await store.readings("here")).toEqual(large);
    });

    test("who follows the log sees its events and nothing else; cursors and totals stay", async () => {
      const store = await fresh();
      await store.commit(number("plan:a"));
      const [head, totals] = [await store.head(), await store.totals()];
      const controller = new AbortController();
      const pages = await store.follow({ after: head, signal: controller.signal });
      if (!pages.ok) throw new Error(pages.error.message);
      const seen: unknown[] = [];
      const following = (async () => {
        for await (const page of pages.value) {
          seen.push(...page.events.map(({ stream }) => stream), ...(page.prunedUpTo ? ["pruned"] : []));
          if (seen.length === 2) controller.abort();
        }
      })();
      await store.keepReadings([reading("/a")]);
      await new Promise((resolve) => setTimeout(resolve, 120));
      expect([await store.head(), await store.totals()]).toEqual([head, totals]);
      await store.commit(number("plan:b"));
      await store.dropReadings("here", ["/a"]);
      await store.commit(number("plan:c"));
      await following;
      expect(seen).toEqual(["plan:b", "plan:c"]);
    });

    test.runIf(place.isShared)(
      "several that keep the same ones at once, in any order, while others write",
      async () => {
        const url = await place.fresh();
        const stores = await Promise.all([open(url), open(url), open(url)]);
        const all = Array.from({ length: 60 }, (_, index) => reading(`/${index}`));
        await Promise.all(
          stores.flatMap((store, index) => [
            store.keepReadings(index % 2 === 0 ? all : all.toReversed()),
            store.commit(number("plan:a")),
            store.keepReadings(all.slice(index * 20)),
          ]),
        );
        for (const store of stores) expect(await store.readings("here")).toHaveLength(60);
        expect(await readAll(stores[0] as Store)).toHaveLength(3);
      },
    );

    test("a session takes its readings with it, on every machine, and those of its sub-agents", async () => {
      const store = await fresh();
      await store.commit(number("session:a"));
      const sessions = ["a", "a/child", "a0", "a-b", "ab", "b", "", "b/a"];
      await store.keepReadings(sessions.map((session) => reading(`/${session}`, { session })));
      await store.keepReadings([reading("/a", { machine: "there" })]);
      expect(await store.forget("a")).toEqual({ streams: ["session:a"], events: 1, readings: 3 });
      expect((await pathsOf(store)).toSorted()).toEqual(["/", "/a-b", "/a0", "/ab", "/b", "/b/a"]);
      expect(await store.readings("there")).toEqual([]);
      // One that was only ever read is in no stream.
      expect(await store.forget("ab")).toEqual({ streams: [], events: 0, readings: 1 });
      expect(await store.forget("ab")).toEqual({ streams: [], events: 0, readings: 0 });
    });

    test("90 days after a transcript last grew its reading goes, and it may come again", async () => {
      const store = await fresh();
      const old = Array.from({ length: 450 }, (_, index) => reading(`/old/${index}`, { at: NOW - 90 * DAY - 1 }));
      await store.keepReadings([...old, reading("/young", { at: NOW - 90 * DAY })]);
      expect(await store.prune([])).toEqual({ events: 0, keys: 0, readings: 450 });
      expect(await pathsOf(store)).toEqual(["/young"]);
      await store.keepReadings(old.slice(0, 1));
      await store.tidy();
      expect(await pathsOf(store)).toEqual(["/young"]);
    });

    test("a backup is sound, and events travel without readings", async () => {
      const [store, other] = [await fresh(), await fresh()];
      await store.commit(number("plan:a"));
      await store.keepReadings([reading("/a")]);
      const copy = join(folder, "copy.db");
      await store.backup(copy);
      const events = (await readAll(store)).map(({ cursor: _, ...event }) => event);
      expect((await readAll(await open(copy))).map(({ cursor: _, ...event }) => event)).toEqual(events);
      expect((await other.take(events)).ok).toBe(true);
      expect(await other.readings("here")).toEqual([]);
    });

    test("a damaged one is named and not used; the next one takes its place", async () => {
      const store = await fresh();
      await store.keepReadings([reading("/a"), reading("/b")]);
      const text = "UPDATE milepost_readings SET data = '{}' WHERE path = '/a'";
      await store.commit(function* () {
        yield { sql: text, text, values: [] };
        const events = [{ type: "number.written", data: { number: 1 } }];
        return ok({ writes: [{ stream: "plan:a", events }], answer: undefined });
      });
      expect(await pathsOf(store)).toEqual(["/b"]);
      expect((await store.check({ rebuild: false })).findings).toMatchObject([
        { code: "damaged-reading", level: "warning" },
      ]);
      await store.keepReadings([reading("/a")]);
      expect(await pathsOf(store)).toEqual(["/a", "/b"]);
    });

    test.runIf(place.isShared)(
      "a store from before them is brought up, and who was at work there goes on",
      async () => {
        const url = await place.fresh();
        const older = await open(url, { migrations: MIGRATIONS.slice(0, 1) });
        await older.commit(number("session:a"));
        expect(await older.readings("here")).toEqual([]);
        expect(await older.forget("nobody")).toEqual({ streams: [], events: 0, readings: 0 });
        expect(await older.prune()).toMatchObject({ readings: 0 });
        expect(await older.totals()).toMatchObject({ schema: 1 });
        const newer = await open(url);
        expect(await newer.totals()).toMatchObject({ schema: 3, oldestWriter: 1, events: 1 });
        await newer.keepReadings([reading("/a", { session: "b" })]);
        expect((await older.commit(number("session:a"))).ok).toBe(true);
        await older.observe("calls:a", [{ type: "call.ended", data: {} }]);
        await older.forget("nobody");
        const late = await open(url, { migrations: MIGRATIONS.slice(0, 1) });
        expect((await late.commit(number("session:a"))).ok).toBe(true);
        expect(await newer.view(COUNTERS, "session:a")).toEqual({ count: 3, sum: 3 });
        expect(await pathsOf(newer)).toEqual(["/a"]);
      },
    );
  });
}
