import type { EventStore } from "../../store/event-store.js";
import { StoreTrouble } from "../../store/trouble.js";
import { type HookFact, recordFact } from "../hooks/hook-facts.js";
import type { Settings } from "../settings.js";
import { isTryDue, spoolFacts, takeIn } from "../spool/hook-spool.js";
import { markedStore } from "../spool/marked-store.js";
import { type SpoolPlace, waitingIn } from "../spool/spool-place.js";

/** Where facts are written. */
export interface FactPlace {
  readonly store: () => Promise<EventStore>;
  readonly settings: (folder: string | undefined) => Settings;
  /** Where facts wait that the store does not take, as those of hooks do; undefined: they cannot. */
  readonly spool: SpoolPlace | undefined;
  readonly log: (line: string) => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export interface WrittenFact {
  readonly fact: HookFact;
  /** When it happened, in milliseconds. */
  readonly at: number;
  readonly folder: string | undefined;
  /** Tells it from all others, however often it is tried. */
  readonly mark: string;
}

/** Milliseconds between tries at a store that refuses at once, and how long one that hangs is waited for. */
const RETRY = [100, 400, 1500] as const;
export const PATIENCE = 3000;
/** Whoever has waited for so long does not try again. */
const NOTICED = 500;
/** What is written later than that has the time at which it happened. */
const LATE = 2000;

/** Writes facts in their order: behind one that waits for the store, the others wait too. */
export class FactWriter {
  readonly #place: FactPlace;
  #isClosing = false;
  #hasSpooled = false;

  constructor(place: FactPlace) {
    this.#place = place;
  }

  /** From here on nothing is tried twice. */
  hurry(): void {
    this.#isClosing = true;
  }

  /** Facts wait, and it is too early to ask the store again. */
  get isHeldUp(): boolean {
    const { spool } = this.#place;
    return spool !== undefined && waitingIn(spool.folder).length > 0 && !isTryDue(spool.folder);
  }

  async write(written: WrittenFact): Promise<void> {
    if (await this.#mustWait()) return this.#spool(written, "not");
    for (const wait of [...RETRY, undefined]) {
      const start = performance.now();
      try {
        return await this.#record(written);
      } catch (error) {
        if (!(error instanceof StoreTrouble)) throw error;
        const hasWaited = performance.now() - start > NOTICED;
        if (wait === undefined || hasWaited || this.#isClosing)
          return this.#spool(written, hasWaited ? "long" : "briefly", error);
        await this.#place.sleep(wait);
      }
    }
  }

  /** What was kept while the store was away is taken in, where it is back. */
  async finish(): Promise<void> {
    if (this.#hasSpooled) await this.#takeIn().catch(() => undefined);
  }

  async #record({ fact, at, folder, mark }: WrittenFact): Promise<void> {
    const { settings, log } = this.#place;
    const lateness = Date.now() - at > LATE ? { at } : undefined;
    const store = markedStore((await this.#place.store()).within(PATIENCE), mark, lateness);
    const recorded = await recordFact(store, fact, settings(folder));
    if (!recorded.ok) log(`${recorded.error.message} [${recorded.error.code}]`);
  }

  async #mustWait(): Promise<boolean> {
    const { spool } = this.#place;
    if (spool === undefined || waitingIn(spool.folder).length === 0) return false;
    if (!isTryDue(spool.folder)) return true;
    try {
      return (await this.#takeIn()) > 0;
    } catch (error) {
      if (error instanceof StoreTrouble) return true;
      throw error;
    }
  }

  /** How many still wait. */
  async #takeIn(): Promise<number> {
    const { spool, store, settings, log } = this.#place;
    if (spool === undefined) return 0;
    const taking = { settings: settings(undefined), record: recordFact, log, within: PATIENCE };
    const { left } = await takeIn((await store()).within(PATIENCE), spool, taking);
    return left;
  }

  #spool({ fact, at, mark }: WrittenFact, tried: "long" | "briefly" | "not", trouble?: StoreTrouble): void {
    const { spool, log } = this.#place;
    if (trouble) log(`${trouble.message} [${trouble.code}]`);
    const lost = spool ? spoolFacts(spool, { facts: [fact], mark, at, done: 0, tried }) : "Lost: it cannot wait.";
    if (lost) log(lost);
    this.#hasSpooled = true;
  }
}
