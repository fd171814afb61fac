import type { Evidence, Priority, Todo, TodoStatus } from "./list.js";

/** What a write did, one entry per fact. All events of a write carry its revision: it says where the write ends. */
export type TodoChange =
  | { readonly type: "list.cleared" }
  | { readonly type: "list.explained"; readonly explanation: string | null }
  | { readonly type: "list.ordered"; readonly phases: readonly PhaseOrder[] }
  | { readonly type: "phase.opened"; readonly name: string }
  | ({ readonly type: "todo.added"; readonly phase: number } & AddedTodo)
  | { readonly type: "todo.moved"; readonly number: number; readonly from: TodoStatus; readonly to: TodoStatus }
  | { readonly type: "todo.renamed"; readonly number: number; readonly from: string; readonly to: string }
  | ({ readonly type: "todo.detailed"; readonly number: number } & TodoDetails)
  | { readonly type: "todo.noted"; readonly number: number; readonly text: string }
  | { readonly type: "todo.evidenced"; readonly number: number; readonly evidence: Evidence }
  | { readonly type: "todo.removed"; readonly number: number; readonly text: string; readonly status: TodoStatus };

export type TodoEvent = TodoChange & { readonly revision: number };

/** The whole order of a list by numbers; also opens, renames and closes phases. */
export interface PhaseOrder {
  readonly name: string;
  readonly numbers: readonly number[];
}

/** Notes and evidence come with events of their own. */
type AddedTodo = Omit<Todo, "notes" | "evidence">;

/** Absent = unchanged, null = taken away. */
export interface TodoDetails {
  readonly activeForm?: string | null;
  readonly priority?: Priority | null;
  readonly parent?: number | null;
  readonly key?: string | null;
  /** All of them, in place of those that were there. */
  readonly notes?: readonly string[] | null;
}
