import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewEvent } from "../event-store.js";

interface Gathered {
  readonly stream: string;
  readonly events: readonly NewEvent[];
}

/** How long the first observation waits for others to join it. Short enough that a view is never behind for the eye. */
const GATHER_MS = 20;
/** One transaction holds the lock for a few milliseconds at most, so a commit never waits longer for it. */
const MOST_EVENTS = 500;

/** Many small observations become few transactions. */
export class Observations {
  readonly #write: (gathered: readonly Gathered[]) => Promise<void>;
  #waiting: Gathered[] = [];
  /** The gathering that can still be joined. */
  #flushed: Promise<void> | undefined;
  readonly #running = new Set<Promise<void>>();
  #hurry: (() => void) | undefined;

  constructor(write: (gathered: readonly Gathered[]) => Promise<void>) {
    this.#write = write;
  }

  add(stream: string, events: readonly NewEvent[]): Promise<void> {
    for (let at = 0; at < events.length; at += MOST_EVENTS)
      this.#waiting.push({ stream, events: events.slice(at, at + MOST_EVENTS) });
    this.#flushed ??= this.#start();
    return this.#flushed;
  }

  /** Everything that was added is written when this resolves; what failed was told to whoever added it. */
  async flush(): Promise<void> {
    this.#hurry?.();
    await Promise.allSettled([...this.#running]);
  }

  #start(): Promise<void> {
    const gathering = this.#gather();
    this.#running.add(gathering);
    gathering.then(
      () => this.#running.delete(gathering),
      () => this.#running.delete(gathering),
    );
    return gathering;
  }

  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    // Whoever adds from here on joins the next gathering, and waits for that one.
    const batch = this.#waiting;
    this.#waiting = [];
    this.#flushed = undefined;
    this.#hurry = undefined;
    for (const part of parts(batch)) {
      await this.#write(byStream(part));
      // A commit that has just arrived must get to its place in the queue before the next part does.
      await nextTurn();
    }
  }
}

/** One append for each stream: its row is written once, and its views are folded once, for all of its reports. */
function byStream(part: readonly Gathered[]): readonly Gathered[] {
  const streams = new Map<string, NewEvent[]>();
  for (const { stream, events } of part) {
    const known = streams.get(stream);
    if (known) known.push(...events);
    else streams.set(stream, [...events]);
  }
  return [...streams].map(([stream, events]) => ({ stream, events }));
}

function* parts(batch: readonly Gathered[]): Generator<readonly Gathered[]> {
  let part: Gathered[] = [];
  let size = 0;
  for (const gathered of batch) {
    if (size > 0 && size + gathered.events.length > MOST_EVENTS) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(gathered);
    size += gathered.events.length;
  }
  if (part.length > 0) yield part;
}
