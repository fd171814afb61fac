import type { Engine, Written } from "../engine.js";
import { beginWrite, type Workshop } from "../log/commit.js";
import { SALVAGED } from "../log/fold.js";
import { Recall } from "../log/recall.js";
import { MIGRATIONS } from "../migrations.js";
import type { Projection } from "../projection.js";
import { readingQueries } from "../readings/reading-queries.js";
import { ask, type Script } from "../script.js";
import { importBatch, type Travelling } from "../upkeep/transfer.js";
import type { FoundRows } from "./found-rows.js";
import type { Salvage } from "./salvage.js";

/** Records in one transaction, and characters of their data in memory. */
const BATCH = 500;
const BATCH_LENGTH = 4 * 1024 * 1024;

export interface WrittenStore {
  readonly streams: number;
  /** Without those that only say what is missing. */
  readonly events: number;
}

/** A new store in a file that is not there yet; its views are folded from the events. */
export async function writeSalvaged(
  path: string,
  salvage: Salvage,
  projections: readonly Projection[],
  progress: (events: number) => void,
): Promise<WrittenStore> {
  const { openFile } = await import("../sqlite/open.js");
  const engine = await openFile(path, { migrations: MIGRATIONS });
  const schema = MIGRATIONS.at(-1)?.version ?? 0;
  const workshop: Workshop = { queries: engine.queries, projections, schema, recall: new Recall() };
  try {
    const streams = new Set<string>();
    let events = 0;
    for (const batch of batches(salvage.records())) {
      const taken = await importBatch(engine, workshop, batch);
      if (!taken.ok) throw new Error(`What was salvaged does not fit together: ${taken.error.message}`);
      for (const record of batch) {
        streams.add(record.stream);
        if (!("base" in record) && record.type !== SALVAGED) events += 1;
      }
      progress(events);
    }
    await writeOthers(engine, workshop, salvage.found);
    return { streams: streams.size, events };
  } finally {
    await engine.close();
  }
}

function* batches(records: Iterable<Travelling>): Generator<readonly Travelling[]> {
  let [batch, length]: [Travelling[], number] = [[], 0];
  for (const record of records) {
    batch.push(record);
    length += JSON.stringify(record.data).length;
    if (batch.length < BATCH && length < BATCH_LENGTH) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function writeOthers(engine: Engine, workshop: Workshop, found: FoundRows): Promise<void> {
  const { queries } = engine;
  const { saveReadings } = readingQueries(queries.features);
  await engine.write(function* (): Script<Written<undefined>> {
    yield* beginWrite(workshop);
    for (const answer of found.answers()) yield* ask(queries.saveKey(answer));
    for (const save of saveReadings(found.readings())) yield* ask(save);
    // Positions of the old store are not given again: a reader from then would pass over what comes now.
    const last = Math.max(found.last, found.acknowledged);
    if (last > 0) yield* ask(queries.setMeta("floor", String(last)));
    return { save: true, value: undefined };
  }, "durable");
}
