import { setImmediate as nextTurn } from "node:timers/promises";
import type { Durability } from "../engine.js";

/** Writes that follow each other this long make a pause: a pause after each one would cost as much as a write. */
const BREATH_MS = 5;

type Task = () => Promise<void>;

/** One write of this process after the other, in the order they came; observations only when no commit waits. */
export class WriteQueue {
  readonly #waiting: Record<Durability, Task[]> = { durable: [], observed: [] };
  #running: Promise<void> | undefined;

  /** The work answers its caller before it ends: the rest delays the next write, not the caller. */
  run<T>(durability: Durability, work: (answer: (value: T) => void) => Promise<void>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting[durability].push(() => work(resolve).catch(reject));
      this.#running ??= this.#drain();
    });
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    let start = Date.now();
    for (let task = this.#next(); task; task = this.#next()) {
      await task();
      // Many that wait must not keep the process from hearing anything else.
      if (!this.#isWaiting() || Math.abs(Date.now() - start) < BREATH_MS) continue;
      await nextTurn();
      start = Date.now();
    }
    this.#running = undefined;
  }

  #isWaiting(): boolean {
    return this.#waiting.durable.length + this.#waiting.observed.length > 0;
  }

  #next(): Task | undefined {
    return this.#waiting.durable.shift() ?? this.#waiting.observed.shift();
  }
}
