import { StoreTrouble } from "./trouble.js";

/** What a timer can count. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * How long others may keep somebody waiting, in milliseconds: a lock, a turn, a free connection, an answer. Only that
 * counts, not work. What is done one after the other with one patience shares it. With 0 there is one try.
 */
export class Patience {
  readonly total: number;
  #spent = 0;

  constructor(milliseconds: number) {
    this.total = Math.max(0, Math.min(milliseconds || 0, LONGEST_MS));
  }

  get left(): number {
    return Math.max(0, this.total - this.#spent);
  }

  spend(milliseconds: number): void {
    this.#spent += milliseconds;
  }

  /**
   * For what would come in its own time. Whoever gives up must make sure that it then comes to nothing. `usual`: what
   * comes this soon was not waited for.
   */
  async waitFor<T>(coming: Promise<T>, name = "", usual = 0): Promise<T> {
    const start = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => reject(tooLate(name, this));
      // After a look at what has come in: this process itself may have been too busy to hear it.
      timer = setTimeout(() => setImmediate(giveUp), this.left + usual);
    });
    try {
      return await Promise.race([coming, late]);
    } finally {
      clearTimeout(timer);
      this.spend(Math.max(0, performance.now() - start - usual));
    }
  }
}

/** Nothing was written, and nothing will be. */
export function tooLate(name: string, { total }: Patience): StoreTrouble {
  const what = total > 0 ? `gave no answer within ${total} ms` : "gave no answer at once";
  const store = name === "" ? "The store" : `The store ${name}`;
  return new StoreTrouble("store-busy", `${store} ${what}. Nothing was written; try again.`, new Error(what));
}
