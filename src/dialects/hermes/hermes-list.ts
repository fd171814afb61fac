import type { NewPhase, NewTodo, Target } from "../../core/todo/command.js";
import { type Todo, type TodoList, todosOf } from "../../core/todo/list.js";
import { type HermesItem, withSoundParents } from "./hermes-items.js";

/** Our list as Hermes would hold it. */
export function itemsOf(list: TodoList): readonly HermesItem[] {
  const todos = todosOf(list);
  const ids = idsOf(todos);
  const items = todos.map(({ number, text, status, parent }): HermesItem => {
    const above = parent === undefined ? undefined : ids.get(parent);
    const item = { id: ids.get(number) ?? "", content: text, status, number };
    return above === undefined ? item : { ...item, parent: above };
  });
  return withSoundParents(items);
}

/** Only these may share an id: Hermes gives it to everything that came without one. */
const SHARED = "?";

/** A todo of another dialect has no key: its id is made of its number, in a shape that no model chooses. */
function idsOf(todos: readonly Todo[]): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const taken = new Set<string>();
  for (const { number, key } of todos) {
    if (!key || (key !== SHARED && taken.has(key))) continue;
    ids.set(number, key);
    taken.add(key);
  }
  for (const { number } of todos) {
    if (ids.has(number)) continue;
    let id = `#${number}`;
    while (taken.has(id)) id = `#${id}`;
    ids.set(number, id);
    taken.add(id);
  }
  return ids;
}

/** The phases that hold these items: each todo in its own one, as far as the order of the items allows. */
export function phasesOf(list: TodoList, wanted: readonly HermesItem[]): readonly NewPhase[] {
  const isEmpty = list.phases.every(({ todos }) => todos.length === 0);
  if (wanted.length === 0) return isEmpty ? list.phases.map(({ name }) => ({ name, todos: [] })) : [];
  const items = continued(list, wanted);
  const todos = newTodos(list, items);
  const places = placesOf(list, items);
  if (places.every((place) => place === undefined)) return [{ name: "", todos }];
  const filled = list.phases.map((): NewTodo[] => []);
  for (const [at, phase] of inOrder(places).entries()) filled[phase]?.push(...todos.slice(at, at + 1));
  return list.phases.flatMap(({ name, todos: before }, phase) => {
    const here = filled[phase] ?? [];
    // One that was empty before is there for a reason; one that has just lost its todos is over.
    return here.length > 0 || before.length === 0 ? [{ name, todos: here }] : [];
  });
}

function newTodos(list: TodoList, items: readonly HermesItem[]): readonly NewTodo[] {
  const known = todosOf(list);
  const byNumber = new Map(known.map((todo) => [todo.number, todo]));
  const links = {
    ids: idsOf(known),
    numbers: new Set(items.map(({ number }) => number)),
    targets: targetsOf(items),
  };
  return items.map((item): NewTodo => {
    const { id, content, status, number } = item;
    const todo = number === undefined ? undefined : byNumber.get(number);
    // A todo that goes by this id already needs no key: to give it one would be a change that nobody made.
    const isNamed = todo !== undefined && links.ids.get(todo.number) === id;
    return {
      text: content,
      status,
      parent: parentOf(item, todo, links),
      ...(isNamed ? undefined : { key: id }),
      ...(todo ? { number: todo.number } : undefined),
    };
  });
}

/** With the todos that items go on with: those of the same id, one after the other. */
function continued(list: TodoList, wanted: readonly HermesItem[]): readonly HermesItem[] {
  const free = new Map<string, number[]>();
  const told = new Set(wanted.map(({ number }) => number));
  for (const { id, number } of itemsOf(list)) {
    if (number === undefined || told.has(number)) continue;
    const same = free.get(id);
    if (same) same.push(number);
    else free.set(id, [number]);
  }
  return wanted.map((item) => {
    const number = item.number ?? free.get(item.id)?.shift();
    return number === undefined ? item : { ...item, number };
  });
}

/** How core finds the item of an id: a new one has its id for a key. */
function targetsOf(items: readonly HermesItem[]): ReadonlyMap<string, Target> {
  return new Map(items.map(({ id, number }) => [id, number === undefined ? { key: id } : { number }]));
}

interface Links {
  readonly ids: ReadonlyMap<number, string>;
  readonly numbers: ReadonlySet<number | undefined>;
  readonly targets: ReadonlyMap<string, Target>;
}

/** Where several have the parent's id, the link that is there stays: the list has not changed. */
function parentOf({ parent }: HermesItem, todo: Todo | undefined, { ids, numbers, targets }: Links): Target | null {
  if (parent === undefined) return null;
  const before = todo?.parent;
  if (before !== undefined && ids.get(before) === parent && numbers.has(before)) return { number: before };
  return targets.get(parent) ?? null;
}

/** The phase that each item's todo stands in now; undefined for a new one. */
function placesOf(list: TodoList, items: readonly HermesItem[]): readonly (number | undefined)[] {
  const phases = new Map(
    list.phases.flatMap(({ todos }, phase) => todos.map(({ number }) => [number, phase] as const)),
  );
  return items.map(({ number }) => (number === undefined ? undefined : phases.get(number)));
}

/** Never back to an earlier phase: as few as possible leave theirs; those and new ones follow the one before. */
function inOrder(places: readonly (number | undefined)[]): readonly number[] {
  const staying = longestRise(places);
  const first = places.find((_, at) => staying.has(at)) ?? 0;
  let phase = first;
  return places.map((place, at) => {
    if (place !== undefined && staying.has(at)) phase = place;
    return phase;
  });
}

/** The places of a longest run of phases that never goes back. */
function longestRise(places: readonly (number | undefined)[]): ReadonlySet<number> {
  /** By length: where the run of that length ends whose last phase is the lowest. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, place] of places.entries()) {
    if (place === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] ?? 0] ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    before.set(at, ends[low - 1]);
    ends[low] = at;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) run.add(at);
  return run;
}
