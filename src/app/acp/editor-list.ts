import { isOurServer } from "../../core/call/call-event.js";
import type { AcpFact } from "../../readers/acp/acp-fact.js";
import { addBounded } from "../../readers/memory.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { acpNotification, planUpdate } from "../../streams/acp/acp-format.js";
import { LISTS } from "../views.js";

const MOST_SESSIONS = 1000;

/** A person may change the list, too. Milliseconds. */
const LOOK_EVERY = 1000;

/** The list of a session, as the line that an editor is sent; empty for a list that was never written. */
async function planLine(store: EventStore, session: string): Promise<string> {
  const list = await store.view(LISTS, sessionStream(session));
  if (list.revision === 0) return "";
  return `${JSON.stringify(acpNotification(session, planUpdate(list)))}\n`;
}

/**
 * The lists that agents keep with our tool, told to their editor as plans. An agent that shows a plan of its own has
 * shown it already: from then on ours would take its place.
 */
export class EditorList {
  readonly #store: () => Promise<EventStore>;
  readonly #say: (line: string) => void;
  /** What was last said of sessions whose list is kept with our tool. */
  readonly #shown = new Map<string, string>();
  /** Sessions whose agent shows a plan of its own. */
  readonly #own = new Map<string, true>();
  readonly #timer: NodeJS.Timeout;
  #head = "";
  #looking: Promise<void> = Promise.resolve();

  constructor(store: () => Promise<EventStore>, say: (line: string) => void) {
    this.#store = store;
    this.#say = say;
    this.#timer = setInterval(() => this.#look(false), LOOK_EVERY);
    this.#timer.unref();
  }

  hear(facts: readonly AcpFact[]): void {
    for (const fact of facts) {
      const { session } = fact;
      if (fact.type === "plan.told" && hasEntries(fact.plan.entries)) {
        addBounded(this.#own, session, true, MOST_SESSIONS);
        this.#shown.delete(session);
      }
      if (fact.type === "closed") this.#shown.delete(session);
      if (fact.type !== "call.ended" || !isOurServer(fact.server) || fact.tool !== "todo") continue;
      if (this.#own.has(session)) continue;
      if (!this.#shown.has(session)) addBounded(this.#shown, session, "", MOST_SESSIONS);
      this.#look(true);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(isSure: boolean): void {
    if (this.#shown.size === 0) return;
    this.#looking = this.#looking.then(() => this.#tell(isSure)).catch(() => undefined);
  }

  async #tell(isSure: boolean): Promise<void> {
    const store = await this.#store();
    const head = await store.head();
    if (!isSure && head === this.#head) return;
    this.#head = head;
    for (const [session, before] of this.#shown) {
      const line = await planLine(store, session);
      if (line === "" || line === before || !this.#shown.has(session)) continue;
      this.#shown.set(session, line);
      this.#say(line);
    }
  }
}

function hasEntries(entries: unknown): boolean {
  return Array.isArray(entries) && entries.length > 0;
}
