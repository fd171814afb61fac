import { parseJson } from "../../core/json.js";
import type { NewTodo } from "../../core/todo/command.js";
import type { Todo, TodoList } from "../../core/todo/list.js";
import { workTodos } from "../work-status.js";
import { CYCLE, complaintAbout, ID_MAX, type QwenTodo } from "./qwen-input.js";

// Core knows no todos that wait for others: which ones, a note says, as `blocked by: ["1","2"]`. Other dialects and
// views show the note. Qwen tells a todo with no blockers from one of which nothing was said, and so does the note.
const BLOCKED = "blocked by: ";
const NOTHING = `${BLOCKED}nothing`;

/** A todo of ours as Qwen Code would hold it, and the one that it is. */
export interface KnownTodo {
  readonly item: QwenTodo;
  readonly from: Todo;
}

/** By ids; a todo that another dialect wrote goes by its number. */
export function knownTodos(list: TodoList): ReadonlyMap<string, KnownTodo> {
  const todos = workTodos(list);
  const taken = new Set(todos.flatMap(({ key }) => (key === undefined ? [] : [key])));
  const known = new Map<string, KnownTodo>();
  for (const from of todos) {
    const number = `${from.number}`;
    const own = from.key !== undefined && from.key.length <= ID_MAX && !known.has(from.key) ? from.key : undefined;
    const id = own ?? (taken.has(number) ? `todo-${number}` : number);
    const blockedBy = blockersIn(from.notes);
    const item = { id, content: from.text, status: from.status, ...(blockedBy && { blockedBy }) };
    known.set(id, { item, from });
  }
  return known;
}

function isBlockNote(note: string): boolean {
  return note === NOTHING || blockersOf(note) !== undefined;
}

function blockersIn(notes: readonly string[]): readonly string[] | undefined {
  const note = notes.findLast(isBlockNote);
  return note === NOTHING ? [] : note === undefined ? undefined : blockersOf(note);
}

function blockersOf(note: string): readonly string[] | undefined {
  const ids = note.startsWith(`${BLOCKED}[`) ? parseJson(note.slice(BLOCKED.length)) : undefined;
  return Array.isArray(ids) && ids.every((id) => typeof id === "string") ? ids : undefined;
}

/** While anything is open, blockers that a write says nothing of stay, unless they would then wait for each other. */
export function withKeptBlockers(
  todos: readonly QwenTodo[],
  known: ReadonlyMap<string, KnownTodo>,
): readonly QwenTodo[] {
  const isActive = [...known.values()].some(({ item }) => item.status !== "completed");
  if (!isActive) return todos;
  const ids = new Set(todos.map(({ id }) => id));
  const kept = todos.map((todo) => {
    const before = todo.blockedBy === undefined ? known.get(todo.id)?.item.blockedBy : undefined;
    return before === undefined ? todo : { ...todo, blockedBy: before.filter((id) => ids.has(id)) };
  });
  return complaintAbout(kept) === CYCLE ? todos : kept;
}

/** As the original compares them; fields that it does not have are not kept here, and so cannot differ. */
export function isSameList(todos: readonly QwenTodo[], known: ReadonlyMap<string, KnownTodo>): boolean {
  const before = [...known.values()].map(({ item }) => item);
  return todos.length === before.length && todos.every((todo, place) => isSame(todo, before[place]));
}

function isSame(one: QwenTodo, other: QwenTodo | undefined): boolean {
  const [first, second] = [one, other].map(
    (todo) => todo && JSON.stringify([todo.id, todo.content, todo.status, todo.blockedBy ?? null]),
  );
  return first === second;
}

export function writtenTodo(item: QwenTodo, known: ReadonlyMap<string, KnownTodo>): NewTodo {
  const { id, content: text, status, blockedBy } = item;
  const from = known.get(id)?.from;
  const others = from?.notes.filter((note) => !isBlockNote(note)) ?? [];
  const notes = blockedBy ? [...others, blockNote(blockedBy)] : others;
  return { text, status, key: id, notes, ...(from && { number: from.number }) };
}

function blockNote(ids: readonly string[]): string {
  return ids.length === 0 ? NOTHING : `${BLOCKED}${JSON.stringify(ids)}`;
}
