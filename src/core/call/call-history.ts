import type { LoggedEvent } from "../session/events.js";
import { count, fields, like, list, maybe, oneOf, type Shape, text } from "../shape.js";
import { type CallEvent, type CallOutcome, OUTCOMES, readCallEvent } from "./call-event.js";
import { addCall, isWorkRun, type WorkRun } from "./work-runs.js";

/** What one agent of a session has called: the session's own, or a sub-agent. */
export interface AgentCalls {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** When its first and its last call ended; 0 before there was one. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** It has written its list since its last call that did work. */
  readonly isCut: boolean;
  /** When it did work, in order. */
  readonly runs: readonly WorkRun[];
}

/** A call that began and has not ended, as far as anybody told. */
interface OpenCall {
  readonly call: string;
  readonly tool: string;
  readonly at: number;
}

interface LastCall {
  readonly tool: string;
  readonly outcome: CallOutcome;
  readonly at: number;
  readonly agent?: string | undefined;
}

/** A session's calls, without reading them again. What would grow with their number is capped below. */
export interface CallHistory {
  /** When anything was last heard of its calls. */
  readonly at: number;
  readonly last?: LastCall | undefined;
  readonly open: readonly OpenCall[];
  readonly own: AgentCalls;
  /** Sub-agents, the one that called last at the end. */
  readonly agents: readonly (AgentCalls & { readonly agent: string })[];
}

const NO_CALLS: AgentCalls = {
  completed: 0,
  failed: 0,
  cancelled: 0,
  startedAt: 0,
  endedAt: 0,
  isCut: false,
  runs: [],
};

export const NO_CALL_HISTORY: CallHistory = { at: 0, open: [], own: NO_CALLS, agents: [] };

/** More than any client runs at once; what is never answered must not pile up. */
const MOST_OPEN = 50;
/** More than run at once. The ones that have been quiet for longest are forgotten, and their counts with them. */
const MOST_AGENTS = 50;
/** A list of a hundred todos, worked off one by one, is still told apart. */
const MOST_OWN_RUNS = 128;
const MOST_AGENT_RUNS = 8;

/** Only who has called is known of an agent. */
export function callsOf({ own, agents }: CallHistory, agent: string | undefined): AgentCalls {
  if (agent === undefined) return own;
  return agents.find((one) => one.agent === agent) ?? NO_CALLS;
}

/** When a call of anybody last ended; 0 before there was one. */
export function lastEnd({ own, agents }: CallHistory): number {
  return Math.max(own.endedAt, ...agents.map(({ endedAt }) => endedAt));
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
type AgentDraft = Writable<Omit<AgentCalls, "runs">> & { readonly agent?: string; readonly runs: WorkRun[] };
interface Draft {
  at: number;
  last: LastCall | undefined;
  open: OpenCall[];
  readonly own: AgentDraft;
  readonly agents: (AgentDraft & { readonly agent: string })[];
}

/** Copied once for all events, then changed in place: a fold from nothing has a million of them. */
export function evolveCalls(history: CallHistory, events: readonly LoggedEvent[]): CallHistory {
  const { at, last, open, own, agents } = { ...NO_CALL_HISTORY, ...history };
  const draft: Draft = {
    at,
    last,
    open: [...open],
    own: { ...NO_CALLS, ...own, runs: [...own.runs] },
    agents: agents.map((one) => ({ ...NO_CALLS, ...one, runs: [...one.runs] })),
  };
  for (const event of events) {
    // Also of a type that we do not know: somebody is there.
    draft.at = Math.max(draft.at, event.at);
    const known = readCallEvent(event.type, event.data);
    if (known) apply(draft, known, event.at);
  }
  return draft;
}

function apply(draft: Draft, event: CallEvent, at: number): void {
  draft.open = draft.open.filter(({ call }) => call !== event.call);
  if (event.type === "call.started") {
    draft.open = [...draft.open, { call: event.call, tool: event.tool, at }].slice(-MOST_OPEN);
    return;
  }
  const { agent, outcome, tool } = event;
  if (at >= (draft.last?.at ?? 0)) draft.last = { tool, outcome, at, agent };
  end(agent === undefined ? draft.own : agentDraft(draft, agent), event, at);
}

function agentDraft({ agents }: Draft, agent: string): AgentDraft {
  const known = agents.findIndex((one) => one.agent === agent);
  const [found = { ...NO_CALLS, agent, runs: [] }] = known < 0 ? [] : agents.splice(known, 1);
  agents.push(found);
  if (agents.length > MOST_AGENTS) agents.shift();
  return found;
}

function end(calls: AgentDraft, { outcome, isWork }: Extract<CallEvent, { type: "call.ended" }>, at: number): void {
  calls[outcome] += 1;
  calls.startedAt = calls.startedAt === 0 ? at : Math.min(calls.startedAt, at);
  calls.endedAt = Math.max(calls.endedAt, at);
  if (isWork) {
    const most = calls.agent === undefined ? MOST_OWN_RUNS : MOST_AGENT_RUNS;
    addCall(calls.runs, { at, isFailed: outcome === "failed", isCut: calls.isCut }, most);
  }
  calls.isCut = !isWork;
}

const atMost =
  (most: number, item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.length <= most && list(item)(value);

const HISTORY = fields({
  at: count,
  last: maybe(fields({ tool: text, outcome: oneOf(OUTCOMES), at: count, agent: maybe(text) })),
  open: atMost(MOST_OPEN, fields({ call: text, tool: text, at: count })),
  own: fields({ ...like(NO_CALLS), runs: atMost(MOST_OWN_RUNS, isWorkRun) }),
  agents: atMost(MOST_AGENTS, fields({ ...like(NO_CALLS), agent: text, runs: atMost(MOST_AGENT_RUNS, isWorkRun) })),
});

export function isCallHistory(value: unknown): value is CallHistory {
  return HISTORY(value);
}
