import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { FILES } from "../../src/app/session/files/shared-file-writes.js";
import { recordSighting } from "../../src/app/session/record-sighting.js";
import { sessionEvent } from "../../src/app/session/session-view.js";
import { DEFAULT_SETTINGS } from "../../src/app/settings.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { append } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { DAY } from "../../src/store/upkeep/retention.js";
import { readAll } from "./contract.js";
import { type Place, placesFor } from "./places.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-shared-files-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A repository with a second worktree, as Git's own files tell of it, and another repository. */
const [MAIN, TREE, OTHER] = ["main", "tree", "other"].map((name) => join(root, name)) as [string, string, string];
const own = join(MAIN, ".git", "worktrees", "tree");
for (const folder of [own, TREE, join(OTHER, ".git")]) mkdirSync(folder, { recursive: true });
writeFileSync(join(TREE, ".git"), `gitdir: ${own}\n`);
writeFileSync(join(own, "commondir"), "../..\n");

const MINUTE = 60_000;

function contract(name: string, place: Place): void {
  describe(`files that two sessions change, on ${name}`, () => {
    const opened: Store[] = [];
    const START = 1_800_000_000_000;
    let now = START;
    let calls = 0;
    const open = async (url: string) => {
      const store = await openStore(url, { projections: PROJECTIONS, clock: () => now });
      opened.push(store);
      return store;
    };
    /** One call, as a hook tells of it. */
    const call = async (store: Store, session: string, folder: string, file: string, more: object = {}) => {
      const { agent, status = "completed", facts = {}, process = "m:7" } = more as Record<string, string>;
      calls += 1;
      const data = {
        tool: "Edit",
        status,
        call: `c${calls}`,
        facts: { kind: "edit", files: [file], ...(facts as object) },
      };
      const recorded = await recordSighting(
        store,
        {
          session,
          agent,
          who: { client: "claude-code", folder, process },
          calls: [{ type: "call.ended", data, id: `${session}/c${calls}/ended` }],
        },
        DEFAULT_SETTINGS,
      );
      expect(recorded.ok).toBe(true);
    };
    const shared = async (store: Store, session: string) =>
      (await readAll(store, { stream: `session:${session}` })).flatMap(({ type, data }) =>
        type === "file.shared" ? [`${data.file} ${data.session}`] : [],
      );
    const both = async (store: Store) => [await shared(store, "a"), await shared(store, "b")];
    const filesStreams = async (store: Store) => (await store.recent("files", 100)).map(({ stream }) => stream).sort();

    afterAll(async () => place.tearDown?.());
    afterEach(async () => {
      now = START;
      for (const store of opened.splice(0)) {
        expect((await store.check({ rebuild: false })).findings).toEqual([]);
        await store.close();
      }
    });

    test("both are told, in the same folder and in worktrees, once for each file", async () => {
      const store = await open(await place.fresh());
      await call(store, "a", MAIN, join(MAIN, "src/x.ts"));
      expect(await both(store)).toEqual([[], []]);
      await call(store, "b", TREE, join(TREE, "src/x.ts"));
      expect(await both(store)).toEqual([["src/x.ts b"], ["src/x.ts a"]]);
      now += 10 * MINUTE;
      for (const session of ["a", "b", "a"]) await call(store, session, MAIN, "src/x.ts");
      expect(await both(store)).toEqual([["src/x.ts b"], ["src/x.ts a"]]);
      await call(store, "b", MAIN, "y");
      await call(store, "a", MAIN, "y", { agent: "a1" });
      expect(await both(store)).toEqual([
        ["src/x.ts b", "y b"],
        ["src/x.ts a", "y a"],
      ]);
    });

    const NOT: readonly (readonly [string, (store: Store, file: string) => Promise<void>])[] = [
      ["another repository", (store, file) => call(store, "b", OTHER, file)],
      ["another file", (store, file) => call(store, "b", MAIN, `${file}.bak`)],
      ["a call that failed", (store, file) => call(store, "b", MAIN, file, { status: "failed" })],
      ["a call that only reads", (store, file) => call(store, "b", MAIN, file, { facts: { kind: "read" } })],
      ["a write that changed nothing", (store, file) => call(store, "b", MAIN, file, { facts: { isUnchanged: true } })],
      ["a sub-agent of its own", (store, file) => call(store, "a", MAIN, file, { agent: "a1" })],
      [
        "half an hour later",
        async (store, file) => {
          now += 30 * MINUTE + 1;
          await call(store, "b", MAIN, file);
        },
      ],
      [
        "after the other has ended",
        async (store, file) => {
          const ended = sessionEvent({ type: "session.ended", reason: "other" });
          await store.commit(append([{ stream: "session:a", events: [ended] }]));
          await call(store, "b", MAIN, file);
        },
      ],
    ];
    test(`nobody is told of: ${NOT.map(([what]) => what).join(", ")}`, async () => {
      const store = await open(await place.fresh());
      for (const [what, happens] of NOT) {
        const file = `${what}.ts`;
        await call(store, "a", MAIN, file);
        await happens(store, file);
        expect([what, ...(await both(store))]).toEqual([what, [], []]);
      }
    });

    test("two at the same time, by handles of their own: both know at the latest with the next edit", async () => {
      const url = await place.fresh();
      const one = await open(url);
      const other = place.isShared ? await open(url) : one;
      await Promise.all([call(one, "a", MAIN, "x"), call(other, "b", TREE, "x")]);
      now += 6 * MINUTE;
      await call(one, "a", MAIN, "x");
      expect(await both(one)).toEqual([["x b"], ["x a"]]);
    });

    test("a forgotten session is named in no such stream and no view of it; the other's stays", async () => {
      const store = await open(await place.fresh());
      await call(store, "a", MAIN, "x");
      await call(store, "a", OTHER, "x");
      await call(store, "b", MAIN, "x");
      expect(await filesStreams(store)).toHaveLength(3);
      const { streams } = await store.forget("a");
      expect(streams.filter((stream) => stream.startsWith("files:"))).toHaveLength(2);
      const [left = "", ...more] = await filesStreams(store);
      expect([left.endsWith("/b"), more]).toEqual([true, []]);
      expect(await store.view(FILES, left)).toMatchObject({ session: "b", files: [{ path: "x" }] });
      const events = (await readAll(store)).filter(({ stream }) => stream.startsWith("files:"));
      expect(JSON.stringify(events)).not.toContain("/a");
      // Whoever comes back under the name is new.
      now += 6 * MINUTE;
      await call(store, "a", MAIN, "x");
      expect(await shared(store, "a")).toEqual(["x b"]);
    });

    test("after a day its history is gone, its view is small; all of it travels to another store", async () => {
      const store = await open(await place.fresh());
      for (let at = 0; at < 20; at += 1) await call(store, "a", MAIN, `f${at}`);
      const [stream = ""] = await filesStreams(store);
      const before = await store.view(FILES, stream);
      const there = await open(await place.fresh());
      const events = (await readAll(store)).map(({ cursor: _, ...event }) => event);
      expect((await there.take(events)).ok).toBe(true);
      expect(await there.view(FILES, stream)).toEqual(before);
      now += DAY + 1;
      await store.prune();
      expect([(await readAll(store, { stream })).length, await store.view(FILES, stream)]).toEqual([0, before]);
      await call(store, "a", MAIN, "g");
      expect((await store.view(FILES, stream)).files).toEqual([{ path: "g", at: now }]);
      expect((await store.forget("a")).streams).toContain(stream);
      expect(await filesStreams(store)).toEqual([]);
    });
  });
}

for (const [name, place] of Object.entries(placesFor("shared_files"))) contract(name, place);
