import { viewsChecksum } from "../checksum.js";
import { viewsText } from "../event-limits.js";
import type { Projection } from "../projection.js";
import type { Queries, StreamRow } from "../queries.js";
import { toStream } from "../rows.js";
import { askOne, type Script } from "../script.js";
import { SAVE_REST, StoreTrouble } from "../trouble.js";

/** A view as it is kept in its stream's row: the fold of the events up to a version. */
export interface KeptView {
  readonly revision: number;
  readonly version: number;
  readonly state: unknown;
}

/** By the projection's name. Those that a newer version has added are kept as they are. */
export type KeptViews = Readonly<Record<string, KeptView>>;

export function readViews(row: StreamRow): KeptViews {
  if (viewsChecksum(row) !== row.views_checksum)
    throw new StoreTrouble(
      "store-damaged",
      `The views of ${row.stream} are damaged: checksum mismatch. To rebuild them from its events: milepost doctor --rebuild`,
    );
  return JSON.parse(row.views);
}

export function withViews(row: StreamRow, kept: KeptViews): StreamRow {
  const views = viewsText(row.stream, kept);
  return { ...row, views, views_checksum: viewsChecksum({ stream: row.stream, views }) };
}

/** The row of a stream that nobody has written to. */
export function newStream(stream: string): StreamRow {
  return withViews({ stream, version: 0, checksum: 0, pruned: 0, size: 0, at: 0, views: "", views_checksum: 0 }, {});
}

/**
 * The row of a stream; undefined for one that nobody has written to. Where the index of rows is damaged, it would look
 * the same: so whoever finds none asks the other indexes whether they know of the stream.
 */
export function* findStream(
  queries: Queries,
  stream: string,
  projections: readonly Pick<Projection, "name">[],
): Script<StreamRow | undefined> {
  const row = yield* askOne(queries.stream(stream));
  if (row) return toStream(row);
  const trace = queries.traceOf(
    stream,
    projections.map(({ name }) => name),
  );
  if (!trace || !(yield* askOne(trace))) return undefined;
  throw unfound(stream);
}

export function unfound(stream: string): StoreTrouble {
  return new StoreTrouble(
    "store-damaged",
    `${stream} has a history, but its record cannot be found: an index is damaged. Nothing was changed. ${SAVE_REST}`,
  );
}
