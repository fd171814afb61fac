import { setTimeout as sleep } from "node:timers/promises";

/** Longer than the longest pause of a writer that waits for the lock of a file: each of them has tried meanwhile. */
const WAY_MS = 12;

/** Between two writes of the same work, so that it is not always the same process that gets the lock. */
export async function giveWay(): Promise<void> {
  await sleep(WAY_MS);
}

/** Between many short writes: gives way now and then, not after each. */
export class Breather {
  #last = performance.now();

  async rest(): Promise<void> {
    if (performance.now() - this.#last < SLOW_MS) return;
    await giveWay();
    this.#last = performance.now();
  }
}

/** A write of a long work should be over in this many milliseconds, also on a slower machine. */
const SLOW_MS = 80;
const QUICK_MS = 30;

/** How much of a long work one write takes: more while writes are quick, less when one was slow. */
export class StepSize {
  #size: number;
  readonly #least: number;
  readonly #most: number;

  constructor({ first, least = 1, most }: { readonly first: number; readonly least?: number; readonly most: number }) {
    this.#size = first;
    this.#least = least;
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  async time<T>(work: (size: number) => Promise<T>): Promise<T> {
    const start = performance.now();
    const done = await work(this.#size);
    const took = performance.now() - start;
    if (took > SLOW_MS) this.#size = Math.max(this.#least, Math.floor(this.#size / 2));
    else if (took < QUICK_MS) this.#size = Math.min(this.#most, this.#size * 2);
    return done;
  }
}
