import type { Cursor, EventStore, StoredEvent } from "../../../store/event-store.js";
import { StoreTrouble } from "../../../store/trouble.js";

/** What was committed since somebody last asked. */
interface News {
  readonly events: readonly StoredEvent[];
  /** False: there is more, and others keep it from being read. */
  readonly isWhole: boolean;
}

/** Somebody else's transaction can hold back what is committed behind it; lines wait for it, transcripts do not. */
const PATIENCE_MS = 1000;

/** Reads the log on and on; each event is told of once. */
export class LogNews {
  readonly #store: EventStore;
  #after: Cursor;

  constructor(store: EventStore, after: Cursor) {
    this.#store = store;
    this.#after = after;
  }

  async next(): Promise<News> {
    const events: StoredEvent[] = [];
    try {
      const pages = await this.#store.within(PATIENCE_MS).read({ after: this.#after });
      // The store was emptied, or is another one.
      if (!pages.ok) this.#after = await this.#store.head();
      for await (const page of pages.ok ? pages.value : []) {
        events.push(...page.events);
        this.#after = page.cursor;
      }
    } catch (error) {
      if (!(error instanceof StoreTrouble && error.code === "store-busy")) throw error;
      return { events, isWhole: false };
    }
    return { events, isWhole: true };
  }
}
