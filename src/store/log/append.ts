import { fail, ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import { redactJson } from "../../core/secrets/redact-json.js";
import { eventChecksum } from "../checksum.js";
import { dataText } from "../event-limits.js";
import {
  isEventName,
  isEventType,
  type NewEvent,
  type RecordedEvent,
  type Transaction,
  type Write,
} from "../event-store.js";
import type { Projection } from "../projection.js";
import type { Position, Queries, StreamRow } from "../queries.js";
import { toPosition } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { isStream } from "../stream.js";
import { saveEntry } from "../tasks/task-entries.js";
import type { TaskEntry } from "../tasks/task-entry.js";
import { type Folded, loadView } from "./fold.js";
import type { HeldStream, Recall } from "./recall.js";
import { findStream, type KeptView, type KeptViews, newStream, readViews, withViews } from "./stored-views.js";

/** What one write transaction has seen so far: a stream is locked and read once, a view is parsed once. */
export class WriteTransaction implements Transaction {
  readonly now: number;
  readonly queries: Queries;
  /** The last position this transaction wrote. */
  written: Position | undefined;
  readonly #projections: readonly Projection[];
  readonly #recall: Recall;
  #last: number;
  /** A server has a clock of its own. */
  #isTimeKept: boolean;
  readonly #streams = new Map<string, HeldStream>();

  constructor(queries: Queries, projections: readonly Projection[], recall: Recall, now: number) {
    this.queries = queries;
    this.#projections = projections;
    this.#recall = recall;
    this.#last = recall.last;
    this.#isTimeKept = queries.features.concurrentWriters;
    this.now = now;
  }

  /** When it is committed, the next write may build on what this one knows. */
  readonly committed = (): void => this.#recall.keep(this.#streams, this.#last, this.now);

  *view<State>(projection: Projection<State>, stream: string): Script<State> {
    return (yield* this.#load(projection, stream)).state;
  }

  /** The stream's row, locked until the end of this transaction. */
  *head(stream: string): Script<StreamRow> {
    return (yield* this.#held(stream)).row;
  }

  *version(stream: string): Script<number> {
    return (yield* this.head(stream)).version;
  }

  *isKnown(id: string): Script<boolean> {
    return (yield* askOne(this.queries.knownEvent(id))) !== undefined;
  }

  /** Appends to all streams, or says which one is not where it was expected. */
  *append(writes: readonly Write[]): Script<Result<undefined>> {
    // Always in the same order, so that two writers of the same streams never wait for each other.
    for (const stream of writes.map((write) => write.stream).sort()) yield* this.head(stream);
    for (const { stream, expected } of writes) {
      const version = yield* this.version(stream);
      if (expected !== undefined && expected !== version) return fail(conflict(stream, expected, version));
    }
    for (const write of writes) yield* this.#appendTo(write.stream, write.events);
    yield* this.#keepTime(writes);
    return ok(undefined);
  }

  /** Told late, the last event is not the latest; but its time keeps the clock of a file from running backwards. */
  *#keepTime(writes: readonly Write[]): Script<void> {
    const isLate = ({ at = this.now }: NewEvent) => at < this.now;
    if (this.#isTimeKept || !writes.some(({ events }) => events.some(isLate))) return;
    this.#isTimeKept = true;
    yield* ask(this.queries.setMeta("clock_floor", String(this.now)));
  }

  /** A stream whose first events are no longer kept anywhere; only what the view was then. */
  *startAt(stream: string, view: string, kept: KeptView): Script<void> {
    const { row, views } = yield* this.#withViews(stream);
    const { version } = kept;
    yield* this.#save({ ...row, version, pruned: version }, { ...views, [view]: kept });
    const projection = this.#projections.find(({ name }) => name === view);
    if (projection?.entry)
      yield* saveEntry(this.queries, { before: undefined, after: projection.entry(kept.state, stream) });
  }

  *#appendTo(stream: string, events: readonly NewEvent[]): Script<void> {
    const head = yield* this.head(stream);
    const stored: RecordedEvent[] = [];
    let { version, checksum, size, at } = head;
    for (const event of events) {
      checkEnvelope(event);
      if (event.id !== undefined && (yield* this.isKnown(event.id))) continue;
      const row = toRow(stream, ++version, event.at ?? this.now, event);
      at = Math.max(at, row.at);
      checksum = eventChecksum(row);
      size += Buffer.byteLength(row.data);
      this.#last += 1;
      const position = yield* askOne(this.queries.insertEvent({ ...row, checksum }, this.#last));
      this.written = position ? toPosition(position) : { xid: "0", seq: this.#last };
      stored.push(recorded(row));
    }
    if (stored.length > 0) yield* this.#advance({ ...head, version, checksum, size, at }, stored);
  }

  /** The stream has these events now. Views that are not due are not folded: whoever reads them folds them on. */
  *#advance(row: StreamRow, events: readonly RecordedEvent[]): Script<void> {
    const { stream, version } = row;
    const { row: head, views, tail } = yield* this.#held(stream);
    const due = this.#projections.filter((one) => one.covers(stream) && this.#isDue(one, head.version, version));
    const before = yield* this.#entries(due, stream);
    this.#streams.set(stream, { row, views, tail: longer(tail, events, row.size - head.size) });
    for (const projection of due) yield* this.#load(projection, stream);
    if (due.length > 0) yield* this.#save(row, (yield* this.#withViews(stream)).views);
    else yield* ask(head.version > 0 ? this.queries.moveStream(row) : this.queries.saveStream(row));
    for (const [index, after] of (yield* this.#entries(due, stream)).entries())
      yield* saveEntry(this.queries, { before: before[index], after });
  }

  #isDue({ keptEvery = 1, isDecidedOn = false }: Projection, before: number, after: number): boolean {
    const every = isDecidedOn && this.queries.features.concurrentWriters ? 1 : keptEvery;
    return Math.floor(before / every) < Math.floor(after / every);
  }

  *#entries(projections: readonly Projection[], stream: string): Script<readonly (TaskEntry | undefined)[]> {
    const entries: (TaskEntry | undefined)[] = [];
    for (const projection of projections)
      if (projection.entry) entries.push(projection.entry((yield* this.#load(projection, stream)).state, stream));
    return entries;
  }

  *#save(row: StreamRow, views: KeptViews): Script<void> {
    const saved = withViews(row, views);
    this.#streams.set(row.stream, { row: saved, views, tail: this.#inHand(row.stream)?.tail ?? [] });
    yield* ask(this.queries.saveStream(saved));
  }

  /** What this transaction, or the last one, has read or made of it. */
  #inHand(stream: string): HeldStream | undefined {
    return this.#streams.get(stream) ?? this.#recall.streams.get(stream);
  }

  *#held(stream: string): Script<HeldStream> {
    const known = this.#inHand(stream);
    if (known) return known;
    if (!isStream(stream)) throw new Error(`Not a stream: ${JSON.stringify(stream)}`);
    const lock = this.queries.lock(stream);
    if (lock) yield* ask(lock);
    const row = yield* findStream(this.queries, stream, this.#projections);
    const held = { row: row ?? newStream(stream), views: undefined, tail: [] };
    this.#streams.set(stream, held);
    return held;
  }

  *#withViews(stream: string): Script<HeldStream & { readonly views: KeptViews }> {
    const held = yield* this.#held(stream);
    const known = { ...held, views: held.views ?? readViews(held.row) };
    if (!held.views) this.#streams.set(stream, known);
    return known;
  }

  *#load<State>(projection: Projection<State>, stream: string): Script<Folded<State>> {
    const { row, views, tail: known } = yield* this.#withViews(stream);
    const { name, revision } = projection;
    let tail = known;
    // A decision asks for several views of one stream: its last events are read for the first of them.
    const hear = (events: readonly RecordedEvent[], bytes: number) => {
      if (events.length <= LONGEST_TAIL && bytes <= LARGE) tail = events;
    };
    const folded = yield* loadView(this.queries, projection, row, { views, tail, hear });
    if (tail !== known) this.#streams.set(stream, { row, views, tail });
    // One that only this decision knows is not for the next one.
    if (folded !== views[name] && this.#projections.some((one) => one.name === name && one.revision === revision))
      this.#streams.set(stream, { row, views: { ...views, [name]: keptView(revision, folded) }, tail });
    return folded;
  }
}

/** Its fields always in the same order: what is stored is the same on every engine. */
function keptView(revision: number, { version, state }: Folded<unknown>): KeptView {
  return { revision, version, state };
}

/** So many events are kept in memory for folds, and none that came with more bytes than this. */
const LONGEST_TAIL = 64;
const LARGE = 16 * 1024;

function longer(tail: readonly RecordedEvent[], events: readonly RecordedEvent[], bytes: number): typeof tail {
  if (bytes > LARGE) return [];
  return [...tail, ...events].slice(-LONGEST_TAIL);
}

/** The last check before an event is stored; callers have checked it too. */
export function checkEnvelope({ type, id, actor }: NewEvent): void {
  const isSound =
    isEventType(type) && (id === undefined || isEventName(id)) && (actor === undefined || isEventName(actor));
  if (!isSound) throw new Error(`Not an event: ${JSON.stringify({ type, id, actor })}`);
}

type UnsummedRow = Omit<Parameters<Queries["insertEvent"]>[0], "checksum">;

/** The last place before the disk: whoever brought the event, no secret in it is stored. */
function toRow(stream: string, version: number, at: number, event: NewEvent): UnsummedRow {
  const { type, id = null, actor } = event;
  const who = actor === undefined ? null : redact(actor);
  return { stream, version, id, type, at, actor: who, data: redactJson(dataText(event, stream)) };
}

/** The event as it will be read back, not the caller's object. */
function recorded({ stream, version, type, at, id, actor, data }: UnsummedRow): RecordedEvent {
  return {
    stream,
    version,
    type,
    at,
    data: JSON.parse(data),
    ...(id === null ? undefined : { id }),
    ...(actor === null ? undefined : { actor }),
  };
}

function conflict(stream: string, expected: number, version: number) {
  return {
    code: "version-conflict",
    message: `${stream} is at version ${version}, not ${expected}: another writer was first. Read it again and retry.`,
  };
}
