import { NO_SEEN_WORK, passList, passSeenTasks, type SeenWork, waiveWork } from "../grounding/seen-work.js";
import type { Span } from "../grounding/work-times.js";
import { plansUpTo } from "../plan/plan-sequence.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../todo/list.js";
import { keptList } from "./finished/finished-list.js";
import { workItems } from "./finished/list-times.js";
import {
  type Goal,
  type KnownPlan,
  NO_TOKENS,
  type Observation,
  type SeenContext,
  type SeenPlan,
  type SeenTask,
  type Tokens,
} from "./observation.js";
import type { PullRequest } from "./pull-request.js";
import { askCall, endCall, type OpenCall, startCall } from "./seen-calls.js";
import { afterTurn, NOT_SHOWN, type Shown, type Wake } from "./state/shown.js";
import { NOT_WATCHED, type Watched, watchFact } from "./watched/fact-steps.js";

/** The last list that came to its end, and when its todos were worked on. `at`: 0 where no record had a time. */
export interface FinishedList {
  readonly at: number;
  readonly list: TodoList;
  readonly spans: readonly Span<number>[];
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
  /** `working`: between a person's words and the last answer to them. `left`: the agent has closed it. */
  readonly phase: "new" | "working" | "asking" | "resting" | "left";
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
  readonly context: SeenContext | null;
  /** In dollars; null where the agent does not say. */
  readonly cost: number | null;
  /** The one that was named last. */
  readonly pullRequest: PullRequest | null;
  /** Milliseconds; 0 where no record had a time. */
  readonly startedAt: number;
  readonly at: number;
  readonly open: readonly OpenCall[];
  /** Sub-agents that have begun in this turn and not ended, as its transcript names them; undefined: none. */
  readonly agents?: readonly string[] | undefined;
  readonly work: SeenWork;
  /** What detectors know. */
  readonly watched: Watched;
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
    context: null,
    cost: null,
    pullRequest: null,
    startedAt: 0,
    at: 0,
    open: [],
    work: NO_SEEN_WORK,
    watched: NOT_WATCHED,
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
  // What an older version has kept lacks it.
  const watched = watchFact(view.watched ?? NOT_WATCHED, fact, view);
  Object.assign(view, change(view, fact));
  view.watched = watched;
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
    const shown = { reason: "in-turn", since: at } as const;
    return { turns: view.turns + 1, phase: "working", shown, open: [], agents: undefined };
  },
  "turn.undone": undoTurn,
  "turn.ended": (view, fact) => ({
    phase: fact.isAsking ? "asking" : "resting",
    shown: afterTurn(view.shown, fact, fact.at ?? view.at),
    open: [],
    agents: undefined,
  }),
  "session.left": ({ at: last }, { at = last }) => {
    const shown = { reason: "session-ended", since: at } as const;
    return { phase: "left", shown, open: [], agents: undefined, wake: null };
  },
  "wake.set": (_, { until, schedule }) => ({ wake: until === null ? null : { until, ...(schedule && { schedule }) } }),
  "list.changed": (view, { list, at = view.at }) => ({ list, work: workAfter(view, list, at), refusal: undefined }),
  "list.written": () => ({}),
  "words.said": () => ({}),
  "goal.fired": () => ({}),
  "task.leased": () => ({}),
  "check.waived": waive,
  "agent.started": ({ agents = [] }, { agent }) => ({ agents: [...agents, agent].slice(-MOST_AGENTS) }),
  "agent.ended": ({ agents }, { agent }) => ({ agents: agents?.filter((one) => one !== agent) }),
  "list.finished": (view, { list, at = view.at }) => ({
    finished: { at, list: keptList(list), spans: spansFor(workAfter(view, list, at), list) },
  }),
  "plan.changed": (view, { plan, at = view.at }) => ({ plan, plans: plansUpTo(view.plans, plan, at) }),
  "goal.changed": (_, { goal }) => ({ goal }),
  "task.changed": (view, { task, at = view.at }) => changeTasks(view, putTask(view.tasks, { ...task, at }), at),
  "task.deleted": (view, { id, at = view.at }) => changeTasks(view, deleteTask(view.tasks, id, at), at),
  "call.started": startCall,
  "call.asked": askCall,
  "call.ended": endCall,
  "context.compacted": ({ compactions }) => ({ compactions: compactions + 1 }),
  "tokens.used": (view, { tokens, context = view.context }) => ({ tokens, context }),
  "money.spent": (_, { dollars }) => ({ cost: dollars }),
  "pull-request.named": (_, { pullRequest }) => ({ pullRequest }),
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

function workAfter(view: SessionView, list: TodoList, at: number): SeenWork {
  return passList(view.work, workItems(view.list), workItems(list), at);
}

function spansFor({ times }: SeenWork, list: TodoList): FinishedList["spans"] {
  const numbers = new Set(todosOf(list).map(({ number }) => number));
  return times.spans.filter(([number]) => numbers.has(number));
}

function changeTasks(view: SessionView, tasks: readonly KnownTask[], at: number): Partial<SessionView> {
  return { tasks, work: passSeenTasks(view.work, view.tasks, tasks, at) };
}

/** It is said of the list, or of the tasks where there is none. */
function waive({ work, list, tasks }: SessionView, { reason }: FactOf<"check.waived">): Partial<SessionView> {
  const todos = todosOf(list).map(({ number }) => number);
  return { work: waiveWork(work, reason, todos.length > 0 ? todos : tasks.map(({ id }) => id)) };
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

/** More than any client runs at once. */
const MOST_AGENTS = 20;
