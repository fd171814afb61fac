import { type FileTable, isFileTable, keptText } from "../grounding/file-table.js";
import {
  addCall,
  forgetNames,
  inTimeOrder,
  isWorkRun,
  joined,
  readRun,
  type WorkCall,
  type WorkRun,
  withoutFile,
} from "../grounding/work-runs.js";
import { defined } from "../json.js";
import type { LoggedEvent } from "../session/events.js";
import { count, fields, like, list, maybe, oneOf, type Shape, text } from "../shape.js";
import { type AgentRun, addAgentCall, fitAgentRuns, isAgentRuns } from "./agent-runs.js";
import { type CallEvent, type CallOutcome, OUTCOMES, readCallEvent } from "./call-event.js";

/** How often one agent of a session has called: the session's own, or a sub-agent. */
interface CallCounts {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** When its first and its last call ended; 0 before there was one. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** It has written its list since its last call that did work. */
  readonly isCut: boolean;
}

export interface AgentCalls extends CallCounts {
  /** When it did work, in order. */
  readonly runs: readonly WorkRun[];
}

/** A call that began and has not ended, as far as anybody told. */
interface OpenCall {
  readonly call: string;
  readonly tool: string;
  readonly at: number;
  /** What it was last said to be doing, and how far it is, from 0 to 1. */
  readonly subject?: string | undefined;
  readonly progress?: number | undefined;
  readonly agent?: string | undefined;
}

interface LastCall {
  readonly tool: string;
  readonly outcome: CallOutcome;
  readonly at: number;
  readonly agent?: string | undefined;
}

/** `key`: its name in `below`. */
type SubAgent = CallCounts & { readonly agent: string; readonly key: number };

/** A session's calls, without reading them again. What would grow with their number is capped below. */
export interface CallHistory {
  /** When anything was last heard of its calls. */
  readonly at: number;
  readonly last?: LastCall | undefined;
  readonly open: readonly OpenCall[];
  readonly own: AgentCalls;
  /** Sub-agents, the one that called last at the end. */
  readonly agents: readonly SubAgent[];
  /** What sub-agents did, in the order of time: it is also for what their session is on. */
  readonly below: readonly AgentRun[];
  /** Names of changed files, as runs name them by their places. */
  readonly files: readonly string[];
  readonly filed: number;
}

const NO_COUNTS: CallCounts = { completed: 0, failed: 0, cancelled: 0, startedAt: 0, endedAt: 0, isCut: false };
const NO_CALLS: AgentCalls = { ...NO_COUNTS, runs: [] };

export const NO_CALL_HISTORY: CallHistory = {
  at: 0,
  open: [],
  own: NO_CALLS,
  agents: [],
  below: [],
  files: [],
  filed: 0,
};

/** More than any client runs at once; what is never answered must not pile up. */
const MOST_OPEN = 16;
/** More than run at once. The ones that have been quiet for longest are forgotten, and their counts with them. */
const MOST_AGENTS = 32;
/** A list of a hundred todos, worked off one by one, is still told apart. */
const MOST_OWN_RUNS = 112;
/** Checks that are known by their command. */
const MOST_NAMED = 12;

/** Only who has called is known of an agent. */
export function callsOf({ own, agents, below = [] }: CallHistory, agent: string | undefined): AgentCalls {
  if (agent === undefined) return own;
  const found = agents.find((one) => one.agent === agent);
  if (!found) return NO_CALLS;
  return { ...found, runs: below.filter(([key]) => key === found.key).map(([, run]) => run) };
}

/** What the session did, and its sub-agents for it; or what one of those did by itself. */
export function workOf(history: CallHistory, agent: string | undefined): readonly WorkRun[] {
  const { runs } = callsOf(history, agent);
  if (agent !== undefined || history.below.length === 0) return runs;
  return inTimeOrder([...runs, ...history.below.map(([, run]) => run)]);
}

/** When a call of anybody last ended; 0 before there was one. */
export function lastEnd({ own, agents }: CallHistory): number {
  return Math.max(own.endedAt, ...agents.map(({ endedAt }) => endedAt));
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
type OwnDraft = Writable<CallCounts> & { readonly runs: WorkRun[] };
interface Draft {
  at: number;
  last: LastCall | undefined;
  open: OpenCall[];
  readonly own: OwnDraft;
  readonly agents: Writable<SubAgent>[];
  readonly below: AgentRun[];
  readonly files: string[];
  filed: number;
}

/** Copied once for all events, then changed in place: a fold from nothing has a million of them. */
export function evolveCalls(history: CallHistory, events: readonly LoggedEvent[]): CallHistory {
  const draft = draftOf(history);
  for (const event of events) {
    // Also of a type that we do not know: somebody is there.
    draft.at = Math.max(draft.at, event.at);
    const known = readCallEvent(event.type, event.data);
    if (known) apply(draft, known, event.at);
  }
  return draft;
}

/** Of a view that an older version kept, with runs of five numbers, and those of sub-agents beside their counts. */
type OldAgent = SubAgent & { readonly runs?: readonly WorkRun[] };

function draftOf(history: CallHistory): Draft {
  const { at, last, open, own, agents, below, files, filed } = { ...NO_CALL_HISTORY, ...history };
  const draft: Draft = {
    at,
    last,
    open: open.slice(-MOST_OPEN),
    own: { ...NO_COUNTS, ...own, runs: own.runs.map(readRun) },
    agents: [],
    below: below.map(([key, run]) => [key, readRun(run)]),
    files: [...files],
    filed,
  };
  for (const [index, { runs = [], ...one }] of (agents as readonly OldAgent[]).slice(-MOST_AGENTS).entries()) {
    const key = one.key ?? index + 1;
    draft.agents.push({ ...NO_COUNTS, ...one, key });
    draft.below.push(...runs.map((run): AgentRun => [key, readRun(run)]));
  }
  draft.below.sort(([, a], [, b]) => a[0] - b[0]);
  fitAgentRuns(draft.below);
  while (draft.own.runs.length > MOST_OWN_RUNS) joinFirst(draft.own.runs);
  return draft;
}

function joinFirst(runs: WorkRun[]): void {
  const [a, b] = runs;
  if (a && b) runs.splice(0, 2, joined(a, b));
}

function apply(draft: Draft, event: CallEvent, at: number): void {
  if (event.type === "call.updated") {
    const { call, subject, progress } = event;
    draft.open = draft.open.map((one) => (one.call === call ? { ...one, ...defined({ subject, progress }) } : one));
    return;
  }
  const started = draft.open.find(({ call }) => call === event.call);
  if (started) draft.open = draft.open.filter((one) => one !== started);
  if (event.type === "call.started") {
    if (isShortId(event.call)) draft.open.push(openCall(event, at));
    if (draft.open.length > MOST_OPEN) draft.open.shift();
    return;
  }
  const { agent, outcome, tool } = event;
  if (at >= (draft.last?.at ?? 0)) draft.last = { tool: keptText(tool, TOOL_MAX), outcome, at, agent };
  end(draft, event, { start: startOf(event, started, at), at });
}

function openCall({ call, tool, subject, agent }: Extract<CallEvent, { type: "call.started" }>, at: number): OpenCall {
  const about = subject === undefined || subject === "" ? undefined : keptText(subject, SUBJECT_MAX);
  return { call, tool: keptText(tool, TOOL_MAX), at, ...defined({ subject: about, agent }) };
}

const SUBJECT_MAX = 200;
const TOOL_MAX = 60;
const OPEN_ID_MAX = 120;

/** Some models number their calls, some clients write whole sentences. */
function isShortId(call: string): boolean {
  return keptText(call, OPEN_ID_MAX) === call;
}

type Ended = Extract<CallEvent, { type: "call.ended" }>;

/** Whose work it is goes by when it began: by its own start, else by how long it took. */
function startOf({ milliseconds = 0 }: Ended, started: OpenCall | undefined, at: number): number {
  const start = started?.at ?? Math.max(0, Math.round(at - milliseconds));
  return Math.min(start, at);
}

function agentDraft({ agents }: Draft, agent: string): Writable<SubAgent> {
  const known = agents.findIndex((one) => one.agent === agent);
  const key = 1 + agents.reduce((most, one) => Math.max(most, one.key), 0);
  const [found = { ...NO_COUNTS, agent, key }] = known < 0 ? [] : agents.splice(known, 1);
  agents.push(found);
  if (agents.length > MOST_AGENTS) agents.shift();
  return found;
}

function end(draft: Draft, event: Ended, { start, at }: { readonly start: number; readonly at: number }): void {
  const { outcome, isWork, agent, facts, subject: title, call } = event;
  const calls = agent === undefined ? draft.own : agentDraft(draft, agent);
  calls[outcome] += 1;
  calls.startedAt = calls.startedAt === 0 ? at : Math.min(calls.startedAt, at);
  calls.endedAt = Math.max(calls.endedAt, at);
  if (isWork) {
    const work = { start, end: at, outcome, isCut: calls.isCut, facts, title, call };
    const table = tableOf(draft);
    if ("runs" in calls) addOwn(calls.runs, work, table);
    else addAgentCall(draft.below, calls.key, work, table);
    draft.filed = table.filed;
  }
  calls.isCut = !isWork;
}

function tableOf(draft: Draft): FileTable {
  const forget = (place: number) => {
    for (let at = 0; at < draft.own.runs.length; at += 1)
      draft.own.runs[at] = withoutFile(draft.own.runs[at] as WorkRun, place);
    for (const [at, [key, run]] of draft.below.entries()) draft.below[at] = [key, withoutFile(run, place)];
  };
  return { files: draft.files, filed: draft.filed, forget };
}

function addOwn(runs: WorkRun[], work: WorkCall, table: FileTable): void {
  addCall(runs, work, MOST_OWN_RUNS, table);
  if (work.facts?.check !== undefined) forgetNames(runs, MOST_NAMED);
}

const atMost =
  (most: number, item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.length <= most && list(item)(value);

const COUNTS = like(NO_COUNTS);
/** Views of the version before had more open calls and agents, and runs beside each agent's counts. */
const MOST_BEFORE = 128;
const part: Shape = (value) => typeof value === "number" && value >= 0 && value <= 1;

const OPEN_CALL = fields({
  ...{ call: text, tool: text, at: count },
  ...{ subject: maybe(text), progress: maybe(part), agent: maybe(text) },
});

const HISTORY = fields({
  at: count,
  last: maybe(fields({ tool: text, outcome: oneOf(OUTCOMES), at: count, agent: maybe(text) })),
  open: atMost(MOST_BEFORE, OPEN_CALL),
  own: fields({ ...COUNTS, runs: atMost(MOST_BEFORE, isWorkRun) }),
  agents: atMost(
    MOST_BEFORE,
    fields({ ...COUNTS, agent: text, key: maybe(count), runs: maybe(atMost(MOST_BEFORE, isWorkRun)) }),
  ),
  below: maybe(isAgentRuns),
  files: maybe(isFileTable),
  filed: maybe(count),
});

export function isCallHistory(value: unknown): value is CallHistory {
  return HISTORY(value);
}
