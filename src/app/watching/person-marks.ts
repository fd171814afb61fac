import { existsSync } from "node:fs";
import { makeFolder } from "../../store/make-folder.js";
import type { SessionReport } from "../transcripts/session-report.js";
import {
  type Mark,
  type Marks,
  markPath,
  mergeMarks,
  NO_MARKS,
  readMarks,
  writeMarks,
  writtenAt,
} from "./mark-file.js";

/** What a person has seen, pinned and snoozed in the live view, on this machine. */
export interface PersonMarks {
  /** Something has happened that a person wants to know, since they last looked at it: not each call. */
  isNew(session: SessionReport): boolean;
  seen(session: SessionReport, now: number): void;
  isPinned(id: string): boolean;
  togglePin(id: string): void;
  /** Undefined where it is not snoozed, or no longer. */
  snoozedUntil(id: string, now: number): number | undefined;
  /** Undefined: no longer. */
  snooze(id: string, until: number | undefined): void;
  /**
   * Keeps what has changed, and takes over what other views have kept. Never throws: marks are a convenience. Nothing
   * is written into a folder that is not there, unless the person has pinned or snoozed something.
   */
  save(): Promise<void>;
}

interface Options {
  /** False: nothing is read or written, as in a demo. */
  readonly isKept?: boolean;
  readonly now?: () => number;
  /** Told at most once: the file cannot be read, or not be written. */
  readonly complain?: (text: string) => void;
}

/** `folder`: Milepost's own. */
export function openMarks(folder: string, options: Options = {}): PersonMarks {
  return new MarksOnFile(folder, options);
}

/** Milliseconds. Hooks and transcripts tell of the same moment with times that differ a little. */
const SAME_MOMENT = 2000;

class MarksOnFile implements PersonMarks {
  readonly #folder: string;
  readonly #options: Options;
  readonly #now: () => number;
  #marks: Marks;
  #isChanged: boolean;
  #isWanted = false;
  #hasComplained = false;
  #readAt: number | undefined;

  constructor(folder: string, options: Options) {
    this.#folder = folder;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#readAt = writtenAt(folder);
    const found = options.isKept === false ? NO_MARKS : readMarks(folder);
    if (!found) this.#complain(`${markPath(folder)} cannot be read: what you have seen and pinned starts anew.`);
    const marks = found ?? NO_MARKS;
    this.#isChanged = marks.since === 0;
    this.#marks = this.#isChanged ? { ...marks, since: this.#now() } : marks;
  }

  isNew(session: SessionReport): boolean {
    const { seen } = this.#of(session.id);
    if (!seen) return lastMoment(session) > this.#marks.since;
    if (lastMoment(session) > seen.upTo + SAME_MOMENT) return true;
    // The end of a process that was quiet has the time of its last word.
    return session.state === "ended" && seen.state !== "ended" && isQuiet(session);
  }

  seen(session: SessionReport, now: number): void {
    const { seen } = this.#of(session.id);
    const upTo = lastMoment(session);
    const isSame = seen !== undefined && seen.upTo >= upTo && seen.state === session.state;
    if (!isSame)
      this.#put(session.id, { seen: { upTo: Math.max(upTo, seen?.upTo ?? 0), state: session.state, at: now } });
  }

  isPinned(id: string): boolean {
    return this.#of(id).pin?.isOn === true;
  }

  togglePin(id: string): void {
    this.#isWanted = true;
    this.#put(id, { pin: { isOn: !this.isPinned(id), at: this.#now() } });
  }

  snoozedUntil(id: string, now: number): number | undefined {
    const until = this.#of(id).snooze?.until ?? 0;
    return until > now ? until : undefined;
  }

  snooze(id: string, until: number | undefined): void {
    this.#isWanted = true;
    this.#put(id, { snooze: { until: Math.trunc(until ?? 0), at: this.#now() } });
  }

  async save(): Promise<void> {
    if (this.#options.isKept === false) return;
    try {
      if (!this.#isChanged) return this.#takeOver();
      if (!this.#isWanted && !existsSync(this.#folder)) return;
      makeFolder(this.#folder);
      this.#isChanged = false;
      const written = await writeMarks(this.#folder, this.#marks);
      // Meanwhile the person may have gone on.
      if (written.ok) this.#marks = mergeMarks(written.value, this.#marks);
      else this.#complain(written.error.message);
      this.#readAt = writtenAt(this.#folder);
    } catch (error) {
      this.#isChanged = true;
      this.#complain(`${markPath(this.#folder)} cannot be written: ${(error as Error).message}`);
    }
  }

  /** What another view has written since. */
  #takeOver(): void {
    const at = writtenAt(this.#folder);
    if (at === undefined || at === this.#readAt) return;
    this.#readAt = at;
    this.#marks = mergeMarks(readMarks(this.#folder) ?? NO_MARKS, this.#marks);
  }

  #of(id: string): Mark {
    return this.#marks.sessions.get(id) ?? {};
  }

  #put(id: string, mark: Mark): void {
    this.#isChanged = true;
    const sessions = new Map(this.#marks.sessions);
    sessions.set(id, { ...this.#of(id), ...mark });
    this.#marks = { ...this.#marks, sessions };
  }

  #complain(text: string): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#options.complain?.(text);
  }
}

/** States that somebody has to know of; a day of silence brings nothing new. */
function isQuiet({ state, why }: SessionReport): boolean {
  return state !== "running" && why.reason !== "long-quiet" && why.reason !== "parent-ended";
}

/** When the last thing happened that counts, in milliseconds; 0 where nothing has a time. */
function lastMoment(session: SessionReport): number {
  const { why, finished, plan, alerts } = session;
  const times = [isQuiet(session) ? why.since : null, finished?.at, plan?.proposedAt, ...alerts.map(({ at }) => at)];
  return Math.max(0, ...times.map((at) => Date.parse(at ?? "") || 0));
}
