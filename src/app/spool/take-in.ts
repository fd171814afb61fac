import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../core/result.js";
import { wordLine } from "../../core/session/told-words.js";
import type { EventStore } from "../../store/event-store.js";
import { machineClock } from "../../store/sqlite/machine-clock.js";
import { sessionStream } from "../../store/stream.js";
import { failureOf } from "../escaped-error.js";
import type { HookFact } from "../hooks/hook-facts.js";
import type { Said } from "../session/record-sighting.js";
import { SESSIONS } from "../session/session-view.js";
import type { Settings } from "../settings.js";
import { storeNow } from "../store-place.js";
import { markedStore } from "./marked-store.js";
import { ownFolder, readFact, removeFact, setAside, sweepParts } from "./spool-folder.js";
import { decodeSpooled, type LateFact, promptMark, type Spooled } from "./spool-format.js";
import { type SpoolPlace, waitingIn } from "./spool-place.js";

export interface TakingIn {
  readonly settings: Settings;
  readonly record: (store: EventStore, fact: HookFact, settings: Settings) => Promise<Result<Said>>;
  /** A line for the log. */
  readonly log: (line: string) => void;
  /** Milliseconds after which no more is begun. */
  readonly within: number;
}

export interface TakenIn {
  readonly taken: number;
  /** How many still wait, without those that only a newer version can read. */
  readonly left: number;
}

/** There once they were dropped for want of room; it is said once. */
export const DROPPED = "dropped";

/** A part that nobody has touched for so long belongs to a process that was killed. */
const ABANDONED_MS = 60_000;

/**
 * Records what waits, the oldest first, and takes each out of the spool when it is recorded. Any number may do so at
 * the same time, and be killed anywhere. Trouble with the store ends it, and is thrown: the rest goes on waiting.
 */
export async function takeIn(store: EventStore, place: SpoolPlace, taking: TakingIn): Promise<TakenIn> {
  const { folder } = place;
  const end = performance.now() + taking.within;
  ownFolder(folder);
  // A server has a clock of its own.
  const apart = clocksApart(await storeNow(store), machineClock()());
  let taken = 0;
  let passed = 0;
  for (const name of waitingIn(folder)) {
    if (performance.now() > end) break;
    const spooled = readSpooled(place, name, taking);
    if (spooled === "newer") passed += 1;
    if (typeof spooled !== "object") continue;
    await takeOne(store, { name, spooled, at: Math.max(0, spooled.at + apart) }, taking, folder);
    taken += 1;
  }
  const left = Math.max(0, waitingIn(folder).length - passed);
  if (left === 0) rmSync(join(folder, DROPPED), { force: true });
  sweepParts(folder, Date.now() - ABANDONED_MS);
  return { taken, left };
}

/** Clocks that differ by less are the same, read one after the other. */
const SAME_CLOCK_MS = 1000;

/** How far one clock is ahead of the other. */
export function clocksApart(one: number, other: number): number {
  const apart = Math.round(one - other);
  return Math.abs(apart) < SAME_CLOCK_MS ? 0 : apart;
}

function readSpooled({ folder, store }: SpoolPlace, name: string, { log }: TakingIn): Spooled | "newer" | undefined {
  const read = readFact(folder, name);
  if (read === "gone") return undefined;
  const spooled = read === "bad" ? undefined : decodeSpooled(read.text);
  if (spooled === "newer" || spooled?.store === store) return spooled;
  setAside(folder, name);
  log(`${join(folder, name)} is damaged, or not ours: set aside, the rest is taken in [spool-damaged]`);
  return undefined;
}

interface Waiting {
  readonly name: string;
  readonly spooled: Spooled;
  /** When it happened, by the store's clock. */
  readonly at: number;
}

async function takeOne(store: EventStore, waiting: Waiting, taking: TakingIn, folder: string): Promise<void> {
  const { name, spooled, at } = waiting;
  const { settings, record, log } = taking;
  try {
    for (const [index, fact] of spooled.facts.entries()) {
      const marked = markedStore(store, `${spooled.mark}/${spooled.first + index}`, { at });
      const recorded = await record(marked, await withPrompt(store, fact), settings);
      if (!recorded.ok) log(`${recorded.error.message} [${recorded.error.code}]`);
    }
    removeFact(folder, name);
  } catch (error) {
    if (isPassing(error)) throw error;
    const { code, message } = failureOf(error);
    setAside(folder, name);
    log(`${join(folder, name)} cannot be taken in, and was set aside: ${message} [${code}]`);
  }
}

/** Trouble with this store, which may be over later. By name: a hook loads this file as a bundle of its own. */
function isPassing(error: unknown): boolean {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  return name === "StoreTrouble" && code !== "too-large";
}

/** What the person said was not kept; but if it was a word that waits to be delivered, the store has it. */
async function withPrompt(store: EventStore, { prompt, ...fact }: LateFact): Promise<HookFact> {
  if (prompt === undefined || fact.kind !== "sighting") return fact;
  const { session, agent } = fact.sighting;
  const { words, queued = [] } = await store.view(SESSIONS, sessionStream(session, agent));
  const said = [...queued, ...words].map(wordLine).find((line) => promptMark(line) === prompt);
  return said === undefined ? fact : { kind: "sighting", sighting: { ...fact.sighting, prompt: said } };
}
