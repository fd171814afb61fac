import { isId } from "../core/id.js";
import { ok, type Result } from "../core/result.js";
import type { TodoList } from "../core/todo/list.js";
import type { Answer } from "../dialects/dialect.js";
import type { EventStore } from "../store/event-store.js";
import { openStore } from "../store/open.js";
import { Patience } from "../store/patience.js";
import type { Projection } from "../store/projection.js";
import type { Store } from "../store/store.js";
import { sessionStream } from "../store/stream.js";
import { StoreTrouble, TROUBLES } from "../store/trouble.js";
import { startedIds } from "./calls/call-events.js";
import { type CallRequest, listStream, type Place } from "./calls/call-request.js";
import type { CallReport, Observed } from "./calls/observed-call.js";
import { isSameProcess } from "./session/process-life.js";
import { recentSessions, SESSIONS } from "./session/session-view.js";
import { DEFAULT_SETTINGS, readSettings, type Settings } from "./settings.js";
import { hasWaitingStarts, type SpoolPlace, spoolPlace, waitingIn } from "./spool/spool-place.js";
import { chooseStore, type Environment } from "./store-place.js";
import { CLOSINGS, sweptList } from "./todo/sweep-closed.js";
import { PROJECTIONS } from "./views.js";

export { type CallOrigin, type CallRequest, isKey, type Place } from "./calls/call-request.js";
export type { CallEnded, CallReport, CallStarted, CallUpdated, Observed } from "./calls/observed-call.js";
export { StoreTrouble, TROUBLES };

export interface Milepost {
  /**
   * One tool call of a model, durable when it resolves. A refused call is an answer too; an error here means that
   * nobody could be asked. Trouble with the store is thrown as `StoreTrouble`.
   */
  call(request: CallRequest): Promise<Result<Answer>>;
  /** Whose call it is, as hooks of the same client told: clients do not tell their server. `process`: the client's. */
  placeOf(process: string, call: string | undefined): Promise<Place | undefined>;
  /**
   * What the tools of a host's own agent did, beside the list: a call that began, goes on or has ended. Calls that one
   * reply made together may be told together. The same fact told twice, here or by a hook, is one event.
   */
  observe(reports: CallReport | readonly CallReport[]): Promise<Result<Observed>>;
  /** The list as it is now; empty for a session that has none. */
  list(place?: Place): Promise<Result<TodoList>>;
  /** The events under it all. */
  readonly store: Store;
  /** The same for somebody whom others may keep waiting for this long, in all: after that it is `store-busy`. */
  within(milliseconds: number): Milepost;
  close(): Promise<void>;
}

export interface MilepostOptions {
  /** `memory:`, a file path, `sqlite:PATH` or `postgres://...`. Default: the file in Milepost's own folder. */
  readonly store?: string | undefined;
  /** Where MILEPOST_STORE, MILEPOST_HOME and XDG_STATE_HOME are looked up. */
  readonly environment?: Environment;
  /** Do not make a store where there is none. */
  readonly mustExist?: boolean;
  /** Whose project may tighten settings, where a call names no folder of its own; undefined: none. */
  readonly folder?: string | undefined;
  readonly notice?: (text: string) => void;
  /** Whoever hears hooks takes in with them what waits for the first one. */
  readonly hearsHooks?: boolean;
  /** The number of the host's process: when it is gone, sessions that it told of have ended. */
  readonly pid?: number | undefined;
}

export async function openMilepost(options: MilepostOptions): Promise<Milepost> {
  const { store: asked, environment = {}, mustExist = false, notice, hearsHooks = false, pid } = options;
  const { url, isOwnFolder } = chooseStore(asked, environment);
  // Read again for each call: a server runs for days, and its calls are of several folders.
  const settings = (folder = options.folder) => readSettings(environment, folder);
  const store = await openStore(url, {
    projections: settings().clearAfter < 0 ? PROJECTIONS : [...PROJECTIONS, CLOSINGS as Projection],
    isOwnFolder,
    mustExist,
    ...(notice ? { notice } : undefined),
  });
  const place = spoolPlace(environment, asked);
  if (!place) return createMilepost(store, settings, url === "memory:" ? "memory" : "session", { pid });
  const takeIn = (within: number) => takeInWaiting(store.within(OTHERS_MS), place, environment, within);
  await takeIn(OPENING_MS);
  if (!hearsHooks && asked === undefined && hasWaitingStarts(environment)) {
    const { hearStartsQuietly } = await import("./hooks/hear-hook.js");
    await hearStartsQuietly({ environment, open: async () => store.within(OTHERS_MS) });
  }
  return createMilepost(store, settings, "session", { before: () => takeIn(CALL_MS), pid });
}

/** What hooks are made of loads only where something waits. */
async function takeInWaiting(store: EventStore, place: SpoolPlace, environment: Environment, within: number) {
  if (waitingIn(place.folder).length === 0) return;
  const { takeInQuietly } = await import("./spool/take-in-spool.js");
  await takeInQuietly(store, place, environment, within);
}

/** Milliseconds for facts that wait when a store is opened, and before a call; what is left goes on waiting. */
const OPENING_MS = 10_000;
const CALL_MS = 200;
/** Of that, for others who write: who only reads does not wait for them. */
const OTHERS_MS = 200;

/** For one who waits at most this long, for a store that is perhaps still being opened, and for it afterwards. */
export async function inTime(opening: Promise<Milepost>, milliseconds: number): Promise<Milepost> {
  const patience = new Patience(milliseconds);
  const milepost = await patience.waitFor(opening);
  return milepost.within(patience.left);
}

interface MilepostHost {
  /** What has to be done before each call. */
  readonly before?: () => Promise<void>;
  readonly pid?: number | undefined;
}

/** `settings` are asked for the folder of each call. */
export function createMilepost(
  store: Store,
  settings: Settings | ((folder?: string) => Settings) = DEFAULT_SETTINGS,
  storage: CallRequest["storage"] = "session",
  { before = async () => undefined, pid }: MilepostHost = {},
): Milepost {
  let hasWritten = false;
  const settingsOf = typeof settings === "function" ? settings : () => settings;
  const on = (store: Store): Omit<Milepost, "close"> => ({
    store,
    async call(request) {
      hasWritten = true;
      // What hooks told before it comes before it.
      await before();
      const { callOn } = await import("./calls/tool-call.js");
      return callOn(store, { storage, ...request }, settingsOf(request.origin?.folder));
    },
    async observe(reports) {
      hasWritten = true;
      await before();
      const { observeCalls } = await import("./calls/observe-calls.js");
      return observeCalls(store, [reports].flat(), { pid, settingsOf });
    },
    placeOf: (process, call) => placeOf(store, process, call),
    async list(place = {}) {
      const { subAgents, clearAfter } = settingsOf();
      const stream = listStream(place, subAgents === "shared" ? "session" : "agent");
      // A copy: what a caller does with it must not reach the list.
      return stream.ok ? ok(structuredClone(await sweptList(store, stream.value, clearAfter))) : stream;
    },
    // It is closed by whoever has opened it.
    within: (milliseconds) => ({ ...on({ ...store, ...store.within(milliseconds) }), close: async () => undefined }),
  });
  return {
    ...on(store),
    async close() {
      // Pruning must not fail a command that succeeded; doctor shows how much history there is.
      if (hasWritten) await store.tidy().catch(() => undefined);
      await store.close();
    },
  };
}

const MOST_LOOKED_AT = 50;

async function placeOf(store: EventStore, process: string, call: string | undefined): Promise<Place | undefined> {
  for (const id of call === undefined ? [] : startedIds(process, call)) {
    const started = await store.find(id);
    const session = started?.stream.replace(/^calls:/, "");
    const agent = started?.data.agent;
    // A session that has ended makes no calls: the call id was reused.
    const isLive = isId(session) && (await store.view(SESSIONS, sessionStream(session))).state !== "ended";
    if (isLive) return { session, ...(isId(agent) ? { agent } : undefined) };
  }
  // The hook before the call failed: fall back to the session that this process started last.
  const sessions = await recentSessions(store, MOST_LOOKED_AT);
  const found = sessions.find((one) => isSameProcess(one.session.process, process) && one.session.state !== "ended");
  return found && { session: found.id };
}
