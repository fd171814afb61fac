import { redact } from "../../core/secrets/redact.js";
import { redactJson } from "../../core/secrets/redact-json.js";
import { baseChecksum, eventChecksum, keyChecksum } from "../checksum.js";
import type { Engine, Written } from "../engine.js";
import { beginWrite, type Workshop } from "../log/commit.js";
import { foldUpTo } from "../log/fold.js";
import { type KeptView, type KeptViews, readViews, withViews } from "../log/stored-views.js";
import type { Projection } from "../projection.js";
import type { BaseRow, EventRow, KeyRow, StreamRow } from "../queries.js";
import { query } from "../query-text.js";
import { redactReadings } from "../readings/readings.js";
import { toBase, toKey, toStream } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { rebuildEntry } from "../tasks/task-entries.js";

// Secrets that an older version stored. What is written is redacted already (`log/append.ts`); this is for the rest.

/** How many of each held a secret. */
export interface StoredSecrets {
  readonly events: number;
  /** Streams that had such events, or such a view. */
  readonly streams: number;
  readonly answers: number;
  readonly readings: number;
}

/** Rows that one transaction changes at most: nobody waits long for the lock. */
const STEP = 200;
/** A longer stream is folded again by whoever asks for its views next, not under the lock. */
const MOST_FOLDED = 2000;

/** Redacts in small transactions, each of which leaves a sound store: run again after a kill, it goes on. */
export async function redactStore(
  engine: Engine,
  workshop: Workshop,
  progress: (events: number) => void,
): Promise<StoredSecrets> {
  const { queries } = engine;
  let [events, streams, seen] = [0, 0, 0];
  for (let after = ""; ; ) {
    const from = after;
    const row = await engine.read(() => askOne(queries.streamsAfter(from, 1)));
    if (!row) break;
    const stream = toStream(row);
    after = stream.stream;
    const found = await redactStream(engine, workshop, stream);
    if (found !== undefined) streams += 1;
    events += found ?? 0;
    seen += stream.version - stream.pruned;
    progress(seen);
  }
  const answers = await redactAnswers(engine, workshop);
  const readings = await redactReadings(engine, workshop);
  return { events, streams, answers, readings };
}

export function holdsSecret({ data, actor }: Pick<EventRow, "data" | "actor">): boolean {
  return redactJson(data) !== data || (actor !== null && redact(actor) !== actor);
}

/** How many events were redacted; undefined where nothing of the stream had to be changed. */
async function redactStream(engine: Engine, workshop: Workshop, { stream, pruned }: StreamRow) {
  const { queries } = engine;
  let events = 0;
  for (let version = pruned; ; ) {
    const from = version;
    const rows = await engine.read(() => ask(queries.eventsFromVersion(stream, from, STEP)));
    const page = rows as unknown as readonly EventRow[];
    const last = page.at(-1);
    if (!last) break;
    if (page.some(holdsSecret)) events += await engine.write(() => redactEvents(workshop, stream, from), "durable");
    version = last.version;
  }
  const isChanged = events > 0 || (await engine.read(() => needsViews(workshop, stream)));
  if (isChanged) await engine.write(() => redactViews(workshop, stream), "durable");
  return isChanged ? events : undefined;
}

/** A page of events. The views go: they are folded from the events, and no reader may see the two differ. */
function* redactEvents(workshop: Workshop, stream: string, from: number): Script<Written<number>> {
  const { queries } = workshop;
  const transaction = yield* beginWrite(workshop);
  const head = yield* transaction.head(stream);
  let { checksum, size } = head;
  let count = 0;
  for (const row of (yield* ask(queries.eventsFromVersion(stream, from, STEP))) as unknown as readonly EventRow[]) {
    // A damaged one is never made sound in silence.
    if (!holdsSecret(row) || eventChecksum(row) !== row.checksum) continue;
    const { actor } = row;
    const next = { ...row, data: redactJson(row.data), actor: actor === null ? null : redact(actor) };
    const sum = eventChecksum(next);
    yield* ask(replaceEvent({ ...next, checksum: sum }));
    size += Buffer.byteLength(next.data) - Buffer.byteLength(row.data);
    if (row.version === head.version) checksum = sum;
    count += 1;
  }
  if (count > 0) yield* ask(queries.saveStream(withViews({ ...head, checksum, size }, unknownViews(workshop, head))));
  return { save: count > 0, value: count };
}

/** Those of a newer version, which this one cannot fold. */
function unknownViews({ projections }: Workshop, row: StreamRow): KeptViews {
  const isKnown = (view: string) => projections.some(({ name, covers }) => name === view && covers(row.stream));
  return JSON.parse(
    redactJson(JSON.stringify(Object.fromEntries(Object.entries(readViews(row)).filter(([name]) => !isKnown(name))))),
  );
}

/** A view or a base holds a secret, or an earlier run was ended before the views were made again. */
function* needsViews({ queries, projections }: Workshop, stream: string): Script<boolean> {
  const row = yield* askOne(queries.stream(stream));
  if (!row) return false;
  const found = toStream(row);
  const views = readViews(found);
  const isMissing = projections.some(({ name, covers, entry }) => entry && covers(stream) && !(name in views));
  if (isMissing || redactJson(found.views) !== found.views) return true;
  const bases = (yield* ask(queries.basesOf(stream))) as unknown as readonly BaseRow[];
  return bases.some(({ data }) => redactJson(data) !== data);
}

function* redactViews(workshop: Workshop, stream: string): Script<Written<undefined>> {
  const { queries, projections } = workshop;
  const transaction = yield* beginWrite(workshop);
  const row = yield* transaction.head(stream);
  for (const base of (yield* ask(queries.basesOf(stream))).map(toBase)) {
    const next = { ...base, data: redactJson(base.data) };
    if (next.data !== base.data) yield* ask(queries.saveBase({ ...next, checksum: baseChecksum(next) }));
  }
  const views: Record<string, KeptView> = { ...unknownViews(workshop, row) };
  for (const projection of projections.filter((one) => isFoldedNow(one, row))) {
    const { state, version } = yield* foldUpTo(queries, projection, row, row.version);
    views[projection.name] = { revision: projection.revision, version, state };
    yield* rebuildEntry(queries, projection.entry?.(state, stream));
  }
  yield* ask(queries.saveStream(withViews(row, views)));
  return { save: true, value: undefined };
}

function isFoldedNow({ covers, entry }: Projection, { stream, version, pruned }: StreamRow): boolean {
  return covers(stream) && (entry !== undefined || version - pruned <= MOST_FOLDED);
}

function replaceEvent({ stream, version, data, actor, checksum }: EventRow) {
  return query`UPDATE milepost_events SET data = ${data}, actor = ${actor}, checksum = ${checksum}
    WHERE stream = ${stream} AND version = ${version}`;
}

async function redactAnswers(engine: Engine, workshop: Workshop): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const from = after;
    const rows = (await engine.read(() => ask(engine.queries.keysAfter(from, STEP)))) as unknown as readonly KeyRow[];
    const last = rows.at(-1);
    if (!last) return count;
    if (rows.some(isSecretAnswer)) count += await engine.write(() => redactAnswerPage(workshop, from), "durable");
    after = last.key;
  }
}

function isSecretAnswer({ answer }: Pick<KeyRow, "answer">): boolean {
  return redactJson(answer) !== answer;
}

function* redactAnswerPage(workshop: Workshop, after: string): Script<Written<number>> {
  const { queries } = workshop;
  yield* beginWrite(workshop);
  const rows = ((yield* ask(queries.keysAfter(after, STEP))) as unknown as readonly KeyRow[]).filter(isSecretAnswer);
  for (const row of rows.map((one) => toKey(one as never))) {
    const next = { ...row, answer: redactJson(row.answer) };
    yield* ask(queries.saveKey({ ...next, checksum: keyChecksum(next) }));
  }
  return { save: rows.length > 0, value: rows.length };
}
