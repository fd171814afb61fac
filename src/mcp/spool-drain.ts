import { spoolPlace, waitingIn } from "../app/spool/spool-place.js";
import { takeInSpool } from "../app/spool/take-in-spool.js";
import type { Environment } from "../app/store-place.js";
import type { ServerStore } from "./server-store.js";

/** Milliseconds until the next try: soon after the first trouble, and not too often when it lasts. */
const SOONEST_MS = 500;
const LATEST_MS = 5000;

/** Of one try: for others who have the store, and in all. Hooks and calls come in between. */
const PATIENCE_MS = 200;
const WITHIN_MS = 1000;

/** Takes in what hooks could not record, while nobody waits for it. */
export class SpoolDrain {
  readonly #environment: Environment;
  readonly #named: string | undefined;
  readonly #store: ServerStore;
  #delay = SOONEST_MS;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #isOver = false;

  /** `named`: the store that a flag named. */
  constructor(environment: Environment, named: string | undefined, store: ServerStore) {
    this.#environment = environment;
    this.#named = named;
    this.#store = store;
  }

  /** A hook was heard: what it could not record waits from now on. */
  look(): void {
    if (this.#timer || this.#draining || this.#isOver || !this.#isWaiting()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draining = this.#drain().finally(() => {
        this.#draining = undefined;
        this.look();
      });
    }, this.#delay);
    // Nobody stays for its sake: whoever comes next takes it in.
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#draining;
  }

  async #drain(): Promise<void> {
    this.#delay = Math.min(LATEST_MS, this.#delay * 2);
    const place = spoolPlace(this.#environment, this.#named);
    if (!place) return;
    try {
      const { taken } = await this.#store.use(PATIENCE_MS, ({ store }) =>
        takeInSpool(store, place, this.#environment, WITHIN_MS),
      );
      if (taken > 0) this.#delay = SOONEST_MS;
    } catch {
      // The hooks have said what the trouble is.
    }
  }

  #isWaiting(): boolean {
    const place = spoolPlace(this.#environment, this.#named);
    return place !== undefined && waitingIn(place.folder).length > 0;
  }
}
