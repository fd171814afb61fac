import { beat, type Milepost } from "../app/milepost.js";

const LONGEST_MS = 20_000;
const SHORTEST_MS = 300;
const QUIET_MS = 30 * 60_000;

export interface Holder {
  readonly session: string;
  /** In whose name its leases are. */
  readonly owner: string;
  readonly isSubAgent: boolean;
}

/**
 * As long as its client lives, so does what the client works on: leases of its sessions are renewed, and waits that the
 * clock has ended are ended. Trouble with the store is for the next call to report.
 */
export class Heartbeat {
  readonly #holders = new Map<string, Holder & { heardAt: number }>();
  readonly #opened: () => Promise<Milepost> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(opened: () => Promise<Milepost> | undefined) {
    this.#opened = opened;
  }

  /** A call has come in from this one, which may hold something new. */
  hear(holder: Holder): void {
    this.#holders.set(holder.owner, { ...holder, heardAt: Date.now() });
    this.#plan(SHORTEST_MS);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  /** A sub-agent may end without a word: one that has not called for long is not kept alive by its session's client. */
  #living(): readonly Holder[] {
    const now = Date.now();
    return [...this.#holders.values()].filter(({ isSubAgent, heardAt }) => !isSubAgent || now - heardAt < QUIET_MS);
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
        const shortest = await beat(milepost.store, this.#living());
        delay = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, shortest / 4));
      }
    } catch {
      // Said by the next call.
    }
    this.#plan(delay);
  }
}
