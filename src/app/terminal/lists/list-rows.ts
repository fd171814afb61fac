import type { Verdict } from "../../../core/grounding/verdict.js";
import { type Todo, type TodoList, type TodoStatus, todosOf } from "../../../core/todo/list.js";
import { type Line, type Piece, type Style, styled } from "../../../dialects/styled-line.js";
import { cutToWidth, stringWidth } from "../text-width.js";
import { verdictMark, verdictText } from "../verdict-text.js";

// Our own rows of a list whose texts are safe already: number, mark, text, verdict; notes of the todo in progress.

export interface Shown {
  readonly width: number;
  readonly isExpanded: boolean;
  readonly verdicts: ReadonlyMap<number, Verdict | null>;
  /** Agents without phases have one that has no name: it gets no heading. */
  readonly isPhased: boolean;
}

export interface TodoLine {
  readonly line: Line;
  readonly todo: number | null;
  /** Columns at the start of the line that the rows below leave empty, where the line takes several. */
  readonly hang: number;
}

const MARKS: Readonly<Record<TodoStatus, string>> = {
  completed: "✓",
  in_progress: "▸",
  pending: "○",
  cancelled: "–",
};

const VERDICT_STYLES: Readonly<Record<Verdict, Style>> = {
  verified: "success",
  worked: "dim",
  unbacked: "warning",
  contradicted: "error",
  waived: "dim",
};

/** Lines of notes that are shown of the todo in progress, until all of it is asked for. */
const MOST_NOTE_LINES = 3;
/** A verdict's word gives way to the text: with fewer columns than this, a text says nothing. */
const FEWEST_FOR_TEXT = 10;

export function todoLines(list: TodoList, shown: Shown): readonly TodoLine[] {
  const digits = String(todosOf(list).reduce((most, { number }) => Math.max(most, number), 0)).length;
  return list.phases.flatMap(({ name, todos }) => [
    ...(shown.isPhased ? [headingLine(name, shown)] : []),
    ...todos.flatMap((todo) => [todoLine(todo, digits, shown), ...noteLines(todo, digits + 3, shown)]),
  ]);
}

function headingLine(name: string, { width, isExpanded }: Shown): TodoLine {
  return { line: [styled("bold", isExpanded ? name : cutToWidth(name, width))], todo: null, hang: 0 };
}

function todoLine(todo: Todo, digits: number, { width, isExpanded, verdicts }: Shown): TodoLine {
  const head = `${String(todo.number).padStart(digits)} ${MARKS[todo.status]} `;
  const room = width - head.length;
  const words = wordsOf(todo);
  const verdict = verdicts.get(todo.number) ?? null;
  const told = verdict === null ? "" : toldVerdict(verdict, isExpanded ? width : room);
  const text = isExpanded ? words : cutToWidth(words, Math.max(1, room - stringWidth(told)));
  const judged = verdict === null ? [] : [styled(VERDICT_STYLES[verdict], told)];
  return { line: [...inStyle(todo.status, head, text), ...judged], todo: todo.number, hang: head.length };
}

function wordsOf({ status, text, activeForm = "" }: Todo): string {
  return status === "in_progress" && activeForm.trim() !== "" ? activeForm.trim() : text;
}

/** Mark and word, the mark alone on a narrow screen, or nothing. */
function toldVerdict(verdict: Verdict, room: number): string {
  const ways = [`  ${verdictText(verdict)}`, `  ${verdictMark(verdict)}`];
  return ways.find((way) => room - stringWidth(way) >= FEWEST_FOR_TEXT) ?? "";
}

function inStyle(status: TodoStatus, head: string, text: string): readonly Piece[] {
  switch (status) {
    case "pending":
      return [styled("dim", head), text];
    case "in_progress":
      return [styled("accent", styled("bold", head, text))];
    case "completed":
      return [styled("dim", head, text)];
    case "cancelled":
      return [styled("dim", head, styled("strike", text))];
  }
}

/** What is noted to the todo in progress; notes of the others draw no attention. */
function noteLines({ number, status, notes }: Todo, hang: number, shown: Shown): readonly TodoLine[] {
  if (status !== "in_progress") return [];
  const lines = notes.flatMap((note) => note.split("\n")).filter((line) => line.trim() !== "");
  const told = shown.isExpanded ? lines : lines.slice(0, MOST_NOTE_LINES);
  const left = lines.length - told.length;
  const more = left === 0 ? [] : [`… ${left} more ${left === 1 ? "line" : "lines"}`];
  const fitted = (text: string) => (shown.isExpanded ? text : cutToWidth(text, Math.max(1, shown.width - hang)));
  return [...told, ...more].map((text) => {
    return { line: [styled("dim", `${" ".repeat(hang)}${fitted(text)}`)], todo: number, hang };
  });
}
