import { ok, type Result } from "../core/result.js";
import type { Projection } from "./projection.js";
import type { Queries } from "./queries.js";
import type { Script } from "./script.js";

export interface NewEvent {
  /** `noun.past-participle`. */
  readonly type: string;
  /** A JSON object. */
  readonly data: object;
  /** Derived from the fact itself (agent, native session, call id, phase): a second arrival is ignored. */
  readonly id?: string;
  /** Who did it, when it was not the session itself. */
  readonly actor?: string;
  /** When it happened, for what is told late: milliseconds since 1970. Default: the time of the write. */
  readonly at?: number;
}

const EVENT_TYPE = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;

export function isEventType(type: unknown): type is string {
  return typeof type === "string" && type.length <= 100 && EVENT_TYPE.test(type);
}

// By their numbers: classes by name take a hook half a millisecond to compile.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const EVENT_NAME = /^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]{1,300}$/u;

/** Ids and actors: any visible text. A NUL would end it on one engine and be refused by the other. */
export function isEventName(name: unknown): name is string {
  return typeof name === "string" && EVENT_NAME.test(name);
}

/** An event as folds see it. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** 1, 2, 3 ... within its stream, without gaps. */
  readonly version: number;
  /** Milliseconds since 1970, by the store's clock. Order is told by cursor and version, never by time. */
  readonly at: number;
  readonly data: { readonly [field: string]: unknown };
}

export interface StoredEvent extends RecordedEvent {
  /** A reader that stops here goes on from here. */
  readonly cursor: Cursor;
}

/** Opaque: it is only ever handed back to the store it came from. */
export type Cursor = string;

/** Before the first event. */
export const START: Cursor = "0";

export interface Write {
  readonly stream: string;
  /** Refuse the whole commit when the stream is not at this version. */
  readonly expected?: number;
  readonly events: readonly NewEvent[];
}

/** One consistent look at the store: for scripts that ask more than a view. */
export interface Look {
  /** The store's clock, the same for everything in one look. */
  readonly now: number;
  readonly queries: Queries;
}

/** What a decision may look at. All of it is inside the write transaction, so nothing can be stale. */
export interface Transaction extends Look {
  view<State>(projection: Projection<State>, stream: string): Script<State>;
  /** How many events the stream has had; 0 for one that is not there. */
  version(stream: string): Script<number>;
  /** An event with this id is there already: a second arrival would be ignored. */
  isKnown(id: string): Script<boolean>;
}

interface Decided<T> {
  readonly writes: readonly Write[];
  readonly answer: T;
  /** False: with the same key it may be decided anew, because it changed nothing that matters. Default: true. */
  readonly isKept?: boolean;
}

/** May run more than once (a deadlock, a lost race): it must do nothing but ask and decide. */
export type Decision<T> = (transaction: Transaction) => Script<Result<Decided<T>>>;

/** A write that depends on nothing but its expected versions. */
export function append(writes: readonly Write[]): Decision<undefined> {
  return function* () {
    yield* [];
    return ok({ writes, answer: undefined });
  };
}

/** The same key gives the first answer for 24 hours; with another input it is refused. */
export interface Idempotency {
  readonly key: string;
  readonly input: unknown;
  /** Whose answer it is: forgotten with that session. */
  readonly stream: string;
}

export interface Page {
  readonly events: readonly StoredEvent[];
  /** Where the next page begins. */
  readonly cursor: Cursor;
  /** Something after the reader's position is no longer kept; it should load views before it goes on. */
  readonly prunedUpTo?: Cursor;
}

interface ReadOptions {
  /** Default: the beginning. */
  readonly after?: Cursor;
  /** Default: all streams. */
  readonly stream?: string;
}

interface FollowOptions extends ReadOptions {
  readonly signal: AbortSignal;
}

interface RecentStream {
  readonly stream: string;
  /** When its last event happened. */
  readonly at: number;
}

interface CommitOptions {
  readonly idempotency?: Idempotency;
  /** It probably writes to `calls:` streams alone: then it is observed. If not, it is decided again, and durable. */
  readonly isObserved?: boolean;
}

/** Trouble with the store itself (a full disk, damage, a lost server) is thrown as `StoreTrouble`. */
export interface EventStore {
  /**
   * Writes to all streams or to none, and the views with them. When this resolves with ok, the write is durable.
   * A decision without writes costs nothing. An answer is kept as JSON when a key is given.
   */
  commit<T>(decision: Decision<T>, options?: CommitOptions): Promise<Result<T>>;
  /** For `calls:` streams only: events survive the end of this process, maybe not a power cut. Waits behind commits. */
  observe(stream: string, events: readonly NewEvent[]): Promise<void>;
  /** One row, however long the history is. */
  view<State>(projection: Projection<State>, stream: string): Promise<State>;
  /** Whatever a script asks, in one consistent look. */
  look<T>(script: (look: Look) => Script<T>): Promise<T>;
  /** Events in commit order, page by page; an unknown stream is empty. Never misses or repeats one. */
  read(options?: ReadOptions): Promise<Result<AsyncIterable<Page>>>;
  /** Like `read`, and then everything that comes, until the signal. */
  follow(options: FollowOptions): Promise<Result<AsyncIterable<Page>>>;
  /** The event with this id. */
  find(id: string): Promise<RecordedEvent | undefined>;
  /** Streams of a kind (`session`), the one that was written last first. */
  recent(kind: string, limit: number): Promise<readonly RecentStream[]>;
  /** Where the log ends now. */
  head(): Promise<Cursor>;
  /**
   * The same store for somebody whom others may keep waiting for this many milliseconds, in all: after that what it
   * asks is refused (`store-busy`), and not done later either. 0: one try. Closing it leaves the store open.
   */
  within(milliseconds: number): EventStore;
  close(): Promise<void>;
}
