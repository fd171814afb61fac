import type { Folded } from "./fold.js";
import type { StreamRow } from "./queries.js";

/** Sessions that one process has in hand at the same time. */
const MOST = 200;

/**
 * What the last write through this store left behind. It is true as long as nobody else writes, and spares the next
 * write from reading it again. It holds committed state only.
 */
export class Recall {
  oldestWriter: number | undefined;
  /** The last position given. */
  last = 0;
  readonly streams = new Map<string, StreamRow>();
  readonly views = new Map<string, Folded<unknown>>();

  clear(): void {
    this.oldestWriter = undefined;
    this.streams.clear();
    this.views.clear();
  }

  keep(streams: ReadonlyMap<string, StreamRow>, views: ReadonlyMap<string, Folded<unknown>>, last: number): void {
    this.last = last;
    if (this.streams.size > MOST) {
      this.streams.clear();
      this.views.clear();
    }
    for (const [name, row] of streams) this.streams.set(name, row);
    for (const [name, folded] of views) this.views.set(name, folded);
  }
}
