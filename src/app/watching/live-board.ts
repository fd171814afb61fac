import { ENDED_AFTER } from "../../core/session/session-state.js";
import type { EventStore } from "../../store/event-store.js";
import { changesBetween } from "../transcripts/changes.js";
import { follow } from "../transcripts/follow/follow.js";
import { moreThan, type OpenBoard } from "../transcripts/open-session-board.js";
import { boardOf } from "../transcripts/session-board.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { type SessionTotals, totalsOf } from "./session-groups.js";

/** A change of a session, in one line. */
export interface BoardEvent {
  /** Counted up from 1, as text. */
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly project: string;
  readonly text: string;
}

/** More than anybody scrolls through. */
const MOST_EVENTS = 1000;
/** Sessions with a row; more than anybody has. */
export const MOST_SESSIONS = 1000;
/** Sessions that are read before the first look that is called whole. */
const FIRST_READ = 40;
/** A state also depends on the clock and on processes: so often somebody looks although nothing was told. */
const LOOK_MS = 5000;
/** Between two looks at the least, and so many times as long as the last one took: looking must not fill a core. */
const REST_MS = 250;
const REST_TIMES = 20;
const COUNT_MS = 2000;
const KEEP_MS = 10_000;

/** All sessions as they are now, and what has changed, for whoever keeps looking. */
export class LiveBoard {
  readonly #board: OpenBoard;
  readonly #store: EventStore;
  readonly #changed: (isHeard: boolean) => void;
  #known: ReadonlyMap<string, SessionReport> = new Map();
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #tookMs = 0;
  #lookedAt = 0;
  #countedAt = 0;
  #keptAt = Date.now();
  #signal: AbortSignal = AbortSignal.abort();
  reports: readonly SessionReport[] = [];
  before: ReadonlyMap<string, SessionReport> = new Map();
  events: readonly BoardEvent[] = [];
  totals: SessionTotals = { sessions: 0, waiting: 0, running: 0, stalled: 0, alerts: 0 };
  /** Transcripts of the last day are still being read. */
  isReading = true;
  /** Why the last look failed. */
  trouble: string | undefined;

  /** `changed`: after each look; `isHeard` where the store was written since the last one. */
  constructor(board: OpenBoard, store: EventStore, changed: (isHeard: boolean) => void) {
    this.#board = board;
    this.#store = store;
    this.#changed = changed;
  }

  /** Looks, reads and follows until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    // What is known from the last time is shown before anything is read.
    await this.#look();
    const { attachment } = this.#board;
    const newest = attachment.readNewest(FIRST_READ, {
      signal,
      atLeastSince: Date.now() - ENDED_AFTER,
      progress: () => this.due(),
    });
    await Promise.all([this.#hear(signal), newest.then(() => this.#followFiles(signal))]);
    clearTimeout(this.#timer);
  }

  /** Somebody has written, or may have: there is a look soon. */
  due(): void {
    this.#isDue = true;
    if (this.#timer || this.#isLooking || this.#signal.aborted) return;
    const rested = this.#lookedAt + Math.max(REST_MS, REST_TIMES * this.#tookMs);
    this.#timer = setTimeout(() => void this.#lookAgain(), Math.max(0, rested - performance.now()));
  }

  async #lookAgain(): Promise<void> {
    this.#timer = undefined;
    this.#isDue = false;
    this.#isLooking = true;
    await this.#look();
    this.#isLooking = false;
    if (this.#isDue) this.due();
  }

  async #followFiles(signal: AbortSignal): Promise<void> {
    this.isReading = false;
    this.due();
    await follow(this.#board.attachment, { signal, everyMs: LOOK_MS, changed: () => this.due() });
  }

  async #hear(signal: AbortSignal): Promise<void> {
    const pages = await this.#store.follow({ after: await this.#store.head(), signal });
    if (!pages.ok) return;
    for await (const _ of pages.value) {
      this.#isHeard = true;
      this.due();
    }
  }

  #isHeard = true;

  async #look(): Promise<void> {
    const start = performance.now();
    const isHeard = this.#isHeard;
    this.#isHeard = false;
    try {
      const { attachment, stored } = this.#board;
      const reports = await boardOf(attachment, stored, { limit: MOST_SESSIONS, now: Date.now() });
      this.#take(reports);
      await this.#count();
      this.trouble = undefined;
      await this.#keep();
    } catch (error) {
      // The store is away, or was damaged under us: what was seen last stays on the screen, and the reason with it.
      this.trouble = error instanceof Error ? error.message : String(error);
    }
    this.#lookedAt = performance.now();
    this.#tookMs = this.#lookedAt - start;
    if (!this.#signal.aborted) this.#changed(isHeard);
  }

  #take(reports: readonly SessionReport[]): void {
    const at = Date.now();
    const isFirst = this.#known.size === 0;
    const changes = isFirst || this.isReading ? [] : changesBetween(this.#known, reports);
    const last = Number(this.events[0]?.id ?? 0);
    const lines = changes.map(({ agent, project, session, text }, index) => {
      return { id: String(last + index + 1), at, session, agent, project: project ?? session, text };
    });
    if (lines.length > 0) this.events = [...lines.reverse(), ...this.events].slice(0, MOST_EVENTS);
    this.before = this.#known;
    this.#known = new Map(reports.map((report) => [report.id, report]));
    this.reports = reports;
  }

  /** To count those without a row takes a look at every name: not with each change. */
  async #count(): Promise<void> {
    const roots = this.reports.filter(({ parent }) => parent === null).length;
    if (Date.now() - this.#countedAt >= COUNT_MS) {
      this.#counted = roots + (await moreThan(this.#board, this.reports)).more;
      this.#countedAt = Date.now();
    }
    // Meanwhile some may have been read that were only known by name: they are not counted twice.
    this.totals = { sessions: Math.max(roots, this.#counted), ...totalsOf(this.reports) };
  }

  #counted = 0;

  /** Now and then: a killed process loses little, and tasks whose time has come are woken. */
  async #keep(): Promise<void> {
    if (Date.now() - this.#keptAt < KEEP_MS) return;
    this.#keptAt = Date.now();
    await this.#board.keep();
    await this.#board.tick();
  }
}
