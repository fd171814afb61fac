import { StoreTrouble } from "../trouble.js";

export interface Crowd {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Everybody on this machine. */
export const CROWD: Crowd = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** The store answers or says so; nobody waits longer. */
const PATIENCE_MS = 10_000;
const SHORTEST_MS = 0.5;
const LONGEST_MS = 8;
/** Who has waited this long asks as often as a newcomer. */
const LONG_WAIT_MS = 100;

/**
 * SQLite's busy handler is unfair: the last writer is the first to try again, and others starve. So each waiter sleeps
 * a random time that grows with contention and shrinks for those who have waited long, and a writer that had to wait
 * pauses for as long before its next write.
 */
export class WriteLock {
  readonly #crowd: Crowd;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
  }

  /** Tries until `attempt` reports that it got the lock. Returns the milliseconds waited. */
  async take(attempt: () => boolean, path: string): Promise<number> {
    // Most come at once, and then the clock need not even be loaded.
    if (attempt()) return 0;
    const { now, random, sleep } = this.#crowd;
    const start = now();
    let waited = 0;
    for (let attempts = 1; ; attempts += 1) {
      const range = waited > LONG_WAIT_MS ? 1 : Math.min(LONGEST_MS, attempts);
      await sleep(SHORTEST_MS + random() * range);
      const isTaken = attempt();
      waited = now() - start;
      if (isTaken) return waited;
      if (waited > PATIENCE_MS) throw busy(path);
    }
  }

  /** Pauses after a write that had to wait, or while others write too. */
  async stepBack(waited: number, isCrowded: boolean): Promise<void> {
    const { random, sleep } = this.#crowd;
    if (isCrowded || waited > 0) await sleep(SHORTEST_MS + random() * Math.min(LONGEST_MS, Math.max(1, waited)));
  }
}

function busy(path: string): StoreTrouble {
  return new StoreTrouble(
    "store-busy",
    `The store ${path} was locked by another process for ${PATIENCE_MS / 1000} s. Nothing was written. Try again; if it stays locked, run milepost doctor.`,
  );
}
