import { inTime, type Milepost, StoreTrouble } from "../app/milepost.js";
import { HOOK_PATIENCE, type HookStore } from "../app/session/hook-store.js";

/** Errors after which the store is closed; the next call opens it again. */
const FINAL: readonly string[] = ["store-lost", "store-read-only"];

/** The one store of a server, which the first who needs it opens: a client gets its tools even when it is broken. */
export class ServerStore {
  readonly #open: () => Promise<Milepost>;
  #opened: Promise<Milepost> | undefined;

  constructor(open: () => Promise<Milepost>) {
    this.#open = open;
  }

  /** What is open now, or being opened. */
  get opened(): Promise<Milepost> | undefined {
    return this.#opened;
  }

  milepost(): Promise<Milepost> {
    this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** `patience`: milliseconds in all. Trouble that lasts as long as the store is open ends that. */
  async use<T>(patience: number, work: (milepost: Milepost) => Promise<T>): Promise<T> {
    const milepost = await inTime(this.milepost(), patience);
    try {
      return await work(milepost);
    } catch (error) {
      return this.#trouble(error);
    }
  }

  /** For hooks, which go on after trouble with a write. */
  async hookStore(patience = HOOK_PATIENCE): Promise<HookStore> {
    const { store } = await inTime(this.milepost(), patience);
    return {
      ...store,
      commit: (decision, options) => store.commit(decision, options).catch((error) => this.#trouble(error)),
    };
  }

  async #trouble(error: unknown): Promise<never> {
    if (error instanceof StoreTrouble && FINAL.includes(error.code)) await this.retire();
    throw error;
  }

  async retire(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const milepost = await opened?.catch(() => undefined);
    // Acknowledged writes are durable; an error while closing must not hide the first one.
    await milepost?.close().catch(() => undefined);
  }
}
