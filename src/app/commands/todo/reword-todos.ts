import * as z from "zod";
import { ok } from "../../../core/result.js";
import { defineCommand } from "../../command.js";
import { shellWord } from "../../terminal/next-step.js";
import { showChange } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { changeList } from "../../todo/opened-list.js";
import { badUsage, whichTodo } from "./which-todos.js";

const ONE = z.string().min(1).describe("its number, or its text in quotes");

export const noteTodo = defineCommand({
  details: `Adds a note to a todo. Notes of open todos are shown to the model with the list.

Example:
  milepost todo note 3 "use --bail, the suite is slow"`,
  words: ["todo", "text"],
  input: z.object({ todo: ONE, text: z.array(z.string()).min(1).describe("the note"), ...WHOSE }),
  async run(context, { todo: name, text, ...whose }) {
    const note = text.join(" ").trim();
    if (note === "") return badUsage("The note is empty.");
    return changeList(context, whose, (list, opened) => {
      const todo = whichTodo(list, name, opened, (number) => `note ${number} ${shellWord(note)}`);
      if (!todo.ok) return todo;
      const { number, text: title } = todo.value;
      return ok({
        command: { type: "edit", edits: [{ type: "note", target: { number }, text: note }], advance: false },
        action: `note ${number} ${title}`,
        said: `Noted on ${number} ${title}: ${note}`,
        todos: [number],
      });
    });
  },
  show: showChange,
});

export const renameTodo = defineCommand({
  details: `Gives a todo another text. Its number, status and notes stay.

Example:
  milepost todo rename 3 Fix the login on Safari too`,
  words: ["todo", "text"],
  input: z.object({ todo: ONE, text: z.array(z.string()).min(1).describe("the new text"), ...WHOSE }),
  async run(context, { todo: name, text, ...whose }) {
    const to = text.join(" ").replace(/\s+/g, " ").trim();
    if (to === "") return badUsage("The new text is empty.");
    return changeList(context, whose, (list, opened) => {
      const todo = whichTodo(list, name, opened, (number) => `rename ${number} ${shellWord(to)}`);
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
