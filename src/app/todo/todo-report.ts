import type { CheckKind, CheckResult } from "../../core/call/call-facts.js";
import type { Judged, JudgeTodo } from "../../core/grounding/judged.js";
import type { TodoFacts } from "../../core/grounding/todo-facts.js";
import type { Verdict } from "../../core/grounding/verdict.js";
import { LAST_TIME, isoTime as timeText } from "../../core/text/time-text.js";
import { EMPTY_LIST, type Evidence, type Todo, type TodoList, type TodoStatus } from "../../core/todo/list.js";

/** What ran for a todo. Scripts rely on the names; more may be added, none goes. */
export interface FactsReport {
  readonly calls: number;
  readonly failures: number;
  /** Changed files, the first few by name, and how many more there are. */
  readonly files: readonly string[];
  readonly moreFiles: number;
  readonly added: number;
  readonly removed: number;
  readonly milliseconds: number;
  /** The last check while it was worked on. `at`: an ISO time; null where no record had one. */
  readonly check: {
    readonly kind: CheckKind;
    readonly result: CheckResult;
    readonly at: string | null;
    readonly command: string | null;
  } | null;
}

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
  /** Null where nobody knows what ran. */
  readonly facts: FactsReport | null;
}

/** A list as every command prints it. One that was cleared has no phases. */
export interface TodoListReport {
  readonly explanation?: string;
  readonly phases: readonly { readonly name: string; readonly todos: readonly TodoReport[] }[];
}

/** `judge`: what the facts say of it; undefined where nobody knows what ran. */
export function reportTodo(todo: Todo, judge: JudgeTodo | undefined): TodoReport {
  const { number, text, status, activeForm = null, notes, evidence } = todo;
  return { number, text, status, activeForm, notes, evidence, ...reportJudged(judge?.(todo)) };
}

export function reportJudged(judged: Judged | undefined): Pick<TodoReport, "verdict" | "facts"> {
  return { verdict: judged?.judgement?.verdict ?? null, facts: judged ? reportFacts(judged.facts) : null };
}

function reportFacts({ startedAt, endedAt: _, editedAt: __, check, ...told }: TodoFacts): FactsReport {
  const facts = factTime(startedAt) === null ? { ...told, milliseconds: 0 } : told;
  if (!check) return { ...facts, check: null };
  const { kind, result, at, title } = check;
  return { ...facts, check: { kind, result, at: factTime(at), command: title ?? null } };
}

/** Records without times are counted, and a count is no time. */
const FIRST_TIME = 1e11;

/** Null where no record had a time. */
export function factTime(milliseconds: number): string | null {
  return milliseconds >= FIRST_TIME && milliseconds <= LAST_TIME ? timeText(milliseconds) : null;
}

export function reportList({ explanation, phases }: TodoList, judge: JudgeTodo | undefined): TodoListReport {
  const shown = phases.map(({ name, todos }) => ({ name, todos: todos.map((todo) => reportTodo(todo, judge)) }));
  return explanation === undefined ? { phases: shown } : { explanation, phases: shown };
}

/** The list that was reported, for those that draw lists. */
export function reportedList({ explanation, phases }: TodoListReport): TodoList {
  const todo = ({ activeForm, verdict: _, facts: __, ...rest }: TodoReport): Todo =>
    activeForm === null ? rest : { ...rest, activeForm };
  const drawn = phases.map(({ name, todos }) => ({ name, todos: todos.map(todo) }));
  return { ...EMPTY_LIST, ...(explanation === undefined ? undefined : { explanation }), phases: drawn };
}
