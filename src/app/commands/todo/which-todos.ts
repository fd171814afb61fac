import * as z from "zod";
import { fail, ok, type Result } from "../../../core/result.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../../../core/todo/list.js";
import { pickPhase, pickTodos } from "../../../core/todo/pick-todos.js";
import type { OpenedList } from "../../todo/opened-list.js";

// How a person says which todos are meant. Only --all means all of them: to a shell, `done #3` is `done` and a comment.

export const NAMES = z.array(z.string()).optional().describe("numbers (3 4, or 3,4), or a part of one todo's text");

export const MANY = {
  phase: z.string().min(1).optional().describe("all of this phase"),
  all: z.boolean().default(false).describe("all of the list"),
};

interface Named {
  readonly todos?: readonly string[] | undefined;
  readonly phase?: string | undefined;
  readonly all?: boolean;
}

/** A verb, and which todos it can be used on; `--all` means those too. */
interface Verb {
  readonly name: string;
  readonly fits: (todo: Todo) => boolean;
  /** What those are called: `open`. Undefined for a verb that takes one todo. */
  readonly many?: string;
}

export function whichTodos(list: TodoList, named: Named, verb: Verb, opened: OpenedList): Result<readonly Todo[]> {
  const { todos = [], phase, all = false } = named;
  const ways = [todos.length > 0, phase !== undefined, all].filter(Boolean).length;
  if (ways > 1) return badUsage("Name todos, or take --phase or --all: one of these.");
  if (todos.some((name) => name.trim() === "")) return badUsage("A name is empty.");
  if (ways === 0) return badUsage(whichText(list, verb, opened));
  if (all) return ok(todosOf(list).filter(verb.fits));
  if (phase !== undefined) {
    const found = pickPhase(list, phase);
    return found.ok ? ok(found.value.todos.filter(verb.fits)) : found;
  }
  return pickedTodos(list, todos, opened, (number) => `${verb.name} ${number}`);
}

/** The words of a command that means the todo with this number. */
type Saying = (number: number) => string;

/** One todo, for a verb that has more to say about it. */
export function whichTodo(list: TodoList, name: string, opened: OpenedList, say: Saying): Result<Todo> {
  const picked = pickedTodos(list, [name], opened, say);
  if (!picked.ok) return picked;
  const [todo, ...others] = picked.value;
  return todo && others.length === 0 ? ok(todo) : badUsage("Name one todo.");
}

/** With the command that goes on from there. */
function pickedTodos(
  list: TodoList,
  names: readonly string[],
  opened: OpenedList,
  say: Saying,
): Result<readonly Todo[]> {
  const picked = pickTodos(list, names);
  if (picked.ok) return picked;
  const { code, message, candidates } = picked.error;
  const first = candidates.find(isOpen) ?? candidates[0];
  const next = first
    ? `Say which by its number: ${opened.hint(`todo ${say(first.number)}`)}`
    : `The list: ${opened.hint("todo list")}`;
  return fail({ code, message: `${message} ${next}` });
}

function whichText(list: TodoList, { name, fits, many }: Verb, opened: OpenedList): string {
  const fitting = todosOf(list).filter(fits);
  const best = fitting.find(({ status }) => status === "in_progress") ?? fitting.find(isOpen) ?? fitting[0];
  if (!best) return `Which todo? There is none to ${name}. The list: ${opened.hint("todo list")}`;
  const what = `${best.text}, ${best.status.replace("_", " ")}`;
  const all = many !== undefined && fitting.length > 1 ? `, or --all for all ${fitting.length} ${many} ones` : "";
  return `Which todo? ${opened.hint(`todo ${name} ${best.number}`)} (${what})${all}.`;
}

export function badUsage(message: string): Result<never> {
  return fail({ code: "bad-usage", message });
}
