import { terminalText } from "../text/terminal-text.js";
import type { TodoList } from "./list.js";
import { diffLists } from "./list-diff.js";

/** One line per change, for a log or a terminal: `Todo "x": pending -> in_progress`. */
export function transitionLines(before: TodoList, after: TodoList): readonly string[] {
  const { added, removed, renamed, moved } = diffLists(before, after);
  // As it happens: one todo is put down before the next is taken up.
  const inOrder = [...moved].sort(
    (a, b) => Number(a.todo.status === "in_progress") - Number(b.todo.status === "in_progress"),
  );
  return [
    ...removed.map((todo) => line(todo.text, `${todo.status} -> removed`)),
    ...renamed.map(({ todo, from }) => line(from, `renamed to "${quoted(todo.text)}"`)),
    ...added.map((todo) => line(todo.text, `new -> ${todo.status}`)),
    ...inOrder.map(({ todo, from }) => line(todo.text, `${from} -> ${todo.status}`)),
  ];
}

function line(text: string, what: string): string {
  return `Todo "${quoted(text)}": ${what}`;
}

/** A text that holds a quote cannot end its own. */
function quoted(text: string): string {
  return terminalText(text).replaceAll('"', '\\"');
}
