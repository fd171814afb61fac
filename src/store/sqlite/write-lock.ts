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
 * SQLite's own waiting is unfair: whoever has just written is first to try again, and the unlucky starve. So each
 * waits a random moment that grows with the crowd and shrinks again for those who have waited long; and whoever had
 * to wait for its turn steps back for as long before it asks for the next one.
 */
export class Turn {
  readonly #crowd: Crowd;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
  }

  /** Tries until the lock was had; `attempt` says whether. Returns how long that took. */
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

  /** After a write for which it had to wait, or while others write too. */
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
