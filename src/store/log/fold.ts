import type { Projection } from "../projection.js";
import type { Queries, StreamRow } from "../queries.js";
import { toBase, toEvent } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import type { KeptViews } from "./stored-views.js";

/** A state, and the version of its stream that it is the fold of. */
export interface Folded<State> {
  readonly state: State;
  readonly version: number;
}

/** Enough to be fast, few enough to be small in memory. */
export const PAGE = 1000;

/** The stored view, brought up to its stream's head: an older version wrote without it, or its fold has changed. */
export function* loadView<State>(
  queries: Queries,
  projection: Projection<State>,
  row: StreamRow,
  views: KeptViews,
): Script<Folded<State>> {
  const { version } = row;
  const kept = views[projection.name];
  // A view older than the pruned history cannot be brought up; the base can. A view ahead of its stream is damage.
  const isUsable =
    kept !== undefined &&
    kept.revision === projection.revision &&
    kept.version >= row.pruned &&
    kept.version <= version;
  const start = isUsable ? (kept as Folded<State>) : yield* foldStart(queries, projection, row);
  return start.version === version ? start : yield* foldOn(queries, projection, row, start, version);
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
): Script<Folded<State>> {
  let { state, version } = from;
  while (version < upTo) {
    const rows = yield* ask(queries.eventsBetween(stream, version, Math.min(version + PAGE, upTo)));
    const events = rows.map((row) => toEvent(queries.features, row));
    if (events[0]?.version !== version + 1) throw gapIn(stream, version + 1);
    for (const event of events) if (event.version !== ++version) throw gapIn(stream, version);
    state = projection.fold(state, events);
  }
  return { state, version };
}

function gapIn(stream: string, version: number): StoreTrouble {
  return new StoreTrouble(
    "store-damaged",
    `Event ${version} of ${stream} is missing, and a view needs it. Nothing was changed. To see all damage: milepost doctor`,
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
