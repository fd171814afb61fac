import type { CallFacts, RoundCall } from "../../core/call/call-facts.js";
import { startFacts } from "../../core/call/facts-of-call.js";
import type { AgentMode } from "../../core/session/session-plan.js";
import type { NewEvent, Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { withoutStart } from "../session/process-life.js";
import { SESSIONS, sessionEvent } from "../session/session-view.js";
import { type CallRequest, DEFAULT_SESSION } from "./call-request.js";

/** What a tool really did, as whoever saw it reports it. */
export interface SeenCall {
  /** The client's own id of the call. */
  readonly call?: string | undefined;
  readonly tool: string;
  /** The MCP server that has the tool. */
  readonly server?: string | undefined;
  readonly status: "completed" | "failed" | "cancelled";
  /** The sub-agent that called. */
  readonly agent?: string | undefined;
  readonly milliseconds?: number | undefined;
  /** What it was about, in one line: a command, a file. */
  readonly subject?: string | undefined;
  readonly problem?: string | undefined;
  /** What arguments and answer tell: bounded, and without secrets. */
  readonly facts?: CallFacts | undefined;
  /** Arguments and answer, where a later reader needs them. */
  readonly input?: unknown;
  readonly output?: unknown;
}

export function callsStream(session: string): string {
  return `calls:${session}`;
}

/** One fact, one event, whoever reports it and how often: the id is made of session, call and phase. */
export function callEnded(session: string, { call, ...data }: SeenCall): NewEvent {
  const id = call === undefined ? undefined : factId(session, call, "ended");
  const ended = { ...data, tool: toolName(data.tool), call };
  return { type: "call.ended", data: ended, ...(id === undefined ? undefined : { id }) };
}

/** One call of a reply, as detectors see it. What its own hook told is more than what a batch does. */
export function roundCall({ tool, server, ...seen }: SeenCall, recorded?: Partial<SeenCall>): RoundCall {
  const { status, milliseconds, facts } = { ...seen, ...recorded };
  const name = server === undefined ? tool : `mcp__${server}__${tool}`;
  const isTime = Number.isSafeInteger(milliseconds) && Number(milliseconds) >= 0;
  return { ...facts, tool: toolName(name), status, ...(isTime && { milliseconds: Number(milliseconds) }) };
}

/** More calls at once tell no more. */
export const MOST_IN_ROUND = 20;

/** The caller says it, or the session's hooks have: then it is its own agent's, and nobody else's. */
export function* modeOfCall(transaction: Transaction, request: CallRequest): Script<AgentMode> {
  const { mode, session = DEFAULT_SESSION, actor } = request;
  if (mode !== undefined || actor !== undefined) return mode ?? "default";
  return (yield* transaction.view(SESSIONS, sessionStream(session))).mode ?? "default";
}

const TOOL_MAX = 100;

/** A client may call anything a tool. */
export function toolName(tool: string): string {
  return tool.slice(0, TOOL_MAX);
}

/** The facts of a call to our own tool: the start of a session that was not known yet, and the call itself. */
export function* callFacts(
  transaction: Transaction,
  { agent, tool, origin, input, arguments: text }: CallRequest,
  session: string,
  isError: boolean,
): Script<readonly Write[]> {
  if (!origin) return [];
  const { client, call, folder, server } = origin;
  const own = sessionStream(session);
  const known = yield* transaction.view(SESSIONS, own);
  const started = sessionEvent({ type: "session.started", source: "call", client, folder: folder || undefined });
  const { signature } = startFacts({ tool, server, input: input ?? text });
  const facts = { kind: "other", signature, isList: true } as const;
  const seen = callEnded(session, { call, tool, server, agent, status: isError ? "failed" : "completed", facts });
  return [
    { stream: own, events: known.client === "" ? [started] : [] },
    { stream: callsStream(session), events: [seen] },
  ];
}

/** A call to a client's list tool that changed nothing; with it, a second report of that call is known. */
export function listUnchanged(id: string): NewEvent {
  return { type: "list.unchanged", data: {}, id };
}

/** Written by the hook: some clients do not tell their server which session calls; it looks up this id. */
export function callStarted(
  process: string,
  call: string,
  data: Pick<SeenCall, "tool" | "agent" | "subject" | "facts">,
): NewEvent {
  return { type: "call.started", data: { ...data, tool: toolName(data.tool), call }, id: startedId(process, call) };
}

/** Models may number their calls from 1: the client's process tells one's from another's. */
function startedId(process: string, call: string): string {
  return `${withoutStart(process)}/${call}/started`;
}

/** The ids that a hook of this process may have used: with the process known, or guessed. */
export function startedIds(process: string, call: string): readonly string[] {
  return [startedId(process, call), startedId(guessed(process), call)];
}

/** The name of a process that is only probably the client. */
export function guessed(process: string): string {
  return `${process}?`;
}

/** Undefined when it would not be a valid event id; the fact then has no id and can be recorded twice. */
export function factId(session: string, call: string, phase: string): string | undefined {
  const id = `${session}/${call}/${phase}`;
  return /^[!-~]{1,300}$/.test(id) ? id : undefined;
}
