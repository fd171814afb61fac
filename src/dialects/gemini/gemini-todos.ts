import { isObject, type JsonObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { NewTodo } from "../../core/todo/command.js";
import { type Todo, type TodoList, todosOf } from "../../core/todo/list.js";
import { BLOCKED, isBlockNote } from "../block-note.js";

/** As Gemini CLI's model writes it. */
export interface GeminiTodo {
  readonly description: string;
  readonly status: GeminiStatus;
}

export const GEMINI_STATUSES = ["pending", "in_progress", "completed", "cancelled", "blocked"] as const;
type GeminiStatus = (typeof GEMINI_STATUSES)[number];

/**
 * The todos of a call, or what the original says is wrong: its schema first, in the words of Ajv, which stops at the
 * first thing it finds, and then the texts.
 */
export function readTodos(given: unknown): Result<readonly GeminiTodo[], string> {
  // Its host takes no arguments, and whatever else counts as nothing in JavaScript, for an empty object.
  const input = given || {};
  if (typeof input !== "object") return fail("Value of params must be an object");
  if (!isObject(input)) return fail("params must be object");
  const problem = shapeProblem(input, "params", ["todos"]);
  if (problem !== undefined) return fail(problem);
  const items = own(input, "todos");
  if (!Array.isArray(items)) return fail("params/todos must be array");
  const todos: GeminiTodo[] = [];
  for (const [index, item] of items.entries()) {
    const todo = readTodo(item, `params/todos/${index}`);
    if (!todo.ok) return todo;
    todos.push(todo.value);
  }
  const isEmpty = todos.some(({ description }) => description.trim() === "");
  return isEmpty ? fail("Each todo must have a non-empty description string") : ok(todos);
}

function readTodo(item: unknown, place: string): Result<GeminiTodo, string> {
  if (!isObject(item)) return fail(`${place} must be object`);
  const problem = shapeProblem(item, place, ["description", "status"]);
  if (problem !== undefined) return fail(problem);
  const [description, status] = [own(item, "description"), own(item, "status")];
  if (typeof description !== "string") return fail(`${place}/description must be string`);
  if (typeof status !== "string") return fail(`${place}/status must be string`);
  const known = GEMINI_STATUSES.find((word) => word === status);
  return known
    ? ok({ description, status: known })
    : fail(`${place}/status must be equal to one of the allowed values`);
}

/** All of these fields, and no other. */
function shapeProblem(value: JsonObject, place: string, fields: readonly string[]): string | undefined {
  const missing = fields.find((field) => own(value, field) === undefined);
  if (missing !== undefined) return `${place} must have required property '${missing}'`;
  const isMore = Object.keys(value).some((key) => !fields.includes(key));
  return isMore ? `${place} must NOT have additional properties` : undefined;
}

export function geminiTodos(list: TodoList): readonly GeminiTodo[] {
  return todosOf(list).map(({ text, status, notes }) => ({
    description: text,
    status: status === "pending" && notes.some(isBlockNote) ? BLOCKED : status,
  }));
}

/** `list`: before; a todo's other notes stay with it. */
export function newTodos(todos: readonly GeminiTodo[], list: TodoList): readonly NewTodo[] {
  const before = new Map<string, Todo[]>();
  for (const todo of todosOf(list)) before.set(todo.text, [...(before.get(todo.text) ?? []), todo]);
  return todos.map(({ description: text, status }) => {
    const notes = before.get(text)?.shift()?.notes ?? [];
    const isBlocked = status === BLOCKED;
    const written = { text, status: isBlocked ? "pending" : status } as const;
    if (notes.some(isBlockNote) === isBlocked) return written;
    return { ...written, notes: isBlocked ? [...notes, BLOCKED] : notes.filter((note) => !isBlockNote(note)) };
  });
}
