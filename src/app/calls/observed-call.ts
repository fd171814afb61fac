import { endFacts, startFacts } from "../../core/call/facts-of-call.js";
import { checkId } from "../../core/id.js";
import { idAt, oneLine } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { markOf } from "../../core/text/mark.js";
import type { NewEvent } from "../../store/event-store.js";
import type { Sighting } from "../session/record-sighting.js";
import { sessionEvent } from "../session/session-view.js";
import { callEnded, factId, MOST_IN_ROUND, roundCall, type SeenCall, toolName } from "./call-events.js";
import { DEFAULT_SESSION, type Place } from "./call-request.js";

/** What a host that runs its own agent tells of one call. Nothing of input, output and error is kept but facts. */
export type CallReport = CallStarted | CallUpdated | CallEnded;

interface ReportedCall extends Place {
  /** The host's own id of the call: with it, a second report of the same fact changes nothing. */
  readonly call: string;
  readonly tool: string;
  /** The MCP server that has the tool. */
  readonly server?: string | undefined;
  /** What the host calls itself. Default: `library`. */
  readonly client?: string | undefined;
  readonly folder?: string | undefined;
  /** What it is about, in one line. Default: what the input says. */
  readonly title?: string | undefined;
  /** When it happened: milliseconds since 1970. Default: now. */
  readonly at?: number | undefined;
}

export interface CallStarted extends ReportedCall {
  readonly type: "call.started";
  readonly input?: unknown;
}

/** How far a long call is. Views keep the newest. */
export interface CallUpdated extends ReportedCall {
  readonly type: "call.updated";
  /** From 0 to 1. */
  readonly progress?: number | undefined;
}

export interface CallEnded extends ReportedCall {
  readonly type: "call.ended";
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: string | undefined;
  /** Default: `failed` where there is an error, else `completed`. */
  readonly status?: SeenCall["status"] | undefined;
  /** Of a command. */
  readonly exit?: number | undefined;
  readonly milliseconds?: number | undefined;
}

/** What the model is to be told, in order: the host puts it before the model with the next request. */
export interface Observed {
  readonly said: readonly string[];
}

/** Calls that one reply of the model made together are reported together when they have ended. */
/** `checks`: commands that a person has called checks. */
export function sightingOfCalls(
  reports: readonly CallReport[],
  process: string,
  checks?: readonly string[],
): Result<Sighting> {
  const [first] = reports;
  if (!first) return fail({ code: "no-calls", message: "Name at least one call." });
  const { session = DEFAULT_SESSION, agent, client = "library", folder } = first;
  const refused =
    checkId("session", session) ??
    (agent === undefined ? undefined : checkId("agent", agent)) ??
    checkId("client", client) ??
    refusedReport(reports, first);
  if (refused) return refused;
  const ended = reports.filter((report): report is CallEnded => report.type === "call.ended");
  return ok({
    session,
    agent,
    who: { client, process, ...(folder !== undefined && { folder: folder.slice(0, FOLDER_MAX) }) },
    calls: reports.map((report) => eventOf(report, session, checks)),
    ...(ended.length > 0 && { reply: replyOf(ended, session, checks), moment: "reply" as const }),
  });
}

const FOLDER_MAX = 4096;

function refusedReport(reports: readonly CallReport[], first: CallReport) {
  if (reports.some(({ call }) => idAt(call) === undefined))
    return fail({ code: "bad-id", message: "The id of a call is 1 to 200 visible ASCII characters without spaces." });
  const isElsewhere = reports.some(({ session, agent }) => session !== first.session || agent !== first.agent);
  return isElsewhere
    ? fail({ code: "several-places", message: "Report calls of one session and one agent at a time." })
    : undefined;
}

function eventOf(report: CallReport, session: string, checks: Checks): NewEvent {
  const at = timeOf(report.at);
  const event =
    report.type === "call.ended" ? callEnded(session, seenCall(report, checks)) : openEvent(report, session);
  return { ...event, ...at };
}

function timeOf(at: number | undefined): { readonly at?: number } {
  return Number.isSafeInteger(at) && Number(at) > 0 ? { at: Number(at) } : {};
}

function openEvent(report: CallStarted | CallUpdated, session: string): NewEvent {
  const { type, call, tool, server, agent, title } = report;
  const own = { call, tool: toolName(tool), server, agent, subject: oneLine(title) };
  if (type === "call.updated") {
    const progress = fraction(report.progress);
    const data = { ...own, progress };
    const id = factId(session, call, `updated/${markOf(`${own.subject ?? ""} ${progress ?? ""}`)}`);
    return { type, data, ...(id && { id }) };
  }
  const { kind, signature } = startFacts({ tool, server, input: report.input });
  const id = factId(session, call, "started");
  return { type, data: { ...own, facts: { kind, signature } }, ...(id && { id }) };
}

function fraction(progress: number | undefined): number | undefined {
  return typeof progress === "number" && progress >= 0 && progress <= 1 ? progress : undefined;
}

type Checks = readonly string[] | undefined;

function seenCall(report: CallEnded, checks: Checks): SeenCall {
  const { call, tool, server, agent, title, input, output, error, exit, milliseconds } = report;
  const status = report.status ?? (error === undefined ? "completed" : "failed");
  const raw = { tool, server, input };
  const start = startFacts(raw, checks);
  const facts = { ...start, ...endFacts(raw, start, { output, error, status, exit }, checks) };
  return { call, tool, server, agent, status, milliseconds, subject: oneLine(title), problem: oneLine(error), facts };
}

/** Calls of list tools are no work; a reply that only kept the list is in the list's events. */
function replyOf(ended: readonly CallEnded[], session: string, checks: Checks): Sighting["reply"] {
  const seen = ended.map((report) => seenCall(report, checks));
  const work = seen.filter(({ facts }) => facts?.isList !== true);
  if (work.length === 0) return undefined;
  const round = work.slice(0, MOST_IN_ROUND).map((call) => roundCall(call));
  const isBatch = ended.length > 1;
  const id = factId(session, ended[0]?.call ?? "", isBatch ? "batch" : "reply");
  const usedList = work.length < seen.length;
  return {
    event: sessionEvent({ type: "reply.ended", batch: isBatch, calls: ended.length, usedList, round }, id),
    isBatch,
  };
}
