import { baseChecksum } from "./checksum.js";
import { beginWrite, KEYS_KEPT, type Workshop } from "./commit.js";
import { formatCursor, isAfter, parseCursor } from "./cursor.js";
import type { Engine, Written } from "./engine.js";
import { foldUpTo, loadView } from "./fold.js";
import type { Queries, StreamRow } from "./queries.js";
import { toPosition, toStream } from "./rows.js";
import { ask, askOne, type Script } from "./script.js";
import { readViews } from "./views.js";

/** How long history is kept, by kind of stream. Views are kept for ever: a list never goes away by itself. */
export interface RetentionRule {
  /** The word before the colon of a stream's name. */
  readonly kind: string;
  /** Events older than this go. */
  readonly maxAge: number;
  /** Beyond this many bytes of event data the streams that have been quiet for longest go first. */
  readonly maxSize?: number;
  /** Only whole streams that nobody has open work in, and that were quiet for `maxAge`. */
  readonly onlyClosed?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;

export const RETENTION: readonly RetentionRule[] = [
  { kind: "calls", maxAge: 30 * DAY, maxSize: 256 * 1024 * 1024 },
  { kind: "session", maxAge: 180 * DAY, onlyClosed: true },
];

export interface Pruned {
  readonly events: number;
  readonly keys: number;
}

/** Events that one transaction deletes at most: a person's commit must not wait for housekeeping. */
const STEP = 2000;

export async function prune(engine: Engine, workshop: Workshop, rules: readonly RetentionRule[]): Promise<Pruned> {
  let events = 0;
  for (const rule of rules) {
    for (let step = await next(rule); step > 0; step = await next(rule)) events += step;
  }
  const keys = await engine.write(() => pruneKeys(workshop), "durable");
  return { events, keys };

  function next(rule: RetentionRule): Promise<number> {
    return engine.write(() => pruneStep(workshop, rule), "durable");
  }
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

/** Deletes the next bounded piece and says how much; 0 when there is nothing left to do. */
function* pruneStep(workshop: Workshop, rule: RetentionRule): Script<Written<number>> {
  const transaction = yield* beginWrite(workshop);
  const before = transaction.now - rule.maxAge;
  const piece = rule.onlyClosed
    ? yield* closedPiece(workshop, rule, before)
    : ((yield* oldPiece(workshop.queries, rule, before)) ?? (yield* bulkyPiece(workshop.queries, rule)));
  if (!piece) return { save: false, value: 0 };
  const stream = yield* transaction.head(piece.stream.stream);
  // Somebody wrote between the look and the lock: the next round decides anew.
  if (stream.version !== piece.stream.version || stream.pruned !== piece.stream.pruned)
    return { save: false, value: 0 };
  const events = yield* cut(workshop, { stream, version: piece.version });
  return { save: true, value: events };
}

/** The first events of a stream that may go, up to a version. */
interface Piece {
  readonly stream: StreamRow;
  readonly version: number;
}

function range(kind: string): readonly [string, string] {
  return [`${kind}:`, `${kind};`];
}

function* oldPiece(queries: Queries, { kind }: RetentionRule, before: number): Script<Piece | undefined> {
  const [row] = yield* ask(queries.firstOldEvent(...range(kind), before));
  if (!row) return undefined;
  const stream = toStream(row);
  const found = yield* askOne(queries.oldVersions(stream.stream, stream.pruned, before, STEP));
  return { stream, version: Number(found?.version) };
}

function* bulkyPiece(queries: Queries, { kind, maxSize }: RetentionRule): Script<Piece | undefined> {
  const total = yield* askOne(queries.sizeOf(...range(kind)));
  if (maxSize === undefined || Number(total?.size) <= maxSize) return undefined;
  const [row] = yield* ask(queries.oldestStreams(...range(kind), 1));
  if (!row) return undefined;
  const stream = toStream(row);
  return { stream, version: Math.min(stream.version, stream.pruned + STEP) };
}

/** Whole streams only, and only where every view says that nothing is open. */
function* closedPiece(workshop: Workshop, { kind }: RetentionRule, before: number): Script<Piece | undefined> {
  let after = "";
  for (;;) {
    const rows = yield* ask(workshop.queries.quietStreams(...range(kind), before, after, 100));
    if (rows.length === 0) return undefined;
    for (const stream of rows.map(toStream)) {
      after = stream.stream;
      if (!(yield* isOpen(workshop, stream)))
        return { stream, version: Math.min(stream.version, stream.pruned + STEP) };
    }
  }
}

function* isOpen({ queries, projections }: Workshop, row: StreamRow): Script<boolean> {
  for (const projection of projections) {
    if (!projection.covers(row.stream)) continue;
    if (projection.isOpen((yield* loadView(queries, projection, row, readViews(row))).state)) return true;
  }
  return false;
}

/** The fold of what goes away stays as a base, so that the views can still be folded from the rest. */
function* cut(workshop: Workshop, { stream, version }: Piece): Script<number> {
  const { queries } = workshop;
  yield* saveBases(workshop, stream.stream, version);
  const end = yield* askOne(queries.prefixEnd(stream.stream, version));
  if (end) yield* rememberPruned(queries, toPosition(end));
  const gone = yield* askOne(queries.prefixSize(stream.stream, version));
  yield* ask(queries.deleteEvents(stream.stream, version));
  yield* ask(
    queries.saveStream({
      ...stream,
      pruned: version,
      size: version === stream.version ? 0 : Math.max(0, stream.size - Number(gone?.size)),
    }),
  );
  return version - stream.pruned;
}

function* saveBases({ queries, projections }: Workshop, stream: string, version: number): Script<void> {
  for (const projection of projections) {
    if (!projection.covers(stream)) continue;
    const { name: view, revision } = projection;
    const { state } = yield* foldUpTo(queries, projection, stream, version);
    const row = { view, stream, revision, version, data: JSON.stringify(state) };
    yield* ask(queries.saveBase({ ...row, checksum: baseChecksum(row) }));
  }
}

/** Readers that have not come this far are told that something is missing; and no position is given twice. */
export function* rememberPruned(
  queries: Queries,
  position: { readonly xid: string; readonly seq: number },
): Script<void> {
  const head = yield* askOne(queries.head());
  if (head) yield* ask(queries.setMeta("floor", String(toPosition(head).seq)));
  const known = parseCursor(queries.features, (yield* askOne(queries.meta("pruned")))?.value);
  if (known && !isAfter(position, known)) return;
  yield* ask(queries.setMeta("pruned", formatCursor(queries.features, position)));
}

function* pruneKeys(workshop: Workshop): Script<Written<number>> {
  const { now } = yield* beginWrite(workshop);
  const gone = yield* ask(workshop.queries.deleteKeysBefore(now - KEYS_KEPT));
  return { save: gone.length > 0, value: gone.length };
}
