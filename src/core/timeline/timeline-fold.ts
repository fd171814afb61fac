import { type CallEvent, readCallEvent } from "../call/call-event.js";
import { type CallFacts, wholeFacts } from "../call/call-facts.js";
import type { Alert } from "../detectors/alert.js";
import { textAt } from "../json.js";
import { TASK_CHANGES, type TaskChange } from "../session/client/client-tasks.js";
import { type LoggedEvent, readSessionEvent } from "../session/events.js";
import type { Observation } from "../session/observation.js";
import { readTodoEvent } from "../todo/recorded.js";
import type { Timeline, TimelineAlert, TimelineCall, TimeSpan } from "./timeline.js";
import { TodoBars } from "./todo-bars.js";

/** More than a session of a day has; of more the newest are kept, and the others counted. */
export const MOST_CALLS = 20_000;
const MOST_TURNS = 5000;
const MOST_ALERTS = 500;
const MOST_FILES = 8;

type Started = { readonly agent: string | null; readonly call: string; readonly tool: string; readonly at: number };
type CallDraft = { -readonly [Field in keyof TimelineCall]: TimelineCall[Field] };
interface Told {
  readonly subject?: string | undefined;
  readonly facts?: CallFacts | undefined;
  readonly isList?: boolean | undefined;
}

/** The timeline of one session, one record after the other; changed in place by whoever owns it. */
export class TimelineFold {
  readonly #calls = new Map<string, CallDraft>();
  readonly #open = new Set<CallDraft>();
  readonly #facts = new Map<CallDraft, CallFacts>();
  readonly #bars = new TodoBars();
  #turns: TimeSpan[] = [];
  #compactions: number[] = [];
  #alerts: TimelineAlert[] = [];
  #leftOut = 0;
  #unnamed = 0;
  /** Of the last record that had one: those without a time happened then. */
  #at = 0;

  /** `agent`: the sub-agent whose record it is; null for the session itself. Lists and turns are the session's own. */
  observe(fact: Observation, agent: string | null): void {
    const at = this.#now(fact.at);
    if (fact.type === "call.started") {
      const { call, tool, server, subject, facts, isWork } = fact;
      const name = server === undefined ? tool : `${server}/${tool}`;
      this.#start({ agent, call, tool: name, at }, { subject, facts, isList: !isWork });
    } else if (fact.type === "call.ended") {
      const known = this.#calls.get(keyOf(agent, fact.call));
      if (known) this.#end(known, fact.status, { facts: fact.facts }, at);
    } else if (agent === null) this.#observeOwn(fact, at);
  }

  #observeOwn(fact: Observation, at: number): void {
    switch (fact.type) {
      case "turn.started":
        this.#startTurn(at);
        break;
      case "turn.undone":
        this.#turns.pop();
        break;
      case "turn.ended":
        this.#endTurn(at);
        break;
      case "list.changed":
        this.#bars.changeList(fact.list, at);
        break;
      case "task.changed":
        this.#bars.changeTask(fact.task, at);
        break;
      case "task.deleted":
        this.#bars.deleteTask(fact.id, at);
        break;
      case "context.compacted":
        this.#compactions.push(at);
        break;
      default:
    }
  }

  /** An event of the session's own stream. */
  addSessionEvent({ type, data, at }: LoggedEvent): void {
    this.#now(at);
    const todo = readTodoEvent(type, data);
    if (todo) {
      this.#bars.addEvent(todo, at);
      return;
    }
    const event = readSessionEvent(type, data);
    if (event && Object.hasOwn(TASK_CHANGES, event.type)) this.#bars.addTaskChange(event as TaskChange, at);
    switch (event?.type) {
      case "turn.started":
      case "turn.woken":
        this.#startTurn(at);
        break;
      case "turn.ended":
      case "session.ended":
        this.#endTurn(at);
        break;
      case "compaction.ended":
        this.#compactions.push(at);
        break;
      case "alert.raised":
        this.raise(event, event.at > 0 ? event.at : at);
        break;
      default:
    }
  }

  /** An event of the session's `calls:` stream. `agent`: as its owner sees it; null for the session itself. */
  addCallEvent(
    { type, data, at }: LoggedEvent,
    agentOf: (agent: string | undefined) => string | null | undefined,
  ): void {
    const event = readCallEvent(type, data);
    const agent = event && agentOf(event.agent);
    if (!event || agent === undefined) return;
    this.#now(at);
    if (event.type === "call.ended") this.#addEnd(event, agent, at);
    else if (event.type === "call.started")
      this.#addStart(event, agent, { at, subject: textAt((data as { readonly subject?: unknown }).subject) });
    else {
      const known = this.#calls.get(keyOf(agent, event.call));
      if (known) known.subject = event.subject ?? known.subject;
    }
  }

  #addStart(
    { call, tool, facts }: Extract<CallEvent, { type: "call.started" }>,
    agent: string | null,
    { at, subject }: { readonly at: number; readonly subject: string | undefined },
  ): void {
    const known = this.#calls.get(keyOf(agent, call));
    // A report of its end can come before that of its start.
    if (known) known.at = Math.min(known.at, at);
    else this.#start({ agent, call, tool, at }, { facts, subject });
  }

  #addEnd(event: Extract<CallEvent, { type: "call.ended" }>, agent: string | null, at: number): void {
    const { call = this.#madeUp(), tool, milliseconds = 0, outcome, subject, facts, isWork } = event;
    const began = { agent, call, tool, at: Math.max(0, Math.round(at - milliseconds)) };
    const known = this.#calls.get(keyOf(agent, call)) ?? this.#start(began, {});
    this.#end(known, outcome, { subject, facts, isList: !isWork }, at);
  }

  #madeUp(): string {
    this.#unnamed += 1;
    return `#${this.#unnamed}`;
  }

  raise({ detector, level, message }: Pick<Alert, "detector" | "level" | "message">, at: number): void {
    if (this.#alerts.some((one) => one.detector === detector && one.at === at)) return;
    this.#alerts.push({ at, detector, level, message });
    if (this.#alerts.length > MOST_ALERTS) this.#alerts.shift();
  }

  /** As it is now. What was given out before does not change. */
  timeline(): Timeline {
    const calls = [...this.#calls.values()].map((call) => ({ ...call })).sort((a, b) => a.at - b.at);
    const [first, turn] = [calls[0]?.at || Number.POSITIVE_INFINITY, this.#turns[0]?.at || Number.POSITIVE_INFINITY];
    const begun = Math.min(first, turn);
    return {
      calls,
      todos: this.#bars.bars(Number.isFinite(begun) ? begun : 0),
      turns: [...this.#turns],
      compactions: [...this.#compactions],
      alerts: [...this.#alerts],
      leftOut: this.#leftOut,
    };
  }

  #now(at: number | undefined): number {
    this.#at = Math.max(this.#at, at ?? 0);
    return at ?? this.#at;
  }

  #start({ agent, call, tool, at }: Started, told: Told): CallDraft {
    const key = keyOf(agent, call);
    const before = this.#calls.get(key);
    // A record that a client has copied into another file.
    if (before?.at === at) return before;
    const draft: CallDraft = { ...NEW_CALL, agent, call, tool, at };
    // Some models number their calls anew: the one before keeps its place under another name.
    if (before) this.#calls.set(`${key} ${this.#madeUp()}`, { ...before, call: `${call} (before)` });
    this.#calls.delete(key);
    this.#calls.set(key, draft);
    this.#open.add(draft);
    this.#tell(draft, told);
    for (const [oldest, dropped] of this.#calls) {
      if (this.#calls.size <= MOST_CALLS) break;
      this.#calls.delete(oldest);
      this.#close(dropped);
      this.#leftOut += 1;
    }
    return draft;
  }

  #end(draft: CallDraft, status: "completed" | "failed" | "cancelled", told: Told, at: number): void {
    draft.status = status;
    draft.end = Math.max(draft.at, at);
    this.#tell(draft, told);
    this.#close(draft);
  }

  #close(draft: CallDraft): void {
    this.#open.delete(draft);
    this.#facts.delete(draft);
  }

  #tell(draft: CallDraft, { subject, facts, isList }: Told): void {
    draft.subject = subject ?? draft.subject;
    const whole = merged(this.#facts.get(draft), facts);
    this.#facts.set(draft, whole);
    draft.kind = whole.kind ?? "other";
    draft.isList = isList ?? (draft.isList || whole.isList === true);
    draft.files = whole.files?.slice(0, MOST_FILES) ?? [];
    draft.added = whole.added ?? 0;
    draft.removed = whole.removed ?? 0;
    draft.check = whole.check ?? null;
    draft.result = whole.check === undefined ? null : (whole.result ?? null);
    draft.isChange = draft.status === "completed" && hasChanged(whole);
  }

  /** What the session called before has ended, whether or not anybody told so; sub-agents may go on. */
  #startTurn(at: number): void {
    this.#endTurn(at);
    this.#turns.push({ at, end: null });
    if (this.#turns.length > MOST_TURNS) this.#turns.shift();
  }

  #endTurn(at: number): void {
    for (const draft of this.#open) {
      if (draft.agent !== null) continue;
      draft.status = "lost";
      this.#open.delete(draft);
    }
    const last = this.#turns.at(-1);
    if (last?.end === null) this.#turns[this.#turns.length - 1] = { at: last.at, end: Math.max(last.at, at) };
  }
}

const NEW_CALL: Omit<TimelineCall, "agent" | "call" | "tool" | "at"> = {
  subject: null,
  end: null,
  status: "running",
  kind: "other",
  isList: false,
  isChange: false,
  files: [],
  added: 0,
  removed: 0,
  check: null,
  result: null,
};

function keyOf(agent: string | null, call: string): string {
  return `${agent ?? ""} ${call}`;
}

/** The later word counts, field by field. */
function merged(before: CallFacts | undefined, told: CallFacts | undefined): CallFacts {
  if (!before || !told) return before ?? told ?? {};
  const whole = wholeFacts(before, before);
  const news = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  return { ...whole, ...news };
}

/** The rule of verdicts: it was done, and something is different now. */
function hasChanged({ isUnchanged, kind, isChange, added = 0, removed = 0 }: CallFacts): boolean {
  return !isUnchanged && (kind === "edit" || isChange === true || added + removed > 0);
}
