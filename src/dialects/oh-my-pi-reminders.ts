import { promptText } from "../core/text/prompt-text.js";
import { isOpen, type TodoList, todosOf } from "../core/todo/list.js";

/** What is put before the model with the person's next words, after a call that failed. */
export function errorReminder(resultText: string): string {
  const failure = promptText(resultText, MOST_FAILURE) || "todo_write returned an error.";
  return reminder([
    "todo_write failed, so todo progress is not visible to the user.",
    `Failure: ${failure}`,
    "Fix the todo payload and call todo_write again before continuing.",
  ]);
}

/** Enough for every complaint about one call, but not for the arguments that a refusal repeats. */
const MOST_FAILURE = 2_000;

/** What makes the agent go on when it stopped with work left; undefined when there is none. */
export function stopReminder(list: TodoList, attempt: number, most: number): string | undefined {
  const open = todosOf(list).filter(isOpen).length;
  if (open === 0) return undefined;
  return reminder([
    `You stopped with ${open} incomplete todo item(s):`,
    ...list.phases.flatMap(({ name, todos }) => {
      const left = todos.filter(isOpen).map(({ text }) => `  - ${promptText(text)}`);
      return left.length === 0 ? [] : [`- ${promptText(name)}`, ...left];
    }),
    "",
    "Please continue working on these tasks or mark them complete if finished.",
    `(Reminder ${attempt}/${most})`,
  ]);
}

function reminder(lines: readonly string[]): string {
  return ["<system-reminder>", ...lines, "</system-reminder>"].join("\n");
}
