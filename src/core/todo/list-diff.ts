import { type Todo, type TodoList, type TodoStatus, todosOf } from "./list.js";

export interface ListDiff {
  readonly added: readonly Todo[];
  readonly removed: readonly Todo[];
  readonly renamed: readonly { readonly todo: Todo; readonly from: string }[];
  readonly moved: readonly { readonly todo: Todo; readonly from: TodoStatus }[];
  /** Completed now and on the list before, but not completed then. */
  readonly completed: readonly Todo[];
}

/** What changed between two states of one list; todos are told apart by number. */
export function diffLists(before: TodoList, after: TodoList): ListDiff {
  const gone = new Map(todosOf(before).map((todo) => [todo.number, todo]));
  const added: Todo[] = [];
  const renamed: { todo: Todo; from: string }[] = [];
  const moved: { todo: Todo; from: TodoStatus }[] = [];
  for (const todo of todosOf(after)) {
    const old = gone.get(todo.number);
    gone.delete(todo.number);
    if (!old) added.push(todo);
    if (old && old.text !== todo.text) renamed.push({ todo, from: old.text });
    if (old && old.status !== todo.status) moved.push({ todo, from: old.status });
  }
  const completed = moved.flatMap(({ todo }) => (todo.status === "completed" ? [todo] : []));
  return { added, removed: [...gone.values()], renamed, moved, completed };
}
