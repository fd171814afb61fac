import { terminalLines, terminalText } from "../../core/text/terminal-text.js";
import type { TodoList } from "../../core/todo/list.js";
import type { PanelOptions } from "../../dialects/dialect.js";
import { phasesOf } from "../../dialects/oh-my-pi/pi-phases.js";
import { MOST_COLLAPSED, renderResult } from "../../dialects/oh-my-pi/render.js";
import { findDialect } from "../../dialects/registry.js";
import type { Line, Piece, Screen, Style } from "../../dialects/styled-line.js";
import type { Output } from "../command-definition.js";
import { shownList } from "../todo/shown-list.js";
import { paint } from "./paint.js";
import { foldWords, stringWidth } from "./text-width.js";

// Loaded with the first drawing: the build goes by this file, which exports functions only.

/** What is drawn: a tree, or what an agent itself draws, and all of it or as much as that agent shows at first. */
export interface Drawing extends Pick<PanelOptions, "isExpanded" | "refusal"> {
  readonly view: string;
}

export function drawList(list: TodoList, drawing: Drawing, output: Output): readonly string[] {
  return drawnLines(safeList(list), drawing, output).map((line) => painted(line, output));
}

/** The tree shows a part of some phase until all of it is asked for. */
export function isFolded(list: TodoList): boolean {
  return list.phases.some(({ todos }) => todos.length > MOST_COLLAPSED);
}

function drawnLines(list: TodoList, { view, isExpanded, refusal }: Drawing, output: Output): readonly Line[] {
  if (view === "tree") return renderResult({ phases: phasesOf(list) }, { expanded: isExpanded === true });
  const told = refusal === undefined ? undefined : safeLines(refusal);
  return findDialect(view)?.panel?.(list, { screen: screenOf(output), isExpanded, refusal: told }) ?? [];
}

function screenOf({ isTerminal, columns }: Output): Screen {
  return { columns: isTerminal ? columns : undefined, width: stringWidth, wrap: foldWords };
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

const COLORS = {
  accent: "cyan",
  success: "green",
  warning: "yellow",
  error: "red",
  dim: "dim",
  muted: "dim",
  bold: "bold",
  italic: "italic",
  strike: "strike",
} as const satisfies Record<Style, string>;

/** Every piece of text brings all its styles: the end of one style ends them all. */
function painted(line: Line, output: Output): string {
  const letters = (piece: Piece, styles: readonly Style[]): string => {
    if (typeof piece !== "string") return piece.pieces.map((part) => letters(part, [...styles, piece.style])).join("");
    return styles.reduce((text, style) => paint(output, COLORS[style], text), piece);
  };
  const pieces = line.map((piece) => letters(piece, []));
  return pieces.join("").trimEnd();
}
