import { plansUpTo } from "../plan/plan-sequence.js";
import { EMPTY_LIST, type Todo, type TodoList, todosOf, workedOn } from "../todo/list.js";
import { keptList } from "./finished/finished-list.js";
import {
  type Goal,
  type KnownPlan,
  NO_TOKENS,
  type Observation,
  type SeenPlan,
  type SeenTask,
  type Tokens,
} from "./observation.js";
import type { Ask } from "./state/asked-text.js";
import { afterTurn, asking, inTurn, NOT_SHOWN, type Shown, type Wake } from "./state/shown.js";

/** What ran while a todo was in progress. */
export interface Work {
  /** 0 for what ran while nothing was open: it may have been for a todo that is written down afterwards. */
  readonly todo: number;
  readonly calls: number;
  readonly isLastFailed: boolean;
}

/** The last list that came to its end, and what ran for its todos. `at`: milliseconds, 0 where no record had a time. */
export interface FinishedList {
  readonly at: number;
  readonly list: TodoList;
  readonly work: readonly Work[];
}

interface OpenCall {
  readonly call: string;
  readonly isAsking: boolean;
  readonly ask?: Ask | undefined;
  /** The todo that was in progress when it started; undefined for calls that are no work. */
  readonly todo?: number | undefined;
  readonly isWork: boolean;
  readonly isListWrite?: true;
}

/** A task, and when it last changed: sub-agents work on their parent's tasks, from files of their own. */
export type KnownTask = SeenTask & { readonly at: number; readonly isDeleted?: true };

/** A session as observations tell it: plain data, so that it can be kept and gone on with. */
export interface SessionView {
  readonly id: string;
  readonly agent: string;
  readonly parent: string | null;
  readonly title: string;
  readonly titleBy: "nobody" | "person" | "agent";
  readonly folder: string;
  readonly branch: string;
  readonly version: string;
  readonly model: string;
  /** `working`: between a person's words and the last answer to them. */
  readonly phase: "new" | "working" | "asking" | "resting";
  /** Why it is in that phase, and since when. */
  readonly shown: Shown;
  readonly wake: Wake | null;
  readonly list: TodoList;
  /** Stays until another list is finished. */
  readonly finished: FinishedList | null;
  readonly plan: SeenPlan | null;
  /** The last ones up to the current one, the oldest first, each once by its key. */
  readonly plans: readonly KnownPlan[];
  readonly goal: Goal | null;
  readonly tasks: readonly KnownTask[];
  readonly calls: { readonly total: number; readonly failed: number };
  readonly turns: number;
  readonly compactions: number;
  readonly tokens: Tokens;
  /** In dollars; null where the agent does not say. */
  readonly cost: number | null;
  /** Milliseconds; 0 where no record had a time. */
  readonly startedAt: number;
  readonly at: number;
  readonly open: readonly OpenCall[];
  readonly work: readonly Work[];
  /** What the last write to the list was answered, in one line, where it failed. */
  readonly refusal?: string | undefined;
}

export function newView(id: string): SessionView {
  return {
    id,
    agent: "",
    parent: null,
    title: "",
    titleBy: "nobody",
    folder: "",
    branch: "",
    version: "",
    model: "",
    phase: "new",
    shown: NOT_SHOWN,
    wake: null,
    list: EMPTY_LIST,
    finished: null,
    plan: null,
    plans: [],
    goal: null,
    tasks: [],
    calls: { total: 0, failed: 0 },
    turns: 0,
    compactions: 0,
    tokens: NO_TOKENS,
    cost: null,
    startedAt: 0,
    at: 0,
    open: [],
    work: [],
  };
}

export function evolveView(view: SessionView, observation: Observation): SessionView {
  const draft = { ...view };
  applyFact(draft, observation);
  return draft;
}

/** A view that nobody else holds: whoever folds a million observations cannot copy it each time. */
export type ViewDraft = { -readonly [Field in keyof SessionView]: SessionView[Field] };

export function applyFact(view: ViewDraft, fact: Observation): void {
  const change = CHANGES[fact.type] as (view: SessionView, fact: Observation) => Partial<SessionView>;
  Object.assign(view, change(view, fact));
  const { at } = fact;
  if (at === undefined) return;
  if (view.startedAt === 0 || at < view.startedAt) view.startedAt = at;
  if (at > view.at) view.at = at;
}

type FactOf<Type extends Observation["type"]> = Extract<Observation, { type: Type }>;
type Change<Type extends Observation["type"]> = (view: SessionView, fact: FactOf<Type>) => Partial<SessionView>;

const CHANGES: { readonly [Type in Observation["type"]]: Change<Type> } = {
  "session.seen": changeWho,
  "title.given": changeTitle,
  "turn.started": (view, { at = view.at }) => {
    return { turns: view.turns + 1, phase: "working", shown: { reason: "in-turn", since: at }, open: [] };
  },
  "turn.undone": undoTurn,
  "turn.ended": (view, fact) => ({
    phase: fact.isAsking ? "asking" : "resting",
    shown: afterTurn(view.shown, fact, fact.at ?? view.at),
    open: [],
  }),
  "wake.set": (_, { until, schedule }) => ({ wake: until === null ? null : { until, ...(schedule && { schedule }) } }),
  "list.changed": (view, { list }) => ({ list, work: workFor(view, list), refusal: undefined }),
  "list.finished": (view, { list, at = view.at }) => ({
    finished: { at, list: keptList(list), work: workFor(view, list) },
  }),
  "plan.changed": (view, { plan, at = view.at }) => ({ plan, plans: plansUpTo(view.plans, plan, at) }),
  "goal.changed": (_, { goal }) => ({ goal }),
  "task.changed": (view, { task, at = view.at }) => ({ tasks: putTask(view.tasks, { ...task, at }) }),
  "task.deleted": (view, { id, at = view.at }) => ({ tasks: deleteTask(view.tasks, id, at) }),
  "call.started": startCall,
  "call.ended": endCall,
  "context.compacted": ({ compactions }) => ({ compactions: compactions + 1 }),
  "tokens.used": (_, { tokens }) => ({ tokens }),
  "money.spent": (_, { dollars }) => ({ cost: dollars }),
};

function changeWho(view: SessionView, fact: FactOf<"session.seen">): Partial<SessionView> {
  return {
    agent: fact.agent || view.agent,
    parent: fact.parent === undefined ? view.parent : fact.parent,
    folder: fact.folder || view.folder,
    branch: fact.branch || view.branch,
    version: fact.version || view.version,
    model: fact.model || view.model,
  };
}

/** An agent's own title is better than the first prompt, and its last word counts; of prompts it is the first. */
function changeTitle({ titleBy }: SessionView, { title, by }: FactOf<"title.given">): Partial<SessionView> {
  return title === "" || (by === "person" && titleBy !== "nobody") ? {} : { title, titleBy: by };
}

/** A title from the first prompt goes with it. */
function undoTurn(view: SessionView): Partial<SessionView> {
  const turns = Math.max(0, view.turns - 1);
  return turns > 0 || view.titleBy !== "person" ? { turns } : { turns, title: "", titleBy: "nobody" };
}

/** What ran for the todos of a list that takes the place of the one before. */
function workFor(view: SessionView, list: TodoList): readonly Work[] {
  const before = new Set(todosOf(view.list).map(({ number }) => number));
  const todos = todosOf(list);
  const numbers = new Set(todos.map(({ number }) => number));
  const loose = view.work.find(({ todo }) => todo === 0);
  const late = loose ? todos.filter(({ number, status }) => !before.has(number) && status === "completed") : [];
  return [
    ...view.work.filter(({ todo }) => numbers.has(todo) || (todo === 0 && todos.length === 0)),
    ...late.map(({ number }) => ({ calls: 1, isLastFailed: false, ...loose, todo: number })),
  ];
}

/** The agents' own tools that write a list; ours is among those that are no work. */
const LIST_WRITERS: readonly string[] = ["TodoWrite", "update_plan", "todo_write", "todo", "todo_list"];

/** `cancelled`: it never ran. */
function refusalAfter(view: SessionView, { isListWrite }: OpenCall, { status, problem }: FactOf<"call.ended">) {
  if (!isListWrite || status === "cancelled") return view.refusal;
  return status === "failed" ? (problem ?? "") : undefined;
}

function putTask(tasks: readonly KnownTask[], task: KnownTask): readonly KnownTask[] {
  const known = tasks.some(({ id }) => id === task.id);
  return known ? tasks.map((one) => (one.id === task.id ? task : one)) : [...tasks, task];
}

/** A task that another made can be deleted here: that it is gone is all that is known of it. */
function deleteTask(tasks: readonly KnownTask[], id: string, at: number): readonly KnownTask[] {
  const task = tasks.find((one) => one.id === id) ?? { id, subject: "", status: "pending", blocks: [], blockedBy: [] };
  const deleted = tasks.filter(({ isDeleted }) => isDeleted);
  const kept = deleted.length < MOST_DELETED ? tasks : tasks.filter((one) => one !== deleted[0]);
  return putTask(kept, { ...task, at, isDeleted: true });
}

/** Enough to tell a parent of what its sub-agents deleted. */
const MOST_DELETED = 200;

/** More than any client runs at once; what is never answered must not pile up. */
const MOST_OPEN = 200;

function startCall(view: SessionView, fact: FactOf<"call.started">): Partial<SessionView> {
  const { call, tool, isWork, isAsking, ask, at = view.at } = fact;
  const isListWrite = !isWork && LIST_WRITERS.includes(tool);
  const todo = isWork ? (workedOn(todosOf(view.list))?.number ?? 0) : undefined;
  const open = view.open.length > MOST_OPEN ? view.open.slice(-MOST_OPEN) : view.open;
  return {
    phase: isAsking ? "asking" : "working",
    shown: isAsking ? asking(ask, at) : inTurn(view.shown, at),
    calls: { total: view.calls.total + 1, failed: view.calls.failed },
    open: [...open, { call, isWork, isAsking, ...(ask && { ask }), todo, ...(isListWrite && { isListWrite }) }],
  };
}

function endCall(view: SessionView, fact: FactOf<"call.ended">): Partial<SessionView> {
  const { call, status, at = view.at } = fact;
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
    work: ended.todo === undefined ? view.work : addWork(view.work, ended.todo, isFailed),
    refusal: refusalAfter(view, ended, fact),
  };
}

function addWork(work: readonly Work[], todo: number, isLastFailed: boolean): readonly Work[] {
  const at = work.findIndex((one) => one.todo === todo);
  const done = { todo, calls: (work[at]?.calls ?? 0) + 1, isLastFailed };
  return at < 0 ? [...work, done] : work.with(at, done);
}

/** What the facts say of a todo that is called completed. */
export type Verdict = "ran" | "nothing-ran" | "last-failed";

/** Null for what is not called completed: there is no claim to hold against the facts. */
export function verdictOf({ work }: Pick<SessionView, "work">, { number, status }: Todo): Verdict | null {
  if (status !== "completed") return null;
  const done = work.find(({ todo }) => todo === number);
  if (!done) return "nothing-ran";
  return done.isLastFailed ? "last-failed" : "ran";
}
