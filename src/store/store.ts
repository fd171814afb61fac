import { isId } from "../core/id.js";
import { ok, type Result } from "../core/result.js";
import { checkEnvelope } from "./append.js";
import { backupStore } from "./backup.js";
import { type CheckOptions, checkLog, type LogCheck } from "./check.js";
import { announce, beginCommit, commitScript, type Workshop } from "./commit.js";
import { BEGINNING, formatCursor, isAfter, parseCursor } from "./cursor.js";
import type { Engine, Written } from "./engine.js";
import { type EventStore, type Page, START, type Write } from "./event-store.js";
import { loadView } from "./fold.js";
import { type Forgotten, forgetScript } from "./forget.js";
import { Observations } from "./observations.js";
import { findPosition, followPages, readPages } from "./pages.js";
import type { Projection } from "./projection.js";
import type { Position, Queries } from "./queries.js";
import { type Pruned, prune, RETENTION, type RetentionRule, tidy } from "./retention.js";
import { toPosition, toStream } from "./rows.js";
import { askOne, type Script } from "./script.js";
import { isObserved, isStream } from "./stream.js";
import {
  compareScript,
  exportBases,
  type Imported,
  importBatch,
  type SeenInFile,
  type Travelling,
  type TravellingBase,
} from "./transfer.js";
import { readViews } from "./views.js";

/** An event store, and what keeps it in order. */
export interface Store extends EventStore {
  /** Deletes history that is older or larger than the rules allow. */
  prune(rules?: readonly RetentionRule[]): Promise<Pruned>;
  /** Prunes by the default rules when that was not done for a day. */
  tidy(): Promise<void>;
  forget(session: string): Promise<Forgotten>;
  /** Reads all of it and says what is not as it should be. */
  check(options: CheckOptions): Promise<LogCheck>;
  totals(): Promise<Totals>;
  /** What views were where history was pruned; together with all events it is the whole store. */
  bases(): AsyncIterable<TravellingBase>;
  /** What `take` would do, or the first event that this store has differently. */
  compare(batch: readonly Travelling[], seen: SeenInFile): Promise<Result<Imported>>;
  /** Copies the store into a new file, which is a store too. */
  backup(path: string): Promise<void>;
  /** All of the batch, or none of it. */
  take(batch: readonly Travelling[]): Promise<Result<Imported>>;
}

export interface Totals {
  readonly streams: number;
  readonly events: number;
  /** Bytes of event data. */
  readonly size: number;
  readonly schema: number;
  readonly oldestWriter: number;
  readonly prunedUpTo?: string;
}

export function createStore(engine: Engine, workshop: Workshop): Store {
  return {
    ...createEventStore(engine, workshop),
    prune: (rules = RETENTION) => prune(engine, workshop, rules),
    async forget(session) {
      if (!isId(session)) return { streams: [], events: 0 };
      const forgotten = await engine.write(() => forgetScript(workshop, session), "durable");
      // Also when there was nothing: an earlier try may have deleted it, and then failed here.
      await engine.scrub?.();
      return forgotten;
    },
    tidy: () => tidy(engine, workshop),
    check: (options) => checkLog(engine, workshop, options),
    bases: () => exportBases(engine),
    compare: (batch, seen) => engine.read(() => compareScript(workshop, batch, seen)),
    backup: (path) => backupStore(engine, workshop, path),
    take: (batch) => importBatch(engine, workshop, batch),
    totals: () => engine.read(() => totalsScript(engine.queries)),
  };
}

function* totalsScript(queries: Queries): Script<Totals> {
  const row = yield* askOne(queries.totals());
  const meta = function* (key: string) {
    return (yield* askOne(queries.meta(key)))?.value;
  };
  const pruned = yield* meta("pruned");
  return {
    streams: Number(row?.streams),
    events: Number(row?.events),
    size: Number(row?.size),
    schema: Number(yield* meta("schema")),
    oldestWriter: Number(yield* meta("oldest_writer")),
    ...(pruned === undefined ? undefined : { prunedUpTo: String(pruned) }),
  };
}

/** The contract, written once above any engine. */
function createEventStore(engine: Engine, workshop: Workshop): EventStore {
  const { queries } = engine;
  const observations = new Observations((writes) =>
    engine.write((isAlone) => observeScript(workshop, writes, isAlone), "observed"),
  );
  let closing: Promise<void> | undefined;
  /** Whoever follows ends with the store. */
  const closed = new AbortController();
  return {
    commit: (decision, { idempotency } = {}) =>
      engine.write((isAlone) => commitScript(workshop, decision, { idempotency, isAlone }), "durable"),
    observe(stream, events) {
      if (!isStream(stream) || !isObserved(stream)) throw new Error(`Only calls: streams are observed, not ${stream}`);
      for (const event of events) checkEnvelope(event);
      return observations.add(stream, events);
    },
    view: (projection, stream) => engine.read(() => viewScript(queries, projection, stream)),
    async read({ after = START, stream } = {}) {
      const position = await findPosition(engine, after);
      if (!position.ok) return position;
      if (stream !== undefined && !isStream(stream)) return ok(noPages());
      // Everything that was acknowledged before this call is in the answer.
      await engine.settle?.();
      return ok(readPages(engine, position.value, stream));
    },
    async follow({ after = START, stream, signal }): Promise<Result<AsyncIterable<Page>>> {
      const position = await findPosition(engine, after);
      if (!position.ok) return position;
      if (stream !== undefined && !isStream(stream)) return ok(noPages());
      return ok(followPages(engine, position.value, AbortSignal.any([signal, closed.signal]), stream));
    },
    async head() {
      return formatCursor(queries.features, await engine.read(() => endScript(queries)));
    },
    close() {
      closed.abort();
      closing ??= observations.flush().finally(() => engine.close());
      return closing;
    },
  };
}

/** Behind everything that a reader can see, and behind everything that was pruned. */
function* endScript(queries: Queries): Script<Position> {
  const row = yield* askOne(queries.end());
  const end = row ? toPosition(row) : BEGINNING;
  const pruned = parseCursor(queries.features, (yield* askOne(queries.meta("pruned")))?.value);
  return pruned && isAfter(pruned, end) ? pruned : end;
}

/** Of a stream that nobody can ever write. */
async function* noPages(): AsyncGenerator<Page> {
  yield* [];
}

function* observeScript(workshop: Workshop, writes: readonly Write[], isAlone: boolean): Script<Written<void>> {
  const transaction = yield* beginCommit(workshop, isAlone);
  yield* transaction.append(writes);
  const isChanged = transaction.written !== undefined;
  if (isChanged) yield* announce(workshop.queries);
  return { save: isChanged, value: undefined, position: transaction.written, committed: transaction.committed };
}

function* viewScript<State>(queries: Queries, projection: Projection<State>, stream: string): Script<State> {
  const row = yield* askOne(queries.stream(stream));
  if (!row) return projection.initial;
  const found = toStream(row);
  return (yield* loadView(queries, projection, found, readViews(found))).state;
}
