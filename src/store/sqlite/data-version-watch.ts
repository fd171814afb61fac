import type { Watch } from "../engine.js";

interface Source {
  /** Another text whenever somebody has committed. */
  readonly seen: () => string;
  /** Commits of this very process; returns how to stop listening. */
  readonly onCommit: (wake: () => void) => () => void;
}

/** Between two looks. A look costs microseconds; the eye does not see the delay. */
const POLL_MS = 50;

/** SQLite tells nobody about commits, but it can be asked whether there were any. */
export class SqliteWatch implements Watch {
  readonly #source: Source;
  #seen: string;

  constructor(source: Source) {
    this.#source = source;
    this.#seen = source.seen();
  }

  async next(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const seen = this.#source.seen();
      if (seen !== this.#seen) {
        this.#seen = seen;
        return;
      }
      await this.#pause(signal);
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        stop();
        resolve();
      };
      const timer = setTimeout(finish, POLL_MS);
      const stop = this.#source.onCommit(finish);
      signal.addEventListener("abort", finish);
    });
  }

  async close(): Promise<void> {}
}
