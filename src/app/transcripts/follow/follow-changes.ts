import { firstAbort } from "../../../core/first-abort.js";
import type { Cursor, EventStore, Page, StoredEvent } from "../../../store/event-store.js";
import { PLANS, planStream } from "../../plans/plan-views.js";
import { mentionStored } from "../../session/session-mention.js";
import { type Change, changesBetween, mentionOf } from "../changes.js";
import type { OpenBoard } from "../open-session-board.js";
import type { SessionReport } from "../session-report.js";
import { follow } from "./follow.js";
import { ListEvents, type ListWrite } from "./list-events.js";
import { LogNews } from "./log-news.js";
import { changedTasks, needsLook, newPlan, reportAfter, reportAt, withToldTasks } from "./report-after.js";
import { type SessionStep, SessionSteps } from "./session-steps.js";
import { ToldLists } from "./told-lists.js";

/** A change, and when it happened: milliseconds. */
export interface TimedLine extends Change {
  readonly at: number;
}

export interface FollowedBoard {
  readonly board: OpenBoard;
  readonly store: EventStore;
  readonly look: () => Promise<readonly SessionReport[]>;
  readonly signal: AbortSignal;
  /** How often somebody looks although nothing was read. */
  readonly everyMs: number;
  readonly tell: (lines: readonly TimedLine[]) => Promise<void>;
  /** After each look. */
  readonly looked: () => Promise<void>;
}

/**
 * Tells of every change until the signal. Sessions that report to us are told of from the log, event by event; all else
 * by comparing two looks: a state also depends on the clock and on processes, and a transcript has no log.
 */
export async function followChanges(followed: FollowedBoard): Promise<void> {
  // Before the first look: what is committed meanwhile is told from the log.
  const after = await followed.store.head();
  const lines = await ChangeLines.start(followed, after);
  const broken = firstAbort(followed.signal);
  const { signal } = broken;
  const pages = await followed.store.follow({ after, signal });
  const ended = (error: unknown) => {
    broken.abort();
    throw error;
  };
  const { board, everyMs, looked } = followed;
  await Promise.all([
    follow(board.attachment, {
      signal,
      everyMs,
      async changed() {
        await lines.look();
        await looked();
      },
    }).catch(ended),
    readLog(pages.ok ? pages.value : NO_PAGES, lines).catch(ended),
  ]);
}

/** The store was emptied between two questions: nobody reports to it. */
const NO_PAGES: readonly Page[] = [];

async function readLog(pages: AsyncIterable<Page> | readonly Page[], lines: ChangeLines): Promise<void> {
  for await (const _ of pages) await lines.hear();
}

/** A look costs more than an event; after so many the next page goes on. */
const MOST_LOOKS = 5;
/** A transcript is written a moment after the hooks were called. */
const TRANSCRIPT_LATE_MS = 5000;

class ChangeLines {
  readonly #followed: FollowedBoard;
  readonly #news: LogNews;
  readonly #writes: ListEvents;
  readonly #steps: SessionSteps;
  /** A session that was there all along, and off the table, is not new because it grows again. */
  readonly #isOld: (path: string, session: string) => boolean;
  /** What has fallen off the table is remembered: it must not come back as new. */
  readonly #before = new Map<string, SessionReport>();
  readonly #lists = new ToldLists();
  /** When which task of a session was last told from the log. */
  readonly #tasks = new Map<string, Map<string, number>>();
  /** Sessions that began meanwhile. */
  readonly #begun = new Set<string>();
  /** Something was heard that no look has followed yet. */
  #isDue = false;
  /** Two looks at the same time would tell of the same change. */
  #running: Promise<unknown> = Promise.resolve();

  static async start(followed: FollowedBoard, after: Cursor): Promise<ChangeLines> {
    const lines = new ChangeLines(followed, after, await followed.board.attachment.known());
    await lines.#first();
    return lines;
  }

  private constructor(followed: FollowedBoard, after: Cursor, isOld: (path: string, session: string) => boolean) {
    const { store } = followed;
    this.#followed = followed;
    this.#news = new LogNews(store, after);
    this.#writes = new ListEvents(store);
    this.#steps = new SessionSteps(store);
    this.#isOld = isOld;
  }

  async #first(): Promise<void> {
    const sessions = await this.#followed.look();
    const { events } = await this.#news.next();
    for (const id of await this.#reporting()) this.#lists.add(id);
    const moving = idsOf(events);
    for (const session of sessions) if (!moving.has(session.id)) this.#remember(session, this.#lists.has(session.id));
    await this.#tellOf(events);
  }

  /** Looks, and tells of what only a look shows. */
  look(): Promise<void> {
    return this.#alone(() => this.#catchUp(true));
  }

  /** Something was committed. */
  hear(): Promise<void> {
    return this.#alone(() => this.#catchUp(false));
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#running.then(work);
    this.#running = done.catch(() => undefined);
    return done;
  }

  async #catchUp(isLooking: boolean): Promise<void> {
    const { events } = await this.#news.next();
    await this.#tellOf(events);
    this.#isDue ||= isLooking;
    for (let round = 0; this.#isDue && round < MOST_LOOKS; round += 1) await this.#look();
  }

  /** A session of which something is committed meanwhile is compared the next time: the look may show it, or not. */
  async #look(): Promise<void> {
    this.#isDue = false;
    const sessions = await this.#followed.look();
    const { events, isWhole } = await this.#news.next();
    const moving = isWhole ? idsOf(events) : await this.#stored();
    await this.#compare(sessions.filter(({ id }) => !moving.has(id)));
    await this.#tellOf(events);
  }

  async #compare(sessions: readonly SessionReport[]): Promise<void> {
    // Asked after the look: a list that it took from the log is one of these.
    const reporting = await this.#reporting();
    const isListTold = (id: string) => this.#lists.has(id) || reporting.has(id);
    for (const session of sessions)
      if (!this.#before.has(session.id) && this.#wasThere(session)) this.#remember(session, isListTold(session.id));
    const at = Date.now();
    const shown = sessions.map((session) => this.#withToldTasks(session, at));
    await this.#tell(changesBetween(this.#before, shown, isListTold).map((change) => ({ ...change, at })));
    for (const session of shown) this.#remember(session, isListTold(session.id));
  }

  #wasThere({ id, transcript }: SessionReport): boolean {
    return this.#isOld(transcript ?? "", id);
  }

  #withToldTasks(session: SessionReport, now: number): SessionReport {
    const times = this.#tasks.get(session.id);
    if (!times || session.transcript === null) return session;
    const isTold = (task: string) => now - (times.get(task) ?? 0) < TRANSCRIPT_LATE_MS;
    return withToldTasks(this.#before.get(session.id), session, isTold);
  }

  async #stored(): Promise<ReadonlySet<string>> {
    return new Set((await this.#followed.board.stored.all()).map(({ id }) => id));
  }

  /** Sessions whose lists the table takes from the store. */
  async #reporting(): Promise<ReadonlySet<string>> {
    const stored = await this.#followed.board.stored.all();
    return new Set(stored.filter(({ list }) => list.revision > 0).map(({ id }) => id));
  }

  #remember(session: SessionReport, isListTold: boolean): void {
    this.#before.set(session.id, session);
    if (!isListTold) this.#lists.compared(session);
  }

  async #tellOf(events: readonly StoredEvent[]): Promise<void> {
    this.#isDue ||= events.some(({ stream }) => stream.startsWith("session:") || stream.startsWith("plan:"));
    const writes = new Map((await this.#writes.writesIn(events)).map((write) => [keyOf(write.session, write), write]));
    const looked = once(() => this.#followed.look());
    for (const step of await this.#steps.stepsIn(events)) {
      await this.#meet(step, looked);
      const write = writes.get(keyOf(step.id, step));
      if (write) await this.#tellWrite(write);
      await this.#tellStep(step, looked);
    }
  }

  /** A session is told of before anything of it is: as it was then, not as it is by now. */
  async #meet(step: SessionStep, looked: () => Promise<Looked>): Promise<void> {
    const { id, version, at } = step;
    if (version === 1) this.#begun.add(id);
    if (this.#before.has(id)) return;
    const shown = (await looked()).get(id);
    if (!shown) return;
    const isNew = this.#begun.has(id) && !this.#wasThere(shown);
    const report = reportAt(shown, isNew ? step.after : step.before, step);
    const isListTold = this.#lists.has(id) || (await this.#reporting()).has(id);
    if (isNew) await this.#tell(changesBetween(new Map(), [report], () => isListTold).map((one) => ({ ...one, at })));
    this.#remember(report, isListTold);
  }

  async #tellStep(step: SessionStep, looked: () => Promise<Looked>): Promise<void> {
    const { id, at } = step;
    const report = this.#before.get(id);
    if (!report) return;
    const shown = needsLook(report, step) ? (await looked()).get(id) : undefined;
    const next = reportAfter(report, step, { shown, plan: await this.#newPlan(report, step, shown) });
    if (next === report) return;
    this.#before.set(id, next);
    const times = this.#tasks.get(id) ?? new Map<string, number>();
    for (const task of changedTasks(report, next)) this.#tasks.set(id, times.set(task, Date.now()));
    await this.#tell(changesBetween(new Map([[id, report]]), [next], () => true).map((one) => ({ ...one, at })));
  }

  /** By the look, which knows what the transcript has of it; by then another one may have taken its place. */
  async #newPlan(report: SessionReport, step: SessionStep, shown?: SessionReport): Promise<SessionReport["plan"]> {
    const id = newPlan(report, step);
    if (id === undefined || shown?.plan?.id === id) return shown?.plan ?? null;
    const plan = await this.#followed.store.view(PLANS, planStream(id));
    return plan.id ? (await import("../../plans/plan-report.js")).reportPlan(plan) : null;
  }

  async #tellWrite(write: ListWrite): Promise<void> {
    const { session, at } = write;
    const about = await this.#mention(session);
    await this.#tell(this.#lists.linesOf(write).map((text) => ({ ...about, text, at })));
  }

  #mention(id: string): Promise<Omit<Change, "text">> | Omit<Change, "text"> {
    const known = this.#before.get(id);
    const [session = id, agent] = id.split("/");
    return known ? mentionOf(known) : mentionStored(this.#followed.store, session, agent);
  }

  async #tell(lines: readonly TimedLine[]): Promise<void> {
    if (lines.length > 0) await this.#followed.tell(lines);
  }
}

type Looked = ReadonlyMap<string, SessionReport>;

function once(look: () => Promise<readonly SessionReport[]>): () => Promise<Looked> {
  let looked: Promise<Looked> | undefined;
  return () => {
    looked ??= look().then((sessions) => new Map(sessions.map((session) => [session.id, session])));
    return looked;
  };
}

function idsOf(events: readonly StoredEvent[]): ReadonlySet<string> {
  const streams = events.map(({ stream }) => stream).filter((stream) => stream.startsWith("session:"));
  return new Set(streams.map((stream) => stream.slice("session:".length)));
}

function keyOf(id: string, { version }: { readonly version: number }): string {
  return `${id} ${version}`;
}
