import type { StoredEvent } from "./event-store.js";
import type { Projection } from "./projection.js";
import type { Queries, StreamRow } from "./queries.js";
import { toBase, toEvent } from "./rows.js";
import { ask, askOne, type Script } from "./script.js";
import type { KeptViews } from "./views.js";

/** A state, and the version of its stream that it is the fold of. */
export interface Folded<State> {
  readonly state: State;
  readonly version: number;
}

/** Enough to be fast, few enough to be small in memory. */
export const PAGE = 1000;

/**
 * The kept view, brought up to the stream's head. Usually nothing is missing; after an older version wrote, which did
 * not know this view, or when the fold itself has changed, the events fill in.
 */
export function* loadView<State>(
  queries: Queries,
  projection: Projection<State>,
  { stream, version }: StreamRow,
  views: KeptViews,
): Script<Folded<State>> {
  const kept = views[projection.name];
  // A view ahead of its stream cannot be: the stream was cut. The events decide.
  const isUsable = kept !== undefined && kept.revision === projection.revision && kept.version <= version;
  const start = isUsable ? (kept as Folded<State>) : yield* foldStart(queries, projection, stream);
  return start.version === version ? start : yield* foldOn(queries, projection, stream, start, version);
}

/** Where a fold from nothing begins: at the first event, or at what was kept when history was pruned. */
function* foldStart<State>(queries: Queries, projection: Projection<State>, stream: string): Script<Folded<State>> {
  const row = yield* askOne(queries.base(projection.name, stream));
  if (row === undefined) return { state: projection.initial, version: 0 };
  const { data, version } = toBase(row);
  return { state: JSON.parse(data), version };
}

function* foldOn<State>(
  queries: Queries,
  projection: Projection<State>,
  stream: string,
  from: Folded<State>,
  upTo: number,
): Script<Folded<State>> {
  let { state, version } = from;
  while (version < upTo) {
    const rows = yield* ask(queries.eventsFromVersion(stream, version, Math.min(PAGE, upTo - version)));
    const events = rows.map((row) => toEvent(queries.features, row));
    const last: StoredEvent | undefined = events.at(-1);
    if (!last) break;
    state = projection.fold(state, events);
    version = last.version;
  }
  return { state, version };
}

/** The view as it was at a version, from the events alone. */
export function* foldUpTo<State>(
  queries: Queries,
  projection: Projection<State>,
  stream: string,
  version: number,
): Script<Folded<State>> {
  return yield* foldOn(queries, projection, stream, yield* foldStart(queries, projection, stream), version);
}
