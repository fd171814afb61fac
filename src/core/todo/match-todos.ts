import type { NewTodo } from "./command.js";
import { isOpen, type Todo } from "./list.js";

/**
 * Finds for each wanted todo the one it continues, so that numbers, notes and evidence survive a rewrite: by number, by
 * the dialect's own key, by equal text, then, for an open todo in the same place, by mostly the same words. A closed
 * one is never reworded: its evidence would end up with work it does not prove.
 */
export function matchTodos(current: readonly Todo[], wanted: readonly NewTodo[]): readonly (Todo | undefined)[] {
  const taken = new Set<Todo>();
  const matches: (Todo | undefined)[] = new Array(wanted.length).fill(undefined);
  const take = (index: number, todo: Todo | undefined) => {
    if (!todo || taken.has(todo)) return;
    taken.add(todo);
    matches[index] = todo;
  };
  const matchBy = (nameOf: (todo: Todo | NewTodo) => Name, wantedName = nameOf) => {
    const names = wanted.map((todo, index) => (matches[index] ? undefined : wantedName(todo)));
    if (names.every((name) => name == null)) return;
    const free = current.filter((todo) => !taken.has(todo));
    const queues = groupBy(free, nameOf);
    for (const [index, name] of names.entries()) if (name != null) take(index, queues.get(name)?.shift());
  };

  matchBy(({ number }) => number);
  // Some agents give two todos the same key, and then reorder them: the one with the same text is meant first.
  for (const nameOf of [keyAndText, keyOf])
    matchBy(nameOf, (todo) => (todo.number === undefined ? nameOf(todo) : undefined));
  matchBy(({ text }) => text);
  if (taken.size === current.length) return matches;

  const places = new Map(current.map((todo, place) => [todo, place]));
  for (const [index, { text }] of wanted.entries()) {
    if (matches[index]) continue;
    const before = index > 0 ? matches[index - 1] : undefined;
    const place = current[before ? (places.get(before) ?? 0) + 1 : index];
    if (place && isOpen(place) && !taken.has(place) && isRename(place.text, text)) take(index, place);
  }
  return matches;
}

type Name = string | number | null | undefined;

function keyOf({ key }: Todo | NewTodo): Name {
  return key;
}

function keyAndText({ key, text }: Todo | NewTodo): Name {
  return key == null ? undefined : JSON.stringify([key, text]);
}

/** In the order of the list: several todos may have the same name. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
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
  const beginning = text.slice(0, 500).toLowerCase();
  return new Set(beginning.split(/[^\p{L}\p{N}]+/u).filter(Boolean));
}
