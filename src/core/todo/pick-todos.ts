import { type Failure, fail, ok, type Result } from "../result.js";
import { isOpen, type Phase, type Todo, type TodoList, todosOf } from "./list.js";

export interface PickError extends Failure {
  readonly code: "unknown-todo" | "ambiguous-todo";
  /** The todos that it could be. */
  readonly candidates: readonly Todo[];
}

/**
 * The todos a person means. Numbers mean several todos (`3 4`, `3,4`, `#3`); anything else is the text of one todo, or
 * a part that fits one only. Numbers and words are never mixed: `fix 3 bugs` is a text. `list` is as the person has read
 * it, with one line a text.
 */
export function pickTodos(list: TodoList, words: readonly string[]): Result<readonly Todo[], PickError> {
  const numbers = numbersIn(words);
  return numbers ? byNumbers(list, numbers) : byText(list, folded(words.join(" ")));
}

function numbersIn(words: readonly string[]): readonly number[] | undefined {
  const names = words.flatMap((word) => word.split(",")).filter((name) => name.trim() !== "");
  const numbers = names.map((name) => Number(/^\s*#?(\d{1,15})\s*$/.exec(name)?.[1]));
  return numbers.length === 0 || numbers.some(Number.isNaN) ? undefined : [...new Set(numbers)];
}

/** All or nothing: one number that is not there may mean that the others are those of another list. */
function byNumbers(list: TodoList, numbers: readonly number[]): Result<readonly Todo[], PickError> {
  const known = new Map(todosOf(list).map((todo) => [todo.number, todo]));
  const missing = numbers.filter((number) => !known.has(number));
  if (missing.length === 0) return ok(numbers.flatMap((number) => known.get(number) ?? []));
  const others = missing.length < numbers.length ? " Nothing was changed." : "";
  return unknown(`No todo has the number ${missing.join(" or ")}.${others}`);
}

/** Equal but for case comes first, then a part of it; of several the only open one. */
function byText(list: TodoList, wanted: string): Result<readonly Todo[], PickError> {
  const hits = todosOf(list).filter(({ text }) => folded(text).includes(wanted));
  const equal = hits.filter(({ text }) => folded(text) === wanted);
  const best = equal.length > 0 ? equal : hits;
  const found = only(best) ?? only(best.filter(isOpen));
  if (found) return ok([found]);
  if (best.length === 0) return unknown(`No todo has ${quoted(wanted)} in its text.`);
  const message = `${quoted(wanted)} fits ${best.length} todos: ${todoNames(best)}.`;
  return fail({ code: "ambiguous-todo", message, candidates: best });
}

function unknown(message: string): Result<never, PickError> {
  return fail({ code: "unknown-todo", message, candidates: [] });
}

/** Equal but for case; else the only one that begins with it; else the only one that contains it. */
export function pickPhase({ phases }: TodoList, name: string): Result<Phase> {
  const wanted = folded(name);
  const hits = phases.filter((phase) => folded(phase.name).includes(wanted));
  const found =
    hits.find((phase) => folded(phase.name) === wanted) ??
    only(hits.filter((phase) => folded(phase.name).startsWith(wanted))) ??
    only(hits);
  if (found) return ok(found);
  const names = phases.length === 0 ? "There is none." : `Phases: ${phases.map((phase) => phase.name).join(", ")}.`;
  return fail({ code: "unknown-phase", message: `No phase is called ${quoted(name)}. ${names}` });
}

const NAMED_MAX = 5;

/** `3 Fix the login, 4 Run tests`: the first few, and how many more. */
export function todoNames(todos: readonly Pick<Todo, "number" | "text">[]): string {
  const names = todos.slice(0, NAMED_MAX).map(({ number, text }) => `${number} ${text}`);
  const more = todos.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
