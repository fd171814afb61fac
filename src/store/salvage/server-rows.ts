import type { Engine } from "../engine.js";
import { PAGE } from "../log/fold.js";
import type { BaseRow, EventRow, KeyRow, StreamRow } from "../queries.js";
import { toPosition } from "../rows.js";
import { ask, type Query, type Row } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import type { FoundRows } from "./found-rows.js";
import { answerFound, baseFound, eventFound, streamFound } from "./table-rows.js";

// A server reads its own pages: where it refuses one, the rows around it are asked for in ever smaller parts.

/** Returns in how many places nothing could be read. */
export async function readServer(
  engine: Engine,
  found: FoundRows,
  views: (stream: string) => readonly string[],
  progress: (events: number) => void,
): Promise<number> {
  await engine.settle?.();
  const source = new Source(engine);
  const { queries } = engine;
  const head = await source.ask(queries.head());
  const last = head?.[0] ? toPosition(head[0]).seq : 0;
  for (let from = 0; from < last; from += PAGE) {
    for (const row of await source.between(from, Math.min(from + PAGE, last))) found.add(eventFound(placed(row)));
    progress(Math.min(from + PAGE, last));
  }
  await readStreams(source, engine, found);
  // Its events tell of a stream whose row is gone; and of one whose row is there, its bases are asked for by name.
  for (const stream of found.streams())
    for (const view of views(stream))
      for (const row of (await source.ask(queries.base(view, stream))) ?? [])
        found.add(baseFound(row as unknown as BaseRow));
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: readonly Row[] = (await source.ask(queries.keysAfter(after, PAGE))) ?? [];
    for (const row of rows) found.add(answerFound(row as unknown as KeyRow));
    after = rows.at(-1)?.key as string | undefined;
  }
  return source.refused;
}

async function readStreams(source: Source, { queries }: Engine, found: FoundRows): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: readonly Row[] | undefined = await source.ask(queries.streamsAfter(after, PAGE));
    for (const row of rows ?? []) found.add(streamFound(row as unknown as StreamRow));
    // Where the names cannot be listed they are taken from the events.
    if (!rows)
      for (const stream of found.streams())
        for (const row of (await source.ask(queries.stream(stream))) ?? [])
          found.add(streamFound(row as unknown as StreamRow));
    after = rows?.at(-1)?.stream as string | undefined;
  }
}

function placed(row: Row) {
  const { xid, seq } = toPosition(row);
  return { ...(row as unknown as EventRow), xid: Number(xid), seq };
}

class Source {
  refused = 0;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Undefined where the server cannot read it. Any other trouble is thrown. */
  async ask(query: Query): Promise<readonly Row[] | undefined> {
    try {
      return await this.#engine.read(() => ask(query));
    } catch (error) {
      if (!(error instanceof StoreTrouble) || error.code !== "store-damaged") throw error;
      this.refused += 1;
      return undefined;
    }
  }

  /** Events of these positions, the first one excluded. */
  async between(from: number, to: number): Promise<readonly Row[]> {
    const before = this.refused;
    const rows = await this.ask(this.#engine.queries.eventsAt(from, to));
    if (rows || to - from <= 1) return rows ?? [];
    this.refused = before;
    const middle = Math.floor((from + to) / 2);
    return [...(await this.between(from, middle)), ...(await this.between(middle, to))];
  }
}
