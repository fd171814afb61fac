import { resumeIn } from "../app/answers/way-there.js";
import type { SessionReport } from "../app/transcripts/session-report.js";
import { onItem, undo } from "./act-on-item.js";
import { approve, edit, reject } from "./act-on-plan.js";
import type { Effect, Step } from "./effect.js";
import { callLines } from "./frame/call-lines.js";
import { nameOf, onSession, say, whose } from "./key-steps.js";
import { type Action, type Where, whereIs } from "./keymap.js";
import { moveCursor } from "./move-cursor.js";
import { LIST_STYLES, type Prompt, TABS, type ViewState, withCursor } from "./view-state.js";
import {
  currentCall,
  currentEvent,
  currentPlan,
  currentSession,
  currentTask,
  currentTodo,
  planHere,
  type Size,
  sessionAt,
  type World,
} from "./world.js";

/** What an action means where the person is. */
export function actOn(state: ViewState, action: Action, world: World, size: Size): Step {
  const known = ACTIONS[meantBy(action, whereIs(state))];
  return known ? known(heldAt(state, world), world, size) : { state: moveCursor(state, action, world, size) };
}

/**
 * Who acts on something has chosen it: the cursor stays there, also where it was never moved. Otherwise the next key
 * would be about whatever has become the first in the meantime.
 */
function heldAt(state: ViewState, world: World): ViewState {
  switch (whereIs(state)) {
    case "sessions":
      return withCursor(state, "sessions", currentSession(world, state)?.id ?? "");
    case "session": {
      const session = currentSession(world, state);
      const todo = session && currentTodo(session, state);
      return todo ? withCursor(state, "todos", String(todo.number)) : state;
    }
    case "tasks":
      return withCursor(state, "tasks", String(currentTask(world, state)?.task.number ?? ""));
    case "plans":
      return withCursor(state, "plans", currentPlan(world, state)?.id ?? "");
    default:
      return state;
  }
}

/** To the right is further in, and to the left is back; on a board both move the cursor. */
function meantBy(action: Action, where: Where): Action {
  if (action === "right" && where === "sessions") return "open";
  return action === "left" && where === "session" ? "back" : action;
}

type Act = (state: ViewState, world: World, size: Size) => Step;

const ACTIONS: Partial<Record<Action, Act>> = {
  open,
  back,
  "other-pane": (state) => otherPane(state, 1),
  "pane-before": (state) => otherPane(state, -1),
  filter: (state) => ({ state: { ...state, prompt: { kind: "filter", label: "/", text: state.filter, about: "" } } }),
  approve,
  reject,
  edit,
  done: (state, world) => onItem(state, world, "done"),
  start: (state, world) => onItem(state, world, "start"),
  drop: (state, world) => onItem(state, world, "drop"),
  add,
  undo,
  tell: (state, world) => promptFor(state, world, "tell", (session) => `Tell ${nameOf(session)}:`),
  copy,
  why,
  resume: (state, world) => onSession(state, world, leaveFor),
  "read-plan": (state, world) =>
    onSession(state, world, ({ plan }) => plan && { type: "plan", plan: plan.id }, "It has no plan."),
  diff: (state, world) => onSession(state, world, (session) => diffOf(state, session)),
  "turn-diff": (state, world) => onSession(state, world, ({ id }) => ({ type: "diff", session: id, of: "turn" })),
  pin: (state, world) => onSession(state, world, ({ id }) => ({ type: "pin", session: id })),
  snooze: (state, world) => onSession(state, world, ({ id }) => ({ type: "snooze", session: id })),
  "list-before": (state, world) => otherList(state, world, -1),
  "list-after": (state, world) => otherList(state, world, 1),
  style: (state) => ({ state: { ...state, listStyle: (state.listStyle + 1) % LIST_STYLES.length } }),
  notices: (state) => ({ state, effect: { type: "notices" } }),
  help: (state) => ({ state: { ...state, isHelp: true, helpTop: 0 } }),
  quit: (state) => ({ state, effect: { type: "leave", print: [] } }),
  suspend: (state) => ({ state, effect: { type: "suspend" } }),
  redraw: (state) => ({ state, effect: { type: "redraw" } }),
};

function open(state: ViewState, world: World): Step {
  switch (whereIs(state)) {
    case "sessions": {
      const session = currentSession(world, state);
      if (!session) return { state };
      const cursors = { ...state.cursors, sessions: session.id, todos: "", calls: "" };
      return { state: { ...state, opened: session.id, pane: "list", cursors } };
    }
    case "session":
      return state.pane === "calls" ? openCall(state, world) : why(state, world);
    case "tasks": {
      const task = currentTask(world, state);
      const input = { task: String(task?.task.number), list: world.tasks?.list };
      return task
        ? { state, effect: { type: "read", name: "task show", input, title: `Task ${task.task.number}` } }
        : { state };
    }
    case "plans": {
      const plan = currentPlan(world, state);
      return plan ? { state, effect: { type: "plan", plan: plan.id } } : { state };
    }
    case "events": {
      const session = sessionAt(world, currentEvent(world, state)?.session);
      if (!session) return say(state, "That session has no row any more.", world.now);
      return open(
        { ...state, tab: "sessions", filter: "", cursors: { ...state.cursors, sessions: session.id } },
        world,
      );
    }
    default:
      return { state };
  }
}

function openCall(state: ViewState, world: World): Step {
  const call = currentCall(world, state);
  if (!call) return { state };
  return { state: { ...state, page: { title: `${call.tool} call`, lines: callLines(call, world.now), top: 0 } } };
}

function back(state: ViewState): Step {
  if (state.page) return { state: { ...state, page: undefined } };
  if (state.opened !== undefined) return { state: { ...state, opened: undefined } };
  if (state.filter !== "") return { state: { ...state, filter: "" } };
  return { state: state.tab === "sessions" ? state : { ...state, tab: "sessions" } };
}

function otherPane(state: ViewState, step: -1 | 1): Step {
  const where = whereIs(state);
  if (where === "session") return { state: { ...state, pane: state.pane === "list" ? "calls" : "list" } };
  if (where === "tasks") return { state: { ...state, isTree: !state.isTree } };
  const next = TABS[(TABS.indexOf(state.tab) + step + TABS.length) % TABS.length] ?? "sessions";
  return { state: { ...state, tab: next } };
}

function otherList(state: ViewState, { tasks }: World, step: -1 | 1): Step {
  if (!tasks || tasks.lists.length < 2) return { state };
  const next = (tasks.lists.indexOf(tasks.list) + step + tasks.lists.length) % tasks.lists.length;
  return { state: { ...state, taskList: tasks.lists[next] } };
}

function add(state: ViewState, world: World): Step {
  if (state.tab !== "tasks") return promptFor(state, world, "add", (session) => `Add to ${nameOf(session)}:`);
  const list = world.tasks?.list;
  if (list === undefined) return { state };
  return { state: { ...state, prompt: { kind: "task", label: "New task:", text: "", about: list } } };
}

function promptFor(
  state: ViewState,
  world: World,
  kind: Prompt["kind"],
  label: (session: SessionReport) => string,
): Step {
  const session = currentSession(world, state);
  if (!session) return say(state, "There is no session here.", world.now);
  return { state: { ...state, prompt: { kind, label: label(session), text: "", about: session.id } } };
}

function why(state: ViewState, world: World): Step {
  return onSession(
    state,
    world,
    (session) => {
      const todo = currentTodo(session, state);
      const input = { todo: String(todo?.number), ...whose(session) };
      return todo && { type: "read", name: "todo why", input, title: `Todo ${todo.number}: ${todo.text}` };
    },
    "There is no todo here.",
  );
}

function diffOf(state: ViewState, session: SessionReport): Effect | undefined {
  const todo = currentTodo(session, state);
  return todo && { type: "diff", session: session.id, of: todo.number };
}

function leaveFor(session: SessionReport): Effect | undefined {
  const line = resumeIn(session);
  return line === undefined ? undefined : { type: "leave", print: [line] };
}

function copy(state: ViewState, world: World): Step {
  const plan = state.tab === "plans" || state.page?.plan !== undefined ? planHere(world, state) : undefined;
  if (plan) return { state, effect: { type: "copy", text: plan.text, what: "The plan" } };
  return onSession(
    state,
    world,
    (session) => {
      const line = resumeIn(session);
      return line === undefined ? undefined : { type: "copy", text: line, what: "The resume command" };
    },
    "Nothing to copy here.",
  );
}
