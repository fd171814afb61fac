import { beat, type Milepost } from "../app/milepost.js";

const LONGEST_MS = 20_000;
const SHORTEST_MS = 300;

/**
 * As long as its client lives, so does what the client works on: leases of its sessions are renewed, and waits that the clock
 * has ended are ended. Trouble with the store is for the next call to report.
 */
export class Heartbeat {
  readonly #sessions = new Set<string>();
  readonly #opened: () => Promise<Milepost> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(opened: () => Promise<Milepost> | undefined) {
    this.#opened = opened;
  }

  /** A call has come in for this session, which may hold something new. */
  hear(session: string): void {
    this.#sessions.add(session);
    this.#plan(SHORTEST_MS);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  #plan(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, delay);
    // Nobody stays for its sake.
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    let delay = LONGEST_MS;
    try {
      const milepost = await this.#opened();
      if (milepost) {
        const shortest = await beat(milepost.store, [...this.#sessions]);
        delay = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, shortest / 4));
      }
    } catch {
      // Said by the next call.
    }
    this.#plan(delay);
  }
}
