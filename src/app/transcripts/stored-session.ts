import { scalarText } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import type { Session } from "../../core/session/session.js";
import { evolveView, newView, type SessionView } from "../../core/session/session-facts.js";
import type { TodoList } from "../../core/todo/list.js";
import { readTodoEvent } from "../../core/todo/recorded.js";
import type { EventStore, RecordedEvent } from "../../store/event-store.js";
import { callsStream } from "../calls/call-events.js";
import { isProcessThere } from "../session/process-life.js";
import { SESSIONS } from "../session/session-view.js";
import { storeNow } from "../store-place.js";
import { LISTS, withListEvents } from "../views.js";

/** A session that reports to us: what the store knows of it. */
export interface StoredSession {
  readonly id: string;
  readonly session: Session;
  readonly list: TodoList;
  /** When its last event or call happened, by this process's clock: files are compared with it. */
  readonly at: number;
}

/** Its hooks report, not only its calls: then it is known when a turn begins and ends. */
export function hasHooks({ session }: StoredSession): boolean {
  return session.turns > 0 || session.process !== "";
}

/** The client has gone without saying so. Only told where it is known. */
export function isClientGone(stored: StoredSession): boolean {
  return isProcessThere(stored.session.process) === false;
}

export function isClientThere(stored: StoredSession): boolean {
  return isProcessThere(stored.session.process) === true;
}

type RecentStream = Awaited<ReturnType<EventStore["recent"]>>[number];

/** A server may take a while to say what time it is. */
const AGREE_MS = 5000;

/** What the store knows of sessions, asked again only when something was written. */
export class StoredSessions {
  readonly #store: EventStore;
  readonly #limit: number;
  #head = "";
  /** By how much the store's clock is ahead of ours. Small changes are let be: each would make every view be folded again. */
  #ahead = 0;
  #sessions: readonly StoredSession[] = [];
  readonly #views = new Map<string, { readonly at: number; readonly view: SessionView }>();

  constructor(store: EventStore, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  /** The one that was written last first, and sub-agents with lists of their own. */
  async all(): Promise<readonly StoredSession[]> {
    const head = await this.#store.head();
    if (head === this.#head) return this.#sessions;
    const [streams, calls] = await Promise.all([
      this.#store.recent("session", this.#limit),
      this.#store.recent("calls", this.#limit),
    ]);
    const ahead = (await storeNow(this.#store)) - Date.now();
    if (Math.abs(ahead - this.#ahead) > AGREE_MS) this.#ahead = ahead;
    const calledAt = new Map(calls.map(({ stream, at }) => [stream.slice("calls:".length), at]));
    this.#sessions = await Promise.all(streams.map((one) => this.#session(one, calledAt)));
    const ids = new Set(this.#sessions.map(({ id }) => id));
    for (const id of this.#views.keys()) if (!ids.has(id)) this.#views.delete(id);
    this.#head = head;
    return this.#sessions;
  }

  async #session({ stream, at }: RecentStream, calledAt: ReadonlyMap<string, number>): Promise<StoredSession> {
    const [session, list] = await Promise.all([this.#store.view(SESSIONS, stream), this.#store.view(LISTS, stream)]);
    const id = stream.slice("session:".length);
    const [root = id] = id.split("/");
    return { id, session, list, at: Math.max(at, calledAt.get(root) ?? 0) - this.#ahead };
  }

  async view(stored: StoredSession): Promise<SessionView> {
    const known = this.#views.get(stored.id);
    if (known?.at === stored.at) return known.view;
    const view = await storedView(this.#store, stored);
    this.#views.set(stored.id, { at: stored.at, view });
    return view;
  }
}

/** The view that its events give: what ran while which todo was in progress. */
async function storedView(store: EventStore, stored: StoredSession): Promise<SessionView> {
  const { id, session, list } = stored;
  const [root = id, agent] = id.split("/");
  const own = await eventsOf(store, `session:${id}`);
  const calls = (await eventsOf(store, callsStream(root))).filter(({ data }) => (data.agent ?? undefined) === agent);
  let view = newView(id);
  let seen = newView(id).list;
  for (const event of [...own, ...calls].sort((a, b) => a.at - b.at)) {
    seen = withListEvents(seen, [event]);
    for (const fact of factsOf(event, seen)) view = evolveView(view, { ...fact, session: id, at: event.at });
  }
  return {
    ...view,
    agent: session.client,
    parent: agent === undefined ? null : root,
    folder: session.folder,
    // What was pruned is still in here.
    list,
    tasks: heldTasks(stored),
    turns: session.turns,
    compactions: session.compactions,
  };
}

/** The tasks it has a lease on. */
function heldTasks({ id, session, at }: StoredSession): SessionView["tasks"] {
  return (session.held ?? []).map(({ task, subject }) => {
    return { id: `${task}`, subject, status: "in_progress", owner: id, blocks: [], blockedBy: [], at };
  });
}

async function eventsOf(store: EventStore, stream: string): Promise<readonly RecordedEvent[]> {
  const pages = await store.read({ stream });
  const events: RecordedEvent[] = [];
  if (pages.ok) for await (const page of pages.value) events.push(...page.events);
  return events;
}

function factsOf({ type, data }: RecordedEvent, list: TodoList): readonly Fact[] {
  if (readTodoEvent(type, data)) return [{ type: "list.changed", list }];
  if (type === "turn.started") return [{ type: "turn.started" }];
  if (type === "turn.ended") return [{ type: "turn.ended", isAsking: false }];
  return type === "call.ended" ? callFacts(data) : [];
}

function callFacts({ call, tool, server, status }: RecordedEvent["data"]): readonly Fact[] {
  const id = typeof call === "string" ? call : "";
  const name = scalarText(tool) ?? "";
  const isWork = server !== "milepost" && !["TodoWrite", "update_plan"].includes(name);
  const ended = status === "failed" || status === "cancelled" ? status : "completed";
  return [
    { type: "call.started", call: id, tool: name, isWork, isAsking: false },
    { type: "call.ended", call: id, status: ended },
  ];
}
