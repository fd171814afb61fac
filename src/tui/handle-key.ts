import { actOn } from "./act-on.js";
import type { Step } from "./effect.js";
import type { Key } from "./key-reader.js";
import { type Action, actionOf, whereIs } from "./keymap.js";
import { typeInto } from "./prompt-line.js";
import { TABS, type ViewState } from "./view-state.js";
import { currentSession, type Size, type World } from "./world.js";

/** One key: what is shown after it, and what it asks for. Keys that mean nothing here change nothing. */
export function handleKey(state: ViewState, key: Key, world: World, size: Size): Step {
  if (state.prompt) return typeInto(state, state.prompt, key);
  const said = state.message ? { ...state, message: undefined } : state;
  if (key.type === "key") return press(said, key.name, world, size);
  // A text that is pasted where nothing is typed would be many keys that nobody pressed.
  if (key.isPasted) return { state };
  return Array.from(key.text).reduce<Step>(
    (step, letter) =>
      step.effect || step.state.prompt ? intoPrompt(step, letter) : press(step.state, letter, world, size),
    { state: said },
  );
}

/** Letters that were typed right behind the key that opened a prompt belong into it. */
function intoPrompt(step: Step, letter: string): Step {
  const { prompt } = step.state;
  return prompt ? typeInto(step.state, prompt, { type: "text", text: letter, isPasted: false }) : step;
}

function press(state: ViewState, key: string, world: World, size: Size): Step {
  const where = whereIs(state);
  const action = actionOf(key, where);
  if (state.isHelp) return helpKey(state, action, size);
  const number = /^[1-9]$/.test(key) ? Number(key) : 0;
  if (number > 0) return pressNumber(state, number, world);
  return action === undefined ? { state } : actOn(forgetful(state, action), action, world, size);
}

/** What was asked before is no longer asked once another key was pressed. */
function forgetful(state: ViewState, action: Action): ViewState {
  if (state.offered === undefined && (state.nearlyDone === undefined || action === "done")) return state;
  return { ...state, offered: undefined, nearlyDone: action === "done" ? state.nearlyDone : undefined };
}

/** Arrows move the help, any other key closes it. */
function helpKey(state: ViewState, action: Action | undefined, { rows }: Size): Step {
  if (action === "quit") return { state, effect: { type: "leave", print: [] } };
  const step = action && HELP_STEPS[action]?.(rows);
  if (step === undefined) return { state: { ...state, isHelp: false } };
  return { state: { ...state, helpTop: Math.max(0, Math.min(HELP_MOST, state.helpTop + step)) } };
}

const HELP_STEPS: Partial<Record<Action, (rows: number) => number>> = {
  up: () => -1,
  down: () => 1,
  "page-up": (rows) => 3 - rows,
  "page-down": (rows) => rows - 3,
};
/** More rows than the help has. */
const HELP_MOST = 60;

/** In a session that asks something: its choice. Elsewhere: the view of that number. */
function pressNumber(state: ViewState, number: number, world: World): Step {
  const session = whereIs(state) === "session" ? currentSession(world, state) : undefined;
  if (session?.state === "waiting" && session.waitingFor && session.waitingFor.kind !== "plan") {
    const { offered } = state;
    const read = offered?.session === session.id ? offered.choices : session.waitingFor.choices;
    return { state, effect: { type: "answer", session: session.id, choice: number, label: read[number - 1] } };
  }
  const tab = TABS[number - 1];
  return { state: tab ? { ...state, tab, opened: undefined, page: undefined, filter: "" } : state };
}
