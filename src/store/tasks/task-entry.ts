/** What can be searched for of a task. A fold of its view, kept in a table: it can be thrown away and made again. */
export interface TaskEntry {
  readonly list: string;
  readonly number: number;
  readonly uuid: string;
  readonly status: string;
  /** Whoever it blocks has to wait. */
  readonly isBlocking: boolean;
  /** 0 is the most urgent. */
  readonly priority: number;
  readonly createdAt: number;
  /** From when on the clock lets it be claimed: 0 is always, null never. */
  readonly freeAt: number | null;
  /** When the clock ends its wait. */
  readonly wakeAt: number | null;
  /** The signal it waits for. */
  readonly topic: string | null;
  /** Kept for somebody. */
  readonly assignee: string | null;
  readonly parent: number | null;
  /** Where it was imported from. */
  readonly source: string | null;
  readonly blockedBy: readonly number[];
}
