import { evolve } from "../../core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { readTodoEvent } from "../../core/todo/recorded.js";
import { RecentMap } from "../../readers/memory.js";
import type { EventStore, RecordedEvent } from "../../store/event-store.js";
import { LISTS } from "../views.js";

/** One session at one place of the log: what formats need to know of it beside the event. */
interface ToldSession {
  /** How far its stream is folded. */
  version: number;
  list: TodoList;
  turns: number;
  folder: string | undefined;
  /** Its first events are no longer kept: what the store's view says holds instead. */
  isCut: boolean;
}

/** Of so many sessions it is known without reading their history again. */
const MOST_SESSIONS = 500;

/** Sessions as they were at the place of the log that is being told, not as they are by now. */
export class ToldSessions {
  readonly #store: EventStore;
  readonly #sessions = new RecentMap<ToldSession>(MOST_SESSIONS);

  constructor(store: EventStore) {
    this.#store = store;
  }

  /** The session of a stream, as it is after this event of it. */
  async after(event: RecordedEvent): Promise<ToldSession> {
    const session = this.#sessions.get(event.stream) ?? (await this.#before(event));
    this.#sessions.set(event.stream, session);
    if (event.version > session.version) apply(session, event);
    return session;
  }

  /** As far as it has been told; undefined where nothing was. */
  known(stream: string): ToldSession | undefined {
    return this.#sessions.get(stream);
  }

  /** Whoever starts in the middle of the log has not seen how the session began. */
  async #before({ stream, version }: RecordedEvent): Promise<ToldSession> {
    const session: ToldSession = { version: 0, list: EMPTY_LIST, turns: 0, folder: undefined, isCut: false };
    if (version === 1) return session;
    const pages = await this.#store.read({ stream });
    if (!pages.ok) return session;
    for await (const { events } of pages.value)
      for (const event of events) {
        if (event.version >= version) return session;
        session.isCut ||= session.version === 0 && event.version > 1;
        apply(session, event);
      }
    return session;
  }

  async listOf(stream: string, session: ToldSession): Promise<TodoList> {
    return session.isCut ? await this.#store.view(LISTS, stream) : session.list;
  }
}

function apply(session: ToldSession, { version, type, data }: RecordedEvent): void {
  session.version = version;
  if (type === "turn.started") session.turns += 1;
  if (type === "session.started" && typeof data.folder === "string") session.folder = data.folder;
  const change = readTodoEvent(type, data);
  if (change) session.list = evolve(session.list, change);
}
