import type { BranchState } from "../app/git/branch-facts.js";
import type { PlanReport } from "../app/plans/plan-report.js";
import type { TodoReport } from "../app/todo/todo-report.js";
import type { SessionReport } from "../app/transcripts/session-report.js";
import { todosIn } from "../app/transcripts/session-report.js";
import type { BoardEvent } from "../app/watching/live-board.js";
import type { SessionFamily, SessionGroup, SessionTotals } from "../app/watching/session-groups.js";
import { matchesFilter } from "../app/watching/session-groups.js";
import type { StandingTask } from "../core/task/query.js";
import { type StandingWord, standingWord } from "../core/task/standing.js";
import { graphOf, toGraphTask } from "../core/task/task-graph.js";
import { type TreeRow, treeRows } from "../core/task/tree.js";
import { recentCalls, type Timeline, type TimelineCall } from "../core/timeline/timeline.js";
import type { ViewState } from "./view-state.js";

/** What the view shows of the world: the same values that `--json` prints, and nothing that is counted here. */
export interface World {
  readonly now: number;
  readonly groups: readonly SessionGroup[];
  readonly totals: SessionTotals;
  /** Not every transcript was read yet. */
  readonly isReading: boolean;
  readonly tasks: ShownTasks | undefined;
  readonly plans: readonly PlanReport[] | undefined;
  readonly events: readonly BoardEvent[];
  /** Calls and changes of the session that is open. */
  readonly timeline: Timeline | undefined;
  readonly branchOf: (folder: string | null) => BranchState | undefined;
  readonly isNew: (session: SessionReport) => boolean;
  readonly isPinned: (id: string) => boolean;
  /** What stands below the view while a demo plays. */
  readonly caption?: string | undefined;
  /** The store cannot be read or written, or something else is wrong with the view itself. */
  readonly trouble?: string | undefined;
  readonly hasNotices: boolean;
  /** The person's own folder, which is written as ~. */
  readonly home: string;
}

/** Tasks of one list, and the names of all lists. */
interface ShownTasks {
  readonly list: string;
  readonly lists: readonly string[];
  readonly tasks: readonly StandingTask[];
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Groups with what fits the filter; a family stays whole where any of it fits. */
export function shownGroups({ groups }: Pick<World, "groups">, filter: string): readonly SessionGroup[] {
  if (filter.trim() === "") return groups;
  const fits = ({ session, below }: SessionFamily) => [session, ...below].some((one) => matchesFilter(one, filter));
  return groups
    .map(({ name, families }) => ({ name, families: families.filter(fits) }))
    .filter(({ families }) => families.length > 0);
}

/** Every session on the screen, in the order of its rows. */
export function shownSessions(world: Pick<World, "groups">, filter: string): readonly SessionReport[] {
  return shownGroups(world, filter).flatMap(({ families }) =>
    families.flatMap(({ session, below }) => [session, ...below]),
  );
}

export function sessionAt({ groups }: Pick<World, "groups">, id: string | undefined): SessionReport | undefined {
  for (const { families } of groups)
    for (const { session, below } of families) {
      if (session.id === id) return session;
      const child = below.find((one) => one.id === id);
      if (child) return child;
    }
  return undefined;
}

/** The session that a key is about: the one that is open, else the one under the cursor, else the first. */
export function currentSession(world: World, state: ViewState): SessionReport | undefined {
  if (state.opened !== undefined) return sessionAt(world, state.opened);
  const shown = shownSessions(world, state.filter);
  return shown.find(({ id }) => id === state.cursors.sessions) ?? shown[0];
}

/** Calls of a session that are shown; more than fit on a screen. */
export const MOST_CALLS = 100;

/** The call under the cursor: where it was never moved, the newest. */
export function currentCall({ timeline }: Pick<World, "timeline">, state: ViewState): TimelineCall | undefined {
  const calls = timeline ? recentCalls(timeline, MOST_CALLS) : [];
  return calls.find(({ call }) => call === state.cursors.calls) ?? calls[0];
}

/** Todos of the list that is shown of a session: the open one, else what was last finished. */
export function shownTodos(session: SessionReport): readonly TodoReport[] {
  const todos = todosIn(session);
  return todos.length > 0 || session.finished === null ? todos : todosIn({ list: session.finished });
}

/** The todo under the cursor: where it was never moved, the one in progress, else the first that is open. */
export function currentTodo(session: SessionReport, state: ViewState): TodoReport | undefined {
  const todos = shownTodos(session);
  const chosen = todos.find(({ number }) => String(number) === state.cursors.todos);
  return (
    chosen ??
    todos.find(({ status }) => status === "in_progress") ??
    todos.find(({ status }) => status === "pending") ??
    todos[0]
  );
}

function fits(filter: string, ...texts: readonly (string | null)[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export function shownPlans({ plans }: Pick<World, "plans">, { filter }: ViewState): readonly PlanReport[] | undefined {
  return plans?.filter(({ title, project, agent, status, id }) => fits(filter, title, project, agent, status, id));
}

export function currentPlan(world: World, state: ViewState): PlanReport | undefined {
  const plans = shownPlans(world, state) ?? [];
  return plans.find(({ id }) => id === state.cursors.plans) ?? plans[0];
}

export function shownEvents({ events }: Pick<World, "events">, { filter }: ViewState): readonly BoardEvent[] {
  return filter.trim() === "" ? events : events.filter((one) => fits(filter, one.text, one.project, one.agent));
}

export function currentEvent(world: Pick<World, "events">, state: ViewState): BoardEvent | undefined {
  const events = shownEvents(world, state);
  return events.find(({ id }) => id === state.cursors.events) ?? events[0];
}

/** Columns of the board: standings that mean the same to whoever looks for work. */
export const TASK_COLUMNS = [
  { title: "READY", standings: ["ready"] },
  { title: "IN PROGRESS", standings: ["in_progress", "stale"] },
  { title: "BLOCKED", standings: ["blocked", "waiting", "retrying"] },
  { title: "DONE", standings: ["completed", "failed", "cancelled"] },
] as const satisfies readonly { readonly title: string; readonly standings: readonly StandingWord[] }[];

/** Tasks of each column that fit the filter; what was closed last stands first in the last one. */
export function boardColumns(
  { tasks }: Pick<World, "tasks">,
  { filter }: ViewState,
): readonly (readonly StandingTask[])[] {
  const shown = (tasks?.tasks ?? []).filter(({ task }) =>
    fits(filter, task.subject, ...task.labels, task.lease?.owner ?? null),
  );
  return TASK_COLUMNS.map(({ standings, title }) => {
    const column = shown.filter((task) => (standings as readonly string[]).includes(standingWord(task)));
    return title === "DONE" ? column.reverse() : column;
  });
}

/** Rows of the tree, in the order of the screen. */
export function treeOf({ tasks }: Pick<World, "tasks">, { filter }: ViewState): readonly TreeRow[] {
  const all = (tasks?.tasks ?? []).filter(({ task }) => fits(filter, task.subject, ...task.labels));
  return treeRows(graphOf(all.map(toGraphTask)));
}

export function currentTask(world: World, state: ViewState): StandingTask | undefined {
  const all = boardColumns(world, state).flat();
  return all.find(({ task }) => String(task.number) === state.cursors.tasks) ?? all[0];
}

/** The plan that a key is about: the one that is read, under the cursor, or of the session. */
export function planHere(world: World, state: ViewState): PlanReport | undefined {
  if (state.page?.plan !== undefined) {
    const own = sessionAt(world, state.opened)?.plan ?? currentSession(world, state)?.plan;
    const plans = [...(world.plans ?? []), ...(own ? [own] : [])];
    return plans.find(({ id }) => id === state.page?.plan);
  }
  return state.tab === "plans" ? currentPlan(world, state) : (currentSession(world, state)?.plan ?? undefined);
}
