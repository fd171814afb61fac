import { isSameJson } from "../../core/json.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import { redactValue } from "../../core/secrets/redact-json.js";
import { baseChecksum } from "../checksum.js";
import type { Engine, Written } from "../engine.js";
import { fitBase, fitEvent } from "../event-limits.js";
import type { StoredEvent } from "../event-store.js";
import type { WriteTransaction } from "../log/append.js";
import { announce, beginWrite, type Workshop } from "../log/commit.js";
import { PAGE } from "../log/fold.js";
import { readViews } from "../log/stored-views.js";
import type { Projection } from "../projection.js";
import type { Queries, StreamRow } from "../queries.js";
import { toBase, toEvent, toStream } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";

/** An event with everything that makes it what it is, but for its place in one store's log. */
export type TravellingEvent = Omit<StoredEvent, "cursor">;

/** What a view was when the history before it was pruned. */
export interface TravellingBase {
  readonly base: string;
  readonly stream: string;
  readonly revision: number;
  readonly version: number;
  readonly data: unknown;
}

export type Travelling = TravellingEvent | TravellingBase;

export interface Imported {
  readonly events: number;
  /** Were there already, just the same. */
  readonly known: number;
  /** Records with something in them that is too deep or too large to be stored: it was replaced by a mark. */
  readonly cut: number;
}

/** The bases come before any event: a stream begins where its history begins. */
export async function* exportBases(engine: Engine): AsyncGenerator<TravellingBase> {
  const { queries } = engine;
  let after = "";
  for (;;) {
    const rows = await engine.read(() => ask(queries.streamsAfter(after, PAGE)));
    if (rows.length === 0) return;
    for (const { stream, pruned } of rows.map(toStream)) {
      after = stream;
      if (pruned === 0) continue;
      for (const row of await engine.read(() => ask(queries.basesOf(stream)))) {
        const { view, revision, version, data } = toBase(row);
        yield { base: view, stream, revision, version, data: JSON.parse(data) };
      }
    }
  }
}

/** Keeps version, time and id; passes over known events, so an import can be run again. A contradiction refuses all. */
function* importScript(workshop: Workshop, read: readonly Travelling[]): Script<Written<Result<Imported>>> {
  const transaction = yield* beginWrite(workshop);
  const batch = read.map(fitRecord);
  const counts = { events: 0, known: 0, cut: cutIn(read, batch) };
  // All locks before the first write, as in every commit: readers rely on that order.
  for (const { stream } of batch) yield* transaction.head(stream);
  for (const run of runsOf(batch)) {
    const [first] = run;
    const taken: Result<number> =
      first && "base" in first
        ? yield* takeBase(transaction, workshop, first)
        : yield* takeEvents(transaction, workshop.queries, run as readonly TravellingEvent[]);
    if (!taken.ok) return { save: false, value: taken };
    counts.events += taken.value;
    counts.known += run.length - taken.value;
  }
  if (counts.events > 0) yield* announce(workshop.queries);
  return { save: counts.events > 0, value: ok(counts), position: transaction.written };
}

/** Older versions stored more than this one does. What they exported is taken, as far as it can be stored. */
function fitRecord(record: Travelling): Travelling {
  return "base" in record ? fitBase(record) : fitEvent(record);
}

function cutIn(read: readonly Travelling[], fitted: readonly Travelling[]): number {
  return fitted.filter((record, index) => record !== read[index]).length;
}

/** Neighbours of one stream are appended together: its view is folded once for all of them. */
function* runsOf(batch: readonly Travelling[]): Generator<readonly Travelling[]> {
  let run: Travelling[] = [];
  for (const record of batch) {
    const last = run.at(-1);
    if (last && (last.stream !== record.stream || "base" in last || "base" in record)) {
      yield run;
      run = [];
    }
    run.push(record);
  }
  if (run.length > 0) yield run;
}

/** Says how many of them were new. */
function* takeEvents(
  transaction: WriteTransaction,
  queries: Queries,
  run: readonly TravellingEvent[],
): Script<Result<number>> {
  const stream = run[0]?.stream ?? "";
  const { version, pruned } = yield* transaction.head(stream);
  const fresh: TravellingEvent[] = [];
  const ids = new Set<string>();
  for (const event of run) {
    if (event.version <= pruned) continue;
    const next = version + fresh.length + 1;
    if (event.version > next) return fail(gap(event, next - 1));
    if (event.version === next) {
      const isDouble = event.id !== undefined && (ids.has(event.id) || (yield* askOne(queries.knownEvent(event.id))));
      if (isDouble) return fail(doubled(event));
      if (event.id !== undefined) ids.add(event.id);
      fresh.push(event);
    } else if (!(yield* isKnown(queries, event))) return fail(different(event));
  }
  const appended = yield* transaction.append([{ stream, expected: version, events: fresh }]);
  return appended.ok ? ok(fresh.length) : appended;
}

function* isKnown(queries: Queries, event: TravellingEvent): Script<boolean> {
  const [row] = yield* ask(queries.eventsFromVersion(event.stream, event.version - 1, 1));
  return row !== undefined && isSame(toEvent(queries.features, row), event);
}

function* takeBase(
  transaction: WriteTransaction,
  { queries, projections }: Workshop,
  record: TravellingBase,
): Script<Result<number>> {
  const { base: view, revision, version, stream } = record;
  const data = redactValue(record.data);
  const refused = checkState(projections, record);
  if (refused) return fail(refused);
  const head = yield* transaction.head(stream);
  // A stream that is here already has its own history; but a stream may have several bases.
  const isBegun = head.version === version && head.pruned === version && !(view in readViews(head));
  if (head.version > 0 && !isBegun) return ok(0);
  const row = { view, stream, revision, version, data: JSON.stringify(data) };
  yield* ask(queries.saveBase({ ...row, checksum: baseChecksum(row) }));
  yield* transaction.startAt(stream, view, { revision, version, state: data });
  return ok(1);
}

/** A file of an older version may hold a secret that was redacted here, and the other way round. */
function isSame(mine: StoredEvent, theirs: TravellingEvent): boolean {
  const { cursor: _, ...rest } = fitEvent(mine);
  const other: TravellingEvent = JSON.parse(JSON.stringify(theirs));
  return isSameJson(rest, other) || isSameJson(redacted(rest), redacted(other));
}

function redacted<Event extends TravellingEvent>(event: Event): Event {
  const { actor } = event;
  return { ...event, data: redactValue(event.data), ...(actor === undefined ? undefined : { actor: redact(actor) }) };
}

function noState({ base, stream }: TravellingBase): Failure {
  return {
    code: "bad-record",
    message: `The ${base} of ${stream} in this file is not valid. Export the file again.`,
  };
}

function gap({ stream, version }: Travelling, at: number): Failure {
  return {
    code: "missing-events",
    message: `${stream} continues with version ${version}, but the last known one is ${at}: events are missing or out of order. Nothing of it was imported.`,
  };
}

function different({ stream, version }: TravellingEvent): Failure {
  return {
    code: "other-history",
    message: `Version ${version} of ${stream} is a different event in this store: the histories conflict. Nothing of it was changed.`,
  };
}

function doubled({ stream, version, id }: TravellingEvent): Failure {
  return {
    code: "other-history",
    message: `Version ${version} of ${stream} has the event id ${id}, which this store has elsewhere. Nothing of it was changed.`,
  };
}

export function importBatch(
  engine: Engine,
  workshop: Workshop,
  batch: readonly Travelling[],
): Promise<Result<Imported>> {
  return engine.write(() => importScript(workshop, batch), "durable");
}

/** What earlier batches of the same file have brought. Carried on from batch to batch. */
export interface SeenInFile {
  /** How far each stream has come. */
  readonly reached: Map<string, number>;
  readonly ids: Set<string>;
}

/** Would this be taken? Says the first contradiction, and writes nothing. */
export function* compareScript(
  { queries, projections }: Workshop,
  read: readonly Travelling[],
  { reached, ids }: SeenInFile,
): Script<Result<Imported>> {
  const batch = read.map(fitRecord);
  let known = 0;
  for (const record of batch) {
    const row = yield* askOne(queries.stream(record.stream));
    const head = row ? toStream(row) : { version: 0, pruned: 0 };
    const before = reached.get(record.stream);
    const isNext =
      "base" in record ? isNextBase(record, before) : isNextEvent(record, before ?? head.version, before !== undefined);
    if (!isNext) return fail(gap(record, before ?? head.version));
    reached.set(record.stream, record.version);
    if (record.version <= head.version) known += 1;
    const refused = "base" in record ? checkState(projections, record) : yield* checkEvent(queries, head, record, ids);
    if (refused) return fail(refused);
  }
  return ok({ events: batch.length - known, known, cut: cutIn(read, batch) });
}

/** All bases of a stream are of the same moment, and come before its events. */
function isNextBase({ version }: TravellingBase, before: number | undefined): boolean {
  return before === undefined || before === version;
}

function isNextEvent({ version }: TravellingEvent, before: number, isInFile: boolean): boolean {
  return isInFile ? version === before + 1 : version <= before + 1;
}

function checkState(projections: readonly Projection[], record: TravellingBase): Failure | undefined {
  const projection = projections.find(({ name }) => name === record.base);
  return projection && !projection.isState(record.data) ? noState(record) : undefined;
}

function* checkEvent(
  queries: Queries,
  { version, pruned }: Pick<StreamRow, "version" | "pruned">,
  event: TravellingEvent,
  ids: Set<string>,
): Script<Failure | undefined> {
  if (event.version <= pruned) return undefined;
  if (event.version <= version) return (yield* isKnown(queries, event)) ? undefined : different(event);
  if (event.id === undefined) return undefined;
  const isDouble = ids.has(event.id) || (yield* askOne(queries.knownEvent(event.id))) !== undefined;
  ids.add(event.id);
  return isDouble ? doubled(event) : undefined;
}
