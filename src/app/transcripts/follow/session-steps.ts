import type { Session } from "../../../core/session/session.js";
import { addBounded } from "../../../readers/memory.js";
import type { EventStore, StoredEvent } from "../../../store/event-store.js";
import { viewAt } from "../../../store/log/keep-view.js";
import { sessionStream } from "../../../store/stream.js";
import { SESSIONS } from "../../session/session-view.js";

/** A session, or a sub-agent, before and after one event. */
export interface SessionStep {
  /** As in `sessions --json`: `SESSION`, or `SESSION/AGENT`. */
  readonly id: string;
  /** The place of the event in its stream, from 1. */
  readonly version: number;
  readonly at: number;
  readonly before: Session;
  readonly after: Session;
  /** The session above a sub-agent, as it was by then. */
  readonly root?: Session | undefined;
}

interface Folded {
  readonly version: number;
  readonly session: Session;
}

/** More sessions than are written at the same time; one that is dropped is folded again. */
const MOST_SESSIONS = 200;

const SESSION = "session:";

/** Tells of sessions from the log, event by event. */
export class SessionSteps {
  readonly #store: EventStore;
  readonly #sessions = new Map<string, Folded>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  /** `events`: all that were committed, in their order, each once. */
  async stepsIn(events: readonly StoredEvent[]): Promise<readonly SessionStep[]> {
    const own = events.filter(({ stream }) => stream.startsWith(SESSION));
    // A sub-agent's event may come before one of the session above it: that one is needed as it was before both.
    for (const event of own) if (!this.#sessions.has(event.stream)) this.#keep(event.stream, await this.#before(event));
    const steps: SessionStep[] = [];
    for (const event of own) steps.push(await this.#step(event));
    return steps;
  }

  async #step(event: StoredEvent): Promise<SessionStep> {
    const { stream, version, at } = event;
    const { session: before } = await this.#before(event);
    const after = SESSIONS.fold(before, [event]);
    this.#keep(stream, { version, session: after });
    const id = stream.slice(SESSION.length);
    return { id, version, at, before, after, root: await this.#rootOf(id) };
  }

  async #before({ stream, version }: StoredEvent): Promise<Folded> {
    const known = this.#sessions.get(stream);
    if (known?.version === version - 1) return known;
    const session = await this.#store.look(({ queries }) => viewAt(queries, SESSIONS, stream, version - 1));
    return { version: version - 1, session };
  }

  async #rootOf(id: string): Promise<Session | undefined> {
    const [root = id, agent] = id.split("/");
    if (agent === undefined) return undefined;
    const stream = sessionStream(root);
    return this.#sessions.get(stream)?.session ?? (await this.#store.view(SESSIONS, stream));
  }

  #keep(stream: string, folded: Folded): void {
    this.#sessions.delete(stream);
    addBounded(this.#sessions, stream, folded, MOST_SESSIONS);
  }
}
