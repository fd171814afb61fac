import { closeSync, lstatSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { defined, isObject, listAt, objectAt, parseJson } from "../../core/json.js";
import { ok, type Result } from "../../core/result.js";
import { type SessionState, SHOWN_STATES } from "../../core/session/session-state.js";
import { readPlain } from "../read-plain.js";
import { writeFileWhole } from "../safe-files.js";

// `view.json` in Milepost's own folder: what persons have seen, pinned and snoozed. Losing it loses no work, so a file
// that cannot be understood counts as empty.

/** What a person has done with a session. Each part has the time of doing it: of two views the newer one counts. */
export interface Mark {
  /** Until when they know it: the time of the last thing that had happened, by the clock that told of it. */
  readonly seen?: { readonly upTo: number; readonly state: SessionState; readonly at: number };
  readonly pin?: { readonly isOn: boolean; readonly at: number };
  /** `until` 0: no longer snoozed. */
  readonly snooze?: { readonly until: number; readonly at: number };
}

export interface Marks {
  /** When a person first had a view: what is older is not new to them. 0: never. */
  readonly since: number;
  readonly sessions: ReadonlyMap<string, Mark>;
}

export const NO_MARKS: Marks = { since: 0, sessions: new Map() };

export const MOST_SESSIONS = 2000;
const MOST_BYTES = 2_000_000;
/** Ids of sub-agents have a slash; none has anything that a terminal obeys. */
const SESSION = /^[\w.:@+-][\w.:@+/-]{0,299}$/;

export function markPath(folder: string): string {
  return join(folder, "view.json");
}

/** Changes when any view has written the file; undefined where there is none. */
export function writtenAt(folder: string): number | undefined {
  return lstatSync(markPath(folder), { throwIfNoEntry: false })?.mtimeMs;
}

/** Undefined for a file that is damaged, too large or no plain file; one that is not there is empty. */
export function readMarks(folder: string): Marks | undefined {
  const path = markPath(folder);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return NO_MARKS;
    if (!found.isFile() || found.size > MOST_BYTES) return undefined;
    return parseMarks(readPlain(path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? NO_MARKS : undefined;
  }
}

export function parseMarks(text: string): Marks | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value.sessions)) return undefined;
  const sessions = listAt(value.sessions).flatMap((row) => {
    const { id, ...mark } = objectAt(row);
    return typeof id === "string" && SESSION.test(id) ? [[id, parseMark(mark)] as const] : [];
  });
  return newest({ since: time(value.since) ?? 0, sessions: new Map(sessions) });
}

function parseMark({ seen, pin, snooze }: { readonly [field: string]: unknown }): Mark {
  const parts = { seen: objectAt(seen), pin: objectAt(pin), snooze: objectAt(snooze) };
  const [seenAt, pinAt, snoozeAt] = [parts.seen.at, parts.pin.at, parts.snooze.at].map(time);
  const [upTo, until] = [time(parts.seen.upTo), time(parts.snooze.until)];
  const state = SHOWN_STATES.find((one) => one === parts.seen.state);
  return defined({
    seen: seenAt !== undefined && upTo !== undefined && state ? { upTo, state, at: seenAt } : undefined,
    pin: pinAt === undefined ? undefined : { isOn: parts.pin.isOn === true, at: pinAt },
    snooze: snoozeAt === undefined || until === undefined ? undefined : { until, at: snoozeAt },
  });
}

function time(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** Of each part the newer one; a person had a view since the earlier time. */
export function mergeMarks(a: Marks, b: Marks): Marks {
  const sessions = new Map(a.sessions);
  for (const [id, mark] of b.sessions) sessions.set(id, mergeMark(sessions.get(id) ?? {}, mark));
  return newest({ since: Math.min(a.since || b.since, b.since || a.since), sessions });
}

function mergeMark(a: Mark, b: Mark): Mark {
  return defined({ seen: newer(a.seen, b.seen), pin: newer(a.pin, b.pin), snooze: newer(a.snooze, b.snooze) });
}

/** Two of the same time are told apart by what they say, or two views would never agree. */
function newer<Part extends { readonly at: number }>(a: Part | undefined, b: Part | undefined): Part | undefined {
  if (!a || !b) return a ?? b;
  if (a.at === b.at) return JSON.stringify(b) > JSON.stringify(a) ? b : a;
  return b.at > a.at ? b : a;
}

/** What is pinned stays; of the others, those that a person touched last. */
function newest({ since, sessions }: Marks): Marks {
  if (sessions.size <= MOST_SESSIONS) return { since, sessions };
  const rank = ({ seen, pin, snooze }: Mark) =>
    (pin?.isOn ? Number.MAX_SAFE_INTEGER / 2 : 0) + Math.max(seen?.at ?? 0, pin?.at ?? 0, snooze?.at ?? 0);
  const kept = [...sessions].sort(([, a], [, b]) => rank(b) - rank(a)).slice(0, MOST_SESSIONS);
  return { since, sessions: new Map(kept) };
}

/** Adds to the file what it does not have, and returns both together. One view at a time. */
export async function writeMarks(folder: string, marks: Marks): Promise<Result<Marks>> {
  const release = await lock(`${markPath(folder)}.lock`);
  try {
    const all = mergeMarks(readMarks(folder) ?? NO_MARKS, marks);
    const rows = [...all.sessions].map(([id, mark]) => ({ id, ...mark }));
    const written = await writeFileWhole(markPath(folder), true, [
      `${JSON.stringify({ since: all.since, sessions: rows })}\n`,
    ]);
    return written.ok ? ok(all) : written;
  } finally {
    release();
  }
}

/** Milliseconds: writing takes a few, so an older lock is that of a process that was killed. */
const STALE = 2000;
const PAUSE = 10;

async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const found = statSync(path, { throwIfNoEntry: false });
    // Also one from the future: a clock was put back.
    if (found && Math.abs(Date.now() - found.mtimeMs) > STALE) rmSync(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
