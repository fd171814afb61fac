import { type Todo, type TodoList, todosOf } from "../../core/todo/list.js";
import type { SlashStep } from "../../dialects/oh-my-pi/slash.js";

/** The todo that `#3` or `3` means. Whatever is called just so comes first: a name may be a number. */
export function numberedTodo(list: TodoList, words: string | undefined): Todo | undefined {
  const name = words?.trim().toLowerCase() ?? "";
  const [, digits] = /^#?(\d{1,15})$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const names = [...todosOf(list).map(({ text }) => text), ...list.phases.map((phase) => phase.name)];
  if (names.some((one) => one.toLowerCase() === name)) return undefined;
  return todosOf(list).find(({ number }) => number === Number(digits));
}

/** What was planned for a text, for this very todo: another one may have the same text. */
export function aimAt(number: number, step: SlashStep): SlashStep {
  if (step.type !== "change" || step.command.type !== "edit") return step;
  const edits = step.command.edits.map((edit) => ("target" in edit ? { ...edit, target: { number } } : edit));
  return { ...step, command: { ...step.command, edits } };
}
