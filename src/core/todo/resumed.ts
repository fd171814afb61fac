import { isOpen, type TodoList } from "./list.js";

/** The list as a resumed session begins with it: what is closed is left out, and then phases with nothing in them. */
export function resumedList(list: TodoList): TodoList {
  const phases = list.phases.map(({ name, todos }) => ({ name, todos: todos.filter(isOpen) }));
  const numbers = new Set(phases.flatMap(({ todos }) => todos.map(({ number }) => number)));
  const kept = phases.map(({ name, todos }) => ({
    name,
    // A part of something that is closed stands alone.
    todos: todos.map(({ parent, ...todo }) =>
      parent === undefined || !numbers.has(parent) ? todo : { ...todo, parent },
    ),
  }));
  return { ...list, phases: kept.filter(({ todos }) => todos.length > 0) };
}
