import { setImmediate as nextTurn } from "node:timers/promises";
import type { Durability } from "../engine.js";
import type { Patience } from "../patience.js";

/** Writes that follow each other this long make a pause: a pause after each one would cost as much as a write. */
const BREATH_MS = 5;

type Task = () => Promise<void>;
type Work<T> = (answer: (value: T) => void) => Promise<void>;

interface Limit {
  readonly patience: Patience;
  /** What is said to whoever waits longer. */
  readonly late: () => Error;
}

/** The time that one write stands in the queue. */
class Wait {
  readonly #limit: Limit;
  #timer: NodeJS.Timeout | undefined;
  #start = 0;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  begin(giveUp: (trouble: Error) => void): void {
    const { patience, late } = this.#limit;
    this.#start = performance.now();
    this.#timer = setTimeout(() => giveUp(late()), patience.left);
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#limit.patience.spend(performance.now() - this.#start);
  }
}

/** One write of this process after the other, in the order they came; observations only when no commit waits. */
export class WriteQueue {
  readonly #waiting: Record<Durability, Task[]> = { durable: [], observed: [] };
  #running: Promise<void> | undefined;

  /** The work answers its caller before it ends: the rest delays the next write, not the caller. */
  run<T>(durability: Durability, work: Work<T>, limit?: Limit): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = limit && new Wait(limit);
      const task = () => {
        wait?.end();
        return work(resolve).catch(reject);
      };
      const waiting = this.#waiting[durability];
      waiting.push(task);
      this.#running ??= this.#drain();
      // Whoever gives up has left the queue, so that it is not done later.
      if (waiting.includes(task))
        wait?.begin((trouble) => {
          waiting.splice(waiting.indexOf(task), 1);
          reject(trouble);
        });
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
