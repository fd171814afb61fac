import { isId } from "../../core/id.js";
import { fail, ok, type Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import { redactJson, redactValue } from "../../core/secrets/redact-json.js";
import { waiversIn } from "../../core/session/waiver.js";
import type { TodoEvent } from "../../core/todo/events.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { shrinkEvents } from "../../core/todo/list-size.js";
import type { TodoPolicy } from "../../core/todo/policy.js";
import { DEEPEST_VALUE, fitDepth } from "../../core/value-limits.js";
import { remindersOf } from "../../dialects/agent-reminders.js";
import type { Answer, Dialect, ToolCall, ToolInput } from "../../dialects/dialect.js";
import { DIALECTS, findDialect, findTaskDialect } from "../../dialects/registry.js";
import { speak } from "../../dialects/speak.js";
import {
  type Decision,
  type EventStore,
  isEventName,
  type NewEvent,
  type Transaction,
  type Write,
} from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { planEnd, SESSIONS, sessionEvent } from "../session/session-view.js";
import { checkRemarks } from "../session/words/check-remarks.js";
import { hasNoLists, NO_LISTS } from "../settings/lists-off.js";
import { DEFAULT_SETTINGS, type Settings } from "../settings.js";
import { taskOffers } from "../tasks/links/todo-links.js";
import { dueSweep, ownSweep, sweepWrite } from "../todo/sweep-closed.js";
import { LISTS, toNewEvent } from "../views.js";
import { callFacts, callsStream, factId, listUnchanged, modeOfCall, toolName } from "./call-events.js";
import { type CallRequest, DEFAULT_SESSION, isKey, listStream } from "./call-request.js";
import { isPlanTool, unknownDialect } from "./dialect-names.js";
import { planTaskCall } from "./task-call.js";

/** What a call comes to on an open store, and the stream that its idempotency key belongs to. */
export interface PlannedCall {
  readonly stream: string;
  readonly decision: Decision<Answer>;
  /** What is left to do when it is committed. */
  readonly finish?: (store: EventStore) => Promise<void>;
}

/** One tool call on an open store. */
export async function callOn(
  store: EventStore,
  request: CallRequest,
  settings: Settings = DEFAULT_SETTINGS,
): Promise<Result<Answer>> {
  return callWithout(store, withoutSecrets(request), settings, request);
}

/** What a call says is redacted before anybody reads it, so that it is compared with what is stored as it is stored. */
function withoutSecrets(request: CallRequest): CallRequest {
  const { input, arguments: text, source, actor, result } = request;
  return {
    ...request,
    ...(input === undefined ? undefined : { input: redactValue(input) }),
    ...(text === undefined ? undefined : { arguments: redactJson(text) }),
    ...(source === undefined ? undefined : { source: redactJson(source) }),
    ...(actor === undefined ? undefined : { actor: redact(actor) }),
    // Only a call that was made elsewhere has one.
    result: request.isMade === true ? redactValue(result) : undefined,
  };
}

/** `sent`: the request as it came, for the fingerprint of its key. */
async function callWithout(
  store: EventStore,
  request: CallRequest,
  settings: Settings,
  sent: CallRequest,
): Promise<Result<Answer>> {
  const name = request.dialect ?? DIALECTS[0]?.name ?? "";
  const dialect = findDialect(name);
  const tasks = findTaskDialect(name);
  const { session = DEFAULT_SESSION, agent, actor, tool, storage = "session", result } = request;
  if (actor !== undefined && !isEventName(actor)) return fail(BAD_ACTOR);
  const call = { tool, storage, input: toolInput(request), result };
  if (dialect && isPlanTool(name, tool)) {
    const { planPlanCall } = await import("./plan-call.js");
    const planned = planPlanCall(request, call, session);
    return planned.ok ? commitOnce(store, sent, name, planned.value) : planned;
  }
  if (tasks && (!dialect || tasks.tools.some((known) => known.name === tool))) {
    const planned = planTaskCall({ dialect: tasks, request, session, call });
    if (!planned.ok) return planned;
    const answer = await commitOnce(store, sent, name, planned.value);
    await planned.value.finish?.(store);
    return answer;
  }
  if (!dialect) return fail(unknownDialect(request.dialect));
  if (await isSwitchedOff(store, request, settings)) return ok({ text: NO_LISTS, isError: true });
  const scope = settings.subAgents === "dialect" ? dialect.policy.scope : SCOPES[settings.subAgents];
  const stream = listStream(request, scope);
  if (!stream.ok) return stream;
  if (scope === "main" && agent !== undefined) return ok({ text: NO_LIST, isError: true });
  // Read late: calls in most dialects need no SQLite of their own.
  const tables = dialect.needsTables && {
    openTables: await (await import("../../store/sqlite/memory-tables.js")).scratchTables(),
  };
  const planned = planListCall({ dialect, request, stream: stream.value, call: { ...call, ...tables } }, settings);
  return commitOnce(store, sent, name, planned);
}

/** By the client that calls, or whose session it is. Nobody is asked where no agent is without lists. */
async function isSwitchedOff(
  store: EventStore,
  { session = DEFAULT_SESSION, origin }: CallRequest,
  settings: Settings,
): Promise<boolean> {
  if (settings.listsOff.length === 0 || !isId(session)) return false;
  if (hasNoLists(settings, origin?.client)) return true;
  return hasNoLists(settings, (await store.view(SESSIONS, sessionStream(session))).client);
}

const SCOPES = { none: "main", shared: "session", own: "agent" } as const;

const NO_LIST = "Sub-agents keep no todo list here. The list belongs to the main agent; go on without one.";

const BAD_ACTOR = { code: "bad-actor", message: "An actor is 1 to 300 visible characters." };

interface ListCall {
  readonly dialect: Dialect;
  readonly request: CallRequest;
  readonly stream: string;
  readonly call: ToolCall;
}

/** Parsed and decided on the list as it is inside the write transaction: nobody can write in between. */
function planListCall({ dialect, request, stream, call }: ListCall, settings: Settings): PlannedCall {
  const { clearAfter, focus } = settings;
  const policy = policyOf(dialect, request, focus);
  const decision: Decision<Answer> = function* (transaction) {
    const kept = yield* transaction.view(LISTS, stream);
    const { fact } = request;
    if (fact !== undefined && (yield* transaction.isKnown(fact))) return ok({ writes: [], answer: REPEATED });
    const shrunk = shrinkEvents(kept);
    const before = evolveAll(kept, shrunk);
    const due = yield* dueSweep(transaction, stream, before, clearAfter);
    const mode = yield* modeOfCall(transaction, request);
    const said = speak(dialect, evolveAll(before, due), { ...call, mode }, policy);
    const { list, events, isWrite, answer: spoken } = said;
    const offers = yield* taskOffers(transaction, stream, events);
    const remarks = dialect.told ? yield* checkRemarks(transaction, request, stream, { events, list, settings }) : [];
    const told = [...offers, ...remarks.map(({ text }) => text)];
    const answer = told.length > 0 && dialect.told ? dialect.told(spoken, told) : spoken;
    const writes = [
      sweepWrite(stream, [...shrunk, ...due]),
      {
        stream,
        events: underFact(
          events.map((event) => toNewEvent(event, request.actor)),
          fact,
        ),
      },
      { stream, events: remarks.map(({ event }) => sessionEvent(event)) },
      { stream, events: waiversIn(events).map((waiver) => sessionEvent({ type: "check.waived", ...waiver })) },
      sweepWrite(stream, ownSweep(list, clearAfter)),
      { stream, events: events.length > 0 ? planEnd(yield* transaction.view(SESSIONS, stream), list) : [] },
    ];
    // A dialect with exact answers has no room for it: the next hook tells the model.
    if (!dialect.told)
      writes.push({ stream, events: offers.map((text) => sessionEvent({ type: "notice.left", text })) });
    if (fact !== undefined && events.length === 0)
      writes.push({ stream: callsStream(request.session ?? DEFAULT_SESSION), events: [listUnchanged(fact)] });
    if (isWrite && !answer.isError && events.length === 0) writes.push(yield* confirmed(transaction, stream, call));
    if (isWrite && !answer.isError && isOfClient(request)) writes.push({ stream, events: rewritten(request, events) });
    const facts = yield* factsOf(transaction, { ...request, dialect: dialect.name }, stream, answer);
    // Some models number their calls from 1 in each turn: a read must not be answered with a kept answer.
    return ok({ writes: [...writes, ...facts], answer, isKept: request.origin === undefined || events.length > 0 });
  };
  return { stream, decision };
}

/** A dialect that has a rule about a second todo in progress keeps it; where it has none, a person may want one. */
function policyOf({ policy }: Dialect, { isMade }: CallRequest, focus: Settings["focus"]): TodoPolicy {
  const isStricter = focus === "reject" && policy.focus === "allow" && isMade !== true;
  return isStricter ? { ...policy, focus: "reject-new" } : policy;
}

const REPEATED: Answer = { text: "", isError: false };

function underFact([first, ...others]: readonly NewEvent[], fact: string | undefined): readonly NewEvent[] {
  if (!first) return [];
  return [fact === undefined ? first : { ...first, id: fact }, ...others];
}

/** A write that changes nothing leaves no event, but it ends what a refused one before it has begun. */
function* confirmed(transaction: Transaction, stream: string, { tool }: ToolCall): Script<Write> {
  const { refusal } = yield* transaction.view(SESSIONS, stream);
  const event = sessionEvent({ type: "list.confirmed", tool: toolName(tool) });
  return { stream, events: refusal === "none" ? [] : [event] };
}

function isOfClient({ origin, fact, actor }: CallRequest): boolean {
  return actor === undefined && (origin !== undefined || fact !== undefined);
}

const MOVES = ["todo.moved", "todo.added", "todo.removed", "list.cleared"];

/** A write after which every todo is where it was: words alone may differ. */
function rewritten(request: CallRequest, events: readonly TodoEvent[]): readonly NewEvent[] {
  if (events.some(({ type }) => MOVES.includes(type))) return [];
  const { session = DEFAULT_SESSION, origin, fact, tool } = request;
  const id =
    fact === undefined ? origin?.call && factId(session, origin.call, "rewritten") : factId(fact, "", "rewritten");
  return [sessionEvent({ type: "list.rewritten", tool: toolName(tool) }, id)];
}

/** What the log says about a call that a client made: that it was made, by whom, and whether it was refused. */
function* factsOf(
  transaction: Transaction,
  request: CallRequest,
  stream: string,
  { isError, text }: Answer,
): Script<readonly Write[]> {
  const { session = DEFAULT_SESSION, tool, origin, dialect = "" } = request;
  const reminders = remindersOf(dialect);
  const spoken = yield* spokenOf(transaction, stream, {
    dialect: reminders ? dialect : "",
    ...(origin && !isError ? { writer: writerOf(request) } : undefined),
  });
  const said = reminders ? { text: text.slice(0, REFUSAL_MAX).toWellFormed() } : undefined;
  const id = origin?.call && factId(session, origin.call, "refused");
  const isRefused = isError && (origin !== undefined || reminders !== undefined);
  const refused = isRefused ? [sessionEvent({ type: "list.refused", tool: toolName(tool), ...said }, id)] : [];
  const facts = yield* callFacts(transaction, request, session, isError);
  return [...facts.slice(0, 1), ...spoken, { stream, events: refused }, ...facts.slice(1)];
}

const REFUSAL_MAX = 4000;

/**
 * Which dialect's reminders the session gets from here on, and which tool they name. Most have none of their own and
 * use our tool, and then nothing is written.
 */
function* spokenOf(
  transaction: Transaction,
  stream: string,
  { dialect, writer }: { readonly dialect: string; readonly writer?: string },
): Script<readonly Write[]> {
  const known = yield* transaction.view(SESSIONS, stream);
  const events: NewEvent[] = [];
  if ((known.dialect || "") !== dialect) events.push(sessionEvent({ type: "dialect.spoken", dialect }));
  if (writer !== undefined && (known.clientList?.tool ?? "") !== writer)
    events.push(sessionEvent({ type: "list-tool.changed", tool: writer }));
  return events.length === 0 ? [] : [{ stream, events }];
}

/** The tool as the model called it; empty for our own, whose name depends on the client. */
function writerOf({ dialect, tool, origin }: CallRequest): string {
  if (dialect === DIALECTS[0]?.name) return "";
  return toolName(origin?.server === undefined ? tool : `mcp__${origin.server}__${tool}`);
}

function toolInput({ input, arguments: text, source }: CallRequest): ToolInput {
  if (input === undefined && text !== undefined) return { text };
  return { value: input === undefined ? {} : input, source };
}

const DEEPEST = 2 * DEEPEST_VALUE;

/** With a key, the same call is made once and answered twice. */
function commitOnce(store: EventStore, request: CallRequest, name: string, { stream, decision }: PlannedCall) {
  const { key, tool, mode = "default", input, arguments: text, source } = request;
  if (key === undefined) return store.commit(decision);
  if (!isKey(key))
    return fail({ code: "bad-key", message: "A key is 1 to 200 visible ASCII characters without spaces." });
  // No dialect takes what is deeper, and to compare it could overflow the stack.
  const asked = [stream, name, tool, mode, source ?? fitDepth(input, DEEPEST) ?? null, text ?? null];
  return store.commit(decision, { idempotency: { key, stream, input: asked } });
}
