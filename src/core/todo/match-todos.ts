import type { NewTodo } from "./command.js";
import { isOpen, type Todo } from "./list.js";

/**
 * Whole-list dialects send texts, not numbers. This finds for each wanted todo the one it continues, so that numbers,
 * notes and evidence survive a rewrite: by number where it is told, by the dialect's own key, by equal text, then, for
 * an open todo in the same place, by a text that is mostly the same words. A closed one is never reworded: its evidence
 * would end up with work it does not prove.
 */
export function matchTodos(current: readonly Todo[], wanted: readonly NewTodo[]): readonly (Todo | undefined)[] {
  const taken = new Set<number>();
  const matches: (Todo | undefined)[] = new Array(wanted.length).fill(undefined);
  const take = (index: number, todo: Todo | undefined) => {
    if (!todo || taken.has(todo.number)) return;
    taken.add(todo.number);
    matches[index] = todo;
  };

  matchByNumber(current, wanted, take);
  matchByKey(current, wanted, { taken, take });
  matchByText(current, wanted, { taken, matches, take });
  if (taken.size === current.length) return matches;

  const places = new Map(current.map((todo, place) => [todo, place]));
  wanted.forEach((todo, index) => {
    if (matches[index]) return;
    const before = index > 0 ? matches[index - 1] : undefined;
    const place = current[before ? (places.get(before) ?? 0) + 1 : index];
    if (place && isOpen(place) && !taken.has(place.number) && isRename(place.text, todo.text)) take(index, place);
  });
  return matches;
}

type Take = (index: number, todo: Todo | undefined) => void;

function matchByNumber(current: readonly Todo[], wanted: readonly NewTodo[], take: Take): void {
  if (!wanted.some(({ number }) => number !== undefined)) return;
  const byNumber = new Map(current.map((todo) => [todo.number, todo]));
  wanted.forEach(({ number }, index) => {
    if (number !== undefined) take(index, byNumber.get(number));
  });
}

function matchByKey(
  current: readonly Todo[],
  wanted: readonly NewTodo[],
  { taken, take }: Omit<Matching, "matches">,
): void {
  if (!wanted.some((todo) => todo.key != null)) return;
  const free = queues(current, ({ number, key }) => (taken.has(number) ? undefined : key));
  wanted.forEach((todo, index) => {
    if (todo.key != null && todo.number === undefined) take(index, free.get(todo.key)?.shift());
  });
}

interface Matching {
  readonly taken: ReadonlySet<number>;
  readonly matches: readonly (Todo | undefined)[];
  readonly take: Take;
}

function matchByText(current: readonly Todo[], wanted: readonly NewTodo[], { taken, matches, take }: Matching): void {
  if (matches.every((match) => match !== undefined)) return;
  const free = queues(current, ({ number, text }) => (taken.has(number) ? undefined : text));
  wanted.forEach((todo, index) => {
    if (!matches[index]) take(index, free.get(todo.text)?.shift());
  });
}

/** Todos that are called the same, in list order: some dialects allow equal keys, all of them equal texts. */
function queues(todos: readonly Todo[], nameOf: (todo: Todo) => string | undefined): ReadonlyMap<string, Todo[]> {
  const named = new Map<string, Todo[]>();
  for (const todo of todos) {
    const name = nameOf(todo);
    if (name === undefined) continue;
    const same = named.get(name);
    if (same) same.push(todo);
    else named.set(name, [todo]);
  }
  return named;
}

/** At least half of all words in common: "Run the tests" continues in "Run all the tests", not in "Ship it". */
function isRename(from: string, to: string): boolean {
  const before = words(from);
  const after = words(to);
  let common = 0;
  for (const word of after) if (before.has(word)) common += 1;
  const all = before.size + after.size - common;
  return all > 0 && common / all >= 0.5;
}

function words(text: string): ReadonlySet<string> {
  // Long texts are compared by their beginning: a rewrite must not cost more than the write itself.
  return new Set(
    text
      .slice(0, 500)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
}
