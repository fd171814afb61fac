import type { NewTodo, Rewrite, Targets, TodoCommand, TodoEdit } from "../core/todo/command.js";
import { type Todo, type TodoList, todosOf } from "../core/todo/list.js";

/** What a person reads where most agents have no phases at all, and for a text that shows nothing. */
const UNNAMED = "Todos";
const BLANK = "(no text)";

/**
 * The list as a person reads it, line by line: texts in one line each, whatever a model wrote into them, and a name for the
 * phase that has none.
 */
export function shownList(list: TodoList): TodoList {
  const unnamed = hasUnnamed(list) ? UNNAMED : "";
  const phases = list.phases.map(({ name, todos }) => ({
    name: oneLine(name) || unnamed || BLANK,
    todos: todos.map((todo) => ({ ...todo, text: oneLine(todo.text) || BLANK })),
  }));
  return { ...list, phases };
}

function hasUnnamed({ phases }: TodoList): boolean {
  return phases.some(({ name }) => name === "") && !phases.some(({ name }) => name === UNNAMED);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, (blank) => (/[\n\r\u2028\u2029\u0085\v\f]/.test(blank) ? " " : blank)).trim();
}

/** What was planned on the shown list, for the list itself: its todos by their numbers, its phases by their own names. */
export function onRealList(command: TodoCommand, list: TodoList): TodoCommand {
  const real = realNames(list);
  switch (command.type) {
    case "read":
      return command;
    case "replace":
      return rewritten(command, list, real);
    case "edit":
      return { ...command, edits: command.edits.map((edit) => realEdit(edit, list, real)) };
  }
}

interface RealNames {
  readonly phase: (name: string) => string;
  readonly todo: (text: string) => Todo | undefined;
}

function realNames(list: TodoList): RealNames {
  const shown = shownList(list);
  const todos = new Map<string, Todo[]>();
  todosOf(shown).forEach(({ text }, at) => {
    const todo = todosOf(list)[at];
    if (todo) todos.set(text, [...(todos.get(text) ?? []), todo]);
  });
  return {
    phase: (name) => list.phases[shown.phases.findIndex((phase) => phase.name === name)]?.name ?? name,
    // Of several that read the same, each is meant once, in order; the first one for good.
    todo: (text) => {
      const same = todos.get(text) ?? [];
      return same.length > 1 ? same.shift() : same[0];
    },
  };
}

function realEdit(edit: TodoEdit, list: TodoList, real: RealNames): TodoEdit {
  switch (edit.type) {
    case "replace":
      return rewritten(edit, list, real);
    case "add":
      return edit.phase === undefined ? edit : { ...edit, phase: real.phase(edit.phase) };
    case "move":
    case "remove":
      return { ...edit, target: realTarget(edit.target, real) };
    default:
      return edit;
  }
}

function realTarget(target: Targets, real: RealNames): Targets {
  if ("phase" in target) return { phase: real.phase(target.phase) };
  const todo = "text" in target ? real.todo(target.text) : undefined;
  return todo ? { number: todo.number } : target;
}

/** A person has read one line of a text; that it has more is not theirs to take away, nor is what only an agent can say. */
function rewritten<Command extends Rewrite>(command: Command, { explanation }: TodoList, real: RealNames): Command {
  const phases = command.phases.map(({ name, todos }) => ({
    name: real.phase(name),
    todos: todos.map(realTodo(real)),
  }));
  return { ...command, phases, ...(explanation === undefined ? undefined : { explanation }) };
}

function realTodo(real: RealNames): (todo: NewTodo) => NewTodo {
  return (todo) => {
    const known = todo.number === undefined ? real.todo(todo.text) : undefined;
    return known ? { ...todo, text: known.text, number: known.number } : todo;
  };
}
