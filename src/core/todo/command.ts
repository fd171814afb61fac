import type { Failure } from "../result.js";
import type { TodoDetails } from "./events.js";
import type { Evidence, Priority, TodoStatus } from "./list.js";

/** Which todo is meant. A text means the first todo with exactly that text. */
export type Target = { readonly number: number } | { readonly text: string } | { readonly key: string };

/** Or several at once: those of the first phase with that name, or all there are. */
export type Targets = Target | { readonly phase: string } | { readonly all: true };

/** In a rewrite an absent field leaves what was there, null takes it away. */
export interface NewTodo {
  readonly text: string;
  readonly status?: TodoStatus;
  readonly activeForm?: string | null;
  readonly priority?: Priority | null;
  readonly parent?: Target | null;
  readonly key?: string | null;
  readonly notes?: readonly string[];
  /** The todo that it continues, where that is known. Otherwise it is found by key and by text. */
  readonly number?: number;
}

export interface NewPhase {
  readonly name: string;
  readonly todos: readonly NewTodo[];
}

/** The whole list as it should be. Todos that are still there keep their numbers, notes and evidence. */
export interface Rewrite {
  readonly type: "replace";
  readonly explanation?: string;
  readonly phases: readonly NewPhase[];
}

export type TodoCommand =
  /** Nothing is written, not even tidied up: another dialect may allow what this one does not. */
  | { readonly type: "read" }
  /** `isBroken`: a call that broke off half-way. What it wrote stays, but the revision counts whole writes. */
  | (Rewrite & { readonly isBroken?: boolean })
  /** Ordered edits. `advance: false` starts no other todo by itself. */
  | { readonly type: "edit"; readonly edits: readonly TodoEdit[]; readonly advance?: boolean };

export type TodoEdit =
  | Rewrite
  /** Into the named phase, opened if need be (also for no todos at all); without a name into the last one. */
  | { readonly type: "add"; readonly todos: readonly NewTodo[]; readonly phase?: string }
  | { readonly type: "move"; readonly target: Targets; readonly to: TodoStatus; readonly evidence?: Evidence }
  | { readonly type: "rename"; readonly target: Target; readonly text: string }
  | { readonly type: "detail"; readonly target: Target; readonly details: Omit<TodoDetails, "notes"> }
  | { readonly type: "note"; readonly target: Target; readonly text: string }
  /** The named todos come first, in this order; the others follow as they were. */
  | { readonly type: "order"; readonly targets: readonly Target[] }
  /** Phases stay, also empty ones. */
  | { readonly type: "remove"; readonly target: Targets }
  | { readonly type: "clear" };

export interface TodoError extends Failure {
  readonly code:
    | "unknown-todo"
    | "unknown-phase"
    | "duplicate-todo"
    | "another-in-progress"
    | "too-many-todos"
    | "too-many-notes"
    | "text-too-long"
    | "list-too-large"
    | "empty-text"
    | "bad-parent";
  /** Facts behind the message, for dialects that have words of their own for it. */
  readonly target?: Targets;
  /** There was no todo at all to choose from. */
  readonly isListEmpty?: boolean;
  /** Which edit of the command, counted from 0. */
  readonly edit?: number;
  /** Which todo of the edit or rewrite, counted from 0. */
  readonly index?: number;
  readonly field?: "text" | "activeForm" | "note" | "evidence";
  readonly unit?: "characters" | "bytes";
  readonly actual?: number;
  readonly limit?: number;
}
