import { isOurServer } from "../../core/call/call-event.js";
import { addBounded } from "../../readers/memory.js";
import { type Cursor, type EventStore, START } from "../../store/event-store.js";
import { callsStream } from "../calls/call-events.js";
import { PATIENCE } from "./fact-writer.js";

const MOST_SESSIONS = 1000;
const MOST_CALLS = 1000;

interface ServerCall {
  readonly tool: unknown;
  readonly hasFailed: boolean;
}

interface Heard {
  readonly after: Cursor;
  /** Recorded by our server without the client's id, and not yet told to the editor. */
  readonly calls: readonly ServerCall[];
}

/**
 * Calls that our own MCP server has recorded already, when the agent tells its editor of them. Many agents do not tell
 * a server the id of a call, so they are known by their tool, how they ended, and their order.
 */
export class ServerCalls {
  readonly #store: () => Promise<EventStore>;
  readonly #heard = new Map<string, Heard>();

  constructor(store: () => Promise<EventStore>) {
    this.#store = store;
  }

  /** What was recorded before an editor opened the session was told to another one. */
  async begin(session: string): Promise<void> {
    const after = await (await this.#store()).within(PATIENCE).head();
    addBounded(this.#heard, session, { after, calls: [] }, MOST_SESSIONS);
  }

  /** True where the call that has just ended is one of them; it is taken for no other call then. */
  async take(session: string, tool: string, hasFailed: boolean): Promise<boolean> {
    const { after, calls } = await this.#read(session);
    const alike = calls.findIndex((call) => call.tool === tool && call.hasFailed === hasFailed);
    // Some agents call a refusal of ours a completed call. One that failed on the way never came to our server.
    const at = alike >= 0 || hasFailed ? alike : calls.findIndex((call) => call.tool === tool);
    const rest = at < 0 ? calls : calls.filter((_, place) => place !== at);
    addBounded(this.#heard, session, { after, calls: rest.slice(-MOST_CALLS) }, MOST_SESSIONS);
    return at >= 0;
  }

  async #read(session: string): Promise<Heard> {
    const known = this.#heard.get(session) ?? { after: START, calls: [] };
    const more: ServerCall[] = [];
    let after = known.after;
    const pages = await (await this.#store()).within(PATIENCE).read({ after, stream: callsStream(session) });
    if (pages.ok)
      for await (const { events, cursor } of pages.value) {
        after = cursor;
        for (const { type, data } of events)
          if (type === "call.ended" && data.call === undefined && isOurServer(data.server))
            more.push({ tool: data.tool, hasFailed: data.status === "failed" });
      }
    return { after, calls: [...known.calls, ...more] };
  }
}
