import { viewChecksum } from "./checksum.js";
import type { StoredEvent } from "./event-store.js";
import type { Projection } from "./projection.js";
import type { Queries, ViewRow } from "./queries.js";
import { toEvent, toView } from "./rows.js";
import { ask, askOne, type Script } from "./script.js";

/** A state, and the version of its stream that it is the fold of. */
export interface Folded<State> {
  readonly state: State;
  readonly version: number;
}

/** Enough to be fast, few enough to be small in memory. */
export const PAGE = 1000;

/**
 * The stored row, brought up to the stream's head. Usually nothing is missing; after an older version wrote, which
 * did not know this view, or when the fold itself has changed, the events fill in.
 */
export function* loadView<State>(
  queries: Queries,
  projection: Projection<State>,
  stream: string,
  head: number,
): Script<Folded<State>> {
  const row = yield* askOne(queries.view(projection.name, stream));
  const stored = row === undefined ? undefined : readState<State>(toView(row), projection.revision);
  // A row ahead of its stream cannot be: the stream was cut. The events decide.
  const start = stored && stored.version <= head ? stored : yield* foldStart(queries, projection, stream);
  return start.version === head ? start : yield* foldOn(queries, projection, stream, start, head);
}

/** Where a fold from nothing begins: at the first event, or at what was kept when history was pruned. */
function* foldStart<State>(queries: Queries, projection: Projection<State>, stream: string): Script<Folded<State>> {
  const row = yield* askOne(queries.base(projection.name, stream));
  return row === undefined ? { state: projection.initial, version: 0 } : asState<State>(toView(row));
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

/** How a fold is kept. */
export function viewRow<State>(
  { name, revision }: Projection<State>,
  stream: string,
  { state, version }: Folded<State>,
): ViewRow {
  const row = { view: name, stream, revision, version, data: JSON.stringify(state) };
  return { ...row, checksum: viewChecksum(row) };
}

function readState<State>(row: ViewRow, revision: number): Folded<State> | undefined {
  return row.revision === revision ? asState(row) : undefined;
}

function asState<State>(row: ViewRow): Folded<State> {
  return { state: JSON.parse(row.data), version: row.version };
}
