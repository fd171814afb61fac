import { viewsChecksum } from "../checksum.js";
import { viewsText } from "../event-limits.js";
import type { StreamRow } from "../queries.js";
import { StoreTrouble } from "../trouble.js";

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
