import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../core/result.js";
import { isCompactionDigest } from "../../core/session/digest-text.js";
import { StoreTrouble } from "../../store/trouble.js";
import { failureOf } from "../escaped-error.js";
import { writeLog } from "../log-file.js";
import { HOOK_PATIENCE, type HookStore, tooLate } from "../session/hook-store.js";
import { CAUSE_CUT } from "../session/list-words.js";
import { type Said, Unrecorded } from "../session/record-sighting.js";
import { readSettings, type Settings } from "../settings.js";
import { markedStore } from "../spool/marked-store.js";
import {
  LAST_SLOT,
  reserveOf,
  type SpoolPlace,
  type Tried as SpoolTry,
  spoolPlace,
  waitingIn,
} from "../spool/spool-place.js";
import type { Environment } from "../store-place.js";
import { answerHook, isHeard, recordFacts, render, withChecks } from "./answer-hook.js";
import { factsOf, type HookFact, recordFact } from "./hook-facts.js";
import type { HookInput } from "./hook-input.js";
import { within } from "./time-limit.js";
import { oweWords, takeStarts } from "./waiting-starts.js";

/** What a surface that hears hooks brings along. */
export interface Ear {
  readonly environment: Environment;
  /** The store that was named by a flag. */
  readonly store?: string | undefined;
  /** `patience`: milliseconds that others may keep it waiting, in all. */
  readonly open: (patience?: number) => Promise<HookStore>;
  /** The surface takes in by itself what waits: its hooks only add to it. */
  readonly isTakingIn?: boolean;
  /** In the dialect that it speaks, only a session's main agent has a list. */
  readonly hasMainListOnly?: boolean;
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
  /** A compaction was heard of, and what was to be said to the model then has waited for it. */
  readonly owesDigest?: boolean;
  /** It is said with this. */
  hasDigest?: boolean;
}

/** Nobody knows why it takes so long: whoever waits for others gives up before. */
const HOOK_MS = 1000;
/** For facts that wait; those that are left wait for the next hook. */
const TAKE_IN_MS = 150;
/** A start that waited for somebody to hear it was longer ago than this. */
const LATE_MS = 1000;
/** To find out whether a file is still locked. */
const TRY_MS = 20;
/** A try that takes longer costs something. */
const NOTICED_MS = 100;

/**
 * The answer for the client: hook JSON, or nothing. What cannot be recorded now goes to the spool. Throws
 * `StoreTrouble` when that does not help.
 */
export async function hearHook(ear: Ear, input: HookInput): Promise<string> {
  if (!isHeard(input)) return input.reply ?? "";
  const owed = await hearStarts(ear, isForWords(input) ? input.session : undefined);
  const at = Date.now();
  const mark = `hook/${at.toString(36)}${Math.random().toString(36).slice(2, 12)}`;
  const heard: Heard = { input, mark, at, done: 0, owesDigest: owed.some(isCompactionDigest) };
  const said = await hear(ear, heard);
  if (input.said !== undefined) oweWords(ear.environment, input, said);
  const words = heard.hasDigest ? owed.filter((word) => !isCompactionDigest(word)) : owed;
  return render(input, input.said === "later" ? words : [...words, ...said]);
}

/** The list may be another one since the compaction: what is open is said as it is now. */
function withDigest(facts: readonly HookFact[], { input, owesDigest }: Heard): readonly HookFact[] {
  if (!owesDigest) return facts;
  const digest = { cause: CAUSE_CUT, process: input.process, isKept: true, isOwed: true } as const;
  return facts.map((fact) =>
    fact.kind === "sighting" && !fact.sighting.digest ? { ...fact, sighting: { ...fact.sighting, digest } } : fact,
  );
}

/** Where a model hears words that are not about this very event. */
const FOR_WORDS = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolBatch"];

function isForWords({ event, agent, said }: HookInput): boolean {
  return agent === undefined && said === undefined && FOR_WORDS.includes(event);
}

/** Starts that wait are heard before anything else. Says what is to be said about those of this session. */
async function hearStarts(ear: Ear, session?: string): Promise<Said> {
  // They are of the store that hooks have, whichever one a command or a server was given.
  if (ear.store !== undefined) return [];
  return takeStarts(ear.environment, session, ({ input, name, at }) =>
    hear(ear, { input, mark: `start/${name}/${at.toString(36)}`, at, done: 0 }),
  );
}

/** For whom it is not what they came for: what cannot be heard now goes on waiting. */
export async function hearStartsQuietly(ear: Ear): Promise<void> {
  try {
    await hearStarts(ear);
  } catch (error) {
    writeLog(ear.environment, "hook SessionStart", troubleLine(error));
  }
}

/** What the model is told. */
async function hear(ear: Ear, heard: Heard): Promise<Said> {
  const place = spoolPlace(ear.environment, ear.store);
  // Nobody overtakes facts that wait.
  if (place && waitingIn(place.folder).length > 0) return hearBehind(ear, place, heard);
  return hearDirectly(ear, place, heard);
}

async function hearDirectly(ear: Ear, place: SpoolPlace | undefined, heard: Heard, opened?: HookStore): Promise<Said> {
  const { input } = heard;
  const start = performance.now();
  try {
    const said = await within(HOOK_MS, () => record(ear, heard, opened), tooLate);
    if (place && ENDS.includes(input.event)) await keepReserve(place);
    if (said.ok) return said.value;
    log(ear, heard, said.error.message);
    return [];
  } catch (error) {
    if (!place || !(error instanceof StoreTrouble) || LASTING.includes(error.code)) throw error;
    // Who asks a file again does not wait for its lock again.
    const waited = performance.now() - start - (place.isServer ? 0 : HOOK_PATIENCE);
    await spool(ear, place, heard, { tried: waited > NOTICED_MS ? "long" : "briefly", trouble: error });
    return error instanceof Unrecorded ? error.said : [];
  }
}

/** Trouble with what was asked for, not with the moment. */
const LASTING: readonly string[] = ["no-store", "no-home", "not-a-store", "bad-store", "no-sqlite", "too-large"];

async function record(ear: Ear, heard: Heard, opened: HookStore | undefined): Promise<Result<Said>> {
  const store = opened ?? (await ear.open());
  const settings = readSettings(ear.environment, heard.input.folder);
  heard.facts = await factsOf(withChecks(heard.input, settings), store);
  const lateness = Date.now() - heard.at > LATE_MS ? { at: heard.at } : undefined;
  return recordFacts(withDigest(heard.facts, heard), async (fact, index) => {
    const marked = markedStore(store, `${heard.mark}/${index}`, lateness);
    const recorded = await recordFact(marked, fact, fact.kind === "list" ? settings : withScope(ear, settings));
    heard.done = index + 1;
    heard.hasDigest ||= recorded.ok && fact.kind === "sighting";
    return recorded;
  });
}

/** For our own tool; a list that the client itself keeps for a sub-agent is mirrored all the same. */
function withScope({ hasMainListOnly = false }: Ear, settings: Settings): Settings {
  return hasMainListOnly && settings.subAgents === "dialect" ? { ...settings, subAgents: "none" } : settings;
}

/** What waits is taken in first. Where that does not work now, or takes long, these facts wait behind the others. */
async function hearBehind(ear: Ear, place: SpoolPlace, heard: Heard): Promise<Said> {
  const { isTryDue } = await import("../spool/hook-spool.js");
  const start = performance.now();
  const tried = !ear.isTakingIn && isTryDue(place.folder) ? await takeInWaiting(ear, place) : {};
  if (tried.left === 0) return hearDirectly(ear, place, heard, tried.store);
  const cost = performance.now() - start > NOTICED_MS ? "long" : "briefly";
  await spool(ear, place, heard, { tried: tried.trouble === undefined ? "not" : cost });
  return tried.trouble && tried.store ? unrecordedWords(ear, heard, tried) : [];
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
  const settings = readSettings(ear.environment, input.folder);
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
  { tried, trouble }: { readonly tried: SpoolTry; readonly trouble?: StoreTrouble },
): Promise<void> {
  const { spoolFacts } = await import("../spool/hook-spool.js");
  const { input, mark, at, done } = heard;
  try {
    const facts = heard.facts ?? (await factsOf(withChecks(input, readSettings(ear.environment))));
    const lost = facts.length > done ? spoolFacts(place, { facts, mark, at, done, tried }) : undefined;
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
