import { actionsText } from "../../core/session/edited.js";
import { dueFailures } from "../../core/session/turn/failed-writes.js";
import { promptText } from "../../core/text/prompt-text.js";
import { fittingRows } from "../../core/text/token-budget.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import type { AgentReminders } from "../agent-reminders.js";
import { toMarkdown } from "./markdown.js";
import { type PiPhase, phasesOf } from "./pi-phases.js";

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
  const rows = list.phases.flatMap(({ name, todos }) => {
    const left = todos.filter(isOpen).map(({ text }) => `  - ${promptText(text)}`);
    return left.length === 0 ? [] : [`- ${promptText(name)}`, ...left];
  });
  return reminder([
    `You stopped with ${open} incomplete todo item(s):`,
    ...fittingRows(rows),
    "",
    "Please continue working on these tasks or mark them complete if finished.",
    `(Reminder ${attempt}/${most})`,
  ]);
}

/** What the model is told of a person's changes; the list is the one it has now. */
export function editReminder(actions: readonly string[], list: TodoList): string {
  const markdown = list.phases.length === 0 ? "(empty)" : toMarkdown(phasesOf(list).map(safePhase)).trimEnd();
  return reminder([
    `The user manually modified the todo list (${actionsText(actions)}).`,
    "Current todo list:",
    "",
    ...fittingRows(markdown.split("\n")),
  ]);
}

function safePhase({ name, tasks }: PiPhase): PiPhase {
  return {
    name: promptText(name),
    tasks: tasks.map(({ content, status, notes = [] }) => {
      const safe = { content: promptText(content), status };
      return notes.length === 0 ? safe : { ...safe, notes: notes.map((note) => promptText(note)) };
    }),
  };
}

const MOST_STOPS = 3;

export const OH_MY_PI_REMINDERS: AgentReminders = {
  settings: { stops: MOST_STOPS, asksAbout: "any", refusedAt: "next-prompt" },
  text(kind, session, list) {
    if (kind === "stop") return stopReminder(list, session.stops + 1, MOST_STOPS);
    // One for each call that failed, also where a later one succeeded.
    return kind === "refused" ? dueFailures(session).map(errorReminder).join("\n\n") : undefined;
  },
  edited: editReminder,
};

function reminder(lines: readonly string[]): string {
  return ["<system-reminder>", ...lines, "</system-reminder>"].join("\n");
}
