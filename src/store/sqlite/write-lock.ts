import { Patience } from "../patience.js";
import { StoreTrouble } from "../trouble.js";
import { unlessBusy } from "./errors.js";

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
  async take(attempt: () => boolean, path: string, patience?: Patience): Promise<number> {
    // Most come at once, and then the clock need not even be loaded.
    if (attempt()) return 0;
    const limit = patience ?? new Patience(PATIENCE_MS);
    if (limit.left === 0) throw busy(path, limit);
    const { now, random, sleep } = this.#crowd;
    const start = now();
    let waited = 0;
    for (let attempts = 1; ; attempts += 1) {
      const range = waited > LONG_WAIT_MS ? 1 : Math.min(LONGEST_MS, attempts);
      await sleep(SHORTEST_MS + random() * range);
      const isTaken = attempt();
      const before = waited;
      waited = now() - start;
      limit.spend(waited - before);
      if (isTaken) return waited;
      if (limit.left === 0) throw busy(path, limit);
    }
  }

  /** The same for what throws while the lock is another's. */
  async until<T>(action: () => T, path: string, patience?: Patience): Promise<T> {
    let done: { readonly value: T } | undefined;
    const attempt = () => {
      done = unlessBusy(() => ({ value: action() }));
      return done !== undefined;
    };
    await this.take(attempt, path, patience);
    if (!done) throw new Error("An attempt ended without an outcome");
    return done.value;
  }

  /** Pauses after a write that had to wait, or while others write too. */
  async stepBack(waited: number, isCrowded: boolean): Promise<void> {
    const { random, sleep } = this.#crowd;
    if (isCrowded || waited > 0) await sleep(SHORTEST_MS + random() * Math.min(LONGEST_MS, Math.max(1, waited)));
  }
}

function busy(path: string, { total }: Patience): StoreTrouble {
  const seconds = Math.max(1, Math.round(total / 100)) / 10;
  const time = total > 0 ? `was locked by another process for ${seconds} s` : "is locked by another process";
  return new StoreTrouble(
    "store-busy",
    `The store ${path} ${time}. Nothing was written. Try again; if it stays locked, run milepost doctor.`,
  );
}
