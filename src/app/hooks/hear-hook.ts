import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../core/result.js";
import { StoreTrouble } from "../../store/trouble.js";
import { failureOf } from "../escaped-error.js";
import { writeLog } from "../log-file.js";
import { type HookStore, tooLate } from "../session/hook-store.js";
import { type Said, Unrecorded } from "../session/record-sighting.js";
import { readSettings } from "../settings.js";
import { markedStore } from "../spool/marked-store.js";
import { LAST_SLOT, reserveOf, type SpoolPlace, spoolPlace, waitingIn } from "../spool/spool-place.js";
import type { Environment } from "../store-place.js";
import { answerFacts, answerHook, isHeard, render } from "./answer-hook.js";
import { factsOf, type HookFact, recordFact } from "./hook-facts.js";
import type { HookInput } from "./hook-input.js";
import { within } from "./time-limit.js";

/** What a surface that hears hooks brings along. */
export interface Ear {
  readonly environment: Environment;
  /** The store that was named by a flag. */
  readonly store?: string | undefined;
  /** `patience`: milliseconds that others may keep it waiting, in all. */
  readonly open: (patience?: number) => Promise<HookStore>;
  /** The surface takes in by itself what waits: its hooks only add to it. */
  readonly isTakingIn?: boolean;
}

/** One hook, and how far it is recorded. */
interface Heard {
  readonly input: HookInput;
  /** Once they are known. */
  facts?: readonly HookFact[];
  /** Tells this report from all others, also from the next one like it. */
  readonly mark: string;
  readonly at: number;
  done: number;
}

/** Nobody knows why it takes so long: whoever waits for others gives up before. */
const HOOK_MS = 1000;
/** For facts that wait; those that are left wait for the next hook. */
const TAKE_IN_MS = 150;
/** To find out whether a file is still locked. */
const TRY_MS = 20;
/** A try that takes longer costs something. */
const NOTICED_MS = 50;

/**
 * The answer for the client: hook JSON, or nothing. What cannot be recorded now goes to the spool. Throws
 * `StoreTrouble` when that does not help.
 */
export async function hearHook(ear: Ear, input: HookInput): Promise<string> {
  if (!isHeard(input)) return "";
  const at = Date.now();
  const mark = `hook/${at.toString(36)}${Math.random().toString(36).slice(2, 12)}`;
  const heard: Heard = { input, mark, at, done: 0 };
  const place = spoolPlace(ear.environment, ear.store);
  // Nobody overtakes facts that wait.
  if (place && waitingIn(place.folder).length > 0) return hearBehind(ear, place, heard);
  return hearDirectly(ear, place, heard);
}

async function hearDirectly(ear: Ear, place: SpoolPlace | undefined, heard: Heard, opened?: HookStore) {
  const { input } = heard;
  const start = performance.now();
  try {
    const answer = await within(HOOK_MS, () => record(ear, heard, opened), tooLate);
    if (place && ENDS.includes(input.event)) await keepReserve(place);
    if (answer.ok) return answer.value;
    log(ear, heard, answer.error.message);
    return render(input, []);
  } catch (error) {
    if (!place || !(error instanceof StoreTrouble) || LASTING.includes(error.code)) throw error;
    await spool(ear, place, heard, { hasWaited: performance.now() - start > NOTICED_MS, trouble: error });
    return render(input, error instanceof Unrecorded ? error.said : []);
  }
}

/** Trouble with what was asked for, not with the moment. */
const LASTING: readonly string[] = ["no-store", "no-home", "not-a-store", "bad-store", "no-sqlite", "too-large"];

async function record(ear: Ear, heard: Heard, opened: HookStore | undefined): Promise<Result<string>> {
  const store = opened ?? (await ear.open());
  const settings = readSettings(ear.environment);
  heard.facts = await factsOf(heard.input, store);
  return answerFacts(heard.input, heard.facts, async (fact, index) => {
    const recorded = await recordFact(markedStore(store, `${heard.mark}/${index}`), fact, settings);
    heard.done = index + 1;
    return recorded;
  });
}

/** What waits is taken in first. Where that does not work now, or takes long, these facts wait behind the others. */
async function hearBehind(ear: Ear, place: SpoolPlace, heard: Heard): Promise<string> {
  const { isTryDue } = await import("../spool/hook-spool.js");
  const start = performance.now();
  const tried = !ear.isTakingIn && isTryDue(place.folder) ? await takeInWaiting(ear, place) : {};
  if (tried.left === 0) return hearDirectly(ear, place, heard, tried.store);
  const hasWaited = tried.trouble !== undefined && performance.now() - start > NOTICED_MS;
  await spool(ear, place, heard, { hasWaited });
  return render(heard.input, tried.trouble && tried.store ? await unrecordedWords(ear, heard, tried) : []);
}

interface Tried {
  readonly store?: HookStore;
  /** How many still wait; undefined where nobody could look. */
  readonly left?: number;
  readonly trouble?: StoreTrouble;
}

async function takeInWaiting(ear: Ear, place: SpoolPlace): Promise<Tried> {
  const { takeIn } = await import("../spool/hook-spool.js");
  let store: HookStore | undefined;
  const taking = {
    settings: readSettings(ear.environment),
    record: recordFact,
    log: (line: string) => writeLog(ear.environment, "spool", line),
    within: TAKE_IN_MS,
  };
  const work = async () => {
    store = await ear.open(place.isServer ? undefined : TRY_MS);
    return takeIn(store, place, taking);
  };
  try {
    const { left } = await within(HOOK_MS, work, tooLate);
    return { ...(store && { store }), left };
  } catch (error) {
    if (!(error instanceof StoreTrouble)) taking.log(troubleLine(error));
    return error instanceof StoreTrouble ? { ...(store && { store }), trouble: error } : {};
  }
}

/** A model whose context is new is told what is open, also from a store that can only be read. */
async function unrecordedWords(ear: Ear, { input }: Heard, { store, trouble }: Tried): Promise<Said> {
  if (!store || !trouble || input.event !== "SessionStart") return [];
  const { unwritable } = await import("../spool/hook-spool.js");
  const settings = readSettings(ear.environment);
  try {
    const readable = unwritable(store, trouble);
    await within(HOOK_MS, () => answerHook(readable, input, settings), tooLate);
  } catch (error) {
    if (error instanceof Unrecorded) return error.said;
  }
  return [];
}

/** `trouble`: why it is the first to wait; the log need not know of each one behind it. */
async function spool(
  ear: Ear,
  place: SpoolPlace,
  heard: Heard,
  { hasWaited, trouble }: { readonly hasWaited: boolean; readonly trouble?: StoreTrouble },
): Promise<void> {
  const { spoolFacts } = await import("../spool/hook-spool.js");
  const { input, mark, at, done } = heard;
  try {
    const facts = heard.facts ?? (await factsOf(input));
    const lost = facts.length > done ? spoolFacts(place, { facts, mark, at, done, hasWaited }) : undefined;
    if (trouble) log(ear, heard, troubleLine(trouble));
    if (lost) log(ear, heard, lost);
  } catch (error) {
    log(ear, heard, `Lost: it cannot wait in ${place.folder} either: ${troubleLine(error)}`);
    if (trouble) log(ear, heard, troubleLine(trouble));
  }
}

/** Nobody waits for the next call then. */
const ENDS = ["Stop", "SessionEnd"];

async function keepReserve({ folder }: SpoolPlace): Promise<void> {
  if (existsSync(join(reserveOf(folder), LAST_SLOT))) return;
  const { makeReserve } = await import("../spool/hook-spool.js");
  try {
    makeReserve(folder);
  } catch {
    // It is for a day that may never come; and on that day the log says what was lost.
  }
}

function log({ environment }: Ear, { input }: Heard, line: string): void {
  writeLog(environment, `hook ${input.event}`, line);
}

/** What went wrong, for the log. */
export function troubleLine(error: unknown): string {
  const { code, message } = failureOf(error);
  return `${message} [${code}]`;
}
