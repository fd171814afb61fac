import type { RecordedEvent } from "./event-store.js";
import type { TaskEntry } from "./tasks/task-entry.js";

/** A view beside the log: the fold of one stream's events, written in the same transaction, made again at any time. */
export interface Projection<State = unknown> {
  readonly name: string;
  /**
   * Goes up when the fold changes; views of an older one are folded again when they are next asked for. Where history
   * was pruned that fold begins with a state of an older revision, so it has to understand those.
   */
  readonly revision: number;
  readonly initial: State;
  /**
   * Written only when the stream passes a multiple of so many events; whoever reads it folds those that came after.
   * Default: 1, for views that are read in hundreds.
   */
  readonly keptEvery?: number;
  /** Writes decide on it. Where each query is a journey to a server, it is written every time, and never folded. */
  readonly isDecidedOn?: boolean;
  covers(stream: string): boolean;
  /** Events of types it does not know (a newer version wrote them) are passed over. */
  fold(state: State, events: readonly RecordedEvent[]): State;
  /** A file may say anything: is this a state of ours? */
  isState(value: unknown): boolean;
  /** Work that is still open: rules for closed work leave the history under it alone. */
  isOpen(state: State): boolean;
  /** What can be searched for of it: a row in a table, written in the same transaction. */
  entry?(state: State, stream: string): TaskEntry | undefined;
  /** For streams that belong to a session and are not called after it: they are forgotten with it. */
  readonly owned?: {
    /** From which name on, and before which one, those of a session are; those of others may be there, too. */
    between(session: string): Promise<readonly [string, string]>;
    owner(state: State): string | undefined;
  };
}
