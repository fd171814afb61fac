import { terminalText } from "../../core/text/terminal-text.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { listRows } from "../../core/todo/plain-text.js";
import { progressOf } from "../../core/todo/progress.js";
import { transitionLines } from "../../core/todo/transitions.js";
import type { Output } from "../command-definition.js";
import type { Played } from "../commands/demo-script.js";
import { jsonLine } from "../json-lines.js";
import { paint } from "./paint.js";
import { cutToWidth, wrapWords } from "./text-width.js";

const INDENT = "  ";
const BAR_WIDTH = 20;

export function drawTitle(output: Output): string {
  const what = "A scripted agent works through a list. The answers are the real engine's; nothing is saved or sent.";
  return rows([paint(output, "bold", "Milepost demo"), ...wrapWords(what, output.columns)]);
}

export function drawScene({ scene, answer, before, after }: Played, output: Output): string {
  const width = output.columns - INDENT.length;
  const inside = (text: string) => INDENT + cutToWidth(text, width);
  return rows([
    "",
    ...wrapWords(scene.story, output.columns).map((row) => paint(output, "bold", row)),
    paint(output, "cyan", inside(`${scene.tool} ${jsonLine(scene.input)}`)),
    ...wrapWords(terminalText(`→ ${answer.text}`), width).map((row) =>
      paint(output, answer.isError ? "yellow" : "green", INDENT + row),
    ),
    ...transitionLines(before, after).map((line) => paint(output, "dim", inside(line))),
    inside(bar(after)),
  ]);
}

function bar(list: TodoList): string {
  const { completed, total, percent, current } = progressOf(list);
  if (total === 0) return "no todos";
  const filled = Math.floor((BAR_WIDTH * completed) / total);
  const focus = current ? `  ▸ ${terminalText(current.text)}` : "";
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${completed}/${total} ${percent}%${focus}`;
}

export function drawEnding(played: readonly Played[], output: Output): string {
  const list = played.at(-1)?.after ?? EMPTY_LIST;
  const own = played.filter(({ scene }) => scene.dialect === "milepost");
  const written = own.reduce((size, { scene }) => size + jsonLine(scene.input).length, 0);
  const whole = own.reduce((size, { after }) => size + wholeListSize(after), 0);
  const cost = `The agent wrote ${written} characters of tool input.`;
  return rows([
    "",
    paint(output, "bold", "The list at the end"),
    ...listRows(list, terminalText).map((row) => INDENT + cutToWidth(row, output.columns - INDENT.length)),
    "",
    ...wrapWords(`${cost} Sending the whole list each time would have been ${whole}.`, output.columns),
  ]);
}

/** What the same state costs when every call carries all of it. */
function wholeListSize(list: TodoList): number {
  const todos = todosOf(list).map(({ text, status }) => ({ content: text, status, activeForm: text }));
  return jsonLine({ todos }).length;
}

function rows(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
