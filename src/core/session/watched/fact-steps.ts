import { type CallFacts, type CallStart, type RoundCall, wholeFacts } from "../../call/call-facts.js";
import type { Alert } from "../../detectors/alert.js";
import { NO_WATCH, type Watch, watchStep } from "../../detectors/session-watch.js";
import type { Step } from "../../detectors/step.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../../todo/list.js";
import type { Observation, SeenTask } from "../observation.js";
import type { Wake } from "../state/shown.js";
import { type OpenclawWatch, openclawPrompt, openclawRound } from "./openclaw-watch.js";

// What a transcript tells, as detectors see it.

type FactOf<Type extends Observation["type"]> = Extract<Observation, { type: Type }>;

/** A call that has begun. */
interface BegunCall {
  readonly call: string;
  readonly tool: string;
  readonly at: number;
  readonly facts?: CallStart | undefined;
}

/** What detectors know of a session, and what is not a step yet: calls of one reply are one. */
export interface Watched {
  readonly watch: Watch;
  readonly reply?: string | undefined;
  readonly begun: readonly BegunCall[];
  readonly ended: readonly RoundCall[];
  /** When the last of them ended. */
  readonly endedAt: number;
  /** The list was written, and nothing has told yet what became of it. */
  readonly isWritten: boolean;
  /** What OpenClaw's rules know, where a person wants them. */
  readonly openclaw?: OpenclawWatch;
  /** The session was let go with work that no check has passed on. */
  readonly unchecked?: Alert;
}

export const NOT_WATCHED: Watched = { watch: NO_WATCH, begun: [], ended: [], endedAt: 0, isWritten: false };

/** More than any client runs at once; what is never answered must not pile up. */
const MOST_CALLS = 20;

/** What was known before the fact. */
interface Before {
  readonly wake: Wake | null;
  readonly list: TodoList;
  readonly tasks: readonly Pick<SeenTask, "id" | "status" | "blocks" | "blockedBy">[];
}

export function watchFact(watched: Watched, fact: Observation, before: Before): Watched {
  const { at = 0 } = fact;
  if (fact.type === "call.started") return beginCall(watched, fact, before);
  if (fact.type === "call.ended") return endCall(watched, fact);
  if (fact.type === "call.asked") return fact.ask === null ? watched : awaited(watched, before, at);
  if (SILENT.includes(fact.type)) return watched;
  if (fact.type === "list.written") return { ...settled(watched, before), isWritten: true };
  if (fact.type === "list.finished") return watched;
  if (fact.type === "list.changed") {
    const ready = flushed(watched);
    return {
      ...ready,
      isWritten: false,
      watch: watchStep(ready.watch, writtenStep(fact, before, watched.isWritten, at)),
    };
  }
  const told = settled(watched, before);
  const isPrompt = fact.type === "turn.started" && told.openclaw !== undefined;
  const ready = isPrompt ? { ...told, openclaw: openclawPrompt(told.openclaw) } : told;
  const step = stepOf(fact, before, at);
  return step ? { ...ready, watch: watchStep(ready.watch, step) } : ready;
}

/** They say who and how much, not what happened. */
const SILENT: readonly Observation["type"][] = [
  "session.seen",
  "title.given",
  "tokens.used",
  "money.spent",
  "pull-request.named",
  "plan.changed",
  "turn.undone",
  "goal.changed",
  "wake.set",
  "check.waived",
  "agent.started",
  "agent.ended",
];

/** A person is waited for. */
function awaited(watched: Watched, before: Before, at: number): Watched {
  const asked = settled(watched, before);
  return { ...asked, watch: watchStep(asked.watch, { type: "awaited", at }) };
}

function beginCall(watched: Watched, fact: FactOf<"call.started">, before: Before): Watched {
  const { call, tool, server, reply, isWork, isAsking, facts, at = 0 } = fact;
  if (isAsking) return awaited(watched, before, at);
  if (!isWork) return watched;
  const isSameReply = reply === undefined ? watched.begun.length > 0 : reply === watched.reply;
  const ready = isSameReply ? watched : settled(watched, before);
  const name = server === undefined ? tool : `${server}/${tool}`;
  const one = { call, tool: name, at, facts };
  const begun = ready.begun.length === 0 ? [one] : [...ready.begun, one].slice(-MOST_CALLS);
  return withCalls(ready, { reply, begun, ended: ready.ended, endedAt: ready.endedAt });
}

/** Field by field: this runs for every call, and a spread costs more than what is done with it. */
function withCalls(
  watched: Watched,
  { reply, begun, ended, endedAt }: Pick<Watched, "reply" | "begun" | "ended" | "endedAt">,
  watch: Watch = watched.watch,
): Watched {
  const { isWritten, openclaw, unchecked } = watched;
  if (openclaw || unchecked) return { ...watched, watch, reply, begun, ended, endedAt };
  return { watch, reply, begun, ended, endedAt, isWritten };
}

function endCall(watched: Watched, { call, status, facts, at = 0 }: FactOf<"call.ended">): Watched {
  const found = watched.begun.find((one) => one.call === call);
  if (!found) return watched;
  const ended = roundCall(wholeFacts(found.facts, facts), found.tool, status);
  if (at > 0 && found.at > 0) ended.milliseconds = Math.max(0, at - found.at);
  return withCalls(watched, {
    reply: watched.reply,
    begun: watched.begun.length === 1 ? [] : watched.begun.filter((one) => one !== found),
    ended: watched.ended.length === 0 ? [ended] : [...watched.ended, ended].slice(-MOST_CALLS),
    endedAt: Math.max(watched.endedAt, at),
  });
}

type Mutable<Kind> = { -readonly [Field in keyof Kind]: Kind[Field] };

function roundCall(facts: CallFacts, tool: string, status: RoundCall["status"]): Mutable<RoundCall> {
  const call = facts as Mutable<RoundCall>;
  call.tool = tool;
  call.status = status;
  return call;
}

/** The calls so far are a round. One that is still open may end in a later round. */
function flushed(watched: Watched): Watched {
  const { ended: calls, endedAt: at } = watched;
  if (calls.length === 0) return watched;
  const watch = watchStep(watched.watch, { type: "round", calls, isBatch: true, at });
  const openclaw = watched.openclaw && openclawRound(watched.openclaw, calls, at);
  if (openclaw) return { ...watched, watch, ended: [], endedAt: 0, openclaw };
  const { reply, begun } = watched;
  return withCalls(watched, { reply, begun, ended: [], endedAt: 0 }, watch);
}

/** A write of the list that changed nothing is known by what comes after it. */
function settled(watched: Watched, before: Before): Watched {
  const ready = flushed(watched);
  if (!ready.isWritten) return ready;
  const step: Step = { type: "list-written", isForward: false, isSame: true, ...openIn(before), at: 0 };
  return { ...ready, isWritten: false, watch: watchStep(ready.watch, step) };
}

/** What is found by now: everything told is a step. `silence`: a tick, where nothing was heard for a while. */
export function alertsNow(
  watched: Watched,
  before: Before,
  silence?: Extract<Step, { type: "tick" }>,
): readonly Alert[] {
  const { watch, openclaw } = settled(watched, before);
  const { alerts } = silence ? watchStep(watch, silence) : watch;
  const { unchecked } = watched;
  return [...alerts, ...(openclaw?.alerts ?? []), ...(unchecked ? [unchecked] : [])];
}

/** Since when a call is running, where one is. */
export function callingSince({ begun }: Watched): number | undefined {
  const times = begun.map(({ at }) => at).filter((at) => at > 0);
  return times.length === 0 ? undefined : Math.min(...times);
}

function openIn({ list, tasks }: Before): { readonly open: number; readonly active: number } {
  const all = [...todosOf(list), ...tasks];
  return {
    open: all.filter(isOpen).length,
    active: all.filter(({ status }) => status === "in_progress").length,
  };
}

/** Somebody who goes back in a conversation has another list, and has written none. */
function writtenStep({ list }: FactOf<"list.changed">, before: Before, isWritten: boolean, at: number): Step {
  const open = openIn({ ...before, list });
  if (!isWritten) return { type: "list-changed", ...open, at };
  const known = new Map(todosOf(before.list).map((todo) => [todo.number, todo]));
  const isNew = ({ number }: Todo) => !known.has(number);
  const isClosed = (todo: Todo) => !isOpen(todo) && isOpen(known.get(todo.number) ?? { status: "pending" });
  const todos = todosOf(list);
  const isForward = todos.some((todo) => isNew(todo) || isClosed(todo)) || todos.length === 0;
  const isSame = !isForward && todos.every(({ number, status }) => known.get(number)?.status === status);
  return { type: "list-written", isForward, isSame, ...open, at };
}

type Linked = Pick<SeenTask, "blocks" | "blockedBy">;

function isLinkedAnew(before: Linked, after: Linked): boolean {
  return before.blocks.length !== after.blocks.length || before.blockedBy.length !== after.blockedBy.length;
}

function taskStep({ task }: FactOf<"task.changed">, before: Before, at: number): Step {
  const known = before.tasks.find(({ id }) => id === task.id);
  const tasks = [...before.tasks.filter((one) => one !== known), task];
  const isForward = !known || (isOpen(known) && !isOpen(task));
  const isSame = known?.status === task.status;
  const open = openIn({ ...before, tasks });
  // A plan takes a call for each task that waits for another one.
  if (isSame && isLinkedAnew(known, task)) return { type: "list-changed", ...open, at };
  return { type: "list-written", isForward, isSame, ...open, at };
}

function stepOf(fact: Observation, before: Before, at: number): Step | undefined {
  switch (fact.type) {
    case "turn.started":
      return { type: "prompt", at };
    case "turn.ended":
      return { type: "turn-ended", because: fact.because, isAsking: fact.isAsking, wakesAt: before.wake?.until, at };
    case "session.left":
      return { type: "session-ended", at };
    case "words.said":
      return { type: "said", words: fact.words, at };
    case "context.compacted":
      return { type: "compacted", at };
    case "goal.fired":
      return { type: "goal-fired", goal: fact.goal, at };
    case "task.changed":
      return taskStep(fact, before, at);
    case "task.leased":
      return fact.until === null
        ? { type: "lease-left", task: fact.task, at }
        : { type: "leased", task: fact.task, until: fact.until, at, ttl: Math.max(0, fact.until - at) };
    default:
      return undefined;
  }
}
