import { promptText } from "../core/text/prompt-text.js";
import type { TodoError } from "../core/todo/command.js";
import type { TodoEvent } from "../core/todo/events.js";
import { isOpen, type Todo, type TodoList, todosOf } from "../core/todo/list.js";
import { listRows } from "../core/todo/plain-text.js";
import { progressOf } from "../core/todo/progress.js";
import type { Answer, Written } from "./dialect.js";
import type { Request } from "./milepost-input.js";

/** The model wrote the title itself: its beginning is enough to know which todo is meant. */
const TITLE_MAX = 60;
const MOST_REPAIR_ROWS = 10;
/** About 1,500 tokens: a list that was asked for must not flood the context either. */
const SHOWN_MAX = 6000;

/** What changed and what is next, in one line; the whole list only when it was asked for. */
export function renderWritten(request: Request, present: readonly number[], written: Written): Answer {
  const { before, after, events } = written;
  const known = [sentence("Already on the list:", present), ...facts(request, before, events)].filter(Boolean);
  const line = [...known, ...standing(before, after, events)].join(" ");
  const { show } = request;
  return {
    text: show === undefined ? line : [line, ...shownRows(after, show)].join("\n"),
    isError: false,
    data: summary(after),
  };
}

function facts(request: Request, before: TodoList, events: readonly TodoEvent[]): readonly string[] {
  const doneBefore = new Set(todosOf(before).flatMap((todo) => (todo.status === "completed" ? [todo.number] : [])));
  const doneAgain = request.done.filter((number) => doneBefore.has(number));
  const ofType = (type: TodoEvent["type"]) => numbersOf(events, (event) => event.type === type);
  const moved = (to: Todo["status"]) => numbersOf(events, (event) => event.type === "todo.moved" && event.to === to);
  return [
    sentence("Already done:", doneAgain),
    sentence("Added", ofType("todo.added")),
    sentence("Dropped", moved("cancelled")),
    sentence("Paused", moved("pending")),
    sentence("Noted on", ofType("todo.noted")),
    events.some((event) => event.type === "list.ordered") ? "Order set." : "",
  ];
}

function numbersOf(events: readonly TodoEvent[], isWanted: (event: TodoEvent) => boolean): readonly number[] {
  return events.flatMap((event) => (isWanted(event) && "number" in event ? [event.number] : []));
}

function sentence(what: string, numbers: readonly number[]): string {
  return numbers.length === 0 ? "" : `${what} ${ranges(numbers)}.`;
}

/** 1, 2, 3, 7 becomes "1-3, 7". */
function ranges(numbers: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run.last + 1 === number) run.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

/** `3/20 now #4 title`. The title is left out while the focus stays: the model knows it. */
function standing(before: TodoList, after: TodoList, events: readonly TodoEvent[]): readonly string[] {
  if (events.length > 0 && events.every((event) => event.type === "todo.noted")) return [];
  const { completed, total, current } = progressOf(after);
  if (total === 0) return ['The list is empty; {"add":["first todo","second todo"]} begins one.'];
  const count = `${completed}/${total}`;
  if (completed === total) return [`${count} all done`];
  if (!current) return [`${count} nothing in progress; next ${nextTitle(after)}`];
  const isKnown = events.length > 0 && progressOf(before).current?.number === current.number;
  return [isKnown ? `${count} now #${current.number}` : `${count} now ${titled(current)}${lastNote(current)}`];
}

function titled(todo: Todo): string {
  return `#${todo.number} ${promptText(todo.text, TITLE_MAX)}`;
}

/** A note is written for the moment when its todo is taken up. */
function lastNote(todo: Todo): string {
  const note = todo.notes.at(-1);
  return note === undefined ? "" : ` (note: ${promptText(note, 2 * TITLE_MAX)})`;
}

function nextTitle(list: TodoList): string {
  const next = todosOf(list).find((todo) => todo.status === "pending");
  return next ? titled(next) : "none";
}

function summary(list: TodoList): object {
  const { completed, total, current } = progressOf(list);
  return { revision: list.revision, completed, total, focus: current?.number ?? null };
}

/** The list from a number on, open todos first in line when room is short. */
function shownRows(list: TodoList, from: number): readonly string[] {
  const whole = listRows(list, promptText);
  if (from === 1 && whole.reduce((size, row) => size + row.length, 0) <= SHOWN_MAX) return whole;
  const open = todosOf(list).filter((todo) => isOpen(todo));
  const wanted = open.slice(
    Math.max(
      0,
      open.findIndex((todo) => todo.number >= from),
    ),
  );
  const rows: string[] = [];
  let room = SHOWN_MAX;
  for (const todo of wanted) {
    const row = `${todo.number}. ${promptText(todo.text)}`;
    room -= row.length;
    if (room < 0) break;
    rows.push(row);
  }
  const rest = wanted[rows.length];
  return rest ? [...rows, `${wanted.length - rows.length} more open; {"show":${rest.number}} goes on there.`] : rows;
}

/** A refused call: what was wrong, and what the list looks like, so that the next call fits. */
export function renderRefused(error: TodoError, list: TodoList): Answer {
  const missing = error.target && "number" in error.target ? error.target.number : undefined;
  return refusal(missing === undefined ? error.message : noSuchTodo(missing, list), list);
}

export function refusal(problem: string, list: TodoList): Answer {
  return { text: `${problem} Nothing was changed. ${openTodos(list)}`, isError: true };
}

/** Numbers are never used twice, so a number below the next one was real once. */
function noSuchTodo(number: number, list: TodoList): string {
  return number < list.nextNumber ? `Todo ${number} is no longer on the list.` : `There is no todo ${number}.`;
}

function openTodos(list: TodoList): string {
  const open = todosOf(list).filter(isOpen);
  if (open.length === 0) return 'Nothing is open; {"add":["first todo","second todo"]} adds todos.';
  const shown = open
    .slice(0, MOST_REPAIR_ROWS)
    .map((todo) => `${titled(todo)}${todo.status === "in_progress" ? " (now)" : ""}`);
  const more = open.length > shown.length ? `; and ${open.length - shown.length} more` : "";
  return `Open: ${shown.join("; ")}${more}.`;
}
