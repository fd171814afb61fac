import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventStore } from "../../store/event-store.js";
import { lookTransaction } from "../../store/log/look-transaction.js";
import { machineClock } from "../../store/sqlite/machine-clock.js";
import type { HookFact } from "../hooks/hook-facts.js";
import { MOST_BYTES, MOST_FACTS, ownFolder, putFact } from "./spool-folder.js";
import { encodeSpooled } from "./spool-format.js";
import { factName, readFactName, type SpoolPlace, type Tried, waitingIn } from "./spool-place.js";
import { fillReserve } from "./spool-reserve.js";
import { clocksApart, DROPPED } from "./take-in.js";

export { takeIn } from "./take-in.js";

// What a hook needs of the spool when there is trouble: a bundle of its own, loaded then.

/** What one hook reported, and how far it was recorded. */
export interface HeardFacts {
  readonly facts: readonly HookFact[];
  /** How many of them are recorded. */
  readonly done: number;
  readonly mark: string;
  /** When it was heard, by this process's clock. */
  readonly at: number;
  /** It waited for the store: the next one need not, for a while. */
  readonly tried: Tried;
}

/** Puts the facts behind all that wait. Says why in a line when there is no room; throws when it cannot be written. */
export function spoolFacts(place: SpoolPlace, heard: HeardFacts): string | undefined {
  const { folder, store } = place;
  const { facts, done, mark, tried } = heard;
  ownFolder(folder);
  const at = heard.at + clocksApart(machineClock()(), Date.now());
  const text = encodeSpooled({ store, at, mark, first: done, facts: facts.slice(done) });
  const size = Buffer.byteLength(text);
  const waiting = waitingIn(folder);
  const bytes = waiting.reduce((sum, name) => sum + readFactName(name).size, size);
  if (waiting.length >= MOST_FACTS || bytes > MOST_BYTES) return dropped(folder, waiting.length);
  // Behind the last one, also under a clock that was set back.
  const time = Math.max(at * 1000, 1 + readFactName(waiting.at(-1) ?? "").time);
  putFact(folder, factName({ time, size, tried }), text);
  return undefined;
}

/** Said once, until there is room again. */
function dropped(folder: string, waiting: number): string {
  const path = join(folder, DROPPED);
  if (existsSync(path)) return "";
  writeFileSync(path, "", { mode: 0o600 });
  return `${waiting} hook reports wait in ${folder}, and there is no room for more: later ones are dropped [spool-full]`;
}

/** How long a store is left alone after a try: a hook pays once for one that it had to wait for. */
const REST_MS: Readonly<Record<Tried, number>> = { long: 10_000, briefly: 1000, not: 0 };

/** Whether it is time to try again. */
export function isTryDue(folder: string): boolean {
  const last = waitingIn(folder)
    .map(readFactName)
    .findLast(({ tried }) => tried !== "not");
  return last === undefined || Math.abs(machineClock()() - last.time / 1000) > REST_MS[last.tried];
}

/** A store that can be read, and has this trouble with every write. */
export function unwritable(store: EventStore, trouble: Error): EventStore {
  return {
    ...store,
    async commit(decision) {
      await store.look((look) => decision(lookTransaction(look)));
      throw trouble;
    },
  };
}

/** While all is well. */
export function makeReserve(folder: string): void {
  ownFolder(folder);
  fillReserve(folder, ownFolder);
}
