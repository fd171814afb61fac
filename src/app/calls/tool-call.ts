import { checkId } from "../../core/id.js";
import { fail, ok, type Result } from "../../core/result.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { remindersOf } from "../../dialects/agent-reminders.js";
import type { Answer, Dialect, ToolCall, ToolInput } from "../../dialects/dialect.js";
import { DIALECTS, findDialect, findTaskDialect } from "../../dialects/registry.js";
import { speak } from "../../dialects/speak.js";
import type { TaskDialect } from "../../dialects/task-dialect.js";
import {
  type Decision,
  type EventStore,
  type Idempotency,
  isEventName,
  type Transaction,
  type Write,
} from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS, sessionEvent } from "../session/session-view.js";
import { DEFAULT_SETTINGS, type Settings } from "../settings.js";
import { taskOffers } from "../tasks/links/todo-links.js";
import { dueSweep, ownSweep, sweepWrite } from "../todo/sweep-closed.js";
import { LISTS, toNewEvent } from "../views.js";
import { factId } from "./call-events.js";
import { callFacts } from "./call-facts.js";
import { unknownDialect } from "./dialect-names.js";
import { callTask, type TaskCall } from "./task-call.js";

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
  /** The JSON text that `input` was read from, where numbers in it lost something by that. */
  readonly source?: string;
  readonly mode?: ToolCall["mode"];
  readonly storage?: ToolCall["storage"];
  /** Sent twice with the same key, a call is made once and answered twice. Kept for 24 hours. */
  readonly key?: string;
  /** Who calls, when it is not the session's own agent. */
  readonly actor?: string;
  /** The list of tasks that is meant. Default: the session's own or the project's, as the dialect says. */
  readonly list?: string | undefined;
  /** Distinguishes clients that share a guessed session: each has its own leases. */
  readonly holder?: string | undefined;
  /** The list of tasks of the project the caller works in. */
  readonly project?: string | undefined;
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

const DEFAULT_SESSION = "default";

/** One tool call on an open store. */
export async function callOn(
  store: EventStore,
  request: CallRequest,
  settings: Settings = DEFAULT_SETTINGS,
): Promise<Result<Answer>> {
  const name = request.dialect ?? DIALECTS[0]?.name ?? "";
  const dialect = findDialect(name);
  const tasks = findTaskDialect(name);
  if (request.actor !== undefined && !isEventName(request.actor)) return fail(BAD_ACTOR);
  if (tasks && (!dialect || tasks.tools.some((tool) => tool.name === request.tool)))
    return callTask(store, taskCallOf(tasks, request), (stream) => idempotencyOf(request, name, stream));
  if (!dialect) return fail(unknownDialect(request.dialect));
  const scope = scopeOf(dialect, settings);
  const stream = listStream(request, scope);
  if (!stream.ok) return stream;
  if (scope === "main" && request.agent !== undefined) return ok({ text: NO_LIST, isError: true });
  const idempotency = idempotencyOf(request, name, stream.value);
  if (idempotency && !idempotency.ok) return idempotency;
  const decision = callDecision(dialect, stream.value, request, settings);
  return store.commit(decision, idempotency ? { idempotency: idempotency.value } : {});
}

function taskCallOf(dialect: TaskDialect, request: CallRequest): TaskCall {
  const { session = DEFAULT_SESSION, tool, mode = "default" } = request;
  return { dialect, request, session, call: { tool, mode, input: toolInput(request) } };
}

/** Parsed and decided on the list as it is inside the write transaction: nobody can write in between. */
function callDecision(
  dialect: Dialect,
  stream: string,
  request: CallRequest,
  { clearAfter }: Settings,
): Decision<Answer> {
  const { tool, mode = "default", storage = "session", actor } = request;
  const call = { tool, mode, storage, input: toolInput(request) };
  return function* (transaction) {
    const before = yield* transaction.view(LISTS, stream);
    const due = yield* dueSweep(transaction, stream, before, clearAfter);
    const { list, events, answer: spoken } = speak(dialect, evolveAll(before, due), call);
    const offers = yield* taskOffers(transaction, stream, events);
    const answer = offers.length > 0 && dialect.told ? dialect.told(spoken, offers) : spoken;
    const writes = [
      sweepWrite(stream, due),
      { stream, events: events.map((event) => toNewEvent(event, actor)) },
      sweepWrite(stream, ownSweep(list, clearAfter)),
    ];
    // A dialect with exact answers has no room for it: the next hook tells the model.
    if (!dialect.told)
      writes.push({ stream, events: offers.map((text) => sessionEvent({ type: "notice.left", text })) });
    const facts = yield* factsOf(transaction, { ...request, dialect: dialect.name }, stream, answer);
    // Some models number their calls from 1 in each turn: a read must not be answered with a kept answer.
    return ok({ writes: [...writes, ...facts], answer, isKept: request.origin === undefined || events.length > 0 });
  };
}

const NO_LIST = "Sub-agents keep no todo list here. The list belongs to the main agent; go on without one.";

function scopeOf({ policy }: Dialect, { subAgents }: Settings): Scope {
  switch (subAgents) {
    case "dialect":
      return policy.scope;
    case "none":
      return "main";
    case "shared":
      return "session";
    case "own":
      return "agent";
  }
}

type Scope = Dialect["policy"]["scope"];

/** What the log says about a call that a client made: that it was made, by whom, and whether it was refused. */
function* factsOf(
  transaction: Transaction,
  request: CallRequest,
  stream: string,
  { isError, text }: Answer,
): Script<readonly Write[]> {
  const { session = DEFAULT_SESSION, tool, origin, dialect = "" } = request;
  const reminders = remindersOf(dialect);
  const spoken = yield* spokenOf(transaction, stream, reminders ? dialect : "");
  const said = reminders ? { text: text.slice(0, REFUSAL_MAX).toWellFormed() } : undefined;
  const refused = (call?: string) =>
    sessionEvent({ type: "list.refused", tool, ...said }, call && factId(session, call, "refused"));
  if (!origin) return [...spoken, { stream, events: isError && reminders ? [refused()] : [] }];
  const { call } = origin;
  const [started, seen] = yield* callFacts(transaction, request, session, { isError });
  return [
    ...(started ? [started] : []),
    ...spoken,
    { stream, events: isError ? [refused(call)] : [] },
    ...(seen ? [seen] : []),
  ];
}

const REFUSAL_MAX = 4000;

/** Which dialect's reminders the session gets from here on. Most have none, and then nothing is written. */
function* spokenOf(transaction: Transaction, stream: string, dialect: string): Script<readonly Write[]> {
  const known = yield* transaction.view(SESSIONS, stream);
  if ((known.dialect || "") === dialect) return [];
  return [{ stream, events: [sessionEvent({ type: "dialect.spoken", dialect })] }];
}

function toolInput({ input, arguments: text, source }: CallRequest): ToolInput {
  if (input === undefined && text !== undefined) return { text };
  return { value: input === undefined ? {} : input, ...(source === undefined ? undefined : { source }) };
}

export function listStream({ session = DEFAULT_SESSION, agent }: Place, scope: Scope): Result<string> {
  const owner = scope === "agent" ? agent : undefined;
  const refused = checkId("session", session) ?? (owner === undefined ? undefined : checkId("agent", owner));
  return refused ?? ok(sessionStream(session, owner));
}

const BAD_ACTOR = { code: "bad-actor", message: "An actor is 1 to 300 visible characters." };

const KEY = /^[!-~]{1,200}$/;

export function isKey(key: unknown): key is string {
  return typeof key === "string" && KEY.test(key);
}

function idempotencyOf(request: CallRequest, name: string, stream: string): Result<Idempotency> | undefined {
  const { key, tool, mode = "default", input, arguments: text, source } = request;
  if (key === undefined) return undefined;
  if (!isKey(key))
    return fail({ code: "bad-key", message: "A key is 1 to 200 visible ASCII characters without spaces." });
  return ok({ key, stream, input: [stream, name, tool, mode, source ?? input ?? null, text ?? null] });
}
