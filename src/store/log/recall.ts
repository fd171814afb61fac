import type { RecordedEvent } from "../event-store.js";
import type { StreamRow } from "../queries.js";
import type { KeptViews } from "./stored-views.js";

export interface HeldStream {
  readonly row: StreamRow;
  /** Once somebody has asked for them. They may be ahead of those in the row. */
  readonly views: KeptViews | undefined;
  /** The last events, up to the row's version: a view that is behind need not read them. */
  readonly tail: readonly RecordedEvent[];
}

/** Sessions that one process has in hand at the same time. */
const MOST = 200;

/** Committed state that the last write left; true while nobody else writes, so the next one need not read it. */
export class Recall {
  oldestWriter: number | undefined;
  /** The last position given. */
  last = 0;
  /** The time of the last event, where one transaction writes at a time. */
  at = 0;
  readonly streams = new Map<string, HeldStream>();

  clear(): void {
    this.oldestWriter = undefined;
    this.streams.clear();
  }

  keep(streams: ReadonlyMap<string, HeldStream>, last: number, at: number): void {
    this.last = last;
    this.at = at;
    if (this.streams.size > MOST) this.streams.clear();
    for (const [name, held] of streams) this.streams.set(name, held);
  }
}
