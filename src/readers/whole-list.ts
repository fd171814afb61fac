import { canFinish, isFinished } from "../core/session/finished/finished-list.js";
import type { NewTodo } from "../core/todo/command.js";
import { decide } from "../core/todo/decide.js";
import type { TodoEvent } from "../core/todo/events.js";
import { evolveAll } from "../core/todo/evolve.js";
import type { Todo, TodoList } from "../core/todo/list.js";
import { type TodoPolicy, WHOLE_LIST } from "../core/todo/policy.js";
import { cutText, isLongText } from "../core/value-limits.js";

/** A list with nothing open is over: agents start the next one from nothing, and so do we. */
const POLICY = { ...WHOLE_LIST, clearWhenDone: "now" } as const;

export interface WrittenList {
  readonly list: TodoList;
  /** The list that this write has finished, as it was before it was cleared. */
  readonly finished?: TodoList;
  /** Nobody wanted to change anything. */
  readonly isRead?: true;
}

/** The list after an agent has written all of it anew. Todos that are still there keep their numbers. */
export function writeList(list: TodoList, written: readonly NewTodo[], reason?: string): WrittenList {
  return writeBy({ policy: POLICY, reason }, list, written);
}

/** The same, where the agent keeps a list that is over until it writes the next one. */
export function writeKeptList(list: TodoList, written: readonly NewTodo[]): WrittenList {
  return writeBy({ policy: WHOLE_LIST }, list, written);
}

interface Writing {
  readonly policy: TodoPolicy;
  readonly reason?: string | undefined;
}

function writeBy({ policy, reason }: Writing, list: TodoList, written: readonly NewTodo[]): WrittenList {
  const todos = shortTodos(written);
  const explanation = reason === undefined ? undefined : cutText(reason);
  if (explanation === list.explanation && isSameWork(list, todos)) return { list: withStatuses(list, todos) };
  const phases = todos.length === 0 ? [] : [{ name: "", todos }];
  const isOver = todos.every(({ status }) => status === "completed" || status === "cancelled");
  const said = isOver || explanation === undefined ? undefined : { explanation };
  const decided = decide(list, { type: "replace", phases, ...said }, policy);
  if (decided.ok) return writtenBy(list, decided.value.events, explanation);
  // Its beginning is better than the list before.
  const isTooLarge = decided.error.code === "list-too-large" && !todos.every(isLean);
  return isTooLarge ? writeBy({ policy }, list, leanTodos(todos)) : { list };
}

function writtenBy(before: TodoList, events: readonly TodoEvent[], explanation: string | undefined): WrittenList {
  const isCleared = events.at(-1)?.type === "list.cleared";
  if (!isCleared) return finishedBy(evolveAll(before, events), events);
  const last = evolveAll(before, events.slice(0, -1));
  const list = evolveAll(last, events.slice(-1));
  // One that was kept was told when it was finished.
  if (!isFinished(last) || isFinished(before)) return { list };
  return { list, finished: explanation === undefined ? last : { ...last, explanation } };
}

function finishedBy(list: TodoList, events: readonly TodoEvent[]): WrittenList {
  return isFinished(list) && events.some(canFinish) ? { list, finished: list } : { list };
}

const MOST_LEAN = 1000;
const LEAN_BYTES = 1000;

function leanTodos(todos: readonly NewTodo[]): readonly NewTodo[] {
  return todos.slice(0, MOST_LEAN).map(({ text, status = "pending" }) => ({ text: cutText(text, LEAN_BYTES), status }));
}

function isLean({ text }: NewTodo, _: number, all: readonly NewTodo[]): boolean {
  return all.length <= MOST_LEAN && text.length <= LEAN_BYTES;
}

/** No list of ours could hold a longer text, and a list without it would be wrong. */
export function shortTodos(todos: readonly NewTodo[]): readonly NewTodo[] {
  return todos.some(isLong) ? todos.map(withShortTexts) : todos;
}

function isLong({ text, activeForm }: NewTodo): boolean {
  return isLongText(text) || isLongText(activeForm ?? "");
}

function withShortTexts({ text, activeForm, ...todo }: NewTodo): NewTodo {
  return { ...todo, text: cutText(text), ...(activeForm == null ? undefined : { activeForm: cutText(activeForm) }) };
}

/** Nearly every write only moves todos on; then nothing has to be matched. */
function isSameWork({ phases }: TodoList, todos: readonly NewTodo[]): boolean {
  const [phase] = phases;
  if (phases.length !== 1 || phase?.name !== "" || phase.todos.length !== todos.length) return false;
  if (!todos.some(({ status }) => status === "pending" || status === "in_progress")) return false;
  return phase.todos.every((todo, place) => {
    const wanted = todos[place];
    const isAlone = todo.parent === undefined && wanted?.parent == null;
    return isAlone && todo.text === wanted?.text && (wanted.key ?? undefined) === todo.key;
  });
}

function withStatuses(list: TodoList, wanted: readonly NewTodo[]): TodoList {
  const [phase] = list.phases;
  const todos = phase?.todos.map((todo, place): Todo => {
    const given: Partial<NewTodo> = wanted[place] ?? {};
    const { status = todo.status, notes = todo.notes } = given;
    const activeForm = (given.activeForm === undefined ? todo.activeForm : given.activeForm) ?? undefined;
    const priority = (given.priority === undefined ? todo.priority : given.priority) ?? undefined;
    const isSame = activeForm === todo.activeForm && priority === todo.priority;
    if (isSame && status === todo.status && notes === todo.notes) return todo;
    const { activeForm: _, priority: __, ...rest } = todo;
    return { ...rest, status, notes, ...(activeForm !== undefined && { activeForm }), ...(priority && { priority }) };
  });
  const isChanged = todos?.some((todo, place) => todo !== phase?.todos[place]) === true;
  return isChanged && todos ? { ...list, revision: list.revision + 1, phases: [{ name: "", todos }] } : list;
}
