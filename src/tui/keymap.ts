import type { KeyName } from "./key-reader.js";
import type { ViewState } from "./view-state.js";

/** Where the person is; a key may mean something in some of these. */
export const WHERES = ["sessions", "session", "tasks", "plans", "events", "page"] as const;
export type Where = (typeof WHERES)[number];

export type Action =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page-up"
  | "page-down"
  | "top"
  | "bottom"
  | "open"
  | "back"
  | "other-pane"
  | "pane-before"
  | "filter"
  | "approve"
  | "reject"
  | "edit"
  | "done"
  | "start"
  | "add"
  | "drop"
  | "undo"
  | "tell"
  | "copy"
  | "why"
  | "resume"
  | "read-plan"
  | "diff"
  | "turn-diff"
  | "pin"
  | "snooze"
  | "list-before"
  | "list-after"
  | "style"
  | "notices"
  | "help"
  | "quit"
  | "suspend"
  | "redraw";

interface Binding {
  /** Letters as they are typed, or names of keys. */
  readonly keys: readonly (KeyName | (string & {}))[];
  readonly action: Action;
  readonly where: readonly Where[];
  /** In the last row of the screen: absent, it is only in the help. */
  readonly hint?: string;
  readonly about: string;
}

const LISTS: readonly Where[] = ["sessions", "session", "tasks", "plans", "events"];
const OF_SESSION: readonly Where[] = ["sessions", "session"];
const EVERYWHERE: readonly Where[] = WHERES;

/** Every key there is. The help, the hints and the keys themselves come from this table, in this order. */
export const BINDINGS: readonly Binding[] = [
  { keys: ["enter"], action: "open", where: LISTS, hint: "↵ open", about: "open what is under the cursor" },
  { keys: ["escape", "backspace"], action: "back", where: EVERYWHERE, about: "back; takes a filter away" },
  {
    keys: ["a"],
    action: "approve",
    where: ["sessions", "session", "plans", "page"],
    hint: "a approve",
    about: "read the plan that waits; a again approves it",
  },
  {
    keys: ["r"],
    action: "reject",
    where: ["sessions", "session", "plans", "page"],
    hint: "r reject",
    about: "reject the plan, with your reason",
  },
  { keys: ["t"], action: "tell", where: OF_SESSION, hint: "t tell", about: "tell the agent something" },
  {
    keys: [" "],
    action: "done",
    where: ["sessions", "session", "tasks"],
    hint: "space done",
    about: "complete the todo or task under the cursor (in the list of sessions: the one in progress)",
  },
  {
    keys: ["tab"],
    action: "other-pane",
    where: LISTS,
    hint: "tab",
    about: "session: list or calls; tasks: board or tree; else the next view",
  },
  { keys: ["n"], action: "add", where: ["sessions", "session", "tasks"], hint: "n add", about: "add a todo or task" },
  {
    keys: ["s"],
    action: "start",
    where: ["session", "tasks"],
    hint: "s start",
    about: "start the todo; claim the task",
  },
  { keys: ["x"], action: "drop", where: ["session", "tasks"], hint: "x drop", about: "cancel the todo or task" },
  {
    keys: ["w"],
    action: "why",
    where: ["session"],
    hint: "w why",
    about: "why a todo has its verdict: what ran, what was checked",
  },
  { keys: ["d"], action: "diff", where: ["session"], hint: "d diff", about: "what changed in the files of this todo" },
  { keys: ["D"], action: "turn-diff", where: ["session"], about: "what changed in the files of the last turn" },
  {
    keys: ["e"],
    action: "edit",
    where: ["sessions", "session", "plans", "page"],
    about: "edit the list or the plan in $EDITOR",
  },
  {
    keys: ["u"],
    action: "undo",
    where: ["sessions", "session", "tasks"],
    hint: "u undo",
    about: "take back your last change to the list; open the closed task again",
  },
  { keys: ["p"], action: "read-plan", where: OF_SESSION, about: "read the plan" },
  {
    keys: ["o"],
    action: "resume",
    where: OF_SESSION,
    hint: "o resume",
    about: "print the command that resumes the session, and leave",
  },
  {
    keys: ["c"],
    action: "copy",
    where: ["sessions", "session", "plans", "page"],
    about: "copy the resume command or the plan",
  },
  {
    keys: ["/"],
    action: "filter",
    where: ["sessions", "tasks", "plans", "events"],
    hint: "/ filter",
    about: "show only what has these words in it",
  },
  { keys: ["back-tab"], action: "pane-before", where: LISTS, about: "the same; else the view before" },
  { keys: ["["], action: "list-before", where: ["tasks"], about: "the task list before this one" },
  { keys: ["]"], action: "list-after", where: ["tasks"], about: "the next task list" },
  { keys: ["v"], action: "style", where: ["session"], about: "draw the list as other agents do" },
  { keys: ["P"], action: "pin", where: OF_SESSION, about: "pin the session, or let it go" },
  { keys: ["z"], action: "snooze", where: OF_SESSION, about: "snooze the session for an hour, or wake it" },
  { keys: ["N"], action: "notices", where: EVERYWHERE, about: "bell and desktop notices on or off" },
  { keys: ["up", "k", "wheel-up"], action: "up", where: EVERYWHERE, about: "up" },
  { keys: ["down", "j", "wheel-down"], action: "down", where: EVERYWHERE, about: "down" },
  { keys: ["left", "h"], action: "left", where: ["session", "tasks"], about: "back; tasks: the column to the left" },
  {
    keys: ["right", "l"],
    action: "right",
    where: ["sessions", "tasks"],
    about: "open; tasks: the column to the right",
  },
  { keys: ["page-up"], action: "page-up", where: EVERYWHERE, about: "a screen up" },
  { keys: ["page-down"], action: "page-down", where: EVERYWHERE, about: "a screen down" },
  { keys: ["home", "g"], action: "top", where: EVERYWHERE, about: "to the top" },
  { keys: ["end", "G"], action: "bottom", where: EVERYWHERE, about: "to the bottom" },
  { keys: ["redraw"], action: "redraw", where: EVERYWHERE, about: "draw the screen anew (Ctrl+L)" },
  { keys: ["suspend"], action: "suspend", where: EVERYWHERE, about: "put the view in the background (Ctrl+Z)" },
  { keys: ["?"], action: "help", where: EVERYWHERE, hint: "? keys", about: "all keys" },
  { keys: ["q", "interrupt"], action: "quit", where: EVERYWHERE, hint: "q quit", about: "leave" },
];

export function whereIs({ tab, opened, page }: Pick<ViewState, "tab" | "opened" | "page">): Where {
  if (page) return "page";
  return tab === "sessions" && opened !== undefined ? "session" : tab;
}

export function actionOf(key: string, where: Where): Action | undefined {
  return BINDINGS.find((binding) => binding.keys.includes(key) && binding.where.includes(where))?.action;
}

const ALWAYS: readonly Action[] = ["help", "quit"];

const DECISIONS: readonly Action[] = ["approve", "reject"];

/** Hints of the place: those that are always shown, and the others. `canDecide`: a plan waits under the cursor. */
export function hintsFor(state: ViewState, canDecide: boolean): readonly [readonly string[], readonly string[]] {
  const where = whereIs(state);
  if (state.isHelp) return [["esc back"], []];
  const here = BINDINGS.filter((binding) => binding.hint !== undefined && binding.where.includes(where));
  const isShown = ({ action }: Binding) => (DECISIONS.includes(action) ? canDecide : where !== "page");
  const always = here.filter(({ action }) => ALWAYS.includes(action)).map(({ hint = "" }) => hint);
  const others = here.filter((one) => !ALWAYS.includes(one.action) && isShown(one)).map(({ hint = "" }) => hint);
  const views = where === "session" || where === "page" ? [] : ["1-4 views"];
  return [always, [...(where === "sessions" || where === "events" ? [] : ["esc back"]), ...others, ...views]];
}
