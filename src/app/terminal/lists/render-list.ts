import type { Verdict } from "../../../core/grounding/verdict.js";
import { terminalLines, terminalText } from "../../../core/text/terminal-text.js";
import type { Todo, TodoList } from "../../../core/todo/list.js";
import { phasesOf } from "../../../dialects/oh-my-pi/pi-phases.js";
import { MOST_COLLAPSED, renderResult } from "../../../dialects/oh-my-pi/render.js";
import { findDialect } from "../../../dialects/registry.js";
import type { Line, Screen } from "../../../dialects/styled-line.js";
import { shownList } from "../../todo/shown-list.js";
import { foldWords, stringWidth } from "../text-width.js";
import { behindText } from "../verdict-text.js";
import { foldLine, paintedRow } from "./fold-line.js";
import { type Shown, todoLines } from "./list-rows.js";

// A list as rows of a terminal, for any program: nothing is written, and no process or screen is asked.
// The build loads this file with the first drawing, so it exports functions and types only.

/** `rows` is our own; `tree` is oh-my-pi's, with verdicts; the others are what that agent itself draws. */
export type ListStyle = "rows" | "tree" | "codex" | "oh-my-pi" | "gencode" | "gencode/node-0.5";

export interface ListOptions {
  /** Columns of the terminal: no row is wider. `Infinity` for a pipe or a file: no row is broken. */
  readonly width: number;
  /** Default: `rows`. */
  readonly style?: ListStyle | undefined;
  /** All of the list, where the style shows a part of it: long texts and notes, folded phases. */
  readonly isExpanded?: boolean | undefined;
  /** Colours as escape sequences. Default: none, and then no row has a control character in it. */
  readonly hasColor?: boolean | undefined;
  /** What the facts say of completed todos, by their numbers. `rows` and `tree` show it. */
  readonly verdicts?: ReadonlyMap<number, Verdict | null> | undefined;
  /** What the agent's last write to the list was answered, where it was refused; `oh-my-pi` shows it. */
  readonly refusal?: string | undefined;
}

/** A row, and the number of the todo that it belongs to; null for a heading. */
export interface ListRow {
  readonly text: string;
  readonly todo: number | null;
}

/** The list in a style. Texts are made safe: whatever they hold, a row stays a row and obeys nothing. */
export function renderList(list: TodoList, options: ListOptions): readonly string[] {
  if ((options.style ?? "rows") === "rows") return drawnRows(list, options).map(({ text }) => text);
  return fitted(styleLines(list, options), options);
}

/** Our own rows, with what each belongs to: a view that has a cursor finds the todo under it. */
export function drawnRows(list: TodoList, options: ListOptions): readonly ListRow[] {
  const { width, isExpanded = false, verdicts = new Map<number, Verdict | null>() } = options;
  const shown: Shown = { width, isExpanded, verdicts, isPhased: list.phases.some(({ name }) => name !== "") };
  return todoLines(safeList(list), shown).flatMap(({ line, todo, hang }) => {
    return foldLine(line, width, hang).map((row) => ({ text: paintedRow(row, options.hasColor === true), todo }));
  });
}

/** The tree shows a part of some phase until all of it is asked for. */
export function isFolded(list: TodoList): boolean {
  return list.phases.some(({ todos }) => todos.length > MOST_COLLAPSED);
}

function fitted(lines: readonly Line[], { width, hasColor = false }: ListOptions): readonly string[] {
  return lines.flatMap((line) => foldLine(line, width).map((row) => paintedRow(row, hasColor)));
}

function styleLines(list: TodoList, { style, width, isExpanded = false, ...rest }: ListOptions): readonly Line[] {
  if (style === "tree") {
    const judged = withVerdicts(safeList(list), rest.verdicts);
    return renderResult({ phases: phasesOf(judged) }, { expanded: isExpanded });
  }
  const refusal = rest.refusal === undefined ? undefined : safeLines(rest.refusal);
  const screen: Screen = {
    columns: Number.isFinite(width) ? width : undefined,
    width: stringWidth,
    wrap: foldWords,
  };
  return findDialect(style ?? "")?.panel?.(safeList(list), { screen, isExpanded, refusal }) ?? [];
}

/** The tree is ours; what agents draw stays as they draw it. */
function withVerdicts(list: TodoList, verdicts: ListOptions["verdicts"]): TodoList {
  if (verdicts === undefined) return list;
  const judged = (todo: Todo) => ({ ...todo, text: todo.text + behindText(verdicts.get(todo.number) ?? null) });
  return { ...list, phases: list.phases.map(({ name, todos }) => ({ name, todos: todos.map(judged) })) };
}

/** Models write texts; what they draw with is ours. A text is one line; notes and explanations keep theirs. */
function safeList(list: TodoList): TodoList {
  const shown = shownList(list);
  const phases = shown.phases.map(({ name, todos }, phase) => ({
    name: terminalText(name),
    todos: todos.map((todo, at) => ({
      ...todo,
      text: terminalText(todo.text),
      notes: (list.phases[phase]?.todos[at] ?? todo).notes.map(safeLines),
      ...(todo.activeForm && { activeForm: terminalText(todo.activeForm) }),
    })),
  }));
  return { ...shown, phases, ...(list.explanation && { explanation: safeLines(list.explanation) }) };
}

function safeLines(text: string): string {
  return terminalLines(text).join("\n");
}
