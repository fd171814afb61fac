import type { PhaseOrder, TodoChange, TodoDetails } from "./events.js";
import type { Todo, TodoList } from "./list.js";

/** A working copy of a list, with todos in a map: a write of thousands of changes stays linear. */
export interface Draft {
  revision: number;
  nextNumber: number;
  explanation: string | undefined;
  phases: { name: string; numbers: number[] }[];
  readonly todos: Map<number, Todo>;
  /** Numbers that may still stand in the order, although their todos were removed. */
  readonly removed: Set<number>;
}

export function openDraft(list: TodoList): Draft {
  const todos = new Map<number, Todo>();
  const phases = list.phases.map((phase) => ({ name: phase.name, numbers: takeIn(todos, phase.todos) }));
  const { revision, nextNumber, explanation } = list;
  return { revision, nextNumber, explanation, phases, todos, removed: new Set() };
}

function takeIn(todos: Map<number, Todo>, found: readonly Todo[]): number[] {
  const numbers: number[] = [];
  for (const todo of found) {
    // An older version may have kept a list that has one number twice.
    if (todos.has(todo.number)) continue;
    todos.set(todo.number, todo);
    numbers.push(todo.number);
  }
  return numbers;
}

export function closeDraft(draft: Draft): TodoList {
  const phases = draft.phases.map((phase) => ({ name: phase.name, todos: inOrder(draft, phase.numbers) }));
  const { revision, nextNumber, explanation } = draft;
  return explanation === undefined ? { revision, nextNumber, phases } : { revision, nextNumber, explanation, phases };
}

export function draftTodos(draft: Draft): Todo[] {
  return draft.phases.flatMap((phase) => inOrder(draft, phase.numbers));
}

export function draftOrder({ phases, todos }: Draft): readonly PhaseOrder[] {
  return phases.map(({ name, numbers }) => ({ name, numbers: numbers.filter((number) => todos.has(number)) }));
}

export function inOrder(draft: Draft, numbers: readonly number[]): Todo[] {
  const todos: Todo[] = [];
  for (const number of numbers) {
    const todo = draft.todos.get(number);
    if (todo) todos.push(todo);
  }
  return todos;
}

/** The one function that applies a change: `decide` and `evolve` cannot disagree. */
export function applyChange(draft: Draft, change: TodoChange): void {
  switch (change.type) {
    case "list.cleared":
      draft.phases = [];
      draft.todos.clear();
      draft.explanation = undefined;
      break;
    case "list.explained":
      draft.explanation = change.explanation ?? undefined;
      break;
    case "list.ordered":
      draft.phases = change.phases.map((phase) => ({ name: phase.name, numbers: [...phase.numbers] }));
      break;
    case "phase.opened":
      draft.phases.push({ name: change.name, numbers: [] });
      break;
    case "todo.added":
      applyAdded(draft, change);
      break;
    case "todo.removed":
      // Its number stays behind in the order, where nothing finds it any more: cutting it out would cost a search.
      draft.todos.delete(change.number);
      draft.removed.add(change.number);
      break;
    default: {
      const todo = draft.todos.get(change.number);
      if (todo) draft.todos.set(change.number, changed(todo, change));
    }
  }
}

type ChangeOfTodo = Exclude<TodoChange, { type: `list.${string}` | `phase.${string}` | "todo.added" | "todo.removed" }>;

function changed(todo: Todo, change: ChangeOfTodo): Todo {
  switch (change.type) {
    case "todo.moved":
      return { ...todo, status: change.to };
    case "todo.renamed":
      return { ...todo, text: change.to };
    case "todo.detailed":
      return withDetails(todo, change);
    case "todo.noted":
      return { ...todo, notes: [...todo.notes, change.text] };
    case "todo.evidenced":
      return { ...todo, evidence: [...todo.evidence, change.evidence] };
  }
}

const NOTHING: readonly never[] = [];

function applyAdded(draft: Draft, change: Extract<TodoChange, { type: "todo.added" }>): void {
  const { number, text, status } = change;
  // Two hooks that copied the list of one fork have both told of it: the first one counts.
  if (isOnList(draft, number)) return;
  if (draft.removed.delete(number))
    for (const phase of draft.phases) phase.numbers = phase.numbers.filter((one) => one !== number);
  draft.todos.set(number, withDetails({ number, text, status, notes: NOTHING, evidence: NOTHING }, change));
  draft.phases[change.phase]?.numbers.push(number);
  draft.nextNumber = Math.max(draft.nextNumber, number + 1);
}

function isOnList({ todos, phases }: Draft, number: number): boolean {
  return todos.has(number) && phases.some(({ numbers }) => numbers.includes(number));
}

function withDetails(todo: Todo, details: TodoDetails): Todo {
  const { activeForm, priority, parent, key, notes } = details;
  const values = [activeForm, priority, parent, key, notes];
  if (values.every((value) => value === undefined)) return todo;
  const next: { -readonly [Field in keyof Todo]: Todo[Field] } = { ...todo };
  if (activeForm === null) delete next.activeForm;
  else if (activeForm !== undefined) next.activeForm = activeForm;
  if (priority === null) delete next.priority;
  else if (priority !== undefined) next.priority = priority;
  if (parent === null) delete next.parent;
  else if (parent !== undefined) next.parent = parent;
  if (key === null) delete next.key;
  else if (key !== undefined) next.key = key;
  if (notes !== undefined) next.notes = notes ?? NOTHING;
  return next;
}
