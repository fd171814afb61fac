import * as z from "zod";
import { ok } from "../../../core/result.js";
import { isOpen, type Todo, type TodoStatus } from "../../../core/todo/list.js";
import { todoNames } from "../../../core/todo/pick-todos.js";
import { defineCommand } from "../../command.js";
import { showChange } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { type Change, changeList } from "../../todo/opened-list.js";
import { badUsage, MANY, NAMES, whichTodos } from "./which-todos.js";

const NAMING = `Name todos by their numbers (3 4, or 3,4), or one by a part of its text that fits no other. --phase NAME
and --all mean all open ones of a phase or of the list; without any of these nothing is changed. Of several, all are
changed or none.`;

interface Move {
  readonly name: string;
  readonly to: TodoStatus;
  readonly done: string;
}

const START: Move = { name: "start", to: "in_progress", done: "Started" };

export const startTodo = defineCommand({
  details: `Marks the todo as in progress. What was in progress before goes back to pending.

Examples:
  milepost todo start 3
  milepost todo start "run tests"`,
  words: ["todos"],
  input: z.object({ todos: NAMES, ...WHOSE }),
  run: (context, { todos, ...whose }) =>
    changeList(context, whose, (list, opened) => {
      const isPending = ({ status }: Todo) => status === "pending";
      const named = whichTodos(list, { todos }, { name: "start", fits: isPending }, opened);
      if (!named.ok) return named;
      if (named.value.length > 1) return badUsage("Only one todo can be in progress: name one.");
      return ok(moved(named.value, START));
    }),
  show: showChange,
});

export const finishTodos = closing(
  { name: "done", to: "completed", done: "Done" },
  `Marks todos as completed. When nothing is in progress after that, the next pending todo is started.
${NAMING}

Examples:
  milepost todo done 3
  milepost todo done 3 4 5
  milepost todo done --phase Tests`,
);

export const dropTodos = closing(
  { name: "drop", to: "cancelled", done: "Dropped" },
  `Marks todos as cancelled: no longer needed, but still to be seen. milepost todo rm takes them off the list.
${NAMING}

Examples:
  milepost todo drop 4
  milepost todo drop --all`,
);

function closing(move: Move, details: string) {
  return defineCommand({
    details,
    words: ["todos"],
    input: z.object({ todos: NAMES, ...MANY, ...WHOSE }),
    run: (context, { todos, phase, all, ...whose }) =>
      changeList(context, whose, (list, opened) => {
        const verb = { name: move.name, fits: isOpen, many: "open" };
        const named = whichTodos(list, { todos, phase, all }, verb, opened);
        return named.ok ? ok(moved(named.value, move)) : named;
      }),
    show: showChange,
  });
}

function moved(todos: readonly Todo[], { name, to, done }: Move): Change {
  const names = todoNames(todos);
  const isSo = todos.every(({ status }) => status === to);
  return {
    command: { type: "edit", edits: todos.map(({ number }) => ({ type: "move", target: { number }, to })) },
    action: `${name} ${names}`,
    said: `${done}: ${names}`,
    already: todos.length > 0 && isSo ? `${done} already: ${names}` : "Nothing to change: no todo is open there.",
    todos: todos.map(({ number }) => number),
  };
}
