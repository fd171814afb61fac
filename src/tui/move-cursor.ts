import { recentCalls } from "../core/timeline/timeline.js";
import { SIDE_BY_SIDE } from "./frame/tasks-frame.js";
import { topOf } from "./frame/text-page.js";
import { type Action, whereIs } from "./keymap.js";
import { type Place, type ViewState, withCursor } from "./view-state.js";
import {
  boardColumns,
  currentEvent,
  currentPlan,
  currentSession,
  currentTask,
  currentTodo,
  MOST_CALLS,
  type Size,
  sessionAt,
  shownEvents,
  shownPlans,
  shownSessions,
  shownTodos,
  treeOf,
  type World,
} from "./world.js";

/** Rows around what moves: the header and the footer. */
const AROUND = 3;

/** The state with the cursor moved; other actions change nothing here. */
export function moveCursor(state: ViewState, action: Action, world: World, size: Size): ViewState {
  const page = Math.max(1, size.rows - AROUND);
  const step = stepOf(action, page);
  if (state.page) return step === undefined ? state : movePage(state, step, bodySize(size, world));
  if (whereIs(state) === "tasks" && (action === "left" || action === "right"))
    return moveColumn(state, action === "left" ? -1 : 1, world);
  return step === undefined ? state : moveRow(state, step, world, size);
}

function stepOf(action: Action, page: number): number | undefined {
  switch (action) {
    case "up":
      return -1;
    case "down":
      return 1;
    case "page-up":
      return -page;
    case "page-down":
      return page;
    case "top":
      return Number.NEGATIVE_INFINITY;
    case "bottom":
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}

/** What a page has of the screen: all but its first row, its last, and what the demo tells. */
export function bodySize({ columns, rows }: Size, { caption }: Pick<World, "caption">): Size {
  return { columns, rows: rows - (caption === undefined ? 2 : 3) };
}

function movePage(state: ViewState, step: number, body: Size): ViewState {
  if (!state.page) return state;
  const top = topOf({ ...state.page, top: state.page.top + step }, body);
  return { ...state, page: { ...state.page, top } };
}

interface Rows {
  readonly place: Place;
  readonly ids: readonly string[];
  readonly at: string | undefined;
}

function moveRow(state: ViewState, step: number, world: World, size: Size): ViewState {
  const { place, ids, at } = rowsOf(state, world, size);
  const from = Math.max(0, ids.indexOf(at ?? ""));
  const to = Math.max(0, Math.min(ids.length - 1, from + step));
  return withCursor(state, place, ids[to] ?? "");
}

/** What the cursor moves over where the person is, by ids in the order of the screen. */
function rowsOf(state: ViewState, world: World, size: Size): Rows {
  switch (whereIs(state)) {
    case "session":
      return sessionRowsOf(state, world);
    case "tasks":
      return { place: "tasks", ids: taskIds(state, world, size), at: taskId(currentTask(world, state)) };
    case "plans":
      return {
        place: "plans",
        ids: shownPlans(world, state)?.map(({ id }) => id) ?? [],
        at: currentPlan(world, state)?.id,
      };
    case "events": {
      const ids = shownEvents(world, state).map(({ id }) => id);
      return { place: "events", ids, at: currentEvent(world, state)?.id };
    }
    default:
      return {
        place: "sessions",
        ids: shownSessions(world, state.filter).map(({ id }) => id),
        at: currentSession(world, { ...state, opened: undefined })?.id,
      };
  }
}

function sessionRowsOf(state: ViewState, world: World): Rows {
  const session = sessionAt(world, state.opened);
  if (state.pane === "calls") {
    const ids = world.timeline ? recentCalls(world.timeline, MOST_CALLS).map(({ call }) => call) : [];
    return { place: "calls", ids, at: ids.includes(state.cursors.calls) ? state.cursors.calls : ids[0] };
  }
  const todos = session ? shownTodos(session) : [];
  const current = session && currentTodo(session, state);
  return { place: "todos", ids: todos.map(({ number }) => String(number)), at: String(current?.number) };
}

function taskId(task: ReturnType<typeof currentTask>): string | undefined {
  return task && String(task.task.number);
}

/** On a board with columns side by side the cursor stays in its column. */
function taskIds(state: ViewState, world: World, { columns: width }: Size): readonly string[] {
  if (state.isTree) return treeOf(world, state).map(({ task }) => String(task.number));
  const current = currentTask(world, state);
  const columns = boardColumns(world, state);
  const isAlone = (tasks: readonly unknown[]) =>
    width >= SIDE_BY_SIDE && current !== undefined && tasks.includes(current);
  const column = columns.find(isAlone) ?? columns.flat();
  return column.map(({ task }) => String(task.number));
}

/** To the nearest column that has a task, as far down as it goes. */
function moveColumn(state: ViewState, step: -1 | 1, world: World): ViewState {
  const columns = boardColumns(world, state);
  const current = currentTask(world, state);
  const from = columns.findIndex((tasks) => current !== undefined && tasks.includes(current));
  const row = current ? (columns[from]?.indexOf(current) ?? 0) : 0;
  for (let at = from + step; at >= 0 && at < columns.length; at += step) {
    const column = columns[at] ?? [];
    const task = column[Math.min(row, column.length - 1)];
    if (task) return withCursor(state, "tasks", String(task.task.number));
  }
  return state;
}
