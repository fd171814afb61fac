import type { Milepost } from "../app/milepost.js";
import { keepAlive } from "../app/tasks/leases/keep-leases.js";
import { tick } from "../app/tasks/leases/wake-waiting.js";
import { LEASE } from "../core/task/lease.js";

const LONGEST_MS = 20_000;
/** Calls come several at once: one look is enough for all of them. */
const SHORTEST_MS = 300;
/** After trouble nobody knows what is held, and the shortest lease there can be must not run out meanwhile. */
const RETRY_MS = LEASE.shortest / 4;
const QUIET_MS = 30 * 60_000;

export interface Holder {
  readonly session: string;
  /** In whose name its leases are. */
  readonly owner: string;
  readonly isSubAgent: boolean;
}

interface HeardHolder extends Holder {
  readonly heardAt: number;
}

/** Renews the leases of a living client's sessions, and ends waits in time. Store trouble: the next call reports it. */
export class Heartbeat {
  /** Those that may hold something. Whoever turns out to hold nothing is dropped until its next call. */
  readonly #holders = new Map<string, HeardHolder>();
  readonly #opened: () => Promise<Milepost> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isBeating = false;
  /** When the next beat is planned. By the monotonic clock: the other one may be set back by hours. */
  #dueAt = Number.POSITIVE_INFINITY;
  #isOver = false;

  constructor(opened: () => Promise<Milepost> | undefined) {
    this.#opened = opened;
  }

  /** A call has come in from this one, which may hold something new. */
  hear(holder: Holder): void {
    this.#holders.set(holder.owner, { ...holder, heardAt: performance.now() });
    this.#plan(SHORTEST_MS);
  }

  /** A hook of this one, which renews what it holds itself: from then on it must not run out. */
  notice(holder: Holder): void {
    this.#holders.set(holder.owner, { ...holder, heardAt: performance.now() });
    this.#plan(RETRY_MS);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  /** A sub-agent may end without a word: one that has not called for long is not kept alive by its session's client. */
  #living(): readonly HeardHolder[] {
    const now = performance.now();
    for (const [owner, { isSubAgent, heardAt }] of this.#holders)
      if (isSubAgent && now - heardAt >= QUIET_MS) this.#holders.delete(owner);
    return [...this.#holders.values()];
  }

  /** Only ever sooner than planned: calls that keep coming would put off the renewal until the lease is over. */
  #plan(delay: number): void {
    const at = performance.now() + delay;
    if (at >= this.#dueAt) return;
    this.#dueAt = at;
    // One at a time: the one that runs starts the timer when it is done.
    if (!this.#isBeating) this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#timer = setTimeout(
      () => {
        this.#beating = this.#beat();
      },
      Math.max(0, this.#dueAt - performance.now()),
    );
    // Nobody stays for its sake.
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    this.#isBeating = true;
    this.#dueAt = Number.POSITIVE_INFINITY;
    // What went wrong is said by the next call.
    this.#plan(await this.#renew().catch(() => RETRY_MS));
    this.#isBeating = false;
    this.#startTimer();
  }

  /** Says in how many milliseconds to look again. */
  async #renew(): Promise<number> {
    const milepost = await this.#opened();
    if (!milepost) return LONGEST_MS;
    const { shortest, idle } = await beat(milepost.store, this.#living());
    // One that has called meanwhile is another entry, and is looked at again.
    for (const holder of idle) if (this.#holders.get(holder.owner) === holder) this.#holders.delete(holder.owner);
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, shortest / 4));
  }
}

/** Renews these holders' leases, and ends overdue waits. `shortest`: milliseconds of a lease; `idle`: hold none. */
async function beat<Holder extends { readonly session: string; readonly owner: string }>(
  store: Milepost["store"],
  holders: readonly Holder[],
): Promise<{ readonly shortest: number; readonly idle: readonly Holder[] }> {
  let shortest = Number.POSITIVE_INFINITY;
  const idle: Holder[] = [];
  for (const holder of holders) {
    const ttl = await keepAlive(store, holder.session, holder.owner);
    if (ttl === undefined) idle.push(holder);
    else shortest = Math.min(shortest, ttl);
  }
  await tick(store);
  return { shortest, idle };
}
