import type { NewTodo, Target } from "./command.js";
import { applyChange, type Draft, draftTodos, openDraft } from "./draft.js";
import type { TodoChange, TodoEvent } from "./events.js";
import type { Todo, TodoList, TodoStatus } from "./list.js";
import { isOpen } from "./list.js";
import type { TodoPolicy } from "./policy.js";

/** One write in the making: each recorded change is applied at once, so the next edit sees it. */
export interface Write {
  readonly policy: TodoPolicy;
  readonly draft: Draft;
  readonly events: TodoEvent[];
  readonly revision: number;
  /** The todo this write put in progress last: it keeps the focus when the policy demotes. */
  started: number | undefined;
  /** True once this write closed a todo or began a list: then `on-close` starts the next one. */
  isAdvancing: boolean;
  /** Looked up once, on the first removal: most lists have no parents, and then a removal costs no search. */
  hasParents: boolean | undefined;
}

export function beginWrite(list: TodoList, policy: TodoPolicy): Write {
  return {
    policy,
    draft: openDraft(list),
    events: [],
    revision: list.revision + 1,
    started: undefined,
    isAdvancing: false,
    hasParents: undefined,
  };
}

export function record(write: Write, change: TodoChange): void {
  applyChange(write.draft, change);
  write.events.push({ ...change, revision: write.revision });
  if (change.type === "todo.detailed" && change.parent) write.hasParents = true;
}

export function addTodo(write: Write, todo: NewTodo, phase: number): number {
  const number = write.draft.nextNumber;
  const { text, status = "pending", activeForm, priority, key } = todo;
  record(write, {
    type: "todo.added",
    number,
    phase,
    text,
    status,
    ...(activeForm === undefined ? undefined : { activeForm }),
    ...(priority === undefined ? undefined : { priority }),
    ...(key === undefined ? undefined : { key }),
  });
  if (status === "in_progress") write.started ??= number;
  return number;
}

export function moveTodo(write: Write, todo: Todo, to: TodoStatus): void {
  if (todo.status === to) return;
  record(write, { type: "todo.moved", number: todo.number, from: todo.status, to });
  if (to === "in_progress") write.started = todo.number;
  if (to === "completed" || to === "cancelled") write.isAdvancing = true;
}

export function removeTodo(write: Write, todo: Todo): void {
  write.hasParents ??= [...write.draft.todos.values()].some((other) => other.parent !== undefined);
  if (write.hasParents) freeChildren(write, todo);
  record(write, { type: "todo.removed", number: todo.number, text: todo.text, status: todo.status });
  if (isOpen(todo)) write.isAdvancing = true;
}

function freeChildren(write: Write, todo: Todo): void {
  for (const child of write.draft.todos.values()) {
    if (child.parent === todo.number) record(write, { type: "todo.detailed", number: child.number, parent: null });
  }
}

export function findTodo(draft: Draft, target: Target): Todo | undefined {
  if ("number" in target) return draft.todos.get(target.number);
  if ("key" in target) return draftTodos(draft).find((todo) => todo.key === target.key);
  return draftTodos(draft).find((todo) => todo.text === target.text);
}
