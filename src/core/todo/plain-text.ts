import { isOpen, type Todo, type TodoList, type TodoStatus, todosOf } from "./list.js";

/** Markers come from the stored status alone; a text that looks like one stays text. */
export const STATUS_MARKERS: Readonly<Record<TodoStatus, string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[-]",
};

/** One row a todo, in list order. `show` makes a text safe for where the rows go: terminal or prompt. */
export function listRows(list: TodoList, show: (text: string) => string): readonly string[] {
  const width = String(todosOf(list).at(-1)?.number ?? 0).length;
  return list.phases.flatMap((phase) => [
    ...(phase.name === "" ? [] : [`${show(phase.name)}:`]),
    ...phase.todos.flatMap((todo) => todoRows(todo, width, show)),
  ]);
}

/** A todo and its notes. Notes of closed todos are left out: finished work draws no attention. */
function todoRows(todo: Todo, width: number, show: (text: string) => string): readonly string[] {
  const row = `${STATUS_MARKERS[todo.status]} ${String(todo.number).padStart(width)}. ${show(todo.text)}`;
  const indent = " ".repeat(width + 6);
  return isOpen(todo) ? [row, ...todo.notes.map((note) => `${indent}${show(note)}`)] : [row];
}
