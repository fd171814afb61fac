import { terminalText } from "../../core/text/terminal-text.js";
import type { TodoList } from "../../core/todo/list.js";
import { phasesOf } from "../../dialects/oh-my-pi/pi-phases.js";
import { renderResult } from "../../dialects/oh-my-pi/render.js";
import type { Line, Piece, Style } from "../../dialects/oh-my-pi/styled-line.js";
import { findDialect } from "../../dialects/registry.js";
import type { Output } from "../command-definition.js";
import { shownList } from "../todo/shown-list.js";
import { paint } from "./paint.js";

// Loaded with the first drawing: the build goes by this file, which exports functions only.

/** A tree, or what an agent itself draws. */
export function drawList(list: TodoList, drawing: string, output: Output): readonly string[] {
  const safe = safeList(shownList(list));
  if (drawing !== "tree") return findDialect(drawing)?.panel?.(safe) ?? [];
  const lines = renderResult({ phases: phasesOf(safe) }, { expanded: true });
  return lines.map((line) => painted(line, output));
}

/** Models write texts; what they draw with is ours. */
function safeList(list: TodoList): TodoList {
  const phases = list.phases.map(({ name, todos }) => ({
    name: terminalText(name),
    todos: todos.map((todo) => ({
      ...todo,
      text: terminalText(todo.text),
      notes: todo.notes.map((note) => terminalText(note)),
      ...(todo.activeForm && { activeForm: terminalText(todo.activeForm) }),
    })),
  }));
  return { ...list, phases };
}

const COLORS = {
  accent: "cyan",
  success: "green",
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
