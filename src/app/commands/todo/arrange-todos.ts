import * as z from "zod";
import { ok } from "../../../core/result.js";
import type { TodoCommand, TodoEdit } from "../../../core/todo/command.js";
import type { Todo, TodoList } from "../../../core/todo/list.js";
import { pickPhase, todoNames } from "../../../core/todo/pick-todos.js";
import { defineCommand } from "../../command.js";
import { showChange, showWhole } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { changeList } from "../../todo/opened-list.js";
import { MANY, NAMES, whichTodos } from "./which-todos.js";

const EVERY = { fits: () => true, many: "listed" };

export const removeTodos = defineCommand({
  details: `Takes todos off the list, open or closed. milepost todo undo brings them back; milepost todo drop keeps
them in sight. Name todos by their numbers, or one by a part of its text. --phase NAME takes a phase with all its
todos; --all takes everything.

Examples:
  milepost todo rm 3 4
  milepost todo rm --all`,
  words: ["todos"],
  input: z.object({ todos: NAMES, ...MANY, ...WHOSE }),
  run: (context, { todos, phase, all, ...whose }) =>
    changeList(context, whose, (list, opened) => {
      const named = whichTodos(list, { todos, phase, all }, { name: "rm", ...EVERY }, opened);
      if (!named.ok) return named;
      const names = todoNames(named.value);
      const edits = named.value.map(({ number }): TodoEdit => ({ type: "remove", target: { number } }));
      const other = phase === undefined ? undefined : withoutPhase(list, phase);
      return ok({
        command: other ?? { type: "edit", edits: all ? [{ type: "clear" }] : edits },
        action: `rm ${names}`,
        said: `Removed: ${names || "what had no todos"}`,
        already: "Nothing to remove: there is no todo.",
        todos: named.value.map(({ number }) => number),
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
  details: `Puts these todos first, in this order; the others follow as they were. Each phase keeps its own todos.

Example:
  milepost todo order 3 1 2`,
  words: ["todos"],
  input: z.object({ todos: NAMES, ...WHOSE }),
  run: (context, { todos, ...whose }) =>
    changeList(context, whose, (list, opened) => {
      const named = whichTodos(list, { todos }, { name: "order", fits: EVERY.fits }, opened);
      if (!named.ok) return named;
      const names = todoNames(named.value);
      const targets = named.value.map(({ number }) => ({ number }));
      return ok({
        command: { type: "edit", edits: [{ type: "order", targets }], advance: false },
        action: `order ${names}`,
        said: `First now: ${names}`,
        already: `First already: ${names}`,
        todos: named.value.map(({ number }) => number),
      });
    }),
  show: showWhole,
});
