import type { Observation } from "../../core/session/observation.js";
import { alertsNow, NOT_WATCHED } from "../../core/session/watched/fact-steps.js";
import { joinTimelines } from "../../core/timeline/join-timelines.js";
import type { Timeline } from "../../core/timeline/timeline.js";
import { TimelineFold } from "../../core/timeline/timeline-fold.js";
import { type Cursor, type EventStore, START, type StoredEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import { documentKind } from "../transcripts/document.js";
import type { Followed } from "../transcripts/follow/followed.js";
import { FollowedDocument } from "../transcripts/follow/followed-document.js";
import { FollowedFile } from "../transcripts/follow/followed-file.js";
import type { OpenBoard } from "../transcripts/open-session-board.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { type OwnNames, ownNames } from "./own-names.js";

/** The timeline of one session, from the store and from its transcripts; read on from where it was. */
export interface TimelineSource {
  /** As it is now; the same value as before when nothing is new. */
  catchUp(): Promise<Timeline>;
}

/** `board`: tells which files are the session's; it has read them once, and is not changed. */
export async function openTimeline(
  board: OpenBoard,
  store: EventStore,
  session: SessionReport,
): Promise<TimelineSource> {
  return new SessionTimeline(board, store, session);
}

class SessionTimeline implements TimelineSource {
  readonly #board: OpenBoard;
  readonly #session: SessionReport;
  readonly #stored: StoredTimeline;
  readonly #files = new Map<string, FileTimeline>();
  #joined: Timeline | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(board: OpenBoard, store: EventStore, session: SessionReport) {
    this.#board = board;
    this.#session = session;
    this.#stored = new StoredTimeline(store, session);
  }

  /** One after the other: what is read twice at once is told twice. */
  catchUp(): Promise<Timeline> {
    const read = this.#reading.then(() => this.#catchUp());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #catchUp(): Promise<Timeline> {
    const names = ownNames(this.#session, this.#board.attachment.readFiles());
    let isNew = await this.#stored.catchUp();
    for (const path of names.paths) {
      const file = this.#files.get(path) ?? new FileTimeline(path);
      this.#files.set(path, file);
      if (await file.catchUp(names)) isNew = true;
    }
    if (!this.#joined || isNew) {
      const seen = [...this.#files.values()].map((file) => file.timeline());
      this.#joined = joinTimelines(withAlerts(this.#stored.timeline(), this.#session), seen);
    }
    return this.#joined;
  }
}

/** What its report knew when the timeline was opened: alerts of silence are in no record. */
function withAlerts(timeline: Timeline, { alerts }: SessionReport): Timeline {
  const known = alerts.flatMap(({ at, detector, level, message }) =>
    at === null ? [] : [{ at: Date.parse(at), detector, level, message }],
  );
  return known.length === 0 ? timeline : { ...timeline, alerts: [...timeline.alerts, ...known] };
}

/** What hooks and our own tools told. */
class StoredTimeline {
  readonly #store: EventStore;
  readonly #agent: string | undefined;
  readonly #isBelow: boolean;
  #fold = new TimelineFold();
  #head: Cursor | undefined;
  readonly #after: Map<string, Cursor>;

  constructor(store: EventStore, { id, parent }: Pick<SessionReport, "id" | "parent">) {
    const [root = id, agent] = id.split("/");
    this.#store = store;
    this.#agent = agent;
    this.#isBelow = parent !== null;
    this.#after = new Map([
      [sessionStream(root, agent), START],
      [callsStream(root), START],
    ]);
  }

  timeline(): Timeline {
    return this.#fold.timeline();
  }

  /** True when something was new. */
  async catchUp(): Promise<boolean> {
    const head = await this.#store.head();
    if (head === this.#head) return false;
    let isNew = false;
    for (const [stream, after] of this.#after) if (await this.#readOn(stream, after)) isNew = true;
    this.#head = head;
    return isNew;
  }

  async #readOn(stream: string, after: Cursor): Promise<boolean> {
    const pages = await this.#store.read({ stream, after });
    if (!pages.ok) return this.#restart();
    let isNew = false;
    for await (const { events, cursor } of pages.value) {
      for (const event of events) this.#add(event);
      isNew ||= events.length > 0;
      this.#after.set(stream, cursor);
    }
    return isNew;
  }

  /** The store was emptied, or is another one: the next look reads it from its beginning. */
  #restart(): boolean {
    this.#fold = new TimelineFold();
    for (const stream of this.#after.keys()) this.#after.set(stream, START);
    this.#head = undefined;
    return true;
  }

  #add(event: StoredEvent): void {
    if (event.stream.startsWith("session:")) this.#fold.addSessionEvent(event);
    else this.#fold.addCallEvent(event, (agent) => this.#callerOf(agent));
  }

  /** A sub-agent's timeline has its own calls alone; that of a session has those of its sub-agents, too. */
  #callerOf(agent: string | undefined): string | null | undefined {
    if (this.#isBelow) return agent === this.#agent ? null : undefined;
    return agent ?? null;
  }
}

/** What one transcript tells. */
class FileTimeline {
  readonly #file: Followed;
  readonly #isDocument: boolean;
  #fold = new TimelineFold();
  #known: Timeline | undefined;
  #names: OwnNames | undefined;
  #isTold = false;

  constructor(path: string) {
    const kind = documentKind(path);
    this.#isDocument = kind !== undefined;
    this.#file = kind ? new FollowedDocument(path, kind) : new FollowedFile(path);
  }

  async catchUp(names: OwnNames): Promise<boolean> {
    this.#names = names;
    this.#isTold = false;
    await this.#file.catchUp(this.#observed, { begun: this.#begun });
    if (!this.#isTold) return false;
    for (const view of this.#file.views) {
      if (names.agentOf(view.id) !== null) continue;
      for (const alert of alertsNow(view.watched ?? NOT_WATCHED, view)) this.#fold.raise(alert, alert.at);
    }
    this.#known = undefined;
    return true;
  }

  /** The same one for each look: a file that is read on goes on telling the first that it was given. */
  readonly #observed = (observations: readonly Observation[]): void => {
    for (const fact of observations) {
      const agent = this.#names?.agentOf(fact.session);
      if (agent === undefined) continue;
      // Of a document everything is told again.
      if (!this.#isTold && this.#isDocument) this.#fold = new TimelineFold();
      this.#isTold = true;
      this.#fold.observe(fact, agent);
    }
  };

  readonly #begun = (): void => {
    this.#fold = new TimelineFold();
    this.#isTold = true;
  };

  timeline(): Timeline {
    this.#known ??= this.#fold.timeline();
    return this.#known;
  }
}
