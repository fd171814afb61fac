/** The searchable part of a task's view, kept in a table. It can be rebuilt. */
export interface TaskEntry {
  readonly list: string;
  readonly number: number;
  readonly uuid: string;
  readonly status: string;
  readonly isBlocking: boolean;
  /** 0 is the most urgent. */
  readonly priority: number;
  readonly createdAt: number;
  /** When it can be claimed: 0 is always, null never. */
  readonly freeAt: number | null;
  /** When the clock ends its wait. */
  readonly wakeAt: number | null;
  /** The signal it waits for. */
  readonly topic: string | null;
  readonly assignee: string | null;
  readonly parent: number | null;
  readonly source: string | null;
  readonly blockedBy: readonly number[];
}
