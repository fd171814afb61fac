import type { Engine, Written } from "../engine.js";
import type { Projection } from "../projection.js";
import type { Queries } from "../queries.js";
import { ask, type Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { beginWrite, type Workshop } from "./commit.js";
import { type Folded, foldUpTo, loadView, PAGE } from "./fold.js";
import { findStream, readViews, withViews } from "./stored-views.js";

/** What was folded for a reader, and how many events had to be read for it. */
interface Looked<State> extends Folded<State> {
  readonly missing: number;
}

/** A view far behind is kept: maybe nobody writes to that stream again, and each look would read its whole history. */
export async function readView<State>(
  engine: Engine,
  workshop: Workshop,
  projection: Projection<State>,
  stream: string,
): Promise<State> {
  const found = await engine.read(() => lookScript(engine.queries, projection, stream));
  // Where a row to search by belongs to it, the two are only written together.
  const isKept = workshop.projections.some(({ name, entry }) => name === projection.name && !entry);
  if (isKept && found.missing > PAGE)
    await engine.write(() => keepScript(workshop, projection, stream, found), "observed").catch(unkept);
  return found.state;
}

/** Whoever may only look, or has no room, has still seen it. */
function unkept(error: unknown): void {
  if (!(error instanceof StoreTrouble)) throw error;
}

function* lookScript<State>(queries: Queries, projection: Projection<State>, stream: string): Script<Looked<State>> {
  const found = yield* findStream(queries, stream, [projection]);
  if (!found) return { state: projection.initial, version: 0, missing: 0 };
  const views = readViews(found);
  const kept = views[projection.name];
  const from = Math.max(found.pruned, kept?.revision === projection.revision ? kept.version : 0);
  const folded = yield* loadView(queries, projection, found, { views });
  return { ...folded, missing: folded.version - from };
}

function* keepScript(
  workshop: Workshop,
  { name, revision }: Pick<Projection, "name" | "revision">,
  stream: string,
  { state, version }: Folded<unknown>,
): Script<Written<undefined>> {
  const transaction = yield* beginWrite(workshop);
  const row = yield* transaction.head(stream);
  // Whoever has written since keeps it, or the next one who looks does.
  if (row.version !== version) return { save: false, value: undefined };
  yield* ask(workshop.queries.saveStream(withViews(row, { ...readViews(row), [name]: { revision, version, state } })));
  return { save: true, value: undefined };
}

/** The view as it was after a version of its stream; at the oldest where that was pruned. */
export function* viewAt<State>(
  queries: Queries,
  projection: Projection<State>,
  stream: string,
  version: number,
): Script<State> {
  const found = yield* findStream(queries, stream, [projection]);
  if (!found) return projection.initial;
  const { state } = yield* foldUpTo(queries, projection, found, Math.min(version, found.version));
  return state;
}
