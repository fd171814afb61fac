import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { formatCursor, isAfter, parseCursor } from "../cursor.js";
import type { Engine } from "../engine.js";
import type { Cursor, Page } from "../event-store.js";
import type { Position, Queries } from "../queries.js";
import { toEvent, toPosition } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { PAGE } from "./fold.js";

/** Where a reader is, and what it has been told about history that is gone. */
interface Reader {
  readonly position: Position;
  readonly stream: string | undefined;
  readonly told: Position | undefined;
}

export async function* readPages(engine: Engine, position: Position, stream?: string): AsyncGenerator<Page> {
  let reader: Reader = { position, stream, told: undefined };
  for (;;) {
    const next = await engine.read(() => pageScript(engine.queries, reader));
    reader = next.reader;
    if (next.page) yield next.page;
    if (!next.page || next.page.events.length < PAGE) return;
  }
}

export async function* followPages(
  engine: Engine,
  position: Position,
  signal: AbortSignal,
  stream?: string,
): AsyncGenerator<Page> {
  // Watch first, then read: a commit in between wakes us for nothing, instead of being slept through.
  const watch = engine.watch();
  try {
    let reader: Reader = { position, stream, told: undefined };
    while (!signal.aborted) {
      const next = await engine.read(() => pageScript(engine.queries, reader));
      reader = next.reader;
      if (next.page) yield next.page;
      else await watch.next(signal);
    }
  } finally {
    await watch.close();
  }
}

function* pageScript(queries: Queries, reader: Reader): Script<{ reader: Reader; page: Page | undefined }> {
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
  const next: Reader = { position, stream, told: isNews ? pruned : reader.told };
  if (!last && !isNews) return { reader: next, page: undefined };
  const page: Page = {
    events: rows.map((row) => toEvent(features, row)),
    cursor: formatCursor(features, position),
    ...(isNews ? { prunedUpTo: formatCursor(features, pruned) } : undefined),
  };
  return { reader: next, page };
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
