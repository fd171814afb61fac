import { fail, ok, type Result } from "../../../core/result.js";
import type { TodoCommand, TodoEdit } from "../../../core/todo/command.js";
import { type Evidence, isOpen, type Todo, type TodoList, type TodoStatus } from "../../../core/todo/list.js";
import { type Named, pickPhase, todoNames, type Verb, whichTodo, whichTodos } from "../../../core/todo/pick-todos.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { many, needed, text, toggle } from "../../fields.js";
import { personOf } from "../../session/person-name.js";
import { shellWord } from "../../terminal/next-step.js";
import { showChange, showWhole } from "../../terminal/todo-rows.js";
import { WHOSE, type Whose } from "../../todo/list-place.js";
import { type Change, changeList } from "../../todo/person-edit.js";

// Verbs on todos that the person names: start, done, drop, rm, order, note, rename.

const NAMES = many(text("TODO", "numbers (3 4, or 3,4), or a part of one todo's text"));

const MANY = {
  phase: text("PHASE", "all of this phase"),
  all: toggle("all of the list"),
};

const NAMING = `Name todos by their numbers (3 4, or 3,4), or one by a part of its text that fits no other. --phase NAME
and --all mean all open ones of a phase or of the list; without any of these nothing is changed. Of several, all are
changed or none.`;

function changeNamed(
  context: CommandContext,
  { todos, phase, all, ...whose }: Named & Whose,
  verb: Verb,
  plan: (todos: readonly Todo[], list: TodoList, hint: (words: string) => string) => Result<Change>,
) {
  return changeList(context, whose, (list, { hint }) => {
    const named = whichTodos(list, { todos, phase, all }, verb, hint);
    if (!named.ok) return named;
    const change = plan(named.value, list, hint);
    return change.ok ? ok({ ...change.value, todos: named.value.map(({ number }) => number) }) : change;
  });
}

interface Move {
  readonly name: string;
  readonly to: TodoStatus;
  readonly done: string;
  readonly evidence?: Evidence | undefined;
}

export const startTodo = defineCommand({
  details: `Marks the todo as in progress. What was in progress before goes back to pending.`,
  examples: ["milepost todo start 3", 'milepost todo start "run tests"'],
  words: ["todos"],
  input: { todos: NAMES, ...WHOSE },
  run: (context, input) =>
    changeNamed(context, input, { name: "start", fits: ({ status }) => status === "pending" }, (todos, _, hint) => {
      const one = hint(`todo start ${todos[0]?.number}`);
      if (todos.length > 1) return fail("bad-usage", `Only one todo can be in progress: ${one}`);
      return ok(moved(todos, { name: "start", to: "in_progress", done: "Started" }));
    }),
  show: showChange,
});

export const finishTodos = defineCommand({
  details: `Marks todos as completed. When nothing is in progress after that, the next pending todo is started.
--evidence says what shows that they are done, also of one that is completed already: your word verifies it.
${NAMING}`,
  examples: [
    "milepost todo done 3",
    "milepost todo done 3 4 5",
    'milepost todo done 3 --evidence "tried it in the browser"',
    "milepost todo done --phase Tests",
  ],
  words: ["todos"],
  input: { todos: NAMES, evidence: text("TEXT", "what shows that it is done"), ...MANY, ...WHOSE },
  async run(context, { evidence: said, ...input }) {
    const by = personOf(input.as);
    if (!by.ok) return by;
    const evidence = said?.trim() ? { text: said.trim(), by: by.value } : undefined;
    const move: Move = { name: "done", to: "completed", done: "Done", evidence };
    return changeNamed(context, input, { name: "done", fits: isOpen, many: "open" }, (todos) => ok(moved(todos, move)));
  },
  show: showChange,
});

export const dropTodos = closing(
  { name: "drop", to: "cancelled", done: "Dropped" },
  `Marks todos as cancelled: no longer needed, but still to be seen. milepost todo rm takes them off the list.
${NAMING}`,
  ["milepost todo drop 4", "milepost todo drop --all"],
);

function closing(move: Move, details: string, examples: readonly string[]) {
  const verb = { name: move.name, fits: isOpen, many: "open" };
  return defineCommand({
    details,
    examples,
    words: ["todos"],
    input: { todos: NAMES, ...MANY, ...WHOSE },
    run: (context, input) => changeNamed(context, input, verb, (todos) => ok(moved(todos, move))),
    show: showChange,
  });
}

function moved(todos: readonly Todo[], { name, to, done, evidence }: Move): Change {
  const names = todoNames(todos);
  const shown = evidence ? { evidence } : undefined;
  const isSo = todos.every(({ status }) => status === to);
  return {
    command: { type: "edit", edits: todos.map(({ number }) => ({ type: "move", target: { number }, to, ...shown })) },
    action: `${name} ${names}`,
    said: `${done}: ${names}`,
    already: todos.length > 0 && isSo ? `${done} already: ${names}` : "Nothing to change: no todo is open there.",
  };
}

export const removeTodos = defineCommand({
  details: `Takes todos off the list, open or closed. milepost todo undo brings them back; milepost todo drop keeps
them in sight. Name todos by their numbers, or one by a part of its text. --phase NAME takes a phase with all its
todos; --all takes everything.`,
  examples: ["milepost todo rm 3 4", "milepost todo rm --all"],
  words: ["todos"],
  input: { todos: NAMES, ...MANY, ...WHOSE },
  run: (context, input) =>
    changeNamed(context, input, { name: "rm", fits: () => true, many: "listed" }, (todos, list) => {
      const names = todoNames(todos);
      const edits = todos.map(({ number }): TodoEdit => ({ type: "remove", target: { number } }));
      const other = input.phase === undefined ? undefined : withoutPhase(list, input.phase);
      return ok({
        command: other ?? { type: "edit", edits: input.all ? [{ type: "clear" }] : edits },
        action: `rm ${names}`,
        said: `Removed: ${names || "what had no todos"}`,
        already: "Nothing to remove: there is no todo.",
      });
    }),
  show: showChange,
});

/** Todos are told by their numbers, so that each stays what it is. */
function withoutPhase(list: TodoList, name: string): TodoCommand {
  const gone = pickPhase(list, name);
  const phases = list.phases.filter((phase) => !gone.ok || phase !== gone.value);
  const kept = ({ number, text }: Todo) => ({ number, text });
  return { type: "replace", phases: phases.map(({ name: own, todos }) => ({ name: own, todos: todos.map(kept) })) };
}

export const orderTodos = defineCommand({
  details: `Puts these todos first, in this order; the others follow as they were. Each phase keeps its own todos.`,
  examples: ["milepost todo order 3 1 2"],
  words: ["todos"],
  input: { todos: NAMES, ...WHOSE },
  run: (context, input) =>
    changeNamed(context, input, { name: "order", fits: () => true }, (todos) => {
      const names = todoNames(todos);
      const targets = todos.map(({ number }) => ({ number }));
      return ok({
        command: { type: "edit", edits: [{ type: "order", targets }], advance: false },
        action: `order ${names}`,
        said: `First now: ${names}`,
        already: `First already: ${names}`,
      });
    }),
  show: showWhole,
});

const ONE = needed(text("TODO", "its number, or its text in quotes"));

export const noteTodo = defineCommand({
  details: `Adds a note to a todo. Notes of open todos are shown to the model with the list.`,
  examples: ['milepost todo note 3 "use --bail, the suite is slow"'],
  words: ["todo", "text"],
  input: { todo: ONE, text: needed(many(text("TEXT", "the note", { mayBeEmpty: true }))), ...WHOSE },
  async run(context, { todo: name, text, ...whose }) {
    const note = text.join(" ").trim();
    if (note === "") return fail("empty-text", "The note is empty.");
    return changeList(context, whose, (list, { hint }) => {
      const todo = whichTodo(list, name, hint, (number) => `note ${number} ${shellWord(note)}`);
      if (!todo.ok) return todo;
      const { number, text: title } = todo.value;
      return ok({
        command: { type: "edit", edits: [{ type: "note", target: { number }, text: note }], advance: false },
        action: `note ${number} ${title}`,
        wish: `note on ${number} ${title}: ${note}`,
        said: `Noted on ${number} ${title}: ${note}`,
        todos: [number],
      });
    });
  },
  show: showChange,
});

export const renameTodo = defineCommand({
  details: `Gives a todo another text. Its number, status and notes stay.`,
  examples: ["milepost todo rename 3 Fix the login on Safari too"],
  words: ["todo", "text"],
  input: { todo: ONE, text: needed(many(text("TEXT", "the new text", { mayBeEmpty: true }))), ...WHOSE },
  async run(context, { todo: name, text, ...whose }) {
    const to = text.join(" ").replace(/\s+/g, " ").trim();
    if (to === "") return fail("empty-text", "The new text is empty.");
    return changeList(context, whose, (list, { hint }) => {
      const todo = whichTodo(list, name, hint, (number) => `rename ${number} ${shellWord(to)}`);
      if (!todo.ok) return todo;
      const { number, text: from } = todo.value;
      return ok({
        command: { type: "edit", edits: [{ type: "rename", target: { number }, text: to }], advance: false },
        action: `rename ${number} ${from} to ${to}`,
        said: `Renamed ${number}: ${from} -> ${to}`,
        already: `${number} has that text already.`,
        todos: [number],
      });
    });
  },
  show: showChange,
});
