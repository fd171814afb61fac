import { type AgentCalls, type CallHistory, callsOf } from "../../core/call/call-history.js";
import { NO_WATCH } from "../../core/detectors/session-watch.js";
import { NO_SEEN_WORK } from "../../core/grounding/seen-work.js";
import type { Plan } from "../../core/plan/plan.js";
import type { Session } from "../../core/session/session.js";
import { newView, type SessionView } from "../../core/session/session-facts.js";
import type { SessionHistory } from "../../core/session/session-history.js";
import { STARTED } from "../../core/session/state/why.js";
import { missedAlert } from "../../core/session/turn/missed-check.js";
import { NOT_WATCHED } from "../../core/session/watched/fact-steps.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { callsStream } from "../calls/call-events.js";
import { PLANS, planStream } from "../plans/plan-views.js";
import { isProcessThere } from "../session/process-life.js";
import { CALLS, HISTORIES, SESSIONS } from "../session/session-view.js";
import { hasNoLists } from "../settings/lists-off.js";
import { DEFAULT_SETTINGS, type Settings } from "../settings.js";
import { storeNow } from "../store-place.js";
import { finishedOf, workIn } from "../todo/todo-work.js";
import { LISTS } from "../views.js";
import { withoutDetectors } from "./report/alert-report.js";

/** A session that reports to us: what the store knows of it. */
export interface StoredSession {
  readonly id: string;
  readonly session: Session;
  readonly list: TodoList;
  /** When its last event or call happened, by this process's clock: files are compared with it. */
  readonly at: number;
}

/** Its turns are reported, not only its calls: by its hooks, or by who sits between it and its editor. */
export function tellsTurns({ session }: Pick<StoredSession, "session">): boolean {
  return session.turns > 0 || session.process !== "";
}

/** Its hooks report: then its model can be told something, too. */
export function hasHooks(stored: Pick<StoredSession, "session">): boolean {
  return tellsTurns(stored) && stored.session.via === undefined;
}

/** The client has gone without saying so. Only told where it is known. */
function isClientGone(stored: Pick<StoredSession, "session">): boolean {
  return isProcessThere(stored.session.process) === false;
}

export function hasEnded(stored: Pick<StoredSession, "session">): boolean {
  return stored.session.state === "ended" || isClientGone(stored);
}

type RecentStream = Awaited<ReturnType<EventStore["recent"]>>[number];

/** A stream of the store, and what was made of it. */
interface KnownStream {
  readonly stream: string;
  /** By the store's clock. */
  readonly heardAt: number;
  readonly ahead: number;
  readonly stored: StoredSession;
}

/** With more events at once, as after a night's sleep, all sessions are asked for again. */
const MOST_NEWS = 500;

/** A server may take a while to say what time it is. */
const AGREE_MS = 5000;

/** What the store knows of sessions, asked again only when something was written. */
export class StoredSessions {
  readonly #store: EventStore;
  readonly #off: Pick<Settings, "listsOff" | "detectors">;
  #limit: number;
  /** A session that is looked at however old it is. */
  #asked: string | undefined;
  #head = "";
  /**
   * By how much the store's clock is ahead of ours. Small changes are let be: each would make every view be folded
   * again.
   */
  #ahead = 0;
  #sessions: readonly StoredSession[] = [];
  #known = new Map<string, KnownStream>();
  readonly #plans = new Map<string, Plan | undefined>();
  readonly #views = new Map<string, { readonly stored: StoredSession; readonly view: SessionView }>();

  /** `off`: agents whose lists are not shown, and whether alerts are. */
  constructor(store: EventStore, limit: number, off: Pick<Settings, "listsOff" | "detectors"> = DEFAULT_SETTINGS) {
    this.#store = store;
    this.#off = off;
    this.#limit = limit;
  }

  /** The view as people see it: a transcript may have a list that its agent shall not have. */
  shown(view: SessionView): SessionView {
    const watched = this.#off.detectors.isOn ? view : withoutDetectors(view);
    if (!hasNoLists(this.#off, view.agent)) return watched;
    return { ...watched, list: EMPTY_LIST, finished: null, work: NO_SEEN_WORK };
  }

  /** From here on all are looked at. */
  widen(): void {
    this.#limit = Number.MAX_SAFE_INTEGER;
    this.#head = "";
  }

  /** From here on this one is looked at, too, with its sub-agents. */
  include(session: string): void {
    this.#asked = session;
    this.#head = "";
  }

  /** The one that was written last first, and sub-agents with lists of their own. */
  async all(): Promise<readonly StoredSession[]> {
    const head = await this.#store.head();
    if (head === this.#head) return this.#sessions;
    const changed = await this.#changedSince(this.#head);
    const [streams, calls] = await Promise.all([this.#streams(), this.#store.recent("calls", this.#limit)]);
    const ahead = (await storeNow(this.#store)) - Date.now();
    if (Math.abs(ahead - this.#ahead) > AGREE_MS) this.#ahead = ahead;
    const calledAt = new Map(calls.map(({ stream, at }) => [stream.slice("calls:".length), at]));
    this.#plans.clear();
    const known = await Promise.all(streams.map((one) => this.#stream(one, calledAt, changed)));
    this.#known = new Map(known.map((one) => [one.stream, one]));
    this.#sessions = known.map(({ stored }) => stored);
    const ids = new Set(this.#sessions.map(({ id }) => id));
    for (const id of this.#views.keys()) if (!ids.has(id)) this.#views.delete(id);
    this.#head = head;
    return this.#sessions;
  }

  /** Every session that the store knows, without sub-agents. */
  async ids(): Promise<readonly string[]> {
    const streams = await this.#store.recent("session", Number.MAX_SAFE_INTEGER);
    return streams.map(({ stream }) => stream.slice("session:".length)).filter((id) => !id.includes("/"));
  }

  async #streams(): Promise<readonly RecentStream[]> {
    const most = this.#asked === undefined ? this.#limit : Number.MAX_SAFE_INTEGER;
    const streams = await this.#store.recent("session", most);
    const isAsked = (stream: string) => `${stream}/`.startsWith(`session:${this.#asked}/`);
    return streams.filter(({ stream }, at) => at < this.#limit || isAsked(stream));
  }

  /** Streams with events after that place; undefined where there are many, or some may be gone. */
  async #changedSince(head: string): Promise<ReadonlySet<string> | undefined> {
    const read = head === "" ? undefined : await this.#store.read({ after: head });
    if (!read?.ok) return undefined;
    const changed = new Set<string>();
    let news = 0;
    for await (const { events, prunedUpTo } of read.value) {
      news += events.length;
      if (news > MOST_NEWS || prunedUpTo !== undefined) return undefined;
      for (const { stream } of events) changed.add(stream);
    }
    return changed;
  }

  /** As it was, where nothing was written since. */
  async #stream(
    { stream, at }: RecentStream,
    calledAt: ReadonlyMap<string, number>,
    changed: ReadonlySet<string> | undefined,
  ): Promise<KnownStream> {
    const [root = ""] = stream.slice("session:".length).split("/");
    const heardAt = Math.max(at, calledAt.get(root) ?? 0);
    const known = this.#known.get(stream);
    const isQuiet = changed !== undefined && !changed.has(stream) && !changed.has(callsStream(root));
    if (isQuiet && known?.heardAt === heardAt && known.ahead === this.#ahead) return known;
    return { stream, heardAt, ahead: this.#ahead, stored: await this.#session(stream, heardAt) };
  }

  async #session(stream: string, heardAt: number): Promise<StoredSession> {
    const [session, list] = await Promise.all([this.#store.view(SESSIONS, stream), this.#store.view(LISTS, stream)]);
    const id = stream.slice("session:".length);
    const { why = STARTED } = session;
    const since = why.since === 0 ? 0 : why.since - this.#ahead;
    const ours = { ...session, why: { ...why, since } };
    return { id, session: ours, list, at: heardAt - this.#ahead };
  }

  /** The plan that it proposed last. */
  async plan({ session: { plan } }: StoredSession): Promise<Plan | undefined> {
    if (!plan) return undefined;
    if (this.#plans.has(plan.plan)) return this.#plans.get(plan.plan);
    const known = await this.#store.view(PLANS, planStream(plan.plan));
    const shown = known.id ? known : undefined;
    this.#plans.set(plan.plan, shown);
    return shown;
  }

  async view(stored: StoredSession): Promise<SessionView> {
    const known = this.#views.get(stored.id);
    if (known?.stored === stored) return known.view;
    const view = await storedView(this.#store, stored, this.#ahead);
    this.#views.set(stored.id, { stored, view });
    return view;
  }
}

/** What is kept of its history: what ran while which todo was in progress. Nothing of it is read again. */
async function storedView(store: EventStore, stored: StoredSession, ahead: number): Promise<SessionView> {
  const { id, session, list } = stored;
  const [root = id, agent] = id.split("/");
  const [own, all] = await Promise.all([store.view(HISTORIES, `session:${id}`), store.view(CALLS, callsStream(root))]);
  const calls = callsOf(all, agent);
  const { completed, failed, cancelled } = calls;
  const open = openCalls(own, all);
  return {
    ...newView(id),
    agent: session.client,
    parent: agent === undefined ? null : root,
    folder: session.folder,
    phase: phaseOf(own, calls),
    list,
    finished: finishedOf(own),
    goal: session.clientList?.goal ?? null,
    tasks: tasksOf(stored),
    calls: { total: completed + failed + cancelled, failed },
    turns: session.turns,
    compactions: session.compactions,
    refusal: session.refusal === "none" ? undefined : session.refusalText,
    startedAt: Math.min(own.startedAt || calls.startedAt, calls.startedAt || own.startedAt),
    at: Math.max(own.seenAt, calls.endedAt),
    open: open.filter((one) => one.agent === agent).map((one) => seenCall(one, ahead)),
    work: { ...NO_SEEN_WORK, ...workIn(own, all, agent) },
    watched: {
      ...NOT_WATCHED,
      watch: session.watch ?? NO_WATCH,
      begun: agent === undefined ? open : [],
      ...(session.openclaw && { openclaw: session.openclaw }),
      ...(session.checks?.isMissed && { unchecked: missedAlert(own.turnAt) }),
    },
  };
}

const MCP_TOOL = /^mcp__.+?__(.+)$/s;

/** As a transcript would tell of it, by this process's clock. */
function seenCall({ call, tool: name, at, subject: title, progress }: CallHistory["open"][number], ahead: number) {
  const [, tool = name] = MCP_TOOL.exec(name) ?? [];
  return { call, tool, at: at - ahead, title, progress, isAsking: false };
}

/** Those that began before the model went on have ended, whether or not anybody told so. */
function openCalls({ movedOnAt }: SessionHistory, { open }: CallHistory): CallHistory["open"] {
  return open.filter(({ at }) => at > movedOnAt);
}

/** Whoever calls is at work, whatever was told of its turn before that. */
function phaseOf({ turn, turnAt }: SessionHistory, { endedAt }: AgentCalls): SessionView["phase"] {
  if (endedAt > 0 && endedAt >= turnAt) return "working";
  return turn === "none" ? "new" : turn === "open" ? "working" : "resting";
}

/** Those that its client keeps by itself, else ours that it has a lease on: ids of both would be mixed up. */
export function tasksOf({ id, session, at }: Pick<StoredSession, "id" | "session" | "at">): SessionView["tasks"] {
  const own = session.clientList?.tasks ?? [];
  if (own.length > 0) return own.map((task) => ({ ...task, at }));
  return (session.held ?? []).map(({ task, subject }) => {
    return { id: `${task}`, subject, status: "in_progress", owner: id, blocks: [], blockedBy: [], at };
  });
}
