import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { formatCursor, isAfter, parseCursor } from "../cursor.js";
import type { Engine } from "../engine.js";
import type { Cursor, Page, StoredEvent } from "../event-store.js";
import type { Position, Queries } from "../queries.js";
import { toEvent, toPosition, toStream } from "../rows.js";
import { ask, askOne, type Row, type Script } from "../script.js";
import { SAVE_REST, StoreTrouble } from "../trouble.js";
import { gapIn, PAGE } from "./fold.js";

/** Where a reader is, and what it has been told about history that is gone. */
interface Reader {
  readonly position: Position;
  readonly stream: string | undefined;
  readonly told: Position | undefined;
  /** The last version that was read of each stream. */
  readonly reached: Map<string, number>;
  /** From the beginning to the end: nothing may be missing. */
  readonly isWhole: boolean;
}

export async function* readPages(engine: Engine, position: Position, stream?: string): AsyncGenerator<Page> {
  let reader: Reader = { position, stream, told: undefined, reached: new Map(), isWhole: position.seq === 0 };
  for (;;) {
    const next = await engine.read(() => pageScript(engine.queries, reader));
    reader = afterPage(next);
    if (next.page) yield next.page;
    if (!next.page || next.page.events.length < PAGE) return;
  }
}

export async function* followPages(
  engine: Engine,
  position: Position,
  ending: AbortController,
  stream?: string,
): AsyncGenerator<Page> {
  const { signal } = ending;
  // Watch first, then read: a commit in between wakes us for nothing, instead of being slept through.
  const watch = engine.watch();
  try {
    let reader: Reader = { position, stream, told: undefined, reached: new Map(), isWhole: false };
    while (!signal.aborted) {
      const next = await engine.read(() => pageScript(engine.queries, reader));
      reader = afterPage(next);
      if (next.page) yield next.page;
      else await watch.next(signal);
    }
  } finally {
    ending.abort();
    await watch.close();
  }
}

interface ReadPage {
  readonly reader: Reader;
  readonly page: Page | undefined;
  readonly seen: ReadonlyMap<string, number>;
}

/** Not in the script itself: that may be run again. */
function afterPage({ reader, seen }: ReadPage): Reader {
  for (const [stream, version] of seen) reader.reached.set(stream, version);
  return reader;
}

function* pageScript(queries: Queries, reader: Reader): Script<ReadPage> {
  const { features } = queries;
  const { stream, position: from } = reader;
  const pruned = parseCursor(features, (yield* askOne(queries.meta("pruned")))?.value);
  const isForgetting = (yield* ask(queries.forgetting())).length > 0;
  const rows = yield* ask(
    stream === undefined
      ? queries.eventsAfter(from, PAGE, isForgetting)
      : queries.eventsOfStreamAfter(stream, from, PAGE, isForgetting),
  );
  const last = rows.at(-1);
  const position = last ? toPosition(last) : from;
  const isNews = pruned !== undefined && isAfter(pruned, from) && !(reader.told && !isAfter(pruned, reader.told));
  const events = rows.map((row) => toEvent(features, row));
  checkOrder(queries, from, rows);
  const seen = yield* checkVersions(queries, reader, events);
  if (reader.isWhole && rows.length < PAGE) yield* checkEnds(queries, reader, seen);
  const next: Reader = { ...reader, position, told: isNews ? pruned : reader.told };
  if (!last && !isNews) return { reader: next, page: undefined, seen };
  const page: Page = {
    events,
    cursor: formatCursor(features, position),
    ...(isNews ? { prunedUpTo: formatCursor(features, pruned) } : undefined),
  };
  return { reader: next, page, seen };
}

/** The place of an event is in no checksum. Where one writer comes after the other, places only grow. */
function checkOrder({ features }: Queries, from: Position, rows: readonly Row[]): void {
  let { seq: last } = from;
  for (const row of features.concurrentWriters ? [] : rows) {
    const { seq } = toPosition(row);
    if (seq <= last)
      throw new StoreTrouble(
        "store-damaged",
        `The log is out of order at position ${last}. Nothing was changed. ${SAVE_REST}`,
      );
    last = seq;
  }
}

/** A damaged page or index may hide events from a reader, who would take what is left for everything there is. */
function* checkVersions(
  queries: Queries,
  { reached, isWhole }: Reader,
  events: readonly StoredEvent[],
): Script<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  for (const { stream, version } of events) {
    const before = seen.get(stream) ?? reached.get(stream) ?? (isWhole ? 0 : version - 1);
    seen.set(stream, version);
    if (version === before + 1) continue;
    // What was pruned before, or since the last page, is gone for a reason.
    const row = yield* askOne(queries.stream(stream));
    if (!row || version - 1 > toStream(row).pruned) throw gapIn(stream, before + 1);
  }
  return seen;
}

/** Where several write at once, a reader may not see the last ones yet. */
function* checkEnds(queries: Queries, { stream, reached }: Reader, seen: ReadonlyMap<string, number>): Script<void> {
  if (queries.features.concurrentWriters) return;
  for (const row of yield* ask(stream === undefined ? queries.streamEnds() : queries.stream(stream))) {
    const { stream: name, version, pruned } = toStream(row);
    const last = Math.max(seen.get(name) ?? reached.get(name) ?? 0, pruned);
    if (last < version) throw gapIn(name, last + 1);
  }
}

/** A cursor that is none, or from a future that the store does not have, is refused: it is not "nothing new". */
export async function findPosition(engine: Engine, cursor: Cursor): Promise<Result<Position>> {
  const { queries } = engine;
  const position = parseCursor(queries.features, cursor);
  if (!position) return fail(noCursor(cursor));
  const head = await engine.read(() => askOne(queries.head()));
  const end = head ? toPosition(head) : position;
  const isAhead = position.seq > end.seq || BigInt(position.xid) > BigInt(end.xid);
  return isAhead ? fail(aheadOfStore(cursor)) : ok(position);
}

function noCursor(cursor: unknown): Failure {
  return {
    code: "bad-cursor",
    message: `${JSON.stringify(cursor)} is not a cursor of this store. Use one that it returned, or 0 for the beginning.`,
  };
}

function aheadOfStore(cursor: string): Failure {
  return {
    code: "unknown-cursor",
    message: `The cursor ${cursor} is past the end of this store: it is from another store, or from before a restore. Start again from 0.`,
  };
}
