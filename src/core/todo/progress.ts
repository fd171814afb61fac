import { terminalText } from "../text/terminal-text.js";
import { isOpen, type Todo, type TodoList, todosOf } from "./list.js";

/** What every view shows; none of them counts anything itself. */
export interface Progress {
  readonly completed: number;
  /** Cancelled todos are no longer part of the work. */
  readonly total: number;
  /** Whole percent, rounded down: 100 only when everything is completed. */
  readonly percent: number;
  readonly current: Todo | undefined;
}

export function progressOf(list: TodoList): Progress {
  let completed = 0;
  let total = 0;
  let current: Todo | undefined;
  for (const todo of todosOf(list)) {
    if (todo.status === "cancelled") continue;
    total += 1;
    if (todo.status === "completed") completed += 1;
    if (todo.status === "in_progress") current ??= todo;
  }
  return { completed, total, percent: total === 0 ? 0 : Math.floor((100 * completed) / total), current };
}

const LONGEST = 60;

/** `3/7 ▸ Running tests`; empty when nothing is open. */
export function statusText(list: TodoList): string {
  const { completed, total, current } = progressOf(list);
  const todo = current ?? todosOf(list).find(isOpen);
  if (!todo) return total > 0 ? `${completed}/${total} ✓` : "";
  const name = (current && todo.activeForm) || todo.text;
  return `${completed}/${total} ${current ? "▸" : "·"} ${shortLine(name)}`;
}

/** As much of a text as a status bar has room for. */
export function shortLine(text: string): string {
  const line = terminalText(text.replace(/\s+/g, " ").trim());
  return [...line].length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line;
}
