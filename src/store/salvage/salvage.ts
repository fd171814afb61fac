import type { NewEvent, RecordedEvent } from "../event-store.js";
import { SALVAGED } from "../log/fold.js";
import type { Projection } from "../projection.js";
import type { BaseRow, StreamRow } from "../queries.js";
import { sessionOf } from "../stream.js";
import { FORGETTING } from "../upkeep/forget-session.js";
import type { Travelling, TravellingBase, TravellingEvent } from "../upkeep/transfer.js";
import type { FoundRows } from "./found-rows.js";
import { type Mark, planStream, type StreamPlan } from "./plan-stream.js";
import type { PlacedEvent } from "./table-rows.js";

/** A thing that was in the store and is not in what was made of it. Versions are those of the damaged store. */
export type LeftOut =
  | {
      readonly kind: "event";
      readonly stream: string;
      readonly from: number;
      readonly to: number;
      /** What the events were, as far as their damaged rows tell. */
      readonly types: readonly string[];
    }
  /** What a view was when the history before it was pruned. */
  | { readonly kind: "view"; readonly stream: string; readonly name: string | undefined }
  | { readonly kind: "answer"; readonly key: string; readonly stream: string }
  | { readonly kind: "reading"; readonly path: string }
  /** Places of the log whose stream nothing tells any more. */
  | { readonly kind: "position"; readonly from: number; readonly to: number };

/** A stream that lost something. */
export interface HurtStream {
  readonly stream: string;
  /** Views that were folded from the events that are left. The others are as they were: a copy was kept. */
  readonly refolded: readonly string[];
}

/** What only the layers above know: events that keep the rules of a hurt store, such as numbers never given twice. */
export type Amend = (streams: readonly string[], isHurt: (stream: string) => boolean) => readonly Amendment[];

interface Amendment {
  readonly stream: string;
  readonly event: NewEvent;
}

interface SalvageOptions {
  readonly projections: readonly Projection[];
  readonly unreadablePages: number;
  readonly amend?: Amend | undefined;
}

/** What is left of a store: in the order in which another store, or an export, takes it. */
export class Salvage {
  readonly leftOut: readonly LeftOut[];
  readonly hurt: readonly HurtStream[];
  readonly unreadablePages: number;
  readonly found: FoundRows;
  readonly #plans = new Map<string, StreamPlan>();
  readonly #amend: Amend | undefined;

  constructor(found: FoundRows, { projections, unreadablePages, amend }: SalvageOptions) {
    this.found = found;
    this.unreadablePages = unreadablePages;
    this.#amend = amend;
    found.mend();
    const damaged = found.damagedRows();
    const isBaseDamaged = (stream: string) =>
      damaged.some(({ table, row }) => table === "base" && "stream" in row && row.stream === stream);
    for (const stream of found.streams())
      this.#plans.set(
        stream,
        planStream({
          versions: found.versionsOf(stream),
          known: found.knownVersionsOf(stream),
          lastChecksum: lastEvent(found, stream)?.checksum,
          row:
            found.streamRow(stream) ??
            withoutViews(
              damaged.map(({ row }) => row as StreamRow),
              stream,
            ),
          bases: found.basesOf(stream),
          covering: projections.filter(({ covers }) => covers(stream)).map(({ name }) => name),
          isForgotten: isForgotten(found, stream, projections),
          isBaseDoubtful: unreadablePages > 0 || isBaseDamaged(stream),
          longest: Math.max(found.last, found.acknowledged),
        }),
      );
    this.hurt = [...this.#plans].flatMap(([stream, { lost, isBaseLost, refolded }]) =>
      lost.length > 0 || isBaseLost ? [{ stream, refolded }] : [],
    );
    this.leftOut = [...this.#lostEvents(), ...this.#lostViews(), ...lostRows(found), ...this.#lostPositions()];
  }

  /** Bases first, then events in the order of the log, each with the marks of its stream before it. */
  *records(): Generator<Travelling> {
    for (const { bases } of this.#plans.values()) yield* bases.map(toTravellingBase);
    const writers = new Map<string, StreamWriter>();
    for (const [stream, plan] of this.#plans) writers.set(stream, new StreamWriter(stream, plan));
    let at = 0;
    for (const event of this.found.events()) {
      at = Math.max(at, event.at);
      yield* writers.get(event.stream)?.take(event) ?? [];
    }
    for (const [stream, writer] of writers) yield* writer.finish(this.found.streamRow(stream)?.at ?? at);
    const isHurt = (stream: string) => this.hurt.some((one) => one.stream === stream) || !this.#plans.has(stream);
    for (const { stream, event } of this.#amend?.([...this.#plans.keys()], isHurt) ?? []) {
      const writer = writers.get(stream) ?? new StreamWriter(stream, EMPTY);
      writers.set(stream, writer);
      yield writer.write({ at, ...event });
    }
  }

  *#lostEvents(): Generator<LeftOut> {
    const types = new Map(this.found.damagedEvents().map((row) => [`${row.stream} ${row.version}`, row.type]));
    for (const [stream, { lost }] of this.#plans)
      for (const { from, to } of lost) {
        const known = new Set<string>();
        for (let version = from; version <= Math.min(to, from + 100); version += 1) {
          const type = types.get(`${stream} ${version}`);
          if (typeof type === "string") known.add(type);
        }
        yield { kind: "event", stream, from, to, types: [...known] };
      }
  }

  *#lostViews(): Generator<LeftOut> {
    const damaged = this.found.damagedRows();
    for (const [stream, { isBaseLost }] of this.#plans) {
      if (!isBaseLost) continue;
      const rows = damaged.flatMap(({ table, row }) => (table === "base" ? [row as BaseRow] : []));
      const names = rows.filter((row) => row.stream === stream).map(({ view }) => view);
      yield* (names.length > 0 ? names : [undefined]).map((name) => ({ kind: "view" as const, stream, name }));
    }
  }

  /** Damaged rows that belong to no known gap, and what the head knows of behind the end. */
  *#lostPositions(): Generator<LeftOut> {
    for (const { stream, version, seq } of this.found.damagedEvents()) {
      const plan = this.#plans.get(stream);
      const isNamed = plan?.lost.some(({ from, to }) => from <= version && version <= to);
      if (!isNamed && !(plan && version <= plan.begin)) yield { kind: "position", from: seq, to: seq };
    }
    const { acknowledged, last, settings } = this.found;
    const end = Math.max(last, Number(settings.get("floor") ?? 0) || 0);
    if (acknowledged > end) yield { kind: "position", from: end + 1, to: acknowledged };
  }
}

const EMPTY: StreamPlan = { bases: [], begin: 0, lost: [], isBaseLost: false, marks: [], refolded: [] };

/** One stream of the new store: versions without gaps. */
class StreamWriter {
  readonly #stream: string;
  readonly #begin: number;
  readonly #marks: Mark[];
  #version: number;
  #at = 0;
  /** A stream of which nothing but a gap is known is not made. */
  #isBegun: boolean;

  constructor(stream: string, { begin, bases, marks }: StreamPlan) {
    this.#stream = stream;
    this.#begin = begin;
    this.#marks = [...marks];
    this.#version = bases.length > 0 ? begin : 0;
    this.#isBegun = bases.length > 0 || marks.some(({ views }) => views !== undefined);
  }

  *take({ version, type, at, id, actor, data }: PlacedEvent): Generator<TravellingEvent> {
    if (version <= this.#begin) return;
    this.#isBegun = true;
    yield* this.#marked((mark) => mark.after < version, this.#at || at);
    const names = { ...(id === null ? undefined : { id }), ...(actor === null ? undefined : { actor }) };
    yield this.write({ type, at, data: JSON.parse(data), ...names });
  }

  *finish(at: number): Generator<TravellingEvent> {
    if (this.#isBegun) yield* this.#marked(() => true, this.#at || at);
  }

  write(event: NewEvent & { readonly at: number }): TravellingEvent {
    this.#version += 1;
    this.#at = event.at;
    return { ...event, stream: this.#stream, version: this.#version, data: event.data as TravellingEvent["data"] };
  }

  *#marked(isDue: (mark: Mark) => boolean, at: number): Generator<TravellingEvent> {
    for (let mark = this.#marks[0]; mark && isDue(mark); mark = this.#marks[0]) {
      this.#marks.shift();
      const { after: _, ...data } = mark;
      yield this.write({ type: SALVAGED, at, data });
    }
  }
}

function isForgotten(found: FoundRows, stream: string, projections: readonly Projection[]): boolean {
  if (![...found.settings.keys()].some((key) => key.startsWith(FORGETTING))) return false;
  const session = sessionOf(stream) ?? ownerOf(found, stream, projections);
  return session !== undefined && found.settings.has(`${FORGETTING}${session}`);
}

/** Of a stream that is not called after its session, by the events that are left of it. */
function ownerOf(found: FoundRows, stream: string, projections: readonly Projection[]): string | undefined {
  const owning = projections.find(({ owned, covers }) => owned && covers(stream));
  const events = found.versionsOf(stream).flatMap((version): RecordedEvent[] => {
    const { id: _, actor: __, data, ...event } = found.event(stream, version) ?? {};
    return data === undefined ? [] : [{ ...event, data: JSON.parse(data) } as RecordedEvent];
  });
  return owning?.owned?.owner(owning.fold(owning.initial, events));
}

function lastEvent(found: FoundRows, stream: string): PlacedEvent | undefined {
  const last = found.versionsOf(stream).at(-1);
  return last === undefined ? undefined : found.event(stream, last);
}

/** A stream's row whose views are damaged may still tell how long it was. */
function withoutViews(rows: readonly StreamRow[], stream: string): StreamRow | undefined {
  const row = rows.find((one) => one.stream === stream && "views_checksum" in one);
  return row && { ...row, views: "{}" };
}

function lostRows(found: FoundRows): readonly LeftOut[] {
  return found.damagedRows().flatMap((damaged): LeftOut[] => {
    if (damaged.table === "answer") return [{ kind: "answer", key: damaged.row.key, stream: damaged.row.stream }];
    return damaged.table === "reading" ? [{ kind: "reading", path: damaged.row.path }] : [];
  });
}

function toTravellingBase({ view, stream, revision, version, data }: BaseRow): TravellingBase {
  return { base: view, stream, revision, version, data: JSON.parse(data) };
}
