import { defined } from "../../core/json.js";
import type { NewPhase, NewTodo, Rewrite, Targets, TodoCommand, TodoEdit } from "../../core/todo/command.js";
import { type Todo, type TodoList, todosOf } from "../../core/todo/list.js";
import { groupBy } from "../../core/todo/match-todos.js";

/** What a person reads where most agents have no phases at all, and for a text that shows nothing. */
const UNNAMED = "Todos";
const BLANK = "(no text)";

/** The list as a person reads it: each text in one line, notes without empty lines, and a name for every phase. */
export function shownList(list: TodoList): TodoList {
  const names = new Set(list.phases.map(({ name }) => name));
  const unnamed = names.has("") && !names.has(UNNAMED) ? UNNAMED : BLANK;
  const phases = list.phases.map(({ name, todos }) => ({
    name: oneLine(name) || unnamed,
    todos: todos.map((todo) => ({ ...todo, text: shownText(todo), notes: shownNotes(todo) })),
  }));
  return { ...list, phases };
}

function shownText({ text }: Todo): string {
  return oneLine(text) || BLANK;
}

function shownNotes({ notes }: Todo): readonly string[] {
  return notes.map((note) => note.split("\n").map(oneLine).filter(Boolean).join("\n")).filter((note) => note !== "");
}

const BREAK = /[\n\r\u2028\u2029\u0085\v\f]/;

function oneLine(text: string): string {
  return text.replace(/\s+/g, (blank) => (BREAK.test(blank) ? " " : blank)).trim();
}

/** What was planned on the shown list, for the stored one: todos by their numbers, phases by their own names. */
export function onRealList(command: TodoCommand, list: TodoList): TodoCommand {
  switch (command.type) {
    case "read":
      return command;
    case "replace":
      return rewritten(command, list);
    case "edit":
      return { ...command, edits: command.edits.map((edit) => realEdit(edit, list)) };
  }
}

function realEdit(edit: TodoEdit, list: TodoList): TodoEdit {
  switch (edit.type) {
    case "replace":
      return rewritten(edit, list);
    case "add":
      return edit.phase === undefined ? edit : { ...edit, phase: realPhase(edit.phase, list) };
    case "move":
    case "remove":
      return { ...edit, target: realTarget(edit.target, list) };
    default:
      return edit;
  }
}

function realPhase(name: string, list: TodoList): string {
  const at = shownList(list).phases.findIndex((phase) => phase.name === name);
  return list.phases[at]?.name ?? name;
}

function realTarget(target: Targets, list: TodoList): Targets {
  if ("phase" in target) return { phase: realPhase(target.phase, list) };
  const found = "text" in target ? todosOf(list).find((todo) => shownText(todo) === target.text) : undefined;
  return found ? { number: found.number } : target;
}

/** What was shown in part stays whole, unless it was changed. Of several that read the same, each is meant once. */
function rewritten<Command extends Rewrite>(command: Command, list: TodoList): Command {
  const shown = shownList(list).phases.map(({ name }, at) => ({ name, real: list.phases[at]?.name }));
  const names = groupBy(shown, ({ name }) => name);
  const todos = groupBy(todosOf(list), shownText);
  const known = new Map(todosOf(list).map((todo) => [todo.number, todo]));
  const phases = command.phases.map(
    (phase): NewPhase => ({
      name: names.get(phase.name)?.shift()?.real ?? phase.name,
      todos: phase.todos.map((todo) =>
        realTodo(todo, todo.number === undefined ? todos.get(todo.text)?.shift() : known.get(todo.number)),
      ),
    }),
  );
  return { ...command, phases, ...defined({ explanation: list.explanation }) };
}

/** The todo that it is, with its own words and notes where what was shown of them has not been touched. */
function realTodo(todo: NewTodo, real: Todo | undefined): NewTodo {
  if (!real) return todo;
  const { notes, ...rest } = todo;
  const isNoted = notes !== undefined && JSON.stringify(notes) !== JSON.stringify(shownNotes(real));
  const text = todo.text === shownText(real) ? real.text : todo.text;
  return { ...rest, text, number: real.number, ...(isNoted ? { notes } : undefined) };
}
