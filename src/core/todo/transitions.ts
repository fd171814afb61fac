import { terminalText } from "../text/terminal-text.js";
import type { TodoEvent } from "./events.js";
import { isOpen, type Todo, type TodoList, todosOf } from "./list.js";
import { diffLists } from "./list-diff.js";

/**
 * One line per change, for a log or a terminal: `Todo "x": pending -> in_progress`. `finished`: the list that was
 * finished and cleared in between. Its todos were completed, and that they are gone is no news.
 */
export function transitionLines(before: TodoList, after: TodoList, finished?: TodoList): readonly string[] {
  if (finished) return [...changeLines(before, finished), ...changeLines(finished, after, isOpen)];
  return changeLines(before, after);
}

function changeLines(before: TodoList, after: TodoList, isNews: (todo: Todo) => boolean = () => true) {
  const { added, removed, renamed, moved } = diffLists(before, after);
  const inOrder = putDownFirst(moved.map(({ todo, from }) => ({ todo, what: `${from} -> ${todo.status}` })));
  return [
    ...removed.filter(isNews).map((todo) => line(todo.text, `${todo.status} -> removed`)),
    ...renamed.map(({ todo, from }) => line(from, renamedTo(todo.text))),
    ...added.map((todo) => line(todo.text, `new -> ${todo.status}`)),
    ...inOrder.map(({ todo, what }) => line(todo.text, what)),
  ];
}

/** As it happens: one todo is put down before the next is taken up. */
function putDownFirst<Item extends { readonly todo: Pick<Todo, "status"> }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => Number(a.todo.status === "in_progress") - Number(b.todo.status === "in_progress"));
}

type Named = Pick<Todo, "number" | "text" | "status">;

/**
 * The same for the events of one write: every change of a todo is a line, also one that the write itself took back. A
 * closed todo that goes with its list has been told of when it was closed. `behind`: what is said of a completed one.
 */
export function writeLines(
  list: TodoList,
  events: readonly TodoEvent[],
  behind: (todo: number) => string = () => "",
): readonly string[] {
  const todos = new Map<number, Named>(todosOf(list).map((todo) => [todo.number, todo]));
  const told = events.flatMap((event) => eventLines(todos, event));
  const isOnce = new Set(told.map(({ todo }) => todo.number)).size === told.length;
  const inOrder = isOnce ? putDownFirst(told) : told;
  return inOrder.map(({ line: said, todo }) => (said.endsWith(COMPLETED) ? said + behind(todo.number) : said));
}

const COMPLETED = " -> completed";

interface Told {
  readonly todo: Named;
  readonly line: string;
}

function eventLines(todos: Map<number, Named>, event: TodoEvent): readonly Told[] {
  switch (event.type) {
    case "list.cleared": {
      const lines = [...todos.values()].filter(isOpen).map((todo) => told(todos, todo, `${todo.status} -> removed`));
      todos.clear();
      return lines;
    }
    case "todo.added":
      return todos.has(event.number) ? [] : changed(todos, event, `new -> ${event.status}`);
    case "todo.removed": {
      const line = told(todos, event, `${event.status} -> removed`);
      todos.delete(event.number);
      return [line];
    }
    case "todo.moved":
    case "todo.renamed": {
      const todo = todos.get(event.number);
      if (!todo) return [];
      if (event.type === "todo.moved")
        return changed(todos, { ...todo, status: event.to }, `${event.from} -> ${event.to}`);
      const line = told(todos, todo, renamedTo(event.to));
      todos.set(todo.number, { ...todo, text: event.to });
      return [line];
    }
    default:
      return [];
  }
}

function changed(todos: Map<number, Named>, { number, text, status }: Named, what: string): readonly Told[] {
  const todo = { number, text, status };
  todos.set(number, todo);
  return [told(todos, todo, what)];
}

function told(todos: ReadonlyMap<number, Named>, todo: Named, what: string): Told {
  let nth = 1;
  for (const other of todos.values()) {
    if (other.number === todo.number) break;
    if (other.text === todo.text) nth += 1;
  }
  return { todo, line: line(todo.text, what, nth) };
}

/** `nth`: which of several with the same text. */
function line(text: string, what: string, nth = 1): string {
  return `Todo "${quoted(text)}"${nth === 1 ? "" : ` (${nth})`}: ${what}`;
}

function renamedTo(text: string): string {
  return `renamed to "${quoted(text)}"`;
}

/** A text that holds a quote cannot end its own. */
function quoted(text: string): string {
  return terminalText(text).replaceAll('"', '\\"');
}
