import { hostname } from "node:os";
import type { StandingTask } from "../../core/task/query.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS } from "../session/session-view.js";
import type { OwnersKnown } from "../terminal/owner-text.js";

/** Asked once for each session that holds one of the tasks, also over several pages. */
export class OwnersOf implements OwnersKnown {
  readonly agents = new Map<string, string>();
  readonly machine = hostname();
  readonly #store: EventStore;

  constructor(store: EventStore) {
    this.#store = store;
  }

  async learn(tasks: readonly StandingTask[]): Promise<OwnersKnown> {
    const sessions = new Set(tasks.flatMap(({ task }) => task.lease?.session ?? []));
    for (const session of sessions)
      if (!this.agents.has(session))
        this.agents.set(session, (await this.#store.view(SESSIONS, sessionStream(session))).client);
    return this;
  }
}
