/** The only list of statuses; schemas and texts derive from it. */
export const TODO_STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What shows that a todo is done: a sentence, and the call it points at when there is one. `by`: a person. */
export interface Evidence {
  readonly text: string;
  readonly call?: string;
  readonly by?: string;
}

export interface Todo {
  /** Short and stable: never given to another todo of this list, not even after a clear. */
  readonly number: number;
  readonly text: string;
  readonly status: TodoStatus;
  readonly activeForm?: string;
  readonly priority?: Priority;
  /** The number of the todo this one is part of. */
  readonly parent?: number;
  /** A foreign dialect's own id, so that its next write finds the same todo. */
  readonly key?: string;
  readonly notes: readonly string[];
  readonly evidence: readonly Evidence[];
}

export interface Phase {
  /** Empty for a list that has no phases. */
  readonly name: string;
  readonly todos: readonly Todo[];
}

export interface TodoList {
  /** Grows by one with each write that changed something. */
  readonly revision: number;
  readonly nextNumber: number;
  readonly explanation?: string;
  readonly phases: readonly Phase[];
}

export const EMPTY_LIST: TodoList = { revision: 0, nextNumber: 1, phases: [] };

export function todosOf(list: TodoList): readonly Todo[] {
  const only = list.phases.length === 1 ? list.phases[0] : undefined;
  return only ? only.todos : list.phases.flatMap((phase) => phase.todos);
}

export function isOpen({ status }: Pick<Todo, "status">): boolean {
  return status === "pending" || status === "in_progress";
}

export function focusOf(list: TodoList): Todo | undefined {
  return todosOf(list).find((todo) => todo.status === "in_progress");
}

/** Some agents do not say which todo they are on: then it is the first that is open. */
export function workedOn<Item extends Pick<Todo, "status">>(todos: readonly Item[]): Item | undefined {
  return todos.find(({ status }) => status === "in_progress") ?? todos.find(isOpen);
}

/** As agents write them. */
const STATUS_WORDS: Readonly<Record<string, TodoStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  inProgress: "in_progress",
  completed: "completed",
  cancelled: "cancelled",
};

/** Undefined for a word that we do not know: a newer version may have more of them. */
export function statusAt(value: unknown): TodoStatus | undefined {
  return typeof value === "string" && Object.hasOwn(STATUS_WORDS, value) ? STATUS_WORDS[value] : undefined;
}
