import { BEGINNING } from "../cursor.js";
import type { Engine } from "../engine.js";
import type { Workshop } from "../log/commit.js";
import { readPages } from "../log/pages.js";
import { Recall } from "../log/recall.js";
import { MIGRATIONS } from "../migrations.js";
import { exportBases, importBatch, type Travelling } from "./transfer.js";

/** The copy is a SQLite file whatever the store is, so it can be opened anywhere. */
export async function backupStore(engine: Engine, workshop: Workshop, path: string): Promise<void> {
  if (engine.copyTo) return engine.copyTo(path);
  const { openFile } = await import("../sqlite/open.js");
  const target = await openFile(path, { migrations: MIGRATIONS });
  const copy = { ...workshop, queries: target.queries, recall: new Recall() };
  const take = async (batch: readonly Travelling[]) => {
    const taken = await importBatch(target, copy, batch);
    if (!taken.ok) throw new Error(taken.error.message);
  };
  try {
    for await (const base of exportBases(engine)) await take([base]);
    for await (const { events } of readPages(engine, BEGINNING))
      await take(events.map(({ cursor: _, ...event }) => event));
  } finally {
    await target.close();
  }
}
