import { terminalText } from "../text/terminal-text.js";
import { isOpen, type TodoList, todosOf } from "./list.js";
import { progressOf } from "./progress.js";

const LONGEST = 60;

/** `3/7 ▸ Running tests`; empty when nothing is open. */
export function statusText(list: TodoList): string {
  const { completed, total, current } = progressOf(list);
  const todo = current ?? todosOf(list).find(isOpen);
  if (!todo) return total > 0 ? `${completed}/${total} ✓` : "";
  const name = (current && todo.activeForm) || todo.text;
  const line = terminalText(name.replace(/\s+/g, " ").trim());
  const short = [...line].length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line;
  return `${completed}/${total} ${current ? "▸" : "·"} ${short}`;
}
