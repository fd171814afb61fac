import type { RecordedEvent } from "./event-store.js";

/**
 * A view that is kept beside the log: the fold of one stream's events, written in the same transaction. It never
 * holds anything that the events do not say, so it can be thrown away and folded again at any time.
 */
export interface Projection<State = unknown> {
  readonly name: string;
  /** Goes up when the fold changes; rows of an older one are folded again when they are next asked for. */
  readonly revision: number;
  readonly initial: State;
  covers(stream: string): boolean;
  /** Events of types it does not know (a newer version wrote them) are passed over. */
  fold(state: State, events: readonly RecordedEvent[]): State;
  /** A file may say anything: is this a state of ours? */
  isState(value: unknown): boolean;
  /** Work that is still open: the history under it is never pruned. */
  isOpen(state: State): boolean;
}
