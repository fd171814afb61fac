import type { Observation } from "../../core/session/observation.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { alertsNow, NOT_WATCHED } from "../../core/session/watched/fact-steps.js";
import { joinTimelines } from "../../core/timeline/join-timelines.js";
import { EMPTY_TIMELINE, type Timeline } from "../../core/timeline/timeline.js";
import { TimelineFold } from "../../core/timeline/timeline-fold.js";
import { type Cursor, type EventStore, START, type StoredEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import { FollowedFile } from "../transcripts/follow/followed-file.js";
import type { OpenBoard } from "../transcripts/open-session-board.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { type DocumentFacts, documentFacts } from "./document-facts.js";
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
      const file = this.#files.get(path) ?? openFile(this.#board, path);
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

/** What one file tells of the session. */
interface FileTimeline {
  /** True when something was new. */
  catchUp(names: OwnNames): Promise<boolean>;
  timeline(): Timeline;
}

function openFile(board: OpenBoard, path: string): FileTimeline {
  const facts = documentFacts(board, path);
  return facts ? new DocumentTimeline(facts) : new TranscriptTimeline(path);
}

/** Alerts are in no record: the view of the session has found them. */
function raiseAlerts(fold: TimelineFold, views: readonly SessionView[], names: OwnNames): void {
  for (const view of views) {
    if (names.agentOf(view.id) !== null) continue;
    for (const alert of alertsNow(view.watched ?? NOT_WATCHED, view)) fold.raise(alert, alert.at);
  }
}

/** A snapshot or a database: its sessions are told whole. */
class DocumentTimeline implements FileTimeline {
  readonly #facts: DocumentFacts;
  #told: readonly (readonly Observation[])[] = [];
  #known: Timeline = EMPTY_TIMELINE;

  constructor(facts: DocumentFacts) {
    this.#facts = facts;
  }

  async catchUp(names: OwnNames): Promise<boolean> {
    const told = await this.#facts.factsOf((session) => names.agentOf(session) !== undefined);
    if (told.length === this.#told.length && told.every((facts, at) => facts === this.#told[at])) return false;
    const fold = new TimelineFold();
    for (const fact of told.flat()) fold.observe(fact, names.agentOf(fact.session) ?? null);
    raiseAlerts(fold, this.#facts.document.views, names);
    this.#told = told;
    this.#known = fold.timeline();
    return true;
  }

  timeline(): Timeline {
    return this.#known;
  }
}

/** A transcript that grows. */
class TranscriptTimeline implements FileTimeline {
  readonly #file: FollowedFile;
  #fold = new TimelineFold();
  #known: Timeline | undefined;
  #names: OwnNames | undefined;
  #isTold = false;

  constructor(path: string) {
    this.#file = new FollowedFile(path);
  }

  async catchUp(names: OwnNames): Promise<boolean> {
    this.#names = names;
    this.#isTold = false;
    await this.#file.catchUp(this.#observed, { begun: this.#begun });
    if (!this.#isTold) return false;
    raiseAlerts(this.#fold, this.#file.views, names);
    this.#known = undefined;
    return true;
  }

  /** The same one for each look: a file that is read on goes on telling the first that it was given. */
  readonly #observed = (observations: readonly Observation[]): void => {
    for (const fact of observations) {
      const agent = this.#names?.agentOf(fact.session);
      if (agent === undefined) continue;
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
