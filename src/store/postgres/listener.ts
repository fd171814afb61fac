import type { Client } from "pg";
import type { Watch } from "../engine.js";

/** An announcement can come before readers see the commit, or be lost with its connection: so we also poll. */
const POLL_MS = 200;

/** One connection that listens, for all who follow. Made when the first one comes, and anew when it was lost. */
export class Listener {
  readonly #connect: () => Promise<Client>;
  readonly #watches = new Set<PostgresWatch>();
  #client: Promise<Client | undefined> | undefined;
  #isClosed = false;

  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  watch(): Watch {
    const watch = new PostgresWatch(this, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    this.listen();
    return watch;
  }

  listen(): void {
    if (this.#isClosed || this.#client) return;
    const opening = this.#open(() => {
      if (this.#client === opening) this.#client = undefined;
    });
    this.#client = opening;
  }

  async #open(lost: () => void): Promise<Client | undefined> {
    let client: Client | undefined;
    try {
      client = await this.#connect();
      client.on("notification", () => {
        for (const watch of this.#watches) watch.wake();
      });
      client.on("error", lost);
      client.on("end", lost);
      await client.query("LISTEN milepost");
      return client;
    } catch {
      // The slow look finds everything until the next try.
      lost();
      void client?.end();
      return undefined;
    }
  }

  /** Nobody waits for a connection that is just being made, nor for a server that does not say goodbye. */
  close(): void {
    this.#isClosed = true;
    void this.#client?.then((client) => client?.end());
  }
}

/** LISTEN as a wake-up only: what is read, and how far, is the reader's business. */
class PostgresWatch implements Watch {
  readonly #listener: Listener;
  readonly #leave: () => void;
  #isNews = false;
  #wake: (() => void) | undefined;

  constructor(listener: Listener, leave: () => void) {
    this.#listener = listener;
    this.#leave = leave;
  }

  wake(): void {
    this.#isNews = true;
    this.#wake?.();
  }

  async next(signal: AbortSignal): Promise<void> {
    this.#listener.listen();
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

  async close(): Promise<void> {
    this.#leave();
  }
}
