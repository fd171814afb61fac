import type { Failure } from "../result.js";
import type { TodoDetails } from "./events.js";
import type { Evidence, Priority, TodoStatus } from "./list.js";

/** Which todo is meant. A text means the first todo with exactly that text. */
export type Target = { readonly number: number } | { readonly text: string } | { readonly key: string };

/** In a rewrite an absent field leaves what was there, null takes it away. */
export interface NewTodo {
  readonly text: string;
  readonly status?: TodoStatus;
  readonly activeForm?: string | null;
  readonly priority?: Priority | null;
  readonly parent?: Target | null;
  readonly key?: string | null;
}

export interface NewPhase {
  readonly name: string;
  readonly todos: readonly NewTodo[];
}

export type TodoCommand =
  /** The whole list as it should be. Todos that are still there keep their numbers, notes and evidence. */
  | { readonly type: "replace"; readonly explanation?: string; readonly phases: readonly NewPhase[] }
  /** Ordered edits. `advance: false` starts no other todo by itself. */
  | { readonly type: "edit"; readonly edits: readonly TodoEdit[]; readonly advance?: boolean };

export type TodoEdit =
  /** Into the named phase, opened if need be (also for no todos at all); without a name into the last one. */
  | { readonly type: "add"; readonly todos: readonly NewTodo[]; readonly phase?: string }
  | { readonly type: "move"; readonly target: Target; readonly to: TodoStatus; readonly evidence?: Evidence }
  | { readonly type: "rename"; readonly target: Target; readonly text: string }
  | { readonly type: "detail"; readonly target: Target; readonly details: TodoDetails }
  | { readonly type: "note"; readonly target: Target; readonly text: string }
  /** The named todos come first, in this order; the others follow as they were. */
  | { readonly type: "order"; readonly targets: readonly Target[] }
  | { readonly type: "remove"; readonly target: Target }
  | { readonly type: "clear" };

export interface TodoError extends Failure {
  readonly code:
    | "unknown-todo"
    | "another-in-progress"
    | "too-many-todos"
    | "too-many-notes"
    | "text-too-long"
    | "empty-text"
    | "bad-parent";
  /** Facts behind the message, for dialects that have words of their own for it. */
  readonly target?: Target;
  /** Which edit of the command, counted from 0. */
  readonly edit?: number;
  /** Which todo of the edit or rewrite, counted from 0. */
  readonly index?: number;
  readonly field?: "text" | "activeForm" | "note" | "evidence";
  readonly unit?: "characters" | "bytes";
  readonly actual?: number;
  readonly limit?: number;
}
