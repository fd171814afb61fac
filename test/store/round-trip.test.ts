import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { exportLines, readImportLine } from "../../src/app/commands/transfer/transfer-lines.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { append, type StoredEvent } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { StoreTrouble } from "../../src/store/trouble.js";
import type { Travelling } from "../../src/store/upkeep/transfer.js";
import { sized } from "../sizes.js";
import { EVENT_TYPES, everyEvent } from "./every-event.js";
import { placesFor } from "./places.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-round-trip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (url: string) => openStore(url, { projections: PROJECTIONS });

async function eventsOf(store: Store): Promise<readonly Omit<StoredEvent, "cursor">[]> {
  const found: Omit<StoredEvent, "cursor">[] = [];
  const pages = await store.read();
  if (pages.ok)
    for await (const page of pages.value) found.push(...page.events.map(({ cursor: _, ...event }) => event));
  return found;
}

/** All that can be known of a store. */
async function contentOf(store: Store) {
  const events = await eventsOf(store);
  const views: Record<string, unknown> = {};
  for (const stream of new Set(events.map((event) => event.stream)))
    for (const projection of PROJECTIONS.filter(({ covers }) => covers(stream)))
      views[`${projection.name} of ${stream}`] = await store.view(projection, stream);
  return { events, views, findings: (await store.check({ rebuild: false })).findings };
}

async function exported(store: Store): Promise<readonly Travelling[]> {
  const records: Travelling[] = [];
  let text = "";
  for await (const part of exportLines(store, () => undefined)) text += part;
  for (const [index, line] of text.trimEnd().split("\n").entries()) {
    const read = readImportLine({ number: index + 1, text: line });
    if (!read.ok) throw new Error(read.error.message);
    if (read.value.type === "record") records.push(read.value.record);
  }
  return records;
}

/** What the guard keeps out was never acknowledged; nothing else may happen. */
async function writeAll(
  store: Store,
  events: Parameters<typeof everyEvent.filter>[0] extends (value: infer V) => unknown ? V : never,
) {
  const stored = new Set<string>();
  for (const { stream, event } of events) {
    const done = await store.commit(append([{ stream, events: [event] }])).catch((error: unknown) => {
      if (error instanceof StoreTrouble && error.code === "too-large") return undefined;
      throw error;
    });
    if (done?.ok) stored.add(event.type);
  }
  return stored;
}

let made = 0;
const RUNS = { memory: sized(4, 200), sqlite: sized(3, 200), postgres: sized(1, 20) };

for (const [name, place] of Object.entries(placesFor("roundtrip"))) {
  afterAll(() => place.tearDown?.());
  test(`${name}: whatever is stored can be exported, imported and backed up, and is the same then`, async () => {
    const seen = new Set<string>();
    // Sampled, not asserted: to print or shrink a counterexample would need a stack as deep as its values.
    for (const events of fc.sample(everyEvent, RUNS[name as keyof typeof RUNS])) {
      const [store, other] = [await open(await place.fresh()), await open(await place.fresh())];
      for (const type of await writeAll(store, events)) seen.add(type);
      const content = await contentOf(store);
      expect(content.findings).toEqual([]);
      const records = await exported(store);
      const fresh = { events: records.length, known: 0, cut: 0 };
      expect(await other.compare(records, { reached: new Map(), ids: new Set() })).toEqual({ ok: true, value: fresh });
      expect(await other.take(records)).toEqual({ ok: true, value: fresh });
      expect(await contentOf(other)).toEqual(content);
      expect(await other.take(records)).toEqual({ ok: true, value: { events: 0, known: records.length, cut: 0 } });
      const path = join(folder, `${++made}.db`);
      await store.backup(path);
      const copy = await open(path);
      expect(await contentOf(copy)).toEqual(content);
      for (const one of [store, other, copy]) await one.close();
    }
    if (name === "memory") expect([...seen].sort()).toEqual([...EVENT_TYPES].sort());
  });
}
