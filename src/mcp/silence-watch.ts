import type { Milepost } from "../app/milepost.js";
import { raiseBySilence } from "../app/session/raise-by-silence.js";
import type { Settings } from "../app/settings.js";

/** Alerts by silence are counted in minutes. */
const EVERY_MS = 60_000;
/** More than a client has at once. */
const MOST_SESSIONS = 20;

interface Options {
  /** The store as it is open; undefined: nobody has needed it. */
  readonly opened: () => Promise<Milepost> | undefined;
  readonly settings: () => Settings;
  readonly everyMs?: number;
}

/** Looks now and then whether a session of this server's client says nothing any more. */
export class SilenceWatch {
  readonly #options: Options;
  #sessions: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  hear(session: string): void {
    this.#sessions = [...this.#sessions.filter((one) => one !== session), session].slice(-MOST_SESSIONS);
    if (this.#timer) return;
    this.#timer = setInterval(() => {
      this.#looking = this.#look();
    }, this.#options.everyMs ?? EVERY_MS);
    // Nobody stays for its sake.
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const milepost = await this.#options.opened()?.catch(() => undefined);
    if (!milepost) return;
    // Trouble with the store is told by the next call.
    for (const session of this.#sessions)
      await raiseBySilence(milepost.store, session, this.#options.settings()).catch(() => false);
  }
}
