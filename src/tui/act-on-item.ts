import type { Step } from "./effect.js";
import { nameOf, onSession, say, verb, whose } from "./key-steps.js";
import type { ViewState } from "./view-state.js";
import { currentSession, currentTask, currentTodo, type World } from "./world.js";

// Keys that change a todo or a task.

const TODO_VERBS = { done: "todo done", start: "todo start", drop: "todo drop" } as const;
const TASK_VERBS = { done: "task done", start: "task claim", drop: "task cancel" } as const;

export function onItem(state: ViewState, world: World, action: keyof typeof TODO_VERBS): Step {
  if (state.tab === "tasks") return onTask(state, world, action);
  if (state.opened === undefined) return onFocus(state, world);
  return onSession(
    state,
    world,
    (session) => {
      const todo = currentTodo(session, state);
      return todo && verb(TODO_VERBS[action], { todos: [String(todo.number)], all: false, ...whose(session) });
    },
    "There is no todo here.",
  );
}

function onTask(state: ViewState, world: World, action: keyof typeof TASK_VERBS): Step {
  const number = currentTask(world, state)?.task.number;
  if (number === undefined) return say(state, "There is no task here.", world.now);
  const task = String(number);
  const effect = verb(TASK_VERBS[action], { task, list: world.tasks?.list, yes: false });
  return { state: action === "start" ? state : { ...state, closedTask: task }, effect };
}

/** In the list of sessions no todo has a cursor: the first key names the one in progress, the second completes it. */
function onFocus(state: ViewState, world: World): Step {
  const session = currentSession(world, state);
  const todo = session && currentTodo(session, { ...state, cursors: { ...state.cursors, todos: "" } });
  if (!session || !todo || (todo.status !== "pending" && todo.status !== "in_progress"))
    return say(state, "There is no open todo here.", world.now);
  const name = `${session.id} ${todo.number}`;
  if (state.nearlyDone === name)
    return { state, effect: verb("todo done", { todos: [String(todo.number)], all: false, ...whose(session) }) };
  const text = `${nameOf(session)}: ${todo.number} ${todo.text}. space again completes it.`;
  return { state: { ...state, nearlyDone: name, message: { text, isError: false, at: world.now } } };
}

/** Of a person's changes: the last one to the session's list, or the task that was closed last. */
export function undo(state: ViewState, world: World): Step {
  if (state.tab !== "tasks") return onSession(state, world, (session) => verb("todo undo", whose(session)));
  const current = currentTask(world, state);
  const isClosed = current !== undefined && current.task.status !== "pending" && current.task.status !== "in_progress";
  const task = isClosed ? String(current.task.number) : state.closedTask;
  if (task === undefined) return say(state, "No task was closed here; on a closed one u opens it again.", world.now);
  return { state: { ...state, closedTask: undefined }, effect: verb("task reopen", { task, list: world.tasks?.list }) };
}
