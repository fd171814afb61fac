import { isSameJson } from "../../../core/json.js";
import type { EventStore, Page } from "../../../store/event-store.js";
import { mentionStored } from "../../session/session-mention.js";
import { reportList, type TodoListReport } from "../../todo/todo-report.js";
import { type Change, changesBetween, mentionOf, type ShownTodos, todoLines } from "../changes.js";
import type { OpenBoard } from "../open-session-board.js";
import type { SessionReport } from "../session-report.js";
import { follow } from "./follow.js";
import { ListEvents, type ListWrite } from "./list-events.js";

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
 * Tells of every change until the signal. The lists of sessions that report to us are told from the log, all else by
 * comparing two looks: a state also depends on the clock and on processes, and a transcript has no log.
 */
export async function followChanges(followed: FollowedBoard): Promise<void> {
  // Before the first look: what is committed meanwhile is told from the log.
  const after = await followed.store.head();
  const lines = await ChangeLines.start(followed);
  const broken = new AbortController();
  const signal = AbortSignal.any([followed.signal, broken.signal]);
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
  for await (const page of pages) await lines.hear(page);
}

class ChangeLines {
  readonly #followed: FollowedBoard;
  readonly #lists: ListEvents;
  /** A session that was there all along, and off the table, is not new because it grows again. */
  readonly #isOld: (path: string, session: string) => boolean;
  /** What has fallen off the table is remembered: it must not come back as new. */
  #before = new Map<string, SessionReport>();
  /** Sessions whose lists are told from the log. */
  readonly #told = new Set<string>();
  /** Todos of the others, as far as they were told of. */
  readonly #compared = new Map<string, ShownTodos>();
  /** Two looks at the same time would tell of the same change. */
  #running: Promise<unknown> = Promise.resolve();

  static async start(followed: FollowedBoard): Promise<ChangeLines> {
    const lines = new ChangeLines(followed, await followed.board.attachment.known());
    await lines.#first();
    return lines;
  }

  private constructor(followed: FollowedBoard, isOld: (path: string, session: string) => boolean) {
    this.#followed = followed;
    this.#lists = new ListEvents(followed.store);
    this.#isOld = isOld;
  }

  async #first(): Promise<void> {
    const sessions = await this.#followed.look();
    for (const id of await this.#reporting()) this.#told.add(id);
    this.#remember(sessions, (id) => this.#told.has(id));
  }

  look(): Promise<void> {
    return this.#alone(() => this.#look());
  }

  hear(page: Page): Promise<void> {
    return this.#alone(() => this.#hear(page));
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#running.then(work);
    this.#running = done.catch(() => undefined);
    return done;
  }

  async #look(): Promise<void> {
    const sessions = await this.#followed.look();
    // Asked after the look: a list that it took from the log is one of these.
    const reporting = await this.#reporting();
    const isListTold = (id: string) => this.#told.has(id) || reporting.has(id);
    const back = sessions.filter(({ id, transcript }) => !this.#before.has(id) && this.#isOld(transcript ?? "", id));
    this.#remember(back, isListTold);
    const at = Date.now();
    await this.#tell(changesBetween(this.#before, sessions, isListTold).map((change) => ({ ...change, at })));
    this.#remember(sessions, isListTold);
  }

  /** Sessions whose lists the table takes from the store. */
  async #reporting(): Promise<ReadonlySet<string>> {
    const stored = await this.#followed.board.stored.all();
    return new Set(stored.filter(({ list }) => list.revision > 0).map(({ id }) => id));
  }

  #remember(sessions: readonly SessionReport[], isListTold: (id: string) => boolean): void {
    for (const session of sessions) {
      this.#before.set(session.id, session);
      if (!isListTold(session.id)) this.#compared.set(session.id, session);
    }
  }

  async #hear({ events }: Page): Promise<void> {
    const writes = await this.#lists.writesIn(events);
    // A session is told of before its list is.
    if (writes.some(({ session }) => !this.#before.has(session))) await this.#look();
    for (const write of writes) await this.#tellOf(write);
    const isMore = events.some(({ stream }) => stream.startsWith("session:") || stream.startsWith("plan:"));
    if (isMore) await this.#look();
  }

  async #tellOf(write: ListWrite): Promise<void> {
    const { session, at } = write;
    const about = await this.#mention(session);
    await this.#tell(this.#linesOf(write).map((text) => ({ ...about, text, at })));
  }

  /** Up to its first write the list was read from a transcript, which may have told of that very write already. */
  #linesOf({ session, lines, list, finished }: ListWrite): readonly string[] {
    const compared = this.#told.has(session) ? undefined : this.#compared.get(session);
    this.#told.add(session);
    this.#compared.delete(session);
    if (!compared || compared.list.phases.length + (compared.finished?.phases.length ?? 0) === 0) return lines;
    const done = finished && reportList(finished, undefined);
    const isKnown = !done || (compared.finished !== null && isSameJson(textsOf(done), textsOf(compared.finished)));
    const now = { list: reportList(list, undefined), finished: isKnown ? compared.finished : { at: null, ...done } };
    return todoLines(compared, now);
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

function textsOf({ phases }: TodoListReport): readonly unknown[] {
  return phases.flatMap(({ todos }) => todos.map(({ text, status }) => [text, status]));
}
