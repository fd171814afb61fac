/** What the person has in front of them: plain data, changed by keys alone. What the world says is in `World`. */
export interface ViewState {
  readonly tab: Tab;
  /** The session that is looked into, by its id. */
  readonly opened: string | undefined;
  /** The row under the cursor in each place, by its id: rows come and go around it. */
  readonly cursors: Readonly<Record<Place, string>>;
  /** In a session: which half the arrows move in. */
  readonly pane: "list" | "calls";
  readonly filter: string;
  /** Tasks as a tree; otherwise as a board. */
  readonly isTree: boolean;
  /** The task list that is shown; undefined: the one of this folder. */
  readonly taskList: string | undefined;
  readonly prompt: Prompt | undefined;
  readonly page: TextPage | undefined;
  readonly message: Message | undefined;
  readonly isHelp: boolean;
  /** Choices of a session that the person has been shown, and can answer by their numbers now. */
  readonly offered: Offered | undefined;
  /** The task that the person has closed last: undo opens it again. */
  readonly closedTask: string | undefined;
  /** A todo that the next space completes: in the list of sessions it is not to be seen before. */
  readonly nearlyDone: string | undefined;
  /** The first row of the help that is shown. */
  readonly helpTop: number;
  /** How a session's list is drawn; the first of `LIST_STYLES` has a cursor. */
  readonly listStyle: number;
}

export const TABS = ["sessions", "tasks", "plans", "events"] as const;
export type Tab = (typeof TABS)[number];
export type Place = Tab | "todos" | "calls";

/** A line that the person types. */
export interface Prompt {
  readonly kind: "filter" | "tell" | "add" | "reject" | "task";
  readonly label: string;
  readonly text: string;
  /** Whom it is about: a session or a plan, by its id. */
  readonly about: string;
}

/** A text over the whole screen: a plan, a diff, why a todo has its verdict. */
export interface TextPage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly top: number;
  /** A plan that can be decided on while it is read. */
  readonly plan?: string | undefined;
  /** Of the text that is read: an approval is bound to it. */
  readonly hash?: string | undefined;
  /** Lines are those of a diff, and are coloured like one. */
  readonly isDiff?: boolean;
}

interface Offered {
  readonly session: string;
  readonly choices: readonly string[];
}

/** What became of the last key. */
export interface Message {
  readonly text: string;
  readonly isError: boolean;
  /** When it was said: it goes after a while. */
  readonly at: number;
}

export const NOTHING_OPEN: ViewState = {
  tab: "sessions",
  opened: undefined,
  cursors: { sessions: "", tasks: "", plans: "", events: "", todos: "", calls: "" },
  pane: "list",
  filter: "",
  isTree: false,
  taskList: undefined,
  prompt: undefined,
  page: undefined,
  message: undefined,
  isHelp: false,
  offered: undefined,
  closedTask: undefined,
  nearlyDone: undefined,
  helpTop: 0,
  listStyle: 0,
};

export function withCursor(state: ViewState, place: Place, id: string): ViewState {
  return state.cursors[place] === id ? state : { ...state, cursors: { ...state.cursors, [place]: id } };
}

/** Ours first; then as agents draw theirs. */
export const LIST_STYLES = ["rows", "tree", "codex", "gencode"] as const;
