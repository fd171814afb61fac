import type { Target, TodoError } from "./command.js";
import type { Todo } from "./list.js";
import { findTodo, record, type Write } from "./write.js";

/** Makes one todo part of another. A todo cannot be part of itself, however long the way round. */
export function linkParent(write: Write, child: number, target: Target): TodoError | undefined {
  const parent = findTodo(write.draft, target);
  if (!parent) return { code: "unknown-todo", message: "The parent is not on this list.", target };
  if (write.draft.todos.get(child)?.parent === parent.number) return undefined;
  const path = [child];
  for (let todo: Todo | undefined = parent; todo; todo = parentOf(write, todo)) {
    path.push(todo.number);
    if (todo.number === child) return cycle(path, target);
  }
  record(write, { type: "todo.detailed", number: child, parent: parent.number });
  return undefined;
}

function parentOf(write: Write, todo: Todo): Todo | undefined {
  return todo.parent === undefined ? undefined : write.draft.todos.get(todo.parent);
}

function cycle(path: readonly number[], target: Target): TodoError {
  return {
    code: "bad-parent",
    message: `A todo cannot be part of itself: ${path.join(" is part of ")}. Choose another parent.`,
    target,
  };
}
