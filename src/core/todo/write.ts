import { defined } from "../json.js";
import type { NewTodo, Target, TodoCommand, TodoError } from "./command.js";
import { applyChange, type Draft, draftOrder, draftTodos, openDraft } from "./draft.js";
import type { PhaseOrder, TodoChange, TodoDetails, TodoEvent } from "./events.js";
import { isOpen, type Todo, type TodoList, type TodoStatus } from "./list.js";
import type { TodoPolicy } from "./policy.js";

/** One write in the making: each recorded change is applied at once, so the next edit sees it. */
export interface Write {
  readonly policy: TodoPolicy;
  readonly draft: Draft;
  readonly events: TodoEvent[];
  readonly revision: number;
  /** True once this write closed a todo or began a list: then `on-close` starts the next one. */
  isAdvancing: boolean;
}

export function beginWrite(list: TodoList, command: TodoCommand, policy: TodoPolicy): Write {
  const isWhole = command.type !== "replace" || command.isBroken !== true;
  const revision = isWhole ? list.revision + 1 : list.revision;
  return { policy, draft: openDraft(list), events: [], revision, isAdvancing: false };
}

export function record(write: Write, change: TodoChange): void {
  applyChange(write.draft, change);
  write.events.push({ ...change, revision: write.revision });
}

export function addTodo(write: Write, todo: NewTodo, phase: number): number {
  const number = write.draft.nextNumber;
  const { text, status = "pending", activeForm, priority, key, notes = [] } = todo;
  const details = defined({
    activeForm: activeForm ?? undefined,
    priority: priority ?? undefined,
    key: key ?? undefined,
  });
  record(write, { type: "todo.added", number, phase, text, status, ...details });
  for (const note of notes) record(write, { type: "todo.noted", number, text: note });
  return number;
}

/** Records what differs. Absent is not null: a dialect without priorities must not take away what another one wrote. */
export function detailTodo(write: Write, todo: Todo, { activeForm, priority, key, notes }: Details): void {
  const details: { -readonly [Field in keyof Details]: Details[Field] } = {};
  if (activeForm !== undefined && activeForm !== (todo.activeForm ?? null)) details.activeForm = activeForm;
  if (priority !== undefined && priority !== (todo.priority ?? null)) details.priority = priority;
  if (key !== undefined && key !== (todo.key ?? null)) details.key = key;
  if (notes && !addNotes(write, todo, notes)) details.notes = notes;
  if (Object.keys(details).length > 0) record(write, { type: "todo.detailed", number: todo.number, ...details });
}

/** Notes that only grow are noted one by one, which every version understands. False where others have to go. */
function addNotes(write: Write, { number, notes }: Todo, wanted: readonly string[]): boolean {
  if (notes.some((note, index) => note !== wanted[index])) return false;
  for (const text of wanted.slice(notes.length)) record(write, { type: "todo.noted", number, text });
  return true;
}

/** Parents are links, with rules of their own. */
type Details = Omit<TodoDetails, "parent">;

/** Makes one todo part of another. A todo cannot be part of itself, however long the way round. */
export function linkParent(write: Write, child: number, target: Target): TodoError | undefined {
  const { todos } = write.draft;
  const parent = findTodo(write.draft, target);
  if (!parent) return { code: "unknown-todo", message: "The parent is not on this list.", target };
  if (todos.get(child)?.parent === parent.number) return undefined;
  const above = ({ parent: number }: Todo) => (number === undefined ? undefined : todos.get(number));
  const path = [child];
  for (let todo: Todo | undefined = parent; todo; todo = above(todo)) {
    path.push(todo.number);
    if (todo.number !== child) continue;
    const message = `A todo cannot be part of itself: ${path.join(" is part of ")}. Choose another parent.`;
    return { code: "bad-parent", message, target };
  }
  record(write, { type: "todo.detailed", number: child, parent: parent.number });
  return undefined;
}

export function moveTodo(write: Write, todo: Todo, to: TodoStatus): void {
  if (todo.status === to) return;
  record(write, { type: "todo.moved", number: todo.number, from: todo.status, to });
  if (to === "completed" || to === "cancelled") write.isAdvancing = true;
}

/** Removes todos and sets their children free, in one pass over the list however many they are. */
export function removeTodos(write: Write, todos: readonly Todo[]): void {
  if (todos.length === 0) return;
  for (const { number, text, status } of todos) record(write, { type: "todo.removed", number, text, status });
  const gone = new Set(todos.map(({ number }) => number));
  for (const { number, parent } of write.draft.todos.values()) {
    if (parent !== undefined && gone.has(parent)) record(write, { type: "todo.detailed", number, parent: null });
  }
  if (todos.some(isOpen)) write.isAdvancing = true;
}

export function orderList(write: Write, phases: readonly PhaseOrder[]): void {
  const before = draftOrder(write.draft);
  const isSame = ({ name, numbers }: PhaseOrder, at: number) =>
    before[at]?.name === name &&
    before[at].numbers.length === numbers.length &&
    numbers.every((number, place) => number === before[at]?.numbers[place]);
  if (phases.length !== before.length || !phases.every(isSame)) record(write, { type: "list.ordered", phases });
}

export function inProgress(write: Write): readonly Todo[] {
  return draftTodos(write.draft).filter((todo) => todo.status === "in_progress");
}

/** The others go back to pending: people read `in_progress` as "what the agent is on now". */
export function keepFocus(write: Write, kept: number | undefined): void {
  for (const todo of inProgress(write)) if (todo.number !== kept) moveTodo(write, todo, "pending");
}

export function findTodo(draft: Draft, target: Target): Todo | undefined {
  if ("number" in target) return draft.todos.get(target.number);
  if ("key" in target) return draftTodos(draft).find((todo) => todo.key === target.key);
  return draftTodos(draft).find((todo) => todo.text === target.text);
}
