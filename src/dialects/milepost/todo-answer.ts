import { promptText } from "../../core/text/prompt-text.js";
import type { TodoError } from "../../core/todo/command.js";
import type { TodoEvent } from "../../core/todo/events.js";
import { isOpen, type Todo, type TodoList, type TodoStatus, todosOf } from "../../core/todo/list.js";
import { listRows } from "../../core/todo/plain-text.js";
import { progressOf } from "../../core/todo/progress.js";
import type { Answer, Written } from "../dialect.js";
import type { Plan } from "./todo-edits.js";
import type { Shown } from "./todo-request.js";

/** The model wrote the title itself: its beginning is enough to know which todo is meant. */
const TITLE_MAX = 50;
const MOST_REPAIR_ROWS = 10;
/** About 1,500 tokens: a list that was asked for must not flood the context either. */
const SHOWN_MAX = 6000;

/** What changed and what is next, in one line; the list only when it was asked for. */
export function renderWritten(plan: Plan, show: Shown | undefined, { before, after, events }: Written): Answer {
  const line = [...facts(plan, events), ...standing(before, after, events)].join(" ");
  const text = show === undefined ? line : [line, ...shownRows(after, show)].join("\n");
  return { text, isError: false, data: summary(after) };
}

function facts({ alreadyOpen, alreadyDone, alreadyDropped }: Plan, events: readonly TodoEvent[]): readonly string[] {
  const ofType = (type: TodoEvent["type"]) => numbersOf(events, (event) => event.type === type);
  const moved = (from: readonly TodoStatus[], to: TodoStatus) =>
    numbersOf(events, (event) => event.type === "todo.moved" && event.to === to && from.includes(event.from));
  return [
    sentence("Already on the list:", alreadyOpen),
    sentence("Already done:", alreadyDone),
    sentence("Dropped before:", alreadyDropped),
    sentence("Added", ofType("todo.added")),
    sentence("Dropped", moved(["pending", "in_progress"], "cancelled")),
    sentence("Paused", moved(["in_progress"], "pending")),
    sentence("Reopened", moved(["completed", "cancelled"], "in_progress")),
    sentence("Noted on", ofType("todo.noted")),
    sentence("Active form kept with", ofType("todo.detailed")),
    // Evidence goes without saying where a todo is finished with it.
    sentence(
      "Evidence kept with",
      ofType("todo.evidenced").filter((number) => alreadyDone.includes(number)),
    ),
    events.some((event) => event.type === "list.ordered") ? "Order set." : "",
  ].filter(Boolean);
}

function numbersOf(events: readonly TodoEvent[], isWanted: (event: TodoEvent) => boolean): readonly number[] {
  return events.flatMap((event) => (isWanted(event) && "number" in event ? [event.number] : []));
}

function sentence(what: string, numbers: readonly number[]): string {
  return numbers.length === 0 ? "" : `${what} ${ranges(numbers)}.`;
}

/** 1, 2, 3, 7 becomes "1-3, 7". */
export function ranges(numbers: readonly number[]): string {
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
  if (total === 0) return [`Nothing is open; ${HOW_TO_ADD}`];
  const count = `${completed}/${total}`;
  if (completed === total) return [`${count} all done`];
  if (!current) return [`${count} nothing in progress; next ${nextTitle(after)}`];
  const isKnown = events.length > 0 && progressOf(before).current?.number === current.number;
  return [isKnown ? `${count} now #${current.number}` : `${count} now ${titled(current)}${lastNote(current)}`];
}

function titled(todo: Todo): string {
  return `#${todo.number} ${title(todo)}`;
}

/** Cut between words: half a word costs more tokens than it says. */
function title(todo: Todo): string {
  return promptText(todo.text, TITLE_MAX).replace(/ \S{0,20}…$/, "…");
}

/** In a row of several, a title must not be able to look like the next one. */
function quoted(todo: Todo): string {
  return `#${todo.number} "${title(todo).replaceAll('"', "'")}"`;
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

/** The rows from a place on. A list that is too long leaves out what is closed, and says where to read on. */
function shownRows(list: TodoList, from: Shown): readonly string[] {
  const whole = from === "all" ? list.phases.flatMap(({ name, todos }) => phaseRows(name, todos)) : [];
  if (from === "all" && sizeOf(whole) <= SHOWN_MAX) return whole;
  const wanted = todosFrom(list, from).filter(isOpen);
  const rows: string[] = [];
  let shown = 0;
  for (const todo of wanted) {
    const next = phaseRows("", [todo]);
    if (sizeOf(rows) + sizeOf(next) > SHOWN_MAX) break;
    rows.push(...next);
    shown += 1;
  }
  const rest = wanted[shown];
  if (rest) return [...rows, `${wanted.length - shown} more open; {"show":${rest.number}} goes on there.`];
  return rows.length > 0 ? rows : [`Nothing is open from #${from} on.`];
}

/** By place: after a reorder the numbers do not rise. */
function todosFrom(list: TodoList, from: Shown): readonly Todo[] {
  const todos = todosOf(list);
  if (from === "all") return todos;
  const exact = todos.findIndex((todo) => todo.number === from);
  const first = exact >= 0 ? exact : todos.findIndex((todo) => todo.number >= from);
  return first < 0 ? [] : todos.slice(first);
}

/** The newest notes count most; a todo with a hundred of them must still leave room for others. */
const MOST_NOTES_SHOWN = 5;

function phaseRows(name: string, todos: readonly Todo[]): readonly string[] {
  const brief = todos.map((todo) => {
    const older = todo.notes.length - MOST_NOTES_SHOWN;
    return older > 0 ? { ...todo, notes: [`(${older} older notes)`, ...todo.notes.slice(older)] } : todo;
  });
  return listRows({ revision: 0, nextNumber: 0, phases: [{ name, todos: brief }] }, (text) => promptText(text));
}

function sizeOf(rows: readonly string[]): number {
  return rows.reduce((size, row) => size + row.length + 1, 0);
}

/** A call that core refused: an unknown number has lost the list, so the answer shows what is open. */
export function renderRefused(error: TodoError, list: TodoList): Answer {
  const missing = error.target && "number" in error.target ? error.target.number : undefined;
  const text = missing === undefined ? unchanged(error.message) : withOpenTodos(noSuchTodo(missing, list), list);
  return { text, isError: true };
}

export function unchanged(problem: string): string {
  return `${problem} Nothing was changed.`;
}

export function withOpenTodos(problem: string, list: TodoList): string {
  return `${unchanged(problem)} ${openTodos(list)}`;
}

/** Numbers are never used twice, so a number below the next one was real once. */
function noSuchTodo(number: number, list: TodoList): string {
  return number < list.nextNumber ? `Todo ${number} is no longer on the list.` : `There is no todo ${number}.`;
}

const HOW_TO_ADD = '{"add":["first todo","second todo"]} adds todos.';

function openTodos(list: TodoList): string {
  const open = todosOf(list).filter(isOpen);
  if (open.length === 0) return `Nothing is open; ${HOW_TO_ADD}`;
  const shown = open
    .slice(0, MOST_REPAIR_ROWS)
    .map((todo) => `${quoted(todo)}${todo.status === "in_progress" ? " (now)" : ""}`);
  const more = open.length > shown.length ? `; and ${open.length - shown.length} more` : "";
  return `Open: ${shown.join("; ")}${more}.`;
}
