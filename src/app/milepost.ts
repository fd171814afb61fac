import { checkId, isId } from "../core/id.js";
import { fail, ok, type Result } from "../core/result.js";
import type { TodoList } from "../core/todo/list.js";
import type { Answer, Dialect, ToolCall, ToolInput } from "../dialects/dialect.js";
import { speak } from "../dialects/speak.js";
import { DIALECTS, findDialect } from "../dialects/table.js";
import {
  type Decision,
  type EventStore,
  type Idempotency,
  isEventName,
  type Transaction,
  type Write,
} from "../store/event-store.js";
import { openStore } from "../store/open.js";
import type { Script } from "../store/script.js";
import type { Store } from "../store/store.js";
import { sessionStream } from "../store/stream.js";
import { StoreTrouble, TROUBLES } from "../store/trouble.js";
import { callEnded, callsStream, factId, startedIds } from "./calls.js";
import { unknownDialect } from "./dialects.js";
import { LISTS, PROJECTIONS, toNewEvent } from "./lists.js";
import { recentSessions, SESSIONS, sessionEvent } from "./sessions.js";
import { chooseStore, type Environment } from "./store-place.js";

export { StoreTrouble, TROUBLES };

/** Whose list is meant. Without an agent it is the session's own list. */
export interface Place {
  readonly session?: string;
  readonly agent?: string;
}

export interface CallRequest extends Place {
  /** Default: `milepost`. */
  readonly dialect?: string;
  readonly tool: string;
  /** The arguments, parsed already. */
  readonly input?: unknown;
  /** Instead of `input`: the JSON text exactly as the model wrote it. */
  readonly arguments?: string;
  readonly mode?: ToolCall["mode"];
  readonly storage?: ToolCall["storage"];
  /** Sent twice with the same key, a call is made once and answered twice. Kept for 24 hours. */
  readonly key?: string;
  /** Who calls, when it is not the session's own agent. */
  readonly actor?: string;
  /** The call as the client knows it. With it, the call is also a fact in the log: once, however many report it. */
  readonly origin?: CallOrigin;
}

export interface CallOrigin {
  /** `claude-code`, `codex`, or what another client calls itself. */
  readonly client: string;
  /** The client's own id of this call. Without it the call cannot be told from the next one like it. */
  readonly call?: string;
  /** The folder the client works in. */
  readonly folder?: string;
  /** The MCP server that the client called, as it knows it. */
  readonly server?: string;
}

export interface Milepost {
  /**
   * One tool call of a model, durable when it resolves. A refused call is an answer too; an error here means that
   * nobody could be asked. Trouble with the store is thrown as `StoreTrouble`.
   */
  call(request: CallRequest): Promise<Result<Answer>>;
  /**
   * Whose call it is, where hooks of the same client have told so: the client itself does not tell its server.
   * `process` is the client's, machine and number.
   */
  placeOf(process: string, call: string | undefined): Promise<Place | undefined>;
  /** The list as it is now; empty for a session that has none. */
  list(place?: Place): Promise<Result<TodoList>>;
  /** The events under it all. */
  readonly store: Store;
  close(): Promise<void>;
}

export interface MilepostOptions {
  /** `memory:`, a file path, `sqlite:PATH` or `postgres://...`. Default: the file in Milepost's own folder. */
  readonly store?: string | undefined;
  /** Where MILEPOST_STORE, MILEPOST_HOME and XDG_STATE_HOME are looked up. */
  readonly environment?: Environment;
  /** Do not make a store where there is none. */
  readonly mustExist?: boolean;
  readonly notice?: (text: string) => void;
}

const DEFAULT_SESSION = "default";

export async function openMilepost(options: MilepostOptions): Promise<Milepost> {
  const { store: asked, environment = {}, mustExist = false, notice } = options;
  const { url, isOwnFolder } = chooseStore(asked, environment);
  const store = await openStore(url, {
    projections: PROJECTIONS,
    isOwnFolder,
    mustExist,
    ...(notice ? { notice } : undefined),
  });
  return createMilepost(store);
}

export function createMilepost(store: Store): Milepost {
  let hasWritten = false;
  return {
    store,
    call(request) {
      hasWritten = true;
      return callOn(store, request);
    },
    placeOf: (process, call) => placeOf(store, process, call),
    async list(place = {}) {
      const stream = listStream(place, "agent");
      // A copy: what a caller does with it must not reach the list.
      return stream.ok ? ok(structuredClone(await store.view(LISTS, stream.value))) : stream;
    },
    async close() {
      // Housekeeping must not turn a good answer into bad news; doctor shows how much history there is.
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
    // One that has ended does not call: its number has come again.
    const isLive = isId(session) && (await store.view(SESSIONS, sessionStream(session))).state !== "ended";
    if (isLive) return { session, ...(isId(agent) ? { agent } : undefined) };
  }
  // The hook before the call did not get through; the one at the start of the session did.
  const sessions = await recentSessions(store, MOST_LOOKED_AT);
  const found = sessions.find((one) => one.session.process === process && one.session.state !== "ended");
  return found && { session: found.id };
}

/** One tool call, on a store that somebody else has opened. */
export async function callOn(store: EventStore, request: CallRequest): Promise<Result<Answer>> {
  const dialect = findDialect(request.dialect ?? DIALECTS[0]?.name ?? "");
  if (!dialect) return fail(unknownDialect(request.dialect));
  const stream = listStream(request, dialect.policy.scope);
  if (!stream.ok) return stream;
  if (request.actor !== undefined && !isEventName(request.actor)) return fail(BAD_ACTOR);
  const idempotency = idempotencyOf(request, dialect, stream.value);
  if (idempotency && !idempotency.ok) return idempotency;
  const decision = callDecision(dialect, stream.value, request);
  return store.commit(decision, idempotency ? { idempotency: idempotency.value } : {});
}

/** Parsed and decided on the list as it is inside the write transaction: nobody can write in between. */
function callDecision(dialect: Dialect, stream: string, request: CallRequest): Decision<Answer> {
  const { tool, mode = "default", storage = "session", actor } = request;
  const call = { tool, mode, storage, input: toolInput(request) };
  return function* (transaction) {
    const list = yield* transaction.view(LISTS, stream);
    const { events, answer } = speak(dialect, list, call);
    const writes = [{ stream, events: events.map((event) => toNewEvent(event, actor)) }];
    const facts = yield* factsOf(transaction, request, stream, answer);
    // Some models number their calls from 1 in each turn: what only looked must not be answered with an old look.
    return ok({ writes: [...writes, ...facts], answer, isKept: request.origin === undefined || events.length > 0 });
  };
}

/** What the log says about a call that a client made: that it was made, by whom, and whether it was refused. */
function* factsOf(
  transaction: Transaction,
  request: CallRequest,
  stream: string,
  { isError }: Answer,
): Script<readonly Write[]> {
  const { session = DEFAULT_SESSION, agent, tool, origin } = request;
  if (!origin) return [];
  const { client, call, folder, server } = origin;
  const own = sessionStream(session);
  const known = yield* transaction.view(SESSIONS, own);
  const started = sessionEvent({
    type: "session.started",
    source: "call",
    client,
    ...(folder ? { folder } : undefined),
  });
  const refused = sessionEvent({ type: "list.refused", tool }, call && factId(session, call, "refused"));
  const seen = callEnded(session, { call, tool, server, agent, status: isError ? "failed" : "completed" });
  return [
    { stream: own, events: known.client === "" ? [started] : [] },
    { stream, events: isError ? [refused] : [] },
    { stream: callsStream(session), events: [seen] },
  ];
}

function toolInput({ input, arguments: text }: CallRequest): ToolInput {
  return input === undefined && text !== undefined ? { text } : { value: input ?? {} };
}

function listStream({ session = DEFAULT_SESSION, agent }: Place, scope: Dialect["policy"]["scope"]): Result<string> {
  const owner = scope === "agent" ? agent : undefined;
  const refused = checkId("session", session) ?? (owner === undefined ? undefined : checkId("agent", owner));
  return refused ?? ok(sessionStream(session, owner));
}

const BAD_ACTOR = { code: "bad-actor", message: "An actor is 1 to 300 visible characters." };

const KEY = /^[!-~]{1,200}$/;

export function isKey(key: unknown): key is string {
  return typeof key === "string" && KEY.test(key);
}

function idempotencyOf(request: CallRequest, { name }: Dialect, stream: string): Result<Idempotency> | undefined {
  const { key, tool, mode = "default", input, arguments: text } = request;
  if (key === undefined) return undefined;
  if (!isKey(key))
    return fail({ code: "bad-key", message: "A key is 1 to 200 visible ASCII characters without blanks." });
  return ok({ key, stream, input: [stream, name, tool, mode, input ?? null, text ?? null] });
}
