import { readCallEvent } from "../../core/call/call-event.js";
import { readSessionEvent } from "../../core/session/events.js";
import { readTodoEvent } from "../../core/todo/recorded.js";
import type { EventStore, Page, StoredEvent } from "../../store/event-store.js";
import { sessionOf, sessionStream } from "../../store/stream.js";
import type { HostFormat, HostNews, NewsPlace } from "../../streams/host-format.js";
import { PLANS, planStream } from "../plans/plan-views.js";
import { ToldSessions } from "./told-sessions.js";

/** A write of a list is many events; hosts are told of it once, when it is over. */
interface OpenWrite {
  readonly event: StoredEvent;
  readonly revision: number;
}

/** Sub-agents are below their session: `session/agent`. */
export function isWithin(session: string, whole: string): boolean {
  return session === whole || session.startsWith(`${whole}/`);
}

/** Pages of the log as the messages of a host's own protocol. */
export class HostMessages {
  readonly #store: EventStore;
  readonly #format: HostFormat;
  readonly #sessions: ToldSessions;
  readonly #only: string | undefined;

  /** `only`: one session and its sub-agents. */
  constructor(store: EventStore, format: HostFormat, only?: string) {
    this.#store = store;
    this.#format = format;
    this.#sessions = new ToldSessions(store);
    this.#only = only;
  }

  async *of({ events }: Page): AsyncGenerator<object> {
    let write: OpenWrite | undefined;
    for (const event of events) {
      const session = sessionOf(event.stream);
      if (session === undefined || (this.#only !== undefined && !isWithin(this.#only, session))) continue;
      const revision = readTodoEvent(event.type, event.data)?.revision;
      const isSame = write?.event.stream === event.stream && write.revision === revision;
      if (write && !isSame) yield* await this.#listMessages(write.event);
      write = revision === undefined ? undefined : { event, revision };
      if (event.stream.startsWith("calls:")) yield* this.#callMessages(event, session);
      else yield* await this.#sessionMessages(event);
    }
    if (write) yield* await this.#listMessages(write.event);
  }

  async #listMessages(event: StoredEvent): Promise<readonly object[]> {
    const session = await this.#sessions.after(event);
    const list = await this.#sessions.listOf(event.stream, session);
    return this.#messages({ type: "list", list }, event);
  }

  async #sessionMessages(stored: StoredEvent): Promise<readonly object[]> {
    await this.#sessions.after(stored);
    const event = readSessionEvent(stored.type, stored.data);
    if (!event) return [];
    if (event.type !== "plan.changed") return this.#messages({ type: "session", event }, stored);
    const { plan, title, status } = event;
    const text = status === "proposed" ? await this.#planText(plan, stored.at) : undefined;
    return this.#messages({ type: "plan", id: plan, title, status, text }, stored);
  }

  /** As it was proposed then: a person may have edited it since. */
  async #planText(plan: string, at: number): Promise<string | undefined> {
    const stream = planStream(plan);
    const pages = await this.#store.read({ stream });
    let state = PLANS.initial;
    if (pages.ok)
      for await (const { events } of pages.value) {
        state = PLANS.fold(
          state,
          events.filter((event) => event.at <= at),
        );
      }
    return state.id === "" ? undefined : state.text;
  }

  #callMessages(stored: StoredEvent, session: string): readonly object[] {
    const event = readCallEvent(stored.type, stored.data);
    if (!event) return [];
    const stream = sessionStream(session, event.agent);
    return this.#messages({ type: "call", event }, { ...stored, stream });
  }

  #messages(news: HostNews, { stream, at, version, cursor }: StoredEvent): readonly object[] {
    const session = stream.slice(stream.indexOf(":") + 1);
    if (this.#only !== undefined && !isWithin(session, this.#only)) return [];
    const known = this.#sessions.known(stream);
    const place: NewsPlace = {
      session,
      // Whoever writes without hooks tells of no turns.
      turn: Math.max(1, known?.turns ?? 0),
      at,
      version,
      folder: known?.folder,
      cursor,
    };
    return this.#format.messages(news, place);
  }
}
