import { type JsonObject, objectAt, sessionAt, textAt } from "../../core/json.js";
import { addBounded } from "../memory.js";
import { agentOfCommand, agentOfInfo } from "./acp-agent.js";
import type { AcpFact, AcpNews } from "./acp-fact.js";
import { AcpSession, modeOf } from "./acp-session.js";

/** Who wrote a message. */
export type AcpSender = "editor" | "agent";

/** A request that waits for its answer. */
interface Asked {
  readonly method: string;
  readonly session: string | undefined;
  readonly params: JsonObject;
}

/** Hostile streams ask for ever and never answer. */
const MOST_WAITING = 1000;
const MOST_SESSIONS = 200;

const PATH_MAX = 4096;

const OPENING = ["session/new", "session/load", "session/resume", "session/fork"];

/**
 * Reads the messages between an editor and its agent (Agent Client Protocol v1, JSON-RPC), one by one, and tells what
 * they say of sessions. Never throws: a message that is not as it should be tells nothing. What is held is bounded,
 * however long the stream is.
 */
export class AcpReader {
  #agent: string;
  readonly #sessions = new Map<string, AcpSession>();
  readonly #waiting: Readonly<Record<AcpSender, Map<string, Asked>>> = { editor: new Map(), agent: new Map() };

  /** `command`: how the agent was started; some tell nothing else of who they are. */
  constructor(command: readonly string[]) {
    this.#agent = agentOfCommand(command);
  }

  get agent(): string {
    return this.#agent;
  }

  /** `at`: when the message passed, in milliseconds. */
  read(sender: AcpSender, message: JsonObject, at: number): readonly AcpFact[] {
    const { method, id } = message;
    if (typeof method !== "string") return this.#answer(sender, message, at);
    const params = objectAt(message.params);
    const session = sessionAt(params.sessionId);
    const key = requestKey(id);
    if (key !== undefined) addBounded(this.#waiting[sender], key, { method, session, params }, MOST_WAITING);
    const news = sender === "editor" ? this.#fromEditor(method, session) : this.#fromAgent(method, params, at);
    return session === undefined ? [] : named(session, news);
  }

  #fromEditor(method: string, session: string | undefined): readonly AcpNews[] {
    if (session === undefined) return [];
    if (method === "session/load") this.#session(session).isReplayed = true;
    if (method === "session/prompt") return this.#session(session).startTurn();
    return [];
  }

  #fromAgent(method: string, params: JsonObject, at: number): readonly AcpNews[] {
    const session = sessionAt(params.sessionId);
    if (session === undefined) return [];
    if (method === "session/request_permission") return this.#session(session).ask(params, at);
    return method === "session/update" ? this.#session(session).update(objectAt(params.update), at) : [];
  }

  #answer(sender: AcpSender, message: JsonObject, at: number): readonly AcpFact[] {
    const asker = sender === "agent" ? "editor" : "agent";
    const key = requestKey(message.id);
    const asked = key === undefined ? undefined : this.#waiting[asker].get(key);
    if (key === undefined || asked === undefined) return [];
    this.#waiting[asker].delete(key);
    const result = objectAt(message.result);
    const hasFailed = message.result === undefined;
    if (sender === "editor") return this.#answered(asked);
    if (asked.method === "initialize") this.#agent = agentOfInfo(objectAt(result.agentInfo)) ?? this.#agent;
    if (OPENING.includes(asked.method)) return this.#opened(asked, result, hasFailed);
    if (asked.session === undefined) return [];
    return named(asked.session, this.#done(asked, asked.session, { result, hasFailed, at }));
  }

  /** The answer of a person, through their editor. */
  #answered({ method, session }: Asked): readonly AcpFact[] {
    const isPermission = method === "session/request_permission" && session !== undefined;
    return isPermission ? named(session, [{ type: "answered" }]) : [];
  }

  #done(
    { method, params }: Asked,
    session: string,
    { result, hasFailed, at }: { result: JsonObject; hasFailed: boolean; at: number },
  ): readonly AcpNews[] {
    if (method === "session/prompt") return this.#session(session).endTurn(result, hasFailed, at);
    if (hasFailed) return [];
    if (method === "session/set_mode") return modeOf(params.modeId);
    if (method !== "session/close" && method !== "session/delete") return [];
    this.#sessions.delete(session);
    return [{ type: "closed" }];
  }

  #opened({ method, session: asked, params }: Asked, result: JsonObject, hasFailed: boolean): readonly AcpFact[] {
    const told = sessionAt(result.sessionId);
    const session = told ?? (method === "session/load" || method === "session/resume" ? asked : undefined);
    if (asked !== undefined) this.#session(asked).isReplayed = false;
    if (session === undefined || hasFailed) return [];
    const folder = textAt(params.cwd)?.slice(0, PATH_MAX);
    const how = method === "session/new" ? "startup" : method === "session/fork" ? "fork" : "resume";
    const from = how === "fork" ? asked : undefined;
    const mode = objectAt(result.modes).currentModeId;
    return named(session, [{ type: "opened", how, folder, from }, ...modeOf(mode)]);
  }

  #session(id: string): AcpSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new AcpSession(this.#agent);
    addBounded(this.#sessions, id, session, MOST_SESSIONS);
    return session;
  }
}

function named(session: string, news: readonly AcpNews[]): readonly AcpFact[] {
  return news.map((one) => ({ ...one, session }) as AcpFact);
}

const KEY_MAX = 200;

/** Requests are numbered or named; `1` and `"1"` are two. */
function requestKey(id: unknown): string | undefined {
  if (typeof id === "number") return `${id}`;
  return typeof id === "string" && id.length <= KEY_MAX ? `"${id}` : undefined;
}
