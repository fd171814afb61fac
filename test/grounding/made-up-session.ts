import type { CallFacts } from "../../src/core/call/call-facts.js";
import { evolveCalls, NO_CALL_HISTORY, workOf } from "../../src/core/call/call-history.js";
import { type SessionWork, withBelow } from "../../src/core/grounding/seen-work.js";
import type { LoggedEvent } from "../../src/core/session/events.js";
import type { Fact, Observation } from "../../src/core/session/observation.js";
import { evolveView, newView, type SessionView } from "../../src/core/session/session-facts.js";
import { evolveHistory, NO_SESSION_HISTORY } from "../../src/core/session/session-history.js";
import { evolveAll } from "../../src/core/todo/evolve.js";
import { EMPTY_LIST, type TodoList, type TodoStatus } from "../../src/core/todo/list.js";
import { readTodoEvent } from "../../src/core/todo/recorded.js";

// A session in a few letters, told twice: as hooks record it, and as a transcript is read.
//   1> 1. 1- 1x    todo 1 is in progress, completed, pending, cancelled; it is added when it is first named
//   A> A.          task A of the client, likewise
//   e c f g r u    edits a file, calls something, fails at it; a check that is green, red, without a known result
//   p              edits prose
//   ae ag ...      the same, by a sub-agent
//   L              a long call: it ends three steps later
//   clear          the list is cleared;  waive: it cannot be checked here;  waive2: todo 2 cannot
export type Step = string;

export const STEP = 100;
const TAKES = 40;
export const BEGIN = 1_800_000_000_000;

interface MadeUpCall {
  readonly call: string;
  readonly agent: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly status: "completed" | "failed";
  readonly tool: string;
  readonly facts: CallFacts;
  readonly title: string;
}

const CALLS: Readonly<Record<string, { readonly tool: string; readonly facts: CallFacts; readonly isFailed?: true }>> =
  {
    e: { tool: "Edit", facts: { kind: "edit", files: ["/w/a.ts"], added: 3, removed: 1 } },
    p: { tool: "Edit", facts: { kind: "edit", files: ["/w/README.md"], isProse: true, added: 1 } },
    n: { tool: "Edit", facts: { kind: "edit", files: ["/w/a.ts"], isUnchanged: true } },
    c: { tool: "Read", facts: { kind: "read", files: ["/w/b.ts"] } },
    L: { tool: "Bash", facts: { kind: "execute" } },
    f: { tool: "Bash", facts: { kind: "execute", exit: 1 }, isFailed: true },
    g: { tool: "Bash", facts: { kind: "execute", check: "tests", result: "passed", exit: 0 } },
    r: { tool: "Bash", facts: { kind: "execute", check: "tests", result: "failed", exit: 1 }, isFailed: true },
    u: { tool: "Bash", facts: { kind: "execute", check: "tests", result: "unknown" } },
    l: { tool: "Bash", facts: { kind: "execute", check: "lint", result: "passed", exit: 0 } },
  };

const STATUSES: Readonly<Record<string, TodoStatus>> = {
  ">": "in_progress",
  ".": "completed",
  "-": "pending",
  x: "cancelled",
};

type Told =
  | { readonly at: number; readonly own: { readonly type: string; readonly data: object; readonly actor?: string } }
  | { readonly at: number; readonly start: MadeUpCall }
  | { readonly at: number; readonly end: MadeUpCall };

/** What happens, in the order of time. */
function happenings(steps: readonly Step[]): readonly Told[] {
  const told: Told[] = [];
  const status = new Map<number, TodoStatus>();
  let revision = 0;
  for (const [index, step] of steps.entries()) {
    const at = BEGIN + index * STEP;
    const [, who = "", letter = ""] = /^(a?)([a-zA-Z])$/.exec(step) ?? [];
    const known = letter in CALLS ? CALLS[letter] : undefined;
    if (known) {
      const length = letter === "L" ? 3 * STEP + TAKES / 2 : TAKES;
      const { tool, facts, isFailed } = known;
      const agent = who === "" ? undefined : "a1";
      const title = facts.check ? `run ${facts.check}` : tool;
      const outcome = isFailed ? ("failed" as const) : ("completed" as const);
      const call = { call: `call-${index}`, agent, start: at, end: at + length, status: outcome, tool, facts, title };
      told.push({ at, start: call }, { at: at + length, end: call });
      continue;
    }
    revision += 1;
    for (const own of ownEvents(step, status)) told.push({ at, own: { ...own, data: { revision, ...own.data } } });
  }
  return told.toSorted((a, b) => a.at - b.at);
}

function ownEvents(step: string, status: Map<number, TodoStatus>): readonly { type: string; data: object }[] {
  if (step === "clear")
    return [
      { type: "list.cleared", data: {} },
      { type: "phase.opened", data: { name: "" } },
    ];
  const [, waived] = /^waive(\d*)$/.exec(step) ?? [];
  if (waived !== undefined)
    return [{ type: "check.waived", data: { reason: "no display", ...(waived !== "" && { todo: Number(waived) }) } }];
  const [, id = "", mark = ""] = /^(\d+|[A-Z])([>.x-])$/.exec(step) ?? [];
  const to = STATUSES[mark] ?? "pending";
  if (/^[A-Z]$/.test(id)) return [{ type: "client-task.updated", data: { id, status: to, subject: id } }];
  const number = Number(id);
  if (!(number > 0)) throw new Error(`No step: ${step}`);
  const from = status.get(number);
  status.set(number, to);
  if (from !== undefined) return [{ type: "todo.moved", data: { number, from, to } }];
  const added = { type: "todo.added", data: { number, phase: 0, text: `t${number}`, status: to } };
  return status.size === 1 ? [{ type: "phase.opened", data: { name: "" } }, added] : [added];
}

function ownLog(told: readonly Told[]): readonly LoggedEvent[] {
  return told.flatMap((one) => ("own" in one ? [{ ...one.own, at: one.at }] : []));
}

function callLog(told: readonly Told[]): readonly LoggedEvent[] {
  return told.flatMap((one) => {
    if (!("end" in one)) return [];
    const { call, agent, start, end, status, tool, facts, title } = one.end;
    const data = { call, agent, tool, status, facts, subject: title, milliseconds: end - start };
    return [{ type: "call.ended", at: end, data }];
  });
}

export interface Ending {
  readonly list: TodoList;
  readonly tasks: readonly { readonly id: string; readonly status: TodoStatus }[];
  readonly work: SessionWork;
}

/** `pieces`: how many events are folded at once; what is kept goes through JSON in between. */
export function asRecorded(steps: readonly Step[], pieces: number = Number.MAX_SAFE_INTEGER): Ending {
  const told = happenings(steps);
  const history = inPieces(evolveHistory, NO_SESSION_HISTORY, ownLog(told), pieces);
  const calls = inPieces(evolveCalls, NO_CALL_HISTORY, callLog(told), pieces);
  const tasks = history.tasks ?? { told: [], times: { since: 0, spans: [] } };
  return {
    list: listOf(told),
    tasks: tasks.told.map(([id, status]) => ({ id, status })),
    work: {
      times: history.work,
      tasks: tasks.times,
      runs: workOf(calls, undefined),
      files: calls.files,
      waived: history.waived ?? [],
    },
  };
}

/** The same session as events of both its streams, and as observations. */
export function bothWays(steps: readonly Step[]) {
  const told = happenings(steps);
  return { own: ownLog(told), calls: callLog(told), seen: observations(told) };
}

function listOf(told: readonly Told[]): TodoList {
  const events = ownLog(told).flatMap(({ type, data }) => readTodoEvent(type, data) ?? []);
  return evolveAll(EMPTY_LIST, events);
}

function inPieces<State>(
  fold: (state: State, events: readonly LoggedEvent[]) => State,
  first: State,
  events: readonly LoggedEvent[],
  size: number,
): State {
  let state = first;
  for (let at = 0; at < events.length; at += size)
    state = fold(JSON.parse(JSON.stringify(state)), events.slice(at, at + size));
  return state;
}

/** `pieces`: after so many observations the view goes through JSON, as between two looks at a file. */
export function asRead(steps: readonly Step[], pieces: number = Number.MAX_SAFE_INTEGER): Ending {
  const told = happenings(steps);
  const views = new Map<string, SessionView>();
  let count = 0;
  for (const observation of observations(told)) {
    count += 1;
    const { session } = observation;
    const before = views.get(session) ?? newView(session);
    const view = evolveView(before, observation);
    views.set(session, count % pieces === 0 ? JSON.parse(JSON.stringify(view)) : view);
  }
  const view = views.get("s") ?? newView("s");
  const below = views.get("s/a1");
  return { list: view.list, tasks: view.tasks, work: withBelow(view.work, below ? [below.work] : []) };
}

function observations(told: readonly Told[]): readonly Observation[] {
  let list = EMPTY_LIST;
  return told.flatMap((one, index): readonly Observation[] => {
    const { at } = one;
    if ("own" in one) {
      const event = readTodoEvent(one.own.type, one.own.data);
      if (event) list = evolveAll(list, [event]);
      const next = told[index + 1];
      // A transcript tells of a write once, when all of it is done.
      const isLast = !(next && "own" in next && next.at === at);
      const facts = event ? (isLast ? [{ type: "list.changed" as const, list }] : []) : otherFacts(one.own);
      return facts.map((fact) => ({ ...fact, session: "s", at }));
    }
    const call = "start" in one ? one.start : one.end;
    const session = call.agent === undefined ? "s" : `s/${call.agent}`;
    const { kind = "other", files, check, isProse, ...end } = call.facts;
    if ("end" in one) return [{ type: "call.ended", call: call.call, status: call.status, facts: end, session, at }];
    const facts = {
      kind,
      signature: "",
      ...(files && { files }),
      ...(check && { check }),
      ...(isProse && { isProse }),
    };
    const { tool, title: subject } = call;
    return [
      { type: "call.started", call: call.call, tool, subject, isWork: true, isAsking: false, facts, session, at },
    ];
  });
}

function otherFacts({ type, data }: { readonly type: string; readonly data: object }): readonly Fact[] {
  const { reason, id, status } = data as { reason: string; id: string; status: TodoStatus };
  if (type === "check.waived") return [{ type, reason }];
  if (type === "client-task.updated")
    return [{ type: "task.changed", task: { id, subject: id, status, blocks: [], blockedBy: [] } }];
  return [];
}
