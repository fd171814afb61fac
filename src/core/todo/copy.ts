import type { TodoChange, TodoEvent } from "./events.js";
import { isOpen, type TodoList } from "./list.js";

/** One write that makes an empty list equal to this one, numbers included: the model goes on to use these. */
export function copyEvents({ explanation, phases }: TodoList, revision = 1): readonly TodoEvent[] {
  const changes: TodoChange[] = phases.flatMap(({ name, todos }, phase): TodoChange[] => [
    { type: "phase.opened", name },
    ...todos.flatMap(({ notes, evidence, ...todo }): TodoChange[] => [
      { type: "todo.added", phase, ...todo },
      ...notes.map((text): TodoChange => ({ type: "todo.noted", number: todo.number, text })),
      ...evidence.map((one): TodoChange => ({ type: "todo.evidenced", number: todo.number, evidence: one })),
    ]),
  ]);
  if (explanation !== undefined) changes.push({ type: "list.explained", explanation });
  return changes.map((change) => ({ ...change, revision }));
}

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
