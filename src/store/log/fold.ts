import { objectAt } from "../../core/json.js";
import type { RecordedEvent } from "../event-store.js";
import type { Projection } from "../projection.js";
import type { Queries, StreamRow } from "../queries.js";
import { toBase, toEvent } from "../rows.js";
import { ask, askOne, type Row, type Script } from "../script.js";
import { SAVE_REST, StoreTrouble } from "../trouble.js";
import type { HeldStream } from "./recall.js";
import type { KeptViews } from "./stored-views.js";

/** A state, and the version of its stream that it is the fold of. */
export interface Folded<State> {
  readonly state: State;
  readonly version: number;
}

/** Enough to be fast, few enough to be small in memory. */
export const PAGE = 1000;

interface Held extends Pick<Partial<HeldStream>, "tail"> {
  readonly views: KeptViews;
  /** Hears of the events up to the head that had to be read, where one page had them all. */
  readonly hear?: (events: readonly RecordedEvent[], bytes: number) => void;
}

/** The stored view, brought up to its stream's head: an older version wrote without it, or its fold has changed. */
export function* loadView<State>(
  queries: Queries,
  projection: Projection<State>,
  row: StreamRow,
  { views, tail = [], hear }: Held,
): Script<Folded<State>> {
  const { version } = row;
  const kept = views[projection.name];
  if (kept && kept.version > version) throw aheadOf(row.stream, kept.version, version);
  // A view older than the pruned history cannot be brought up; the base can.
  const isUsable = kept !== undefined && kept.revision === projection.revision && kept.version >= row.pruned;
  const start = isUsable ? (kept as Folded<State>) : yield* foldStart(queries, projection, row);
  if (start.version === version) return start;
  const [first] = tail;
  if (first === undefined || first.version > start.version + 1)
    return yield* foldOn(queries, projection, row, start, version, hear);
  return { state: foldEvents(projection, start.state, tail.slice(start.version + 1 - first.version)), version };
}

/** At the first event, or at the base kept when history was pruned. A projection that came later has no base. */
function* foldStart<State>(
  queries: Queries,
  projection: Projection<State>,
  { stream, pruned }: StreamRow,
): Script<Folded<State>> {
  const row = yield* askOne(queries.base(projection.name, stream));
  if (row === undefined) return { state: projection.initial, version: pruned };
  const { data, version } = toBase(row);
  return { state: JSON.parse(data), version };
}

/** The state at a later version. */
export function* foldOn<State>(
  queries: Queries,
  projection: Projection<State>,
  { stream }: StreamRow,
  from: Folded<State>,
  upTo: number,
  hear?: Held["hear"],
): Script<Folded<State>> {
  let { state, version } = from;
  while (version < upTo) {
    const rows = yield* ask(queries.eventsBetween(stream, version, Math.min(version + PAGE, upTo)));
    const events = rows.map((row) => toEvent(queries.features, row));
    if (events[0]?.version !== version + 1) throw gapIn(stream, version + 1);
    for (const event of events) if (event.version !== ++version) throw gapIn(stream, version);
    state = foldEvents(projection, state, events);
    if (version - from.version === events.length && version === upTo) hear?.(events, bytesOf(rows));
  }
  return { state, version };
}

function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { data }) => sum + String(data).length, 0);
}

/** Written where a damaged stream lost events (`salvage/`): which, or what its views were, of which a copy was left. */
export const SALVAGED = "stream.salvaged";

/** A restored view takes the place of everything folded before it. An import may say anything, so it is checked. */
export function foldEvents<State>(
  projection: Projection<State>,
  before: State,
  events: readonly RecordedEvent[],
): State {
  let [state, from] = [before, 0];
  for (const [index, { type, data }] of events.entries()) {
    const kept = type === SALVAGED ? objectAt(objectAt(data.views)[projection.name]) : undefined;
    if (!kept || !(Number(kept.revision) <= projection.revision) || !projection.isState(kept.state)) continue;
    [state, from] = [kept.state as State, index + 1];
  }
  return projection.fold(state, from === 0 ? events : events.slice(from));
}

export function gapIn(stream: string, version: number): StoreTrouble {
  return new StoreTrouble(
    "store-damaged",
    `Event ${version} of ${stream} is missing. Nothing was changed. ${SAVE_REST}`,
  );
}

function aheadOf(stream: string, kept: number, version: number): StoreTrouble {
  return new StoreTrouble(
    "store-damaged",
    `The record of ${stream} is damaged: it ends at version ${version}, and a view of it was kept at ${kept}. ${SAVE_REST}`,
  );
}

/** The view as it was at a version, from the events alone. */
export function* foldUpTo<State>(
  queries: Queries,
  projection: Projection<State>,
  row: StreamRow,
  version: number,
): Script<Folded<State>> {
  return yield* foldOn(queries, projection, row, yield* foldStart(queries, projection, row), version);
}
