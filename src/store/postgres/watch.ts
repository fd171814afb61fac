import type { PoolClient } from "pg";
import type { Watch } from "../engine.js";

/**
 * Looks again after this long without a word. A commit is announced before every transaction older than it has
 * ended, and until then readers do not see it; and an announcement can be lost with its connection.
 */
const POLL_MS = 200;

/** LISTEN as a wake-up only: what is read, and how far, is the reader's business. */
export class PostgresWatch implements Watch {
  readonly #connect: () => Promise<PoolClient>;
  #client: PoolClient | undefined;
  #connecting: Promise<void> | undefined;
  #isNews = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(connect: () => Promise<PoolClient>) {
    this.#connect = connect;
    this.#listen();
  }

  async next(signal: AbortSignal): Promise<void> {
    // A listener that was lost is made anew; until it is, the slow look finds everything.
    this.#listen();
    if (!this.#isNews && !signal.aborted) await this.#pause(signal);
    this.#isNews = false;
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(finish, POLL_MS);
      signal.addEventListener("abort", finish);
      this.#wake = finish;
    });
  }

  #listen(): void {
    if (this.#client || this.#isClosed) return;
    this.#connecting ??= this.#open()
      .catch(() => undefined)
      .finally(() => {
        this.#connecting = undefined;
      });
  }

  async #open(): Promise<void> {
    const client = await this.#connect();
    client.on("notification", () => {
      this.#isNews = true;
      this.#wake?.();
    });
    client.on("error", () => this.#drop(client));
    await client.query("LISTEN milepost");
    this.#client = client;
  }

  #drop(client: PoolClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.release(true);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    const client = this.#client;
    // Not given back to the others: it still listens.
    if (client) this.#drop(client);
  }
}
