import { codePointLength } from "../../core/text/length.js";
import type { TodoList } from "../../core/todo/list.js";
import type { Panel } from "../dialect.js";
import { type Line, type Screen, type Style, styled } from "../styled-line.js";
import { countStatus, type WorkStatus, workTodos } from "../work-status.js";

// The box of gencode's proposal: todos, and how far they are. It is as wide as the screen.

const ICONS: Readonly<Record<WorkStatus, string>> = { pending: "○", in_progress: "▶", completed: "✓" };
const STYLES: Readonly<Record<WorkStatus, Style | undefined>> = {
  pending: undefined,
  in_progress: "accent",
  completed: "dim",
};

/** As wide as it is drawn in the proposal, edges included, where no screen says how wide to be. */
const DRAWN_COLUMNS = 46;
/** Below this nothing fits between the edges: a terminal that is narrower breaks the lines itself. */
const FEWEST_COLUMNS = 16;

/** Nobody cuts a line, and nobody has told how wide letters are. */
const UNBOUND: Screen = { width: codePointLength, wrap: (text) => [text] };

interface Row {
  /** Before the first row of the text; empty for a text that has none. */
  readonly icon: string;
  readonly text: string;
  readonly style?: Style | undefined;
}

export const panel: Panel = (list: TodoList, { screen = UNBOUND } = {}) => {
  const todos = workTodos(list);
  if (todos.length === 0) return [];
  const done = countStatus(todos, "completed");
  const rows: readonly Row[] = [
    ...todos.map(({ status, text, activeForm }) => {
      const words = status === "in_progress" ? activeForm || text : text;
      return { icon: `${ICONS[status]} `, text: words, style: STYLES[status] };
    }),
    { icon: "", text: "" },
    { icon: "", text: `Progress: ${done}/${todos.length} (${Math.round((done / todos.length) * 100)}%)` },
  ];
  return boxed("Tasks", rows, screen);
};

function boxed(title: string, rows: readonly Row[], screen: Screen): readonly Line[] {
  const widest = rows.reduce((most, { icon, text }) => Math.max(most, screen.width(icon + text) + 4), DRAWN_COLUMNS);
  const columns = screen.columns === undefined ? widest : Math.max(FEWEST_COLUMNS, screen.columns);
  const inner = columns - 4;
  const row = (text: string, style: Style | undefined): Line => {
    const filled = `${text}${" ".repeat(Math.max(0, inner - screen.width(text)))}`;
    return ["│ ", style ? styled(style, filled) : filled, " │"];
  };
  const head = `─ ${title} `;
  return [
    [`┌${head}${"─".repeat(columns - 2 - head.length)}┐`],
    ...rows.flatMap((one) => fold(one, inner, screen).map((part) => row(part, one.style))),
    [`└${"─".repeat(columns - 2)}┘`],
  ];
}

/** What does not fit goes on below its words, not below its icon. */
function fold({ icon, text }: Row, columns: number, screen: Screen): readonly string[] {
  const below = " ".repeat(screen.width(icon));
  if (screen.width(icon + text) <= columns) return [icon + text];
  return screen.wrap(text, columns - below.length).map((part, at) => (at === 0 ? icon : below) + part);
}
