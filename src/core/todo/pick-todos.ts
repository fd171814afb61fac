import { type Failure, fail, ok, type Result } from "../result.js";
import { nearest } from "../text/nearest.js";
import { quoteForPosix } from "../text/shell-quote.js";
import { isOpen, type Phase, type Todo, type TodoList, todosOf, workedOn } from "./list.js";

// How a person says which todos are meant. `list` is as the person has read it, with one line a text.

interface PickError extends Failure {
  readonly code: "unknown-todo" | "ambiguous-todo";
  /** The todos that it could be. */
  readonly candidates: readonly Todo[];
}

/** Only --all means all of them: to a shell, `done #3` is `done` and a comment. */
export interface Named {
  readonly todos?: readonly string[] | undefined;
  readonly phase?: string | undefined;
  readonly all?: boolean | undefined;
}

/** A verb, and which todos it can be used on; `--all` means those too. */
export interface Verb {
  readonly name: string;
  readonly fits: (todo: Todo) => boolean;
  /** What those are called: `open`. Undefined for a verb that takes one todo. */
  readonly many?: string;
}

/** The words of a command, as one that runs as it is printed. */
export type Hint = (words: string) => string;

export function whichTodos(list: TodoList, named: Named, verb: Verb, hint: Hint): Result<readonly Todo[]> {
  const { todos = [], phase, all = false } = named;
  const ways = [todos.length > 0, phase !== undefined, all].filter(Boolean).length;
  if (todos.some((name) => name.trim() === ""))
    return fail("bad-usage", `A name is empty. ${whichText(list, verb, hint)}`);
  if (ways > 1) return fail("bad-usage", `Todos, --phase and --all exclude each other. ${whichText(list, verb, hint)}`);
  if (ways === 0) return fail("bad-usage", whichText(list, verb, hint));
  if (all) return ok(todosOf(list).filter(verb.fits));
  if (phase === undefined) return hinted(pickTodos(list, todos), hint, (number) => `${verb.name} ${number}`);
  const found = pickPhase(list, phase);
  return found.ok ? ok(found.value.todos.filter(verb.fits)) : fail(noPhase(list, phase, verb, hint));
}

function noPhase({ phases }: TodoList, asked: string, { name }: Verb, hint: Hint): Failure {
  const names = phases.map((phase) => phase.name).filter(Boolean);
  const meant = nearest(asked, names);
  const what = names.length === 0 ? "The list has no phases." : `Phases: ${names.join(", ")}.`;
  const next =
    meant === undefined
      ? `The list: ${hint("todo list")}`
      : `Did you mean: ${hint(`todo ${name} --phase ${quoteForPosix(meant)}`)}`;
  return { code: "unknown-phase", message: `No phase is called ${JSON.stringify(asked)}. ${what} ${next}` };
}

function whichText(list: TodoList, { name, fits, many }: Verb, hint: Hint): string {
  const fitting = todosOf(list).filter(fits);
  const best = workedOn(fitting) ?? fitting[0];
  if (!best) return `Which todo? There is none to ${name}. The list: ${hint("todo list")}`;
  const what = `${best.text}, ${best.status.replace("_", " ")}`;
  const all = many !== undefined && fitting.length > 1 ? `, or --all for all ${fitting.length} ${many} ones` : "";
  return `Which todo? ${hint(`todo ${name} ${best.number}`)} (${what})${all}. To a shell, #${best.number} is a comment.`;
}

/** The words of a verb that means the todo with this number. */
type Saying = (number: number) => string;

/** One todo, for a verb that has more to say about it. */
export function whichTodo(list: TodoList, name: string, hint: Hint, say: Saying): Result<Todo> {
  const picked = hinted(pickTodos(list, [name]), hint, say);
  if (!picked.ok) return picked;
  const todo = only(picked.value);
  if (todo) return ok(todo);
  const [first] = picked.value;
  return fail("bad-usage", `Name one todo: ${hint(`todo ${say(first?.number ?? 1)}`)}`);
}

/** With the command that goes on from there. */
function hinted(picked: Picked, hint: Hint, say: Saying): Result<readonly Todo[]> {
  if (picked.ok) return picked;
  const { code, message, candidates } = picked.error;
  const first = candidates.find(isOpen) ?? candidates[0];
  const next = first
    ? `Say which by its number: ${hint(`todo ${say(first.number)}`)}`
    : `The list: ${hint("todo list")}`;
  return fail(code, `${message} ${next}`);
}

type Picked = Result<readonly Todo[], PickError>;

/** Numbers mean several todos (`3 4`, `3,4`, `#3`). Anything else, also `fix 3 bugs`, is the text of one, or a part. */
export function pickTodos(list: TodoList, words: readonly string[]): Picked {
  const numbers = numbersIn(words);
  return numbers ? byNumbers(list, numbers) : byText(list, folded(words.join(" ")));
}

function numbersIn(words: readonly string[]): readonly number[] | undefined {
  const names = words.flatMap((word) => word.split(",")).filter((name) => name.trim() !== "");
  const numbers = names.map((name) => Number(/^\s*#?(\d{1,15})\s*$/.exec(name)?.[1]));
  return numbers.length === 0 || numbers.some(Number.isNaN) ? undefined : [...new Set(numbers)];
}

/** All or nothing: one number that is not there may mean that the others are those of another list. */
function byNumbers(list: TodoList, numbers: readonly number[]): Picked {
  const known = new Map(todosOf(list).map((todo) => [todo.number, todo]));
  const missing = numbers.filter((number) => !known.has(number));
  if (missing.length === 0) return ok(numbers.flatMap((number) => known.get(number) ?? []));
  const others = missing.length < numbers.length ? " Nothing was changed." : "";
  return unknown(`No todo has the number ${missing.join(" or ")}.${others}`);
}

/** Equal but for case comes first, then a part of it; of several the only open one. */
function byText(list: TodoList, wanted: string): Picked {
  const hits = todosOf(list).filter(({ text }) => folded(text).includes(wanted));
  const equal = hits.filter(({ text }) => folded(text) === wanted);
  const best = equal.length > 0 ? equal : hits;
  const found = only(best) ?? only(best.filter(isOpen));
  if (found) return ok([found]);
  if (best.length === 0) return unknown(`No todo has ${JSON.stringify(wanted)} in its text.`);
  const message = `${JSON.stringify(wanted)} fits ${best.length} todos: ${todoNames(best)}.`;
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
  return fail("unknown-phase", `No phase is called ${JSON.stringify(name)}. ${names}`);
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

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
