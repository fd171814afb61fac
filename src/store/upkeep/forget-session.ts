import { formatCursor, isAfter, parseCursor } from "../cursor.js";
import type { Engine, Written } from "../engine.js";
import type { WriteTransaction } from "../log/append.js";
import { beginWrite, type Workshop } from "../log/commit.js";
import { loadView } from "../log/fold.js";
import { findStream, readViews, withViews } from "../log/stored-views.js";
import type { Projection } from "../projection.js";
import type { Position, Queries, StreamRow } from "../queries.js";
import { forgetReadings } from "../readings/readings.js";
import { toPosition, toStream } from "../rows.js";
import { ask, askIf, askOne, type Script } from "../script.js";
import { streamsOfSession } from "../stream.js";
import { giveWay, StepSize } from "./give-way.js";

export interface Forgotten {
  readonly streams: readonly string[];
  readonly events: number;
  /** Transcripts that were read; the files themselves are not ours. */
  readonly readings: number;
}

/** More than this goes in several writes. */
const MOST_EVENTS = 1000;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Events, views, kept answers and readings of a session. The first write takes it from everybody who reads; events that
 * it had no time for are deleted by further writes. When one of them is missing (killed), the next `forget` or `prune`
 * goes on with them.
 */
export async function forgetSession(engine: Engine, workshop: Workshop, session: string): Promise<Forgotten> {
  const gone = await goneWith(workshop, session);
  const { isLeft, ...forgotten } = await engine.write(() => beginForgetting(workshop, gone), "durable");
  if (isLeft) await deleteForgotten(engine, workshop, gone);
  return forgotten;
}

/** A session, and where streams lie that are its own and are not called after it. */
interface Gone {
  readonly session: string;
  readonly owned: readonly { readonly projection: Projection; readonly from: string; readonly to: string }[];
}

async function goneWith({ projections }: Workshop, session: string): Promise<Gone> {
  const owned: Gone["owned"][number][] = [];
  for (const projection of projections) {
    const [from, to] = (await projection.owned?.between(session)) ?? [];
    if (from !== undefined && to !== undefined) owned.push({ projection, from, to });
  }
  return { session, owned };
}

/** Goes on with what earlier ones have begun. */
export async function finishForgetting(engine: Engine, workshop: Workshop): Promise<void> {
  for (const row of await engine.read(() => ask(engine.queries.forgetting())))
    await deleteForgotten(engine, workshop, await goneWith(workshop, String(row.session)));
}

async function deleteForgotten(engine: Engine, workshop: Workshop, gone: Gone): Promise<void> {
  const step = new StepSize({ first: 500, most: 10_000 });
  const deleteSome = (most: number) => engine.write(() => deleteStep(workshop, gone, most), "durable");
  do await giveWay();
  while (!(await step.time(deleteSome)));
}

function* beginForgetting(workshop: Workshop, gone: Gone): Script<Written<Forgotten & { readonly isLeft: boolean }>> {
  const { queries } = workshop;
  const { session } = gone;
  const transaction = yield* beginWrite(workshop);
  yield* askIf(queries.unhurried());
  const isBegun = yield* isForgetting(queries, session);
  const streams: StreamRow[] = [];
  for (const stream of yield* findStreams(workshop, gone, isBegun)) streams.push(yield* transaction.head(stream));
  const events = streams.reduce((sum, { version, pruned }) => sum + version - pruned, 0);
  const bytes = streams.reduce((sum, { size }) => sum + size, 0);
  const isLeft = events > MOST_EVENTS || bytes > MOST_BYTES || isBegun;
  for (const row of streams) yield* isLeft ? hide(queries, row) : deleteWhole(queries, row);
  if (isLeft) yield* ask(queries.setMeta(markOf(session), ""));
  const keys = yield* forgetKeys(queries, session, streams);
  const readings = yield* forgetReadings(queries, session);
  return {
    save: streams.length + keys + readings > 0 || isLeft,
    value: { streams: streams.map(({ stream }) => stream), events, readings, isLeft },
  };
}

/** Before a session: the key of a note in `milepost_meta`. Its events up to what is pruned are still to be deleted. */
export const FORGETTING = "forgetting:";

function markOf(session: string): string {
  return `${FORGETTING}${session}`;
}

function* isForgetting(queries: Queries, session: string): Script<boolean> {
  return (yield* askOne(queries.meta(markOf(session)))) !== undefined;
}

function* deleteWhole(queries: Queries, { stream, version }: StreamRow): Script<void> {
  yield* tellReaders(queries, stream, version);
  yield* ask(queries.deleteEvents(stream, version));
  yield* ask(queries.deleteBases(stream));
  yield* ask(queries.deleteStream(stream));
}

/** A stream whose history is pruned, with no view of it: like one that nobody has written to. */
function* hide(queries: Queries, row: StreamRow): Script<void> {
  const { stream, version } = row;
  yield* tellReaders(queries, stream, version);
  yield* ask(queries.deleteBases(stream));
  yield* ask(queries.saveStream(withViews({ ...row, pruned: version, size: 0 }, {})));
}

function* forgetKeys(queries: Queries, session: string, streams: readonly StreamRow[]): Script<number> {
  const { exact, below } = streamsOfSession(session);
  const keys: unknown[] = [];
  for (const stream of new Set([...exact, ...streams.map((row) => row.stream)]))
    keys.push(...(yield* ask(queries.deleteKeysBetween(stream, `${stream}\u0001`))));
  keys.push(...(yield* ask(queries.deleteKeysBetween(below, behind(below)))));
  return keys.length;
}

/** Deletes the next events that were hidden. Says whether it was the last step. */
function* deleteStep(workshop: Workshop, gone: Gone, most: number): Script<Written<boolean>> {
  const { queries } = workshop;
  const transaction = yield* beginWrite(workshop);
  const streams = yield* findStreams(workshop, gone, true);
  let left = most;
  for (const stream of streams) {
    left -= yield* deleteHidden(queries, yield* transaction.head(stream), left);
    if (left === 0) return { save: true, value: false };
  }
  for (const stream of streams) yield* deleteUnused(queries, transaction, stream);
  yield* ask(queries.deleteMeta(markOf(gone.session)));
  return { save: true, value: true };
}

function* deleteHidden(queries: Queries, { stream, pruned }: StreamRow, most: number): Script<number> {
  const first = Number((yield* askOne(queries.firstVersion(stream)))?.version ?? pruned + 1);
  const last = Math.min(pruned, first + most - 1);
  if (last < first) return 0;
  yield* ask(queries.deleteEvents(stream, last));
  return last - first + 1;
}

/** Unless somebody has written to it since: then it is a new history, and stays. */
function* deleteUnused(queries: Queries, transaction: WriteTransaction, name: string): Script<void> {
  const { stream, version, pruned } = yield* transaction.head(name);
  if (version === pruned) yield* ask(queries.deleteStream(stream));
}

/** `isBegun`: its streams may be hidden already. */
function* findStreams(workshop: Workshop, gone: Gone, isBegun: boolean): Script<readonly string[]> {
  const { queries, projections } = workshop;
  const { exact, below } = streamsOfSession(gone.session);
  const found: string[] = [];
  for (const stream of exact) if (yield* findStream(queries, stream, projections)) found.push(stream);
  const rows = yield* ask(queries.streamsBetween(below, behind(below)));
  return [...found, ...rows.map((row) => toStream(row).stream), ...(yield* findOwned(queries, gone, isBegun))];
}

/**
 * A stream that is hidden does not tell any more whose it was. Another session that is being forgotten may have hidden
 * it: whoever comes first deletes it.
 */
function* findOwned(queries: Queries, { session, owned }: Gone, isBegun: boolean): Script<readonly string[]> {
  const found: string[] = [];
  for (const { projection, from, to } of owned)
    for (const one of yield* ask(queries.streamsBetween(from, to))) {
      const row = toStream(one);
      const views = readViews(row);
      const { state } = yield* loadView(queries, projection, row, { views });
      const isHidden = row.pruned === row.version && Object.keys(views).length === 0;
      if (projection.owned?.owner(state) === session || (isBegun && isHidden)) found.push(row.stream);
    }
  return found;
}

/** "0" is the character after "/": everything below, and nothing beside. */
function behind(below: string): string {
  return `${below.slice(0, -1)}0`;
}

/** Readers that have not come this far are told that something is missing; and no position is given twice. */
function* rememberPruned(queries: Queries, position: Position): Script<void> {
  const head = yield* askOne(queries.head());
  if (head) yield* ask(queries.setMeta("floor", String(toPosition(head).seq)));
  const known = parseCursor(queries.features, (yield* askOne(queries.meta("pruned")))?.value);
  if (known && !isAfter(position, known)) return;
  yield* ask(queries.setMeta("pruned", formatCursor(queries.features, position)));
}

/** Before the events of a stream up to a version go away. */
export function* tellReaders(queries: Queries, stream: string, version: number): Script<void> {
  const end = yield* askOne(queries.prefixEnd(stream, version));
  if (end) yield* rememberPruned(queries, toPosition(end));
}
