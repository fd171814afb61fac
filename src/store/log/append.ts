import { fail, ok, type Result } from "../../core/result.js";
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
import { toPosition, toStream } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { isStream } from "../stream.js";
import { type ChangedEntry, saveEntry } from "../tasks/task-entries.js";
import { type Folded, loadView } from "./fold.js";
import type { HeldStream, Recall } from "./recall.js";
import { type KeptView, type KeptViews, newStream, readViews, withViews } from "./stored-views.js";

/** An import keeps the time at which things happened. */
interface TimedEvent extends NewEvent {
  readonly at?: number;
}

export interface TimedWrite extends Write {
  readonly events: readonly TimedEvent[];
}

/** What one write transaction has seen so far: a stream is locked and read once, a view is parsed once. */
export class WriteTransaction implements Transaction {
  readonly now: number;
  readonly queries: Queries;
  /** The last position this transaction wrote. */
  written: Position | undefined;
  readonly #projections: readonly Projection[];
  readonly #recall: Recall;
  #last: number;
  readonly #streams = new Map<string, HeldStream>();

  constructor(queries: Queries, projections: readonly Projection[], recall: Recall, now: number) {
    this.queries = queries;
    this.#projections = projections;
    this.#recall = recall;
    this.#last = recall.last;
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
  *append(writes: readonly TimedWrite[]): Script<Result<undefined>> {
    // Always in the same order, so that two writers of the same streams never wait for each other.
    for (const stream of writes.map((write) => write.stream).sort()) yield* this.head(stream);
    for (const { stream, expected } of writes) {
      const version = yield* this.version(stream);
      if (expected !== undefined && expected !== version) return fail(conflict(stream, expected, version));
    }
    for (const write of writes) yield* this.#appendTo(write.stream, write.events);
    return ok(undefined);
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

  *#appendTo(stream: string, events: readonly TimedEvent[]): Script<void> {
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
    if (stored.length === 0) return;
    const entries: ChangedEntry[] = [];
    const views = yield* this.#foldInto(stream, stored, version, entries);
    yield* this.#save({ ...head, version, checksum, size, at }, views);
    for (const entry of entries) yield* saveEntry(this.queries, entry);
  }

  /** Undefined where no view is due. */
  *#foldInto(
    stream: string,
    events: readonly RecordedEvent[],
    version: number,
    entries: ChangedEntry[],
  ): Script<KeptViews | undefined> {
    let changed: Record<string, KeptView> | undefined;
    for (const projection of this.#projections) {
      if (!projection.covers(stream) || !isDue(projection, version - events.length, version)) continue;
      const before = yield* this.#load(projection, stream);
      const state = projection.fold(before.state, events);
      changed ??= { ...(yield* this.#withViews(stream)).views };
      changed[projection.name] = { revision: projection.revision, version, state };
      if (projection.entry)
        entries.push({ before: projection.entry(before.state, stream), after: projection.entry(state, stream) });
    }
    return changed;
  }

  *#save(row: StreamRow, views: KeptViews | undefined): Script<void> {
    const saved = views ? withViews(row, views) : row;
    this.#streams.set(row.stream, { row: saved, views });
    yield* ask(this.queries.saveStream(saved));
  }

  *#held(stream: string): Script<HeldStream> {
    const known = this.#streams.get(stream) ?? this.#recall.streams.get(stream);
    if (known) return known;
    if (!isStream(stream)) throw new Error(`Not a stream: ${JSON.stringify(stream)}`);
    const lock = this.queries.lock(stream);
    if (lock) yield* ask(lock);
    const row = yield* askOne(this.queries.stream(stream));
    const held = { row: row ? toStream(row) : newStream(stream), views: undefined };
    this.#streams.set(stream, held);
    return held;
  }

  *#withViews(stream: string): Script<HeldStream & { readonly views: KeptViews }> {
    const { row, views } = yield* this.#held(stream);
    const held = { row, views: views ?? readViews(row) };
    if (!views) this.#streams.set(stream, held);
    return held;
  }

  *#load<State>(projection: Projection<State>, stream: string): Script<Folded<State>> {
    const { row, views } = yield* this.#withViews(stream);
    return yield* loadView(this.queries, projection, row, views);
  }
}

function isDue({ keptEvery = 1 }: Projection, before: number, after: number): boolean {
  return Math.floor(before / keptEvery) < Math.floor(after / keptEvery);
}

/** The last check before an event is stored; callers have checked it too. */
export function checkEnvelope({ type, id, actor }: NewEvent): void {
  const isSound =
    isEventType(type) && (id === undefined || isEventName(id)) && (actor === undefined || isEventName(actor));
  if (!isSound) throw new Error(`Not an event: ${JSON.stringify({ type, id, actor })}`);
}

type UnsummedRow = Omit<Parameters<Queries["insertEvent"]>[0], "checksum">;

function toRow(stream: string, version: number, at: number, event: NewEvent): UnsummedRow {
  const { type, id = null, actor = null } = event;
  return { stream, version, id, type, at, actor, data: dataText(event, stream) };
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
