import { type Verdict, verdictOf, type Work } from "../../core/session/session-facts.js";
import { EMPTY_LIST, type Evidence, type Todo, type TodoList, type TodoStatus } from "../../core/todo/list.js";

/** A todo as every command prints it with `--json`. Scripts rely on the names; more may be added, none goes. */
export interface TodoReport {
  /** Its name in its list: commands take it. */
  readonly number: number;
  readonly text: string;
  readonly status: TodoStatus;
  readonly activeForm: string | null;
  readonly notes: readonly string[];
  readonly evidence: readonly Evidence[];
  /** Null for a todo that is not called completed, or where nobody knows what ran. */
  readonly verdict: Verdict | null;
}

/** A list as every command prints it. One that was cleared has no phases. */
export interface TodoListReport {
  readonly explanation?: string;
  readonly phases: readonly { readonly name: string; readonly todos: readonly TodoReport[] }[];
}

/** `work`: what ran for which todo; undefined where that is not known. */
export function reportTodo(todo: Todo, work: readonly Work[] | undefined): TodoReport {
  const { number, text, status, activeForm = null, notes, evidence } = todo;
  return { number, text, status, activeForm, notes, evidence, verdict: work ? verdictOf({ work }, todo) : null };
}

export function reportList({ explanation, phases }: TodoList, work: readonly Work[] | undefined): TodoListReport {
  const shown = phases.map(({ name, todos }) => ({ name, todos: todos.map((todo) => reportTodo(todo, work)) }));
  return explanation === undefined ? { phases: shown } : { explanation, phases: shown };
}

/** The list that was reported, for those that draw lists. */
export function reportedList({ explanation, phases }: TodoListReport): TodoList {
  const todo = ({ activeForm, verdict: _, ...rest }: TodoReport): Todo =>
    activeForm === null ? rest : { ...rest, activeForm };
  const drawn = phases.map(({ name, todos }) => ({ name, todos: todos.map(todo) }));
  return { ...EMPTY_LIST, ...(explanation === undefined ? undefined : { explanation }), phases: drawn };
}
