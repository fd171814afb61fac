import { type CallStart, wholeFacts } from "../call/call-facts.js";
import { endWork, type StartedWork, startWork } from "../grounding/seen-work.js";
import type { Observation } from "./observation.js";
import type { SessionView } from "./session-facts.js";
import type { Ask } from "./state/asked-text.js";
import { asking, inTurn } from "./state/shown.js";

/** A call that has begun and not ended, as far as anybody told. */
export interface OpenCall {
  readonly call: string;
  readonly isAsking: boolean;
  readonly tool: string;
  /** What it is about, in one line. */
  readonly title?: string | undefined;
  /** Milliseconds; 0 where no record had a time. */
  readonly at: number;
  /** How far it is, from 0 to 1, where that is told. */
  readonly progress?: number | undefined;
  readonly ask?: Ask | undefined;
  /** Undefined for calls that are no work. */
  readonly work?: StartedWork | undefined;
  readonly facts?: CallStart | undefined;
  readonly isListWrite?: true;
}

type Started = Extract<Observation, { type: "call.started" }>;
type Asked = Extract<Observation, { type: "call.asked" }>;
type Ended = Extract<Observation, { type: "call.ended" }>;

/** The agents' own tools that write a list; ours is among those that are no work. */
const LIST_WRITERS: readonly string[] = ["TodoWrite", "update_plan", "todo_write", "todo", "todo_list"];

/** More than any client runs at once; what is never answered must not pile up. */
const MOST_OPEN = 200;

export function startCall(view: SessionView, fact: Started): Partial<SessionView> {
  const { call, tool, isWork, isAsking, ask, facts, subject: title, at = view.at } = fact;
  const isListWrite = !isWork && LIST_WRITERS.includes(tool);
  const open = view.open.length > MOST_OPEN ? view.open.slice(-MOST_OPEN) : view.open;
  const [work, started] = isWork ? startWork(view.work, at) : [view.work, undefined];
  // Field by field, as this runs for every call of every transcript.
  const about: { -readonly [Field in keyof OpenCall]: OpenCall[Field] } = { call, isAsking, tool, title, at };
  if (ask) about.ask = ask;
  if (isListWrite) about.isListWrite = true;
  if (started) {
    about.work = started;
    about.facts = facts;
  }
  return {
    phase: isAsking ? "asking" : "working",
    shown: isAsking ? asking(ask, at) : inTurn(view.shown, at),
    calls: { total: view.calls.total + 1, failed: view.calls.failed },
    open: open.length === 0 ? [about] : [...open, about],
    work,
  };
}

/** What it asks is over with it, or before. */
export function askCall(view: SessionView, { call, ask, at = view.at }: Asked): Partial<SessionView> {
  if (!view.open.some((one) => one.call === call)) return {};
  const open = view.open.map((one): OpenCall => {
    if (one.call !== call) return one;
    const { ask: _, ...rest } = one;
    return ask ? { ...rest, isAsking: true, ask } : { ...rest, isAsking: false };
  });
  const left = open.find(({ isAsking }) => isAsking);
  return { open, phase: left ? "asking" : "working", shown: left ? asking(left.ask, at) : inTurn(view.shown, at) };
}

export function endCall(view: SessionView, fact: Ended): Partial<SessionView> {
  const { call, status, facts, at = view.at } = fact;
  const ended = view.open.find((one) => one.call === call);
  if (!ended) return {};
  const isFailed = status === "failed";
  const open = view.open.filter((one) => one !== ended);
  const left = open.find(({ isAsking }) => isAsking);
  return {
    open,
    phase: left ? "asking" : "working",
    shown: left ? view.shown : inTurn(view.shown, at),
    calls: { total: view.calls.total, failed: view.calls.failed + Number(isFailed) },
    work: ended.work
      ? endWork(view.work, ended.work, { call, title: ended.title, status, facts: wholeFacts(ended.facts, facts) }, at)
      : view.work,
    refusal: refusalAfter(view, ended, fact),
  };
}

/** `cancelled`: it never ran. */
function refusalAfter(view: SessionView, { isListWrite }: OpenCall, { status, problem }: Ended): string | undefined {
  if (!isListWrite || status === "cancelled") return view.refusal;
  return status === "failed" ? (problem ?? "") : undefined;
}

/** The one that began last; of two that began together the later one. */
export function lastOpen(open: readonly OpenCall[]): OpenCall | undefined {
  let last: OpenCall | undefined;
  for (const one of open) if (!last || one.at >= last.at) last = one;
  return last;
}

/**
 * What hooks and the transcript know of the calls that run. Hooks know best when one began; what it is about they may
 * not have told.
 */
export function openTogether(seen: readonly OpenCall[], told: readonly OpenCall[]): readonly OpenCall[] {
  if (seen.length === 0 || told.length === 0) return seen.length === 0 ? told : seen;
  const byId = new Map(told.map((one) => [one.call, one]));
  const both = seen.map((one) => {
    const better = byId.get(one.call);
    if (!better) return one;
    const { tool, at, progress, title = one.title } = better;
    return { ...one, tool, at, progress, title };
  });
  const known = new Set(seen.map(({ call }) => call));
  return [...both, ...told.filter(({ call }) => !known.has(call))];
}
