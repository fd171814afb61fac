import { baseChecksum } from "../checksum.js";
import type { Engine, Written } from "../engine.js";
import { beginWrite, KEYS_KEPT, type Workshop } from "../log/commit.js";
import { foldUpTo, loadView } from "../log/fold.js";
import { type KeptView, type KeptViews, readViews, withViews } from "../log/stored-views.js";
import type { BaseRow, Queries, StreamRow } from "../queries.js";
import { pruneReadings } from "../readings/readings.js";
import { toBase, toStream } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { finishForgetting, tellReaders } from "./forget-session.js";
import { Breather, giveWay, StepSize } from "./give-way.js";

/** How long history is kept, by kind of stream. Views are kept for ever: a list never goes away by itself. */
export interface RetentionRule {
  /** The word before the colon of a stream's name. */
  readonly kind: string;
  /** Events older than this go. */
  readonly maxAge: number;
  /** Beyond this many bytes of event data the streams that have been quiet for longest go first. */
  readonly maxSize?: number;
  /** Only whole streams that were quiet for `maxAge`, and where no view has open work. */
  readonly onlyClosed?: boolean;
}

export const DAY = 24 * 60 * 60 * 1000;

export const RETENTION: readonly RetentionRule[] = [
  { kind: "calls", maxAge: 30 * DAY, maxSize: 256 * 1024 * 1024 },
  { kind: "files", maxAge: DAY },
  { kind: "session", maxAge: 180 * DAY, onlyClosed: true },
  { kind: "plan", maxAge: 180 * DAY, onlyClosed: true },
];

/** Since the transcript last grew. It is read again when somebody asks for it. */
export const READINGS_KEPT = 90 * DAY;

export interface Pruned {
  readonly events: number;
  readonly keys: number;
  readonly readings: number;
}

/** Events, or kept answers, that one transaction deletes at most: a person's commit must not wait for housekeeping. */
const MOST = 2000;

export async function prune(engine: Engine, workshop: Workshop, rules: readonly RetentionRule[]): Promise<Pruned> {
  await finishForgetting(engine, workshop);
  let events = 0;
  for (const rule of rules) events += await pruneBy(engine, workshop, rule);
  const keys = await pruneKeys(engine, workshop);
  const readings = await pruneReadings(engine, workshop, READINGS_KEPT);
  return { events, keys, readings };
}

async function pruneBy(engine: Engine, workshop: Workshop, rule: RetentionRule): Promise<number> {
  const size = new StepSize({ first: 500, most: MOST });
  const breather = new Breather();
  let events = 0;
  // Each step begins behind the stream the last one looked at, or goes on with it.
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    const next = (most: number) => engine.write(() => pruneStep(workshop, rule, from, most), "durable");
    const step: Step = await size.time(next);
    events += step.events;
    after = step.after;
    await breather.rest();
  }
  return events;
}

interface Step {
  readonly events: number;
  /** Where the next step begins; undefined when there is nothing left to do. */
  readonly after: string | undefined;
}

/** Whoever notices first that a day has passed does it; the others see that it is done. */
export async function tidy(engine: Engine, workshop: Workshop): Promise<void> {
  if (await engine.write(() => isTidyDue(workshop), "durable")) await prune(engine, workshop, RETENTION);
}

function* isTidyDue(workshop: Workshop): Script<Written<boolean>> {
  const { queries } = workshop;
  const { now } = yield* beginWrite(workshop);
  const last = Number((yield* askOne(queries.meta("tidied")))?.value ?? 0);
  if (now - last < DAY) return { save: false, value: false };
  yield* ask(queries.setMeta("tidied", String(now)));
  return { save: true, value: true };
}

/** Deletes the next bounded piece. */
function* pruneStep(workshop: Workshop, rule: RetentionRule, after: string, most: number): Script<Written<Step>> {
  const transaction = yield* beginWrite(workshop);
  const bounds = { before: transaction.now - rule.maxAge, after, most };
  const piece = rule.onlyClosed
    ? yield* quietPiece(workshop, rule, bounds)
    : ((yield* oldPiece(workshop.queries, rule, bounds)) ?? (yield* bulkyPiece(workshop.queries, rule, most)));
  if (!piece) return { save: false, value: { events: 0, after: undefined } };
  const { stream: name } = piece.stream;
  const stream = yield* transaction.head(name);
  // Somebody wrote between the look and the lock, or somebody else has views here that we could not keep.
  const isOurs = stream.version === piece.stream.version && stream.pruned === piece.stream.pruned;
  if (!isOurs || piece.version <= stream.pruned || (yield* isForeign(workshop, stream)))
    // The next step looks behind it. What is too large has no order of names: there the rule ends for now.
    return { save: false, value: { events: 0, after: name > after ? name : undefined } };
  const events = yield* cut(workshop, { stream, version: piece.version });
  return { save: true, value: { events, after: piece.isLast ? name : after } };
}

/** Views or bases that a newer version keeps: only it can prune them. Older revisions are ours to fold. */
function* isForeign({ queries, projections }: Workshop, row: StreamRow): Script<boolean> {
  const isKnown = (name: string, revision: number) =>
    projections.some((projection) => projection.name === name && projection.revision >= revision);
  const isKnownBase = ({ view, revision }: BaseRow) => isKnown(view, revision);
  const bases = (yield* ask(queries.basesOf(row.stream))).map(toBase);
  const views = Object.entries(readViews(row));
  return !views.every(([name, { revision }]) => isKnown(name, revision)) || !bases.every(isKnownBase);
}

/** The first events of a stream that may go, up to a version. */
interface Piece {
  readonly stream: StreamRow;
  readonly version: number;
  /** With it the stream is done: the next step looks behind it. */
  readonly isLast?: boolean;
}

interface Bounds {
  /** Events that are older may go. */
  readonly before: number;
  /** Streams behind this name. */
  readonly after: string;
  /** Events of one piece. */
  readonly most: number;
}

function range(kind: string): readonly [string, string] {
  return [`${kind}:`, `${kind};`];
}

function* oldPiece(
  queries: Queries,
  { kind }: RetentionRule,
  { before, after, most }: Bounds,
): Script<Piece | undefined> {
  const [row] = yield* ask(queries.firstOldEvent(...range(kind), before, after));
  if (!row) return undefined;
  const stream = toStream(row);
  const found = yield* askOne(queries.oldVersions(stream.stream, stream.pruned, before, most));
  const version = Number(found?.version);
  return { stream, version, isLast: version < stream.pruned + most };
}

function* bulkyPiece(queries: Queries, { kind, maxSize }: RetentionRule, most: number): Script<Piece | undefined> {
  const total = yield* askOne(queries.sizeOf(...range(kind)));
  if (maxSize === undefined || Number(total?.size) <= maxSize) return undefined;
  const [row] = yield* ask(queries.oldestStreams(...range(kind), 1));
  if (!row) return undefined;
  const stream = toStream(row);
  return { stream, version: Math.min(stream.version, stream.pruned + most) };
}

/** Whole streams only, and only where every view says that nothing is open. */
function* quietPiece(
  workshop: Workshop,
  { kind }: RetentionRule,
  { before, after, most }: Bounds,
): Script<Piece | undefined> {
  const [row] = yield* ask(workshop.queries.quietStreams(...range(kind), before, after, 1));
  if (!row) return undefined;
  const stream = toStream(row);
  const isOver = !(yield* isOpen(workshop, stream));
  // Nothing of it may go: the step says so, and the next one looks behind it.
  const version = isOver ? Math.min(stream.version, stream.pruned + most) : stream.pruned;
  return { stream, version, isLast: version === stream.version };
}

function* isOpen({ queries, projections }: Workshop, row: StreamRow): Script<boolean> {
  for (const projection of projections) {
    if (!projection.covers(row.stream)) continue;
    if (projection.isOpen((yield* loadView(queries, projection, row, { views: readViews(row) })).state)) return true;
  }
  return false;
}

/** The fold of what goes away stays as a base, so that the views can still be folded from the rest. */
function* cut(workshop: Workshop, { stream, version }: Piece): Script<number> {
  const { queries } = workshop;
  const bases = yield* saveBases(workshop, stream, version);
  yield* tellReaders(queries, stream.stream, version);
  const gone = yield* askOne(queries.prefixSize(stream.stream, version));
  yield* ask(queries.deleteEvents(stream.stream, version));
  const size = version === stream.version ? 0 : Math.max(0, stream.size - Number(gone?.size));
  // A view that was kept earlier could not be brought up any more: the base would be the only copy.
  const isNewer = ({ version: kept }: KeptView) => kept >= version;
  const kept = Object.entries(readViews(stream)).filter(([, view]) => isNewer(view));
  const views = { ...bases, ...Object.fromEntries(kept) };
  yield* ask(queries.saveStream(withViews({ ...stream, pruned: version, size }, views)));
  return version - stream.pruned;
}

function* saveBases({ queries, projections }: Workshop, row: StreamRow, version: number): Script<KeptViews> {
  const views: Record<string, KeptView> = {};
  for (const projection of projections) {
    const { stream } = row;
    if (!projection.covers(stream)) continue;
    const { name: view, revision } = projection;
    const { state } = yield* foldUpTo(queries, projection, row, version);
    const base = { view, stream, revision, version, data: JSON.stringify(state) };
    yield* ask(queries.saveBase({ ...base, checksum: baseChecksum(base) }));
    views[view] = { revision, version, state };
  }
  return views;
}

async function pruneKeys(engine: Engine, workshop: Workshop): Promise<number> {
  for (let sum = 0; ; ) {
    const gone = await engine.write(() => pruneKeysStep(workshop), "durable");
    sum += gone;
    if (gone < MOST) return sum;
    await giveWay();
  }
}

function* pruneKeysStep(workshop: Workshop): Script<Written<number>> {
  const { now } = yield* beginWrite(workshop);
  const gone = yield* ask(workshop.queries.deleteKeysBefore(now - KEYS_KEPT, MOST));
  return { save: gone.length > 0, value: gone.length };
}
