import type { TodoChange, TodoEvent } from "./events.js";
import type { TodoList } from "./list.js";

/**
 * The events that make an empty list equal to this one, numbers included: the model goes on to call them by these. One
 * write, with its revision.
 */
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
