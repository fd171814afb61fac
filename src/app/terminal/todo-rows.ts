import type { Verdict } from "../../core/grounding/verdict.js";
import { terminalLines, terminalText } from "../../core/text/terminal-text.js";
import { focusOf, isOpen, type Todo, type TodoList, todosOf } from "../../core/todo/list.js";
import { STATUS_MARKERS } from "../../core/todo/plain-text.js";
import { progressOf } from "../../core/todo/progress.js";
import type { Given, Output } from "../command-definition.js";
import type { SessionMention } from "../session/session-mention.js";
import type { ListReport } from "../todo/person-edit.js";
import { shownList } from "../todo/shown-list.js";
import { reportedList } from "../todo/todo-report.js";
import { nextStep, WHO_FLAGS } from "./next-step.js";
import { sessionName } from "./owner-text.js";
import { paint } from "./paint.js";
import { paintVerdict } from "./verdict-text.js";

/** Of many that were changed at once, the first few are shown. */
const MOST_NAMED = 5;

/** What was done, whose list it is, how far it is, the todos that were changed, and what is in progress now. */
export function showChange(report: ListReport, output: Output, given: Given): string {
  const list = shownList(reportedList(report.list));
  const now = focusOf(list);
  const named = report.todos.slice(0, MOST_NAMED).map(({ number }) => number);
  const shown = todosOf(list).filter((todo) => todo === now || named.includes(todo.number));
  const verdicts = verdictsIn(report);
  const rows = shown.flatMap((todo) => todoRows(todo, widthOf(list), output, verdicts));
  return text([...terminalLines(report.said), headingRow(report, output), ...rows, ...taskRows(report, given)]);
}

/** What was done, and the whole list after it. */
export function showWhole(report: ListReport, output: Output, given: Given): string {
  return text([...terminalLines(report.said), ...wholeRows(report, output), ...taskRows(report, given)]);
}

export function wholeRows(report: ListReport, output: Output): readonly string[] {
  const list = shownList(reportedList(report.list));
  const verdicts = verdictsIn(report);
  const isPhased = report.list.phases.some(({ name }) => name !== "");
  const rows = list.phases.flatMap(({ name, todos }) => [
    ...(isPhased ? [`  ${paint(output, "bold", terminalText(name))}`] : []),
    ...todos.flatMap((todo) => todoRows(todo, widthOf(list), output, verdicts)),
  ]);
  return [headingRow(report, output), ...goalRows(report), ...rows];
}

function goalRows({ goal }: ListReport): readonly string[] {
  return goal === null ? [] : [`  goal, ${terminalText(goal.status)}: ${terminalText(goal.text)}`];
}

function text(rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}

function headingRow(report: ListReport, output: Output): string {
  const { completed, total } = progressOf(reportedList(report.list));
  const noun = report.keeper === "client" ? "tasks" : "todos";
  const progress = total === 0 ? `no ${noun}` : `${completed}/${total}`;
  const own = report.writable ? "" : "   only read, from its transcript";
  const whose = report.keeper === "client" ? "   the agent's own tasks" : own;
  return `${paint(output, "bold", ownerText(report))}   ${progress}${whose}`;
}

/** `web · fix/login · claude acc5a7`. */
export function ownerText({ project, branch, agent, session, subAgent }: SessionMention): string {
  const parts = [project ?? "no project", branch, sessionName(agent, session, subAgent ?? undefined)];
  return parts.flatMap((part) => (part === null ? [] : [terminalText(part)])).join(" · ");
}

function widthOf(list: TodoList): number {
  return String(todosOf(list).reduce((most, { number }) => Math.max(most, number), 0)).length;
}

type Verdicts = ReadonlyMap<number, Verdict | null>;

export function verdictsIn({ list }: ListReport): Verdicts {
  return new Map(list.phases.flatMap(({ todos }) => todos.map(({ number, verdict }) => [number, verdict] as const)));
}

/** A todo, and what is noted to it while it is open: finished work draws no attention. */
function todoRows(todo: Todo, width: number, output: Output, verdicts: Verdicts): readonly string[] {
  const row = `${String(todo.number).padStart(width)} ${STATUS_MARKERS[todo.status]} ${terminalText(todo.text)}`;
  const notes = isOpen(todo) ? todo.notes.flatMap((note) => terminalLines(note)) : [];
  const indent = " ".repeat(width + 7);
  const colour = todo.status === "in_progress" ? "cyan" : "dim";
  const painted = todo.status === "pending" ? row : paint(output, colour, row);
  const verdict = verdicts.get(todo.number);
  const judged = verdict ? `  ${paintVerdict(output, verdict)}` : "";
  return [`  ${painted}${judged}`, ...notes.map((note) => paint(output, "dim", `${indent}${note}`))];
}

export function taskRows({ tasks }: ListReport, { as, store }: Given): readonly string[] {
  return tasks.map(({ id, list, subject, finished }) => {
    const what = `Linked task #${id}: ${terminalText(subject)}.`;
    if (finished) return `${what} It is now done too.`;
    return `${what} To complete it too: ${nextStep(`task done ${id}`, { list, as, store }, WHO_FLAGS)}`;
  });
}
